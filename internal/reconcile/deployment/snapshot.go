package deployment

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	Deployment *appsv1.Deployment

	// ReplicaSets are, in any order, those in the Deployment's namespace that it controls, and
	// those without a controller whose labels match its selector. Others are ignored.
	ReplicaSets []*appsv1.ReplicaSet

	// Pods are those that the ReplicaSets control, including terminating ones; others are ignored.
	// They are needed if NeedsPods is true. If both they and Alike are nil, the ReplicaSets' own
	// counts are used.
	Pods []*corev1.Pod

	// Alike are more of these Pods, as far as they can be counted together. If NeedsEachPod is
	// true, all must be in Pods instead.
	Alike []podstate.Alike

	// Refused is not nil if the plan made from this snapshot could not be applied in full. The
	// reason AlreadyExists means that the new ReplicaSet's name is taken.
	Refused *plan.Refusal

	Now time.Time
}

// NeedsPods reports whether Reconcile needs Pods: during a rollout, and always with the strategy
// Recreate. At rest, with one ReplicaSet that has all replicas, a Deployment is judged without
// reading its Pods.
func (s Snapshot) NeedsPods() bool {
	d := s.Deployment
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType || !completeIn(d, d.Status) {
		return true
	}
	for _, rs := range s.ReplicaSets {
		if n := size(rs); n != 0 && n != desired(d) {
			return true
		}
	}
	return false
}

// NeedsEachPod reports whether Reconcile must see each Pod that it needs: because finished ones
// count, or because some become available as time passes.
func (s Snapshot) NeedsEachPod() bool {
	return s.Deployment.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType ||
		slices.ContainsFunc(s.ReplicaSets, func(rs *appsv1.ReplicaSet) bool { return rs.Spec.MinReadySeconds > 0 })
}

// stamp is the current time as objects store it: in whole seconds.
func (s Snapshot) stamp() metav1.Time { return metav1.NewTime(s.Now).Rfc3339Copy() }
