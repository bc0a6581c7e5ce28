package chaos_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

const (
	// patience bounds everything that must happen in the end, on a busy machine.
	patience  = 3 * time.Minute
	namespace = "default"
)

// clients are clients that go from replica to replica, retry failures, and remember the answers.
type clients struct {
	*fleet
	refusals history.Refusals

	mu           sync.Mutex
	acknowledged []history.Write
}

func newClients(f *fleet) *clients { return &clients{fleet: f} }

// do calls f with one replica's client after another until it succeeds, and returns the result. A
// failure that may not be retried fails the test.
func do[T metav1.Object](c *clients, resource string, f func(context.Context, kubernetes.Interface) (T, error)) (T, bool) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		client := c.any()
		if client == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		o, err := f(ctx, client)
		cancel()
		if err == nil {
			c.acknowledge(resource, o)
			return o, true
		}
		if !c.refusals.Retryable(err) {
			c.t.Errorf("a client was told what is not a reason to try again: %v", err)
			break
		}
	}
	var none T
	c.t.Errorf("a write of %s was never acknowledged", resource)
	return none, false
}

func (c *clients) acknowledge(resource string, o metav1.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acknowledged = append(c.acknowledged, history.Write{
		Key: object.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()},
		UID: o.GetUID(), Revision: object.RevisionOf(o),
	})
}

// template makes Pods that start and stop quickly.
func template(app, image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec: corev1.PodSpec{
			TerminationGracePeriodSeconds: new(int64(0)),
			Containers:                    []corev1.Container{{Name: "main", Image: image}},
		},
	}
}

// createReplicaSet creates a ReplicaSet of n Pods. It may already exist: an earlier attempt of ours
// may have gone unanswered.
func (c *clients) createReplicaSet(name string, n int32) {
	c.t.Helper()
	do(c, "replicasets.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.ReplicaSet, error) {
		sets := client.AppsV1().ReplicaSets(namespace)
		created, err := sets.Create(ctx, &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: appsv1.ReplicaSetSpec{
				Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
				Template: template(name, "nginx:1.29"),
			},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return sets.Get(ctx, name, metav1.GetOptions{})
		}
		return created, err
	})
}

// createDeployment is createReplicaSet for a Deployment.
func (c *clients) createDeployment(name string, n int32) {
	c.t.Helper()
	do(c, "deployments.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		deployments := client.AppsV1().Deployments(namespace)
		created, err := deployments.Create(ctx, &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: appsv1.DeploymentSpec{
				Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
				Template: template(name, "nginx:1.29"),
			},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return deployments.Get(ctx, name, metav1.GetOptions{})
		}
		return created, err
	})
}

// agents is the namespace of the DaemonSet with that name, which is separate from the other
// workloads.
const agents = metav1.NamespaceSystem

// rollDaemonSet gives the DaemonSet an image, and creates it if it does not exist.
func (c *clients) rollDaemonSet(name, image string) *appsv1.DaemonSet {
	c.t.Helper()
	ds, _ := do(c, "daemonsets.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.DaemonSet, error) {
		sets := client.AppsV1().DaemonSets(agents)
		patched, err := sets.Patch(ctx, name, types.StrategicMergePatchType, []byte(rollTo(image)), metav1.PatchOptions{})
		if !apierrors.IsNotFound(err) {
			return patched, err
		}
		return sets.Create(ctx, &appsv1.DaemonSet{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: template(name, image)},
		}, metav1.CreateOptions{})
	})
	return ds
}

// patchReplicaSet and patchDeployment make changes that are safe to repeat.
func (c *clients) patchReplicaSet(name, patch string) {
	c.t.Helper()
	do(c, "replicasets.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.ReplicaSet, error) {
		return client.AppsV1().ReplicaSets(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

func (c *clients) patchDeployment(name, patch string) (d *appsv1.Deployment) {
	c.t.Helper()
	d, _ = do(c, "deployments.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	})
	return d
}

func scaleTo(n int) string { return fmt.Sprintf(`{"spec":{"replicas":%d}}`, n) }

func rollTo(image string) string {
	return fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":%q}]}}}}`, image)
}

// eventually waits for something that other processes do.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !becomes(t, what, so) {
		t.FailNow()
	}
}

// becomes is eventually for any goroutine: it reports a failure and returns false.
func becomes(t testing.TB, what string, so func() bool) bool {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("not so within %v: %s", patience, what)
			return false
		}
	}
	return true
}
