package workload

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/apps"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewReplicaSet makes the controller that manages the Pods of ReplicaSets.
//
// Cost: the orphans that have the rarest label of its selector and, if the decision needs each of
// them, its Pods; otherwise world.Tally has their number. To choose which Pods to delete, those of
// its Deployment's other ReplicaSets too. It creates or deletes at most 500 Pods.
func NewReplicaSet(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.ReplicaSet, UserAgent: "replicaset-controller", Primary: "replicasets.apps", Batch: 16, Reconcile: gather.Each(syncReplicaSet(w.Tally)),
		Sources: []wakeup.Source{
			wakeup.For(&apps.ReplicaSet.Type),
			wakeup.Owns(&podkind.Kind.Type), // including those that it has created itself, because there may be more to do
			wakeup.Adopts(&podkind.Kind.Type),
		},
	}
}

func syncReplicaSet(tally *world.Tally) func(mirror.View, *object.Version, *plan.Refusal, time.Time) plan.Plan {
	return func(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
		rs := o.Object().(*appsv1.ReplicaSet)
		s := withOrphans(v, rs, now)
		var counted bool
		if s.Alike, counted = tally.Of(rs.UID); !counted || s.NeedsEachPod() {
			s.Alike = nil
			addOwned(&s, v)
		}
		s.Refused = refused
		return replicaset.Reconcile(s)
	}
}

// SnapshotReplicaSet makes a snapshot of a ReplicaSet, which may differ from the one in the view,
// with each of its Pods.
func SnapshotReplicaSet(v mirror.View, rs *appsv1.ReplicaSet, now time.Time) replicaset.Snapshot {
	s := withOrphans(v, rs, now)
	addOwned(&s, v)
	return s
}

// withOrphans makes a snapshot with only the Pods that a ReplicaSet may adopt.
func withOrphans(v mirror.View, rs *appsv1.ReplicaSet, now time.Time) replicaset.Snapshot {
	return replicaset.Snapshot{ReplicaSet: rs, Pods: gather.Orphans[*corev1.Pod](v, mirror.OrphanPods, rs.Namespace, rs.Spec.Selector), Now: now}
}

// addOwned adds each Pod that the ReplicaSet owns, and what it needs to choose which to delete.
func addOwned(s *replicaset.Snapshot, v mirror.View) {
	rs := s.ReplicaSet
	s.Pods = append(gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(rs.UID)), s.Pods...)
	if owner := metav1.GetControllerOfNoCopy(rs); owner != nil && s.NeedsNodeRank() {
		s.NodeRank = map[string]int{}
		for _, related := range gather.Typed[*appsv1.ReplicaSet](v, mirror.ByOwner, string(owner.UID)) {
			for _, pod := range gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(related.UID)) {
				if podstate.Active(pod) {
					s.NodeRank[pod.Spec.NodeName]++
				}
			}
		}
	}
}
