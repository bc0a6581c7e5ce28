package disruption

import (
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// maxDisrupted is the size of disruptedPods above which no more Pods are evicted.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, MaxDisruptedPodSize
const maxDisrupted = 2000

// Errors of Evict that waiting does not resolve.
var (
	ErrNegative = errors.New("pdb disruptions allowed is negative")
	ErrTooMany  = errors.New("DisruptedPods map too big - too many evictions not confirmed by PDB controller")
)

// Refused means that a budget does not allow an eviction now.
type Refused struct {
	Cause             string
	RetryAfterSeconds int // 0 if unknown
}

func (*Refused) Error() string {
	return "Cannot evict pod as it would violate the pod's disruption budget."
}

// Unguarded reports whether a Pod may be evicted regardless of its budget, because its loss does
// not matter: it has not started, has ended, or is being deleted.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, canIgnorePDB
func Unguarded(pod *corev1.Pod) bool {
	return podstate.Terminal(pod) || pod.Status.Phase == corev1.PodPending || pod.DeletionTimestamp != nil
}

// Evict judges the eviction of a Pod by the only budget that selects it. It returns the budget to
// write before the Pod is deleted. It returns nil if there is nothing to count, because the Pod is
// unhealthy; it may then be evicted as long as it stays unhealthy. now is cluster time. Errors:
// *Refused, ErrNegative, ErrTooMany. Evict is pure.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, Create and checkAndDecrement
func Evict(pod *corev1.Pod, b *policyv1.PodDisruptionBudget, now time.Time) (*policyv1.PodDisruptionBudget, error) {
	s := b.Status
	if !podstate.Ready(pod) {
		policy := b.Spec.UnhealthyPodEvictionPolicy
		if policy != nil && *policy == policyv1.AlwaysAllow || s.CurrentHealthy >= s.DesiredHealthy && s.DesiredHealthy > 0 {
			return nil, nil //nolint:nilnil // no error, and nothing to count
		}
	}
	switch {
	case s.ObservedGeneration < b.Generation:
		return nil, &Refused{Cause: fmt.Sprintf("The disruption budget %s is still being processed by the server.", b.Name), RetryAfterSeconds: 10}
	case s.DisruptionsAllowed < 0:
		return nil, ErrNegative
	case len(s.DisruptedPods) > maxDisrupted:
		return nil, ErrTooMany
	case s.DisruptionsAllowed == 0:
		return nil, &Refused{Cause: cause(b)}
	}
	next := b.DeepCopy()
	next.Status.DisruptionsAllowed--
	if next.Status.DisruptionsAllowed == 0 {
		Snapshot{Now: now}.allow(&next.Status)
	}
	next.Status.DisruptedPods = withDisrupted(next.Status.DisruptedPods, pod.Name, now)
	return next, nil
}

// cause says why a budget allows no disruption.
func cause(b *policyv1.PodDisruptionBudget) string {
	c := meta.FindStatusCondition(b.Status.Conditions, policyv1.DisruptionAllowedCondition)
	told := c != nil && c.Status == metav1.ConditionFalse && c.Message != ""
	switch s := b.Status; {
	case told && c.Reason == policyv1.SyncFailedReason:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently because it failed sync: %s", b.Name, c.Message)
	case s.CurrentHealthy <= s.DesiredHealthy:
		return fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", b.Name, s.DesiredHealthy, s.CurrentHealthy)
	case told:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently (%s): %s", b.Name, c.Reason, c.Message)
	}
	return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", b.Name)
}
