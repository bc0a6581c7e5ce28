package chaos_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// PDB-003, PDB-008: all Pods of a workload are evicted at once, at two replicas, repeatedly. At no
// revision of the log do evictions leave fewer healthy Pods than the budget requires.
func TestEviction_BudgetsAreKept(t *testing.T) {
	evictAll(t, 4, false)
}

// As above, while one of the two replicas is killed. An unanswered eviction may have been carried
// out.
func TestKill_EvictionsKeepBudgets(t *testing.T) { evictAll(t, 3, true) }

// evictAll evicts all Pods of a workload through both replicas at once, this many times, and kills
// one of the two each time if kills is true.
func evictAll(t *testing.T, rounds int, kills bool) {
	t.Helper()
	const pods, wanted = 8, 6
	c := newClients(newFleet(t, pgtest.NewURL(t), 2))
	c.createReplicaSet("web", pods)
	least := intstr.FromInt32(wanted)
	do(c, "poddisruptionbudgets.policy", func(ctx context.Context, client kubernetes.Interface) (*policyv1.PodDisruptionBudget, error) {
		return client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
		}, metav1.CreateOptions{})
	})
	evicted := 0
	for round := range rounds {
		// An eviction reduces the allowed disruptions at once. The healthy Pods are counted later.
		// An eviction that was killed between the budget and the Pod keeps its disruption for two
		// minutes.
		eventually(t, "the budget says that all are healthy", func() bool {
			b, err := c.replicas[0].client.PolicyV1().PodDisruptionBudgets(namespace).Get(context.Background(), "web", metav1.GetOptions{})
			return err == nil && b.Status.CurrentHealthy == pods && (kills || b.Status.DisruptionsAllowed == pods-wanted)
		})
		list, err := c.replicas[0].client.CoreV1().Pods(namespace).List(context.Background(), metav1.ListOptions{LabelSelector: "app=web"})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var allowed atomic.Int32
		for i, pod := range list.Items {
			if pod.DeletionTimestamp != nil {
				continue // it was evicted in an earlier round, and may be gone by now
			}
			client := c.replicas[i%2].client
			all.Go(func() {
				err := client.CoreV1().Pods(namespace).EvictV1(context.Background(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}})
				switch {
				case err == nil:
					allowed.Add(1)
				case apierrors.IsTooManyRequests(err) && apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause):
				case !kills || !c.refusals.Retryable(err):
					t.Errorf("%s: %v", pod.Name, err)
				}
			})
		}
		if kills {
			r := c.replicas[round%2]
			r.kill()
			r.start()
		}
		all.Wait()
		if allowed.Load() == 0 && !kills {
			t.Error("none was evicted")
		}
		evicted += int(allowed.Load())
	}
	t.Logf("%d evictions of %d were allowed", evicted, pods*rounds)
	c.awaitSettled(map[string]int{"web": pods})
	c.judge()
}
