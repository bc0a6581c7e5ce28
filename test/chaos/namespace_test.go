package chaos_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

// large is the namespace that is deleted. It takes several turns.
const large = "large"

// objectsOfAKind returns how many Events and how many ConfigMaps the namespace holds: half of
// ROWLOCK_NAMESPACE_OBJECTS, or some hundreds.
func objectsOfAKind(t testing.TB) int {
	t.Helper()
	text := os.Getenv("ROWLOCK_NAMESPACE_OBJECTS")
	if text == "" {
		return 700
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		t.Fatalf("ROWLOCK_NAMESPACE_OBJECTS: %q is not a number of objects", text)
	}
	return n / 2
}

// A namespace of some thousand objects is deleted, and one of two processes is killed in the
// middle. The other one completes the deletion and answers readers throughout. The namespace never
// reports that its content is removed while there is some.
func TestKill_NamespaceGoes(t *testing.T) {
	const pods = 40
	each := objectsOfAKind(t)
	c := newClients(newFleet(t, pgtest.NewURL(t), 2))
	do(c, "namespaces", func(ctx context.Context, client kubernetes.Interface) (*corev1.Namespace, error) {
		return client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: large}}, metav1.CreateOptions{})
	})
	c.fill(each, pods)
	survivor := c.replicas[1].client
	stop, reads := c.readersAreAnswered(survivor)

	if err := survivor.CoreV1().Namespaces().Delete(t.Context(), large, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	left := 0
	eventually(t, "some of the ConfigMaps are gone", func() bool {
		all, err := survivor.CoreV1().ConfigMaps(large).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		left = len(all.Items)
		return left < each
	})
	moment := c.replicas[0].kill()
	eventually(t, "the namespace is gone", func() bool {
		_, err := survivor.CoreV1().Namespaces().Get(t.Context(), large, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	stop()
	t.Logf("%d ConfigMaps were left at the kill; readers got %d answers", left, reads.Load())
	if reads.Load() == 0 {
		t.Error("nothing was read during the deletion")
	}
	h := c.judge()
	conditionsAreTrue(t, h)
	takeover(t, h, []time.Time{moment})
}

// fill makes n ConfigMaps, n Events and a Deployment of some Pods, and waits until those are Ready.
func (c *clients) fill(n int, pods int32) {
	c.t.Helper()
	var all sync.WaitGroup
	const makers = 8
	for maker := range makers {
		all.Go(func() {
			for i := maker; i < n; i += makers {
				name := fmt.Sprintf("o-%d", i)
				do(c, "configmaps", func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
					return client.CoreV1().ConfigMaps(large).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
				})
				do(c, "events", func(ctx context.Context, client kubernetes.Interface) (*corev1.Event, error) {
					return client.CoreV1().Events(large).Create(ctx, &corev1.Event{
						ObjectMeta: metav1.ObjectMeta{Name: name}, Type: corev1.EventTypeNormal, Reason: "Made",
						InvolvedObject: corev1.ObjectReference{Kind: "ConfigMap", Namespace: large, Name: name},
					}, metav1.CreateOptions{})
				})
			}
		})
	}
	all.Wait()
	slow := template("web", "nginx:1.29")
	slow.Spec.TerminationGracePeriodSeconds = new(int64(1)) // the kubelet ends them, not the namespace's turn
	do(c, "deployments.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(large).Create(ctx, &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec: appsv1.DeploymentSpec{
				Replicas: &pods, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Template: slow,
				Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}, // it promises no Pods
			},
		}, metav1.CreateOptions{})
	})
	eventually(c.t, "the Pods are Ready", func() bool {
		d, err := c.any().AppsV1().Deployments(large).Get(context.Background(), "web", metav1.GetOptions{})
		return err == nil && d.Status.ReadyReplicas == pods
	})
}

// readersAreAnswered makes a client list and get, in the large namespace and in another, until stop
// is called. No request may fail.
func (c *clients) readersAreAnswered(client kubernetes.Interface) (stop func(), answers *atomic.Int64) {
	answers = new(atomic.Int64)
	return load([]string{large, namespace}, func(name string) {
		_, err := client.CoreV1().Pods(name).List(context.Background(), metav1.ListOptions{})
		if err == nil {
			_, err = client.CoreV1().Namespaces().Get(context.Background(), namespace, metav1.GetOptions{})
		}
		if err != nil {
			c.t.Errorf("a reader of %s got %v", name, err)
		}
		answers.Add(1)
		time.Sleep(20 * time.Millisecond)
	}), answers
}

// conditionsAreTrue checks every version of the large namespace against its contents at the end of
// the turn that wrote it. Pods are named exactly as long as there are any; the content counts as
// removed only when none is left; and nothing outlives the namespace.
func conditionsAreTrue(t *testing.T, h history.History) {
	t.Helper()
	live, versions, gone := map[object.Key]bool{}, 0, false
	for i, e := range h {
		if e.Key.Namespace == large {
			live[e.Key] = true
			if e.Verb == object.Deleted {
				delete(live, e.Key)
			}
			if gone {
				t.Errorf("%v was written after the namespace was gone", e.Key)
			}
		}
		if e.Key.Resource != "namespaces" || e.Key.Name != large {
			continue
		}
		if e.Verb == object.Deleted {
			gone = true
			if len(live) > 0 {
				t.Errorf("the namespace is gone, and there are %d objects in it", len(live))
			}
			continue
		}
		pods, all := countLive(live, h, i)
		for _, condition := range e.Object.(*corev1.Namespace).Status.Conditions {
			if condition.Type != corev1.NamespaceContentRemaining {
				continue
			}
			versions++
			remains := condition.Status == corev1.ConditionTrue
			if names := strings.Contains(condition.Message, "pods."); remains != (all > 0) || names != (pods > 0) {
				t.Errorf("revision %d says %q with %d objects, %d Pods among them", e.Revision, condition.Message, all, pods)
			}
		}
	}
	if !gone || versions == 0 {
		t.Errorf("gone: %t; %d versions have told what remains", gone, versions)
	}
}

// countLive counts what is live after the rest of the transaction that made the entry i: all its
// entries have one time.
func countLive(live map[object.Key]bool, h history.History, i int) (pods, all int) {
	after := map[object.Key]bool{}
	for key := range live {
		after[key] = true
	}
	for _, e := range h[i+1:] {
		if !e.At.Equal(h[i].At) {
			break
		}
		if e.Key.Namespace != large {
			continue
		}
		if after[e.Key] = true; e.Verb == object.Deleted {
			delete(after, e.Key)
		}
	}
	for key := range after {
		if key.Resource == "pods" {
			pods++
		}
	}
	return pods, len(after)
}
