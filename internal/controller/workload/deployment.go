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
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDeployment makes the controller that manages the ReplicaSets of Deployments.
//
// Cost: its ReplicaSets, the orphans that have the rarest label of its selector and, if the
// decision needs them, the Pods of its ReplicaSets. It writes ReplicaSets, and leaves their Pods to
// them.
func NewDeployment(world.World) engine.Controller {
	return engine.Controller{
		Name: names.Deployment, UserAgent: "deployment-controller", Primary: "deployments.apps", Batch: 64, Reconcile: gather.Each(syncDeployment),
		Sources: []wakeup.Source{
			wakeup.For(&apps.Deployment.Type),
			wakeup.Owns(&apps.ReplicaSet.Type),
			wakeup.Adopts(&apps.ReplicaSet.Type),
		},
	}
}

func syncDeployment(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
	s := SnapshotDeployment(v, o.Object().(*appsv1.Deployment), now)
	s.Refused = refused
	return deployment.Reconcile(s)
}

// SnapshotDeployment makes the controller's snapshot of a Deployment, which may differ from the one
// in the view.
func SnapshotDeployment(v mirror.View, d *appsv1.Deployment, now time.Time) deployment.Snapshot {
	s := deployment.Snapshot{Deployment: d, Now: now}
	s.ReplicaSets = append(gather.Typed[*appsv1.ReplicaSet](v, mirror.ByOwner, string(d.UID)),
		gather.Orphans[*appsv1.ReplicaSet](v, mirror.OrphanReplicaSets, d.Namespace, d.Spec.Selector)...)
	if s.NeedsPods() {
		for _, rs := range s.ReplicaSets {
			if metav1.IsControlledBy(rs, d) {
				s.Pods = append(s.Pods, gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(rs.UID))...)
			}
		}
	}
	return s
}
