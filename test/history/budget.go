package history

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// disruptionWriter is the log's name for the controller of budgets.
const disruptionWriter = "disruption-controller"

// Budgets checks that evictions respect PodDisruptionBudgets: whenever a healthy Pod is evicted,
// its budget has counted it, and as many Pods as it requires stay healthy. The latter cannot hold
// if Pods have been lost otherwise and the budget's status does not show that yet; so it is checked
// from when the status claims no more than exists until the next such loss.
func Budgets(h History) []Violation {
	var found []Violation
	budgets, pods := map[types.UID]*budgetLife{}, map[types.UID]*corev1.Pod{}
	for _, e := range h {
		switch e.Key.Resource {
		case "poddisruptionbudgets.policy":
			if e.Verb == object.Deleted {
				delete(budgets, e.UID)
				continue
			}
			b := budgets[e.UID]
			if b == nil {
				b = &budgetLife{lapsed: map[string]bool{}}
				budgets[e.UID] = b
			}
			b.saw(e.Object.(*policyv1.PodDisruptionBudget), e.At)
			if e.Writer == disruptionWriter {
				if !b.trusted { // Pods lost otherwise do not affect those that are already counted
					for pod, wanted := range b.granted {
						b.granted[pod] = min(wanted, b.Status.CurrentHealthy)
					}
				}
				b.trusted = int(b.Status.CurrentHealthy) <= b.healthy(pods)
			}
		case "pods":
			old := pods[e.UID]
			last, _ := e.Object.(*corev1.Pod)
			if pods[e.UID] = last; e.Verb == object.Deleted || last == nil {
				delete(pods, e.UID)
			}
			if old == nil || !podstate.Ready(old) || old.DeletionTimestamp != nil {
				continue
			}
			evicted := last != nil && evictedByAPI(last) && !evictedByAPI(old) && old.Status.Phase == corev1.PodRunning
			for _, uid := range slices.Sorted(maps.Keys(budgets)) {
				b := budgets[uid]
				if old.Namespace != b.Namespace || !b.selects(old) {
					continue
				}
				now := pods[e.UID]
				stays := now != nil && b.selects(now) && podstate.Ready(now) && now.DeletionTimestamp == nil
				if !evicted {
					b.trusted = b.trusted && stays
				} else if message := b.judge(old, pods); message != "" {
					found = append(found, Violation{e.Revision, e.Key, message})
				}
			}
		}
	}
	return found
}

// budgetLife is a budget at a revision.
type budgetLife struct {
	*policyv1.PodDisruptionBudget
	trusted bool             // its status claims no more healthy Pods than exist
	granted map[string]int32 // by counted Pod: the minimum number of healthy Pods that the budget has required since
	lapsed  map[string]bool  // Pods whose eviction took longer than they stay counted
}

// saw takes the next version. A Pod is evicted some time after it has been counted: by then its
// workload may have been scaled up, and the budget requires more than it did. If the cluster's
// clock meanwhile passes the time for which the Pod is counted, nothing is guaranteed.
func (b *budgetLife) saw(next *policyv1.PodDisruptionBudget, at time.Time) {
	granted, lapsed := map[string]int32{}, maps.Clone(b.lapsed)
	if b.PodDisruptionBudget != nil {
		for pod, since := range b.Status.DisruptedPods {
			if _, still := next.Status.DisruptedPods[pod]; !still && at.After(since.Add(disruption.DeletionTimeout)) {
				lapsed[pod] = true
			}
		}
	}
	for pod := range next.Status.DisruptedPods {
		delete(lapsed, pod)
		granted[pod] = next.Status.DesiredHealthy
		if before, counted := b.granted[pod]; counted {
			granted[pod] = min(before, granted[pod])
		}
	}
	b.PodDisruptionBudget, b.granted, b.lapsed = next, granted, lapsed
}

// judge returns what is wrong with the eviction of a healthy Pod, which is no longer one of the
// Pods, or is terminating.
func (b *budgetLife) judge(evicted *corev1.Pod, pods map[types.UID]*corev1.Pod) string {
	wanted, counted := b.granted[evicted.Name]
	if b.lapsed[evicted.Name] {
		return ""
	}
	if !counted {
		return fmt.Sprintf("is evicted, and its budget %s has not counted it", b.Name)
	}
	if n := b.healthy(pods); b.trusted && n < int(wanted) {
		return fmt.Sprintf("is evicted, and leaves %d healthy of the %d that budget %s wants", n, wanted, b.Name)
	}
	return ""
}

func (b *budgetLife) selects(pod *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	return err == nil && selector.Matches(labelsOf(pod))
}

// healthy counts the Pods that are ready and not terminating.
func (b *budgetLife) healthy(pods map[types.UID]*corev1.Pod) (n int) {
	for _, p := range pods {
		if _, leaving := b.Status.DisruptedPods[p.Name]; p.Namespace == b.Namespace && !leaving && p.DeletionTimestamp == nil && podstate.Ready(p) && b.selects(p) {
			n++
		}
	}
	return n
}

// evictedByAPI reports whether a Pod has the condition that evictions set.
func evictedByAPI(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == "EvictionByEvictionAPI"
	})
}
