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
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDeployment makes the controller that manages the ReplicaSets of Deployments.
//
// Cost: its ReplicaSets, the orphans that have the rarest label of its selector and, if the
// decision needs each of them, the Pods of its ReplicaSets; otherwise world.Tally has their number.
// It writes ReplicaSets, and leaves their Pods to them.
func NewDeployment(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.Deployment, UserAgent: "deployment-controller", Primary: "deployments.apps", Batch: 64, Reconcile: gather.Each(syncDeployment(w.Tally)),
		Sources: []wakeup.Source{
			wakeup.For(&apps.Deployment.Type),
			wakeup.Owns(&apps.ReplicaSet.Type),
			wakeup.Adopts(&apps.ReplicaSet.Type),
		},
	}
}

func syncDeployment(tally *world.Tally) func(mirror.View, *object.Version, *plan.Refusal, time.Time) plan.Plan {
	return func(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
		s := withReplicaSets(v, o.Object().(*appsv1.Deployment), now)
		if s.NeedsPods() && (s.NeedsEachPod() || !countPods(&s, tally)) {
			addPods(&s, v)
		}
		s.Refused = refused
		return deployment.Reconcile(s)
	}
}

// SnapshotDeployment makes a snapshot of a Deployment, which may differ from the one in the view,
// with each Pod that a decision needs.
func SnapshotDeployment(v mirror.View, d *appsv1.Deployment, now time.Time) deployment.Snapshot {
	s := withReplicaSets(v, d, now)
	if s.NeedsPods() {
		addPods(&s, v)
	}
	return s
}

// withReplicaSets makes a snapshot without Pods.
func withReplicaSets(v mirror.View, d *appsv1.Deployment, now time.Time) deployment.Snapshot {
	owned := gather.Typed[*appsv1.ReplicaSet](v, mirror.ByOwner, string(d.UID))
	orphans := gather.Orphans[*appsv1.ReplicaSet](v, mirror.OrphanReplicaSets, d.Namespace, d.Spec.Selector)
	return deployment.Snapshot{Deployment: d, ReplicaSets: append(owned, orphans...), Now: now}
}

func addPods(s *deployment.Snapshot, v mirror.View) {
	for _, rs := range s.ReplicaSets {
		if metav1.IsControlledBy(rs, s.Deployment) {
			s.Pods = append(s.Pods, gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(rs.UID))...)
		}
	}
}

// countPods adds the Pods as far as they are counted together, and reports whether all are.
func countPods(s *deployment.Snapshot, tally *world.Tally) bool {
	var all []podstate.Alike
	for _, rs := range s.ReplicaSets {
		if metav1.IsControlledBy(rs, s.Deployment) {
			some, ok := tally.Of(rs.UID)
			if !ok {
				return false
			}
			all = append(all, some...)
		}
	}
	s.Alike = all
	return true
}
