// Package disruption holds the decisions about PodDisruptionBudgets: their status (Reconcile), and
// whether a Pod may be evicted (Evict).
//
// The status counts the healthy Pods and says how many may be disrupted. An eviction decrements
// that number and adds its Pod to disruptedPods, in one write of the budget that only succeeds on
// the version that was judged. So evictions are counted exactly, even if many arrive at once. The
// Pod counts as unhealthy until it is being deleted or two minutes have passed.
package disruption

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// DeletionTimeout is how long a Pod may be in disruptedPods without being deleted.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, DeletionTimeout
const DeletionTimeout = 2 * time.Minute

const component = "controllermanager"

// Owner is the number of Pods that a Pod's controller asks for.
type Owner struct {
	UID      types.UID // of the object with the replicas, such as the Deployment for a Pod of its ReplicaSet
	Replicas int32
	Problem  string // why the number is unknown; empty if it is known
}

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	Budget *policyv1.PodDisruptionBudget
	Pods   []*corev1.Pod       // all that the budget selects, by name
	Owners map[types.UID]Owner // by the uids of the Pods' controllers; read only if CountsOwners is true
	Now    time.Time
}

// CountsOwners reports whether the budget depends on the number of Pods that their controllers ask
// for. It does not if minAvailable is a number.
func CountsOwners(b *policyv1.PodDisruptionBudget) bool {
	return b.Spec.MaxUnavailable != nil || b.Spec.MinAvailable != nil && b.Spec.MinAvailable.Type == intstr.String
}

// Reconcile computes the budget's status. It is pure and safe for concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, trySync, updatePdbStatus and failSafe
//
// Differs: for a budget without Pods, or with Pods without a controller, upstream emits an event at
// each sync. Here only a sync that changes the status does, so that events are not repeated.
func Reconcile(s Snapshot) plan.Plan {
	var p plan.Plan
	next := s.Budget.DeepCopy()
	if len(s.Pods) == 0 {
		p.Events = append(p.Events, s.event(corev1.EventTypeNormal, "NoPods", "No matching pods found"))
	}
	expected, desired, unmanaged, problem := s.count()
	if problem != "" {
		p.Events = append(p.Events, s.event(corev1.EventTypeWarning, "CalculateExpectedPodCountFailed", "Failed to calculate the number of expected pods: "+problem))
		next.Status.DisruptionsAllowed = 0
		s.condition(&next.Status, metav1.ConditionFalse, policyv1.SyncFailedReason, problem)
	} else {
		if unmanaged {
			p.Events = append(p.Events, s.event(corev1.EventTypeWarning, "UnmanagedPods", unmanagedMessage(s.Budget.Spec.Selector)))
		}
		disrupted, notDeleted, recheck := s.disrupted()
		p.Events, p.WakeAt = append(p.Events, notDeleted...), recheck
		healthy := s.healthy(disrupted)
		next.Status = policyv1.PodDisruptionBudgetStatus{
			ObservedGeneration: s.Budget.Generation, DisruptedPods: disrupted, CurrentHealthy: healthy, DesiredHealthy: desired,
			ExpectedPods: expected, Conditions: next.Status.Conditions,
		}
		if expected > 0 {
			next.Status.DisruptionsAllowed = max(0, healthy-desired)
		}
		s.allow(&next.Status)
	}
	if equality.Semantic.DeepEqual(next.Status, s.Budget.Status) {
		return plan.Plan{WakeAt: p.WakeAt}
	}
	p.Updates = []plan.Update{{Object: next, Subresource: "status"}}
	return p
}

// count returns how many Pods there should be, how many of them must be healthy, whether some have
// no controller, and why this cannot be determined, if so.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, getExpectedPodCount and getExpectedScale
func (s Snapshot) count() (expected, desired int32, unmanaged bool, problem string) {
	spec := &s.Budget.Spec
	if !CountsOwners(s.Budget) {
		if spec.MinAvailable != nil {
			return int32(len(s.Pods)), spec.MinAvailable.IntVal, false, ""
		}
		return 0, 0, false, ""
	}
	counted := map[types.UID]bool{}
	for _, pod := range s.Pods {
		ref := metav1.GetControllerOfNoCopy(pod)
		if ref == nil {
			unmanaged = true
			continue
		}
		owner, known := s.Owners[ref.UID]
		switch {
		case !known:
			return 0, 0, false, fmt.Sprintf("found no controllers for pod %q", pod.Name)
		case owner.Problem != "":
			return 0, 0, false, owner.Problem
		case !counted[owner.UID]:
			counted[owner.UID] = true
			expected += owner.Replicas
		}
	}
	bound := spec.MinAvailable
	if spec.MaxUnavailable != nil {
		bound = spec.MaxUnavailable
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(bound, int(expected), true)
	if err != nil {
		return 0, 0, false, err.Error()
	}
	if spec.MaxUnavailable != nil {
		n = max(0, int(expected)-n)
	}
	return expected, int32(n), unmanaged, ""
}

// disrupted returns the evicted Pods that are not being deleted yet, the events of those that
// should be, and when to sync again; zero if that is not needed.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, buildDisruptedPodMap
//
// Differs: a Pod that was created after the eviction is a different one with the same name, and
// counts.
func (s Snapshot) disrupted() (still map[string]metav1.Time, events []plan.Event, recheck time.Time) {
	for _, pod := range s.Pods {
		at, named := s.Budget.Status.DisruptedPods[pod.Name]
		if !named || pod.DeletionTimestamp != nil || pod.CreationTimestamp.After(at.Time) {
			continue
		}
		deadline := at.Add(DeletionTimeout)
		if deadline.Before(s.Now) {
			events = append(events, plan.Event{
				Regarding: pod, Type: corev1.EventTypeWarning, Reason: "NotDeleted", Component: component, OfUpdate: s.Budget.UID,
				Message: fmt.Sprintf("Pod was expected by PDB %s/%s to be deleted but it wasn't", s.Budget.Namespace, s.Budget.Namespace),
			})
			continue
		}
		if still == nil {
			still = map[string]metav1.Time{}
		}
		still[pod.Name] = at
		if recheck.IsZero() || deadline.Before(recheck) {
			recheck = deadline
		}
	}
	if !recheck.IsZero() {
		recheck = recheck.Add(time.Second) // the deadline must have passed
	}
	return still, events, recheck
}

// healthy counts the ready Pods, without those that are or will soon be deleted.
func (s Snapshot) healthy(disrupted map[string]metav1.Time) (n int32) {
	for _, pod := range s.Pods {
		if _, leaving := disrupted[pod.Name]; !leaving && pod.DeletionTimestamp == nil && podstate.Ready(pod) {
			n++
		}
	}
	return n
}

// allow sets the condition that says whether a Pod may be disrupted.
func (s Snapshot) allow(status *policyv1.PodDisruptionBudgetStatus) {
	if status.DisruptionsAllowed > 0 {
		s.condition(status, metav1.ConditionTrue, policyv1.SufficientPodsReason, "")
	} else {
		s.condition(status, metav1.ConditionFalse, policyv1.InsufficientPodsReason, "")
	}
}

func (s Snapshot) condition(status *policyv1.PodDisruptionBudgetStatus, is metav1.ConditionStatus, reason, message string) {
	status.Conditions = slices.Clone(status.Conditions)
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: policyv1.DisruptionAllowedCondition, Status: is, Reason: reason, Message: message, ObservedGeneration: status.ObservedGeneration,
		LastTransitionTime: metav1.NewTime(s.Now).Rfc3339Copy(),
	})
}

func (s Snapshot) event(eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: s.Budget, Type: eventType, Reason: reason, Message: message, Component: component}
}

func unmanagedMessage(selector *metav1.LabelSelector) string {
	return fmt.Sprintf("Pods selected by this PodDisruptionBudget (selector: %v) were found to be unmanaged. As a result, the status of the PDB cannot be "+
		"calculated correctly, which may result in undefined behavior. "+
		"To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer value.", selector)
}

// withDisrupted is the map with one more Pod.
func withDisrupted(m map[string]metav1.Time, pod string, at time.Time) map[string]metav1.Time {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]metav1.Time{}
	}
	m[pod] = metav1.NewTime(at).Rfc3339Copy()
	return m
}
