package workload

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/replicationcontroller"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewReplicationController makes the controller that manages the Pods of ReplicationControllers, by
// the decisions of ReplicaSets.
//
// Cost: its Pods and the orphans that have the rarest label of its selector. It creates or deletes
// at most 500 Pods.
func NewReplicationController(world.World) engine.Controller {
	return engine.Controller{
		Name: names.ReplicationController, UserAgent: "replication-controller", Primary: "replicationcontrollers",
		Batch: 16, Reconcile: gather.Each(syncReplicationController),
		Sources: []wakeup.Source{
			wakeup.For(&core.ReplicationController.Type),
			wakeup.Owns(&pod.Kind.Type), // including those that it has created itself, because there may be more to do
			wakeup.AdoptsByChanging(&pod.Kind.Type),
		},
	}
}

func syncReplicationController(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
	s := SnapshotReplicationController(v, o.Object().(*corev1.ReplicationController), now)
	s.Refused = refused
	return replicationcontroller.Reconcile(s)
}

// SnapshotReplicationController makes the controller's snapshot of a ReplicationController, which
// may differ from the one in the view.
func SnapshotReplicationController(v mirror.View, rc *corev1.ReplicationController, now time.Time) replicationcontroller.Snapshot {
	s := replicationcontroller.Snapshot{ReplicationController: rc, Now: now}
	s.Pods = append(gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(rc.UID)),
		gather.Orphans[*corev1.Pod](v, mirror.OrphanPods, rc.Namespace, core.ReplicationController.Selector(rc))...)
	return s
}
