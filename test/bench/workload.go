package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

const (
	namespace = metav1.NamespaceDefault
	name      = "bench"
	// listRounds is how often a list is read.
	listRounds = 20
)

// measureWorkload takes a Deployment through its life: created, listed, updated, deleted.
func measureWorkload(ctx context.Context, o options, r *report) error {
	s, dataDir, err := startFresh(ctx, o)
	defer func() { s.end() }()
	if err != nil {
		return err
	}
	used := s.cpu()
	took, err := deploy(ctx, s.client, o.pods)
	if err != nil {
		return err
	}
	r.rate(fmt.Sprintf("Deployment of %s created → all Ready", rounded(float64(o.pods))), o.pods, "Pods", took, s.cpu().minus(used))
	for _, list := range []struct{ about, query string }{{"consistent", ""}, {"from memory (`resourceVersion=0`)", "0"}} {
		used := s.cpu()
		each, megabytes, err := listPods(ctx, s.client, o.pods, list.query)
		if err != nil {
			return err
		}
		r.latency(fmt.Sprintf("LIST of %s Pods (%.1f MB), %s", rounded(float64(o.pods)), megabytes, list.about), each, len(each), s.cpu().minus(used))
	}
	full, err := s.memory(ctx)
	if err != nil {
		return err
	}
	r.memory(fmt.Sprintf("resident memory with %s Pods", rounded(float64(o.pods))), full)
	used = s.cpu()
	if took, err = rollout(ctx, s.client, o.pods); err != nil {
		return err
	}
	r.rate(fmt.Sprintf("rolling update of %s, default surge", rounded(float64(o.pods))), o.pods, "Pods", took, s.cpu().minus(used))

	if err := s.stop(); err != nil {
		return err
	}
	if s, err = start(ctx, o, "--data-dir="+dataDir); err != nil {
		return err
	}
	r.duration(fmt.Sprintf("start again over %s Pods, with its own PostgreSQL", rounded(float64(o.pods))), s.took)
	used = s.cpu()
	if took, err = cascade(ctx, s.client); err != nil {
		return err
	}
	r.rate(fmt.Sprintf("foreground cascade delete of a Deployment of %s", rounded(float64(o.pods))), o.pods, "Pods", took, s.cpu().minus(used))
	return s.stop()
}

// measureGrowth compares the cost of one Pod in a large Deployment with that in a small one.
func measureGrowth(ctx context.Context, o options, r *report) error {
	perPod := map[int]float64{}
	for _, n := range []int{o.pods, o.large} {
		took, err := measureSize(ctx, o, r, n)
		if err != nil {
			return err
		}
		perPod[n] = took.Seconds() / float64(n)
	}
	r.ratio(fmt.Sprintf("growth: time per Pod, %s against %s", rounded(float64(o.large)), rounded(float64(o.pods))), perPod[o.large]/perPod[o.pods])
	return nil
}

// measureSize measures one of the sizes for growth, on a server of its own.
func measureSize(ctx context.Context, o options, r *report, n int) (time.Duration, error) {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return 0, err
	}
	used := s.cpu()
	took, err := deploy(ctx, s.client, n)
	if err != nil {
		return 0, err
	}
	r.rate(fmt.Sprintf("growth: Deployment of %s created → all Ready", rounded(float64(n))), n, "Pods", took, s.cpu().minus(used))
	bytes, err := s.memory(ctx)
	if err := errors.Join(err, s.stop()); err != nil {
		return 0, err
	}
	r.memory(fmt.Sprintf("growth: resident memory with %s Pods", rounded(float64(n))), bytes)
	return took, nil
}

// deploy creates a Deployment and returns how long it took until all its Pods were ready.
func deploy(ctx context.Context, client *kubernetes.Clientset, replicas int) (time.Duration, error) {
	if err := defaultServiceAccount(ctx, client, namespace); err != nil {
		return 0, err
	}
	wanted := int32(replicas)
	return timed(ctx, client, func() error {
		_, err := client.AppsV1().Deployments(namespace).Create(ctx, deployment(name, replicas), metav1.CreateOptions{})
		return err
	}, func(d *appsv1.Deployment) bool { return d != nil && d.Status.ReadyReplicas == wanted })
}

// deployment makes a Deployment of nginx whose Pods stop at once.
func deployment(name string, replicas int) *appsv1.Deployment {
	wanted, grace := int32(replicas), int64(0)
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &wanted,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					TerminationGracePeriodSeconds: &grace,
					Containers:                    []corev1.Container{{Name: "main", Image: "nginx:1.14.2"}},
				},
			},
		},
	}
}

// otherImage is a patch that makes a Deployment replace its Pods.
const otherImage = `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.16.1"}]}}}}`

// rollout changes the image and returns how long it took until the last Pod was replaced.
func rollout(ctx context.Context, client *kubernetes.Clientset, replicas int) (time.Duration, error) {
	wanted := int32(replicas)
	var changed *appsv1.Deployment
	return timed(ctx, client, func() (err error) {
		changed, err = client.AppsV1().Deployments(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(otherImage), metav1.PatchOptions{})
		return err
	}, func(d *appsv1.Deployment) bool {
		return d != nil && d.Status.ObservedGeneration >= changed.Generation &&
			d.Status.UpdatedReplicas == wanted && d.Status.Replicas == wanted && d.Status.AvailableReplicas == wanted
	})
}

// cascade deletes the Deployment in the foreground and returns how long it took until it and its
// Pods were gone.
func cascade(ctx context.Context, client *kubernetes.Clientset) (time.Duration, error) {
	foreground := metav1.DeletePropagationForeground
	took, err := timed(ctx, client, func() error {
		return client.AppsV1().Deployments(namespace).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &foreground})
	}, func(d *appsv1.Deployment) bool { return d == nil })
	if err != nil {
		return 0, err
	}
	left, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{Limit: 1})
	if err == nil && len(left.Items) > 0 {
		err = fmt.Errorf("the Deployment was deleted in the foreground, and its Pod %s is still there", left.Items[0].Name)
	}
	return took, err
}

// timed acts, and returns how long it took from then until the watched Deployment, nil when it is
// gone, was as wanted.
func timed(ctx context.Context, client *kubernetes.Clientset, act func() error, wanted func(*appsv1.Deployment) bool) (time.Duration, error) {
	changes, err := client.AppsV1().Deployments(namespace).Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return 0, err
	}
	defer changes.Stop()
	begin := time.Now()
	if err := act(); err != nil {
		return 0, err
	}
	for e := range changes.ResultChan() {
		d, ok := e.Object.(*appsv1.Deployment)
		if !ok {
			return 0, fmt.Errorf("the watch of the Deployment sent %v", e.Object)
		}
		if e.Type == watch.Deleted {
			d = nil
		}
		if wanted(d) {
			return time.Since(begin), nil
		}
	}
	return 0, errors.Join(ctx.Err(), errors.New("the watch of the Deployment ended early"))
}

// listPods reads the list of all Pods repeatedly, to its last byte, without decoding it.
func listPods(ctx context.Context, client *kubernetes.Clientset, wanted int, resourceVersion string) (each latencies, megabytes float64, err error) {
	for range listRounds {
		request := client.CoreV1().RESTClient().Get().Namespace(namespace).Resource("pods").SetHeader("Accept", "application/json")
		if resourceVersion != "" {
			request = request.Param("resourceVersion", resourceVersion)
		}
		begin := time.Now()
		stream, err := request.Stream(ctx)
		if err != nil {
			return nil, 0, err
		}
		body, err := io.ReadAll(stream)
		each = append(each, time.Since(begin))
		if err := errors.Join(err, stream.Close()); err != nil {
			return nil, 0, err
		}
		if megabytes == 0 {
			var list struct{ Items []json.RawMessage }
			if err := json.Unmarshal(body, &list); err != nil {
				return nil, 0, err
			}
			if len(list.Items) != wanted {
				return nil, 0, fmt.Errorf("the list has %d Pods, not %d", len(list.Items), wanted)
			}
			megabytes = float64(len(body)) / 1e6
		}
	}
	return each, megabytes, nil
}
