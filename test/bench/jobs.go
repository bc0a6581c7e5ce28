package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// jobRounds is how often the Jobs are measured, so that the first ones of a new server do not
// decide.
const jobRounds = 3

// measureJobs runs Jobs of one Pod each to their end, a tenth as many as the Pods in other
// measures.
func measureJobs(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	if err := defaultServiceAccount(ctx, s.client, namespace); err != nil {
		return err
	}
	n := max(o.pods/10, 1)
	took := make([]time.Duration, 0, jobRounds)
	used := s.cpu()
	for round := range jobRounds {
		t, err := jobs(ctx, s.client, o.clients, n, fmt.Sprintf("%s-%d", name, round))
		if err != nil {
			return err
		}
		took = append(took, t)
	}
	all := s.cpu().minus(used).each(jobRounds)
	r.rate(fmt.Sprintf("%s Jobs of one Pod created → Complete, the quickest of %d times", rounded(float64(n)), jobRounds), n, "Jobs", slices.Min(took), all)
	r.rate(fmt.Sprintf("%s Jobs of one Pod created → Complete, the slowest", rounded(float64(n))), n, "Jobs", slices.Max(took), all)
	return s.stop()
}

// jobs creates n Jobs, and returns how long it took until a watch has shown all of them complete.
func jobs(ctx context.Context, client *kubernetes.Clientset, clients, n int, prefix string) (time.Duration, error) {
	c := client.BatchV1().Jobs(namespace)
	changes, err := c.Watch(ctx, metav1.ListOptions{LabelSelector: "bench=" + prefix})
	if err != nil {
		return 0, err
	}
	defer changes.Stop()
	begin := time.Now()
	created := make(chan error, 1)
	go func() {
		_, _, err := together(ctx, clients, n, func(ctx context.Context, i int) error {
			_, err := c.Create(ctx, job(fmt.Sprintf("%s-%d", prefix, i), prefix), metav1.CreateOptions{})
			return err
		})
		created <- err
	}()
	complete := map[string]bool{}
	for len(complete) < n {
		select {
		case err := <-created:
			if err != nil {
				return 0, err
			}
			created = nil
		case e, ok := <-changes.ResultChan():
			if !ok {
				return 0, errors.Join(ctx.Err(), errors.New("the watch of the Jobs ended early"))
			}
			if j, ok := e.Object.(*batchv1.Job); ok && j.Status.CompletionTime != nil {
				complete[j.Name] = true
			}
		}
	}
	return time.Since(begin), nil
}

func job(jobName, label string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: jobName, Labels: map[string]string{"bench": label}},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "main", Image: "busybox:1.28", Command: []string{"true"}}},
		}}},
	}
}
