package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/api/v1"
)

// measureClock times advances of the clock, each on its own server with a paused clock.
func measureClock(ctx context.Context, o options, r *report) error {
	const day = 24 * time.Hour
	for _, m := range []struct {
		measure string
		prepare func(context.Context, *kubernetes.Clientset) error
		by      time.Duration
		jobs    int // that run meanwhile
	}{
		{"clock: a progress deadline of ten minutes passes", stuckRollout, 601 * time.Second, 1},
		{"clock: a day of a CronJob that runs every five minutes, 288 Jobs", cronJobs("*/5 * * * *", 1), day, 288},
		{"clock: a month of a CronJob that runs every hour, 720 Jobs", cronJobs("0 * * * *", 1), 30 * day, 720},
		{
			fmt.Sprintf("clock: an hour of %s CronJobs that run every minute, %s Jobs", rounded(float64(o.cronJobs)), rounded(float64(60*o.cronJobs))),
			cronJobs("* * * * *", o.cronJobs), time.Hour, 60 * o.cronJobs,
		},
	} {
		took, used, err := measureAdvance(ctx, o, m.prepare, m.by)
		if err != nil {
			return err
		}
		r.durationOf(m.measure, m.jobs, took, used)
	}
	return nil
}

func measureAdvance(
	ctx context.Context, o options, prepare func(context.Context, *kubernetes.Clientset) error, by time.Duration,
) (took time.Duration, used cpuTime, err error) {
	s, _, err := startFresh(ctx, o)
	defer func() { s.end() }()
	if err != nil {
		return 0, cpuTime{}, err
	}
	if err := defaultServiceAccount(ctx, s.client, namespace); err != nil {
		return 0, cpuTime{}, err
	}
	if _, err := setClock(ctx, s.client, v1.ClockRequest{Paused: new(true)}); err != nil {
		return 0, cpuTime{}, err
	}
	if err := prepare(ctx, s.client); err != nil {
		return 0, cpuTime{}, err
	}
	if _, err := advance(ctx, s.client, 0); err != nil { // immediate effects do not belong to the time that passes
		return 0, cpuTime{}, err
	}
	before := s.cpu()
	took, err = advance(ctx, s.client, by)
	if err != nil {
		return 0, cpuTime{}, err
	}
	used = s.cpu().minus(before)
	return took, used, s.stop()
}

// advance lets time pass, and returns how long that took.
func advance(ctx context.Context, client *kubernetes.Clientset, by time.Duration) (time.Duration, error) {
	begin := time.Now()
	now, err := setClock(ctx, client, v1.ClockRequest{Advance: &v1.ClockAdvanceRequest{By: new(by.String())}})
	for err == nil && now.Advance.Phase == "running" {
		now, err = answered(client.RESTClient().Get().AbsPath(v1.ClockPath).Param("wait", "1m").Do(ctx).Raw())
	}
	if err == nil && (now.Advance.Phase != "done" || now.FailingCount > 0) {
		err = fmt.Errorf("the advance ended as %+v, with %d looks that failed", now.Advance, now.FailingCount)
	}
	return time.Since(begin), err
}

func setClock(ctx context.Context, client *kubernetes.Clientset, r v1.ClockRequest) (v1.Clock, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return v1.Clock{}, err
	}
	return answered(client.RESTClient().Post().AbsPath(v1.ClockPath).Param("wait", "1m").SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Raw())
}

func answered(answer []byte, err error) (c v1.Clock, _ error) {
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(answer, &c)
}

// stuckRollout makes a Deployment roll out an image that does not exist.
func stuckRollout(ctx context.Context, client *kubernetes.Clientset) error {
	if _, err := deploy(ctx, client, 3); err != nil {
		return err
	}
	const patch = `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.161"}]}}}}`
	_, err := client.AppsV1().Deployments(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// cronJobs creates n CronJobs with a short command.
func cronJobs(schedule string, n int) func(context.Context, *kubernetes.Clientset) error {
	return func(ctx context.Context, client *kubernetes.Clientset) error {
		const clients = 16
		_, _, err := together(ctx, clients, n, func(ctx context.Context, i int) error {
			_, err := client.BatchV1().CronJobs(namespace).Create(ctx, cronJob(fmt.Sprintf("%s-%d", name, i), schedule), metav1.CreateOptions{})
			return err
		})
		return err
	}
}

func cronJob(name, schedule string) *batchv1.CronJob {
	pod := corev1.PodSpec{RestartPolicy: corev1.RestartPolicyOnFailure, Containers: []corev1.Container{
		{Name: "hello", Image: "busybox:1.28", Command: []string{"/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"}},
	}}
	return &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: batchv1.CronJobSpec{
			Schedule:    schedule,
			JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: pod}}},
		},
	}
}
