package workload

import (
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/statefulset"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewStatefulSet makes the controller that manages the Pods, the PersistentVolumeClaims and the
// history of StatefulSets.
//
// Cost: its Pods, their PersistentVolumeClaims and its ControllerRevisions, and the orphans that
// have the rarest label of its selector. It creates at most 500 objects, and deletes at most 500
// Pods.
func NewStatefulSet(world.World) engine.Controller {
	return engine.Controller{
		Name: names.StatefulSet, UserAgent: "statefulset-controller", Primary: "statefulsets.apps", Batch: 16, Reconcile: gather.Each(syncStatefulSet),
		Sources: []wakeup.Source{
			wakeup.For(&apps.StatefulSet.Type),
			wakeup.Owns(&pod.Kind.Type), // including those that it has created itself, because there may be more to do
			wakeup.Adopts(&pod.Kind.Type),
			wakeup.Owns(&apps.ControllerRevision.Type, wakeup.NotBy(names.StatefulSet)),
			wakeup.Adopts(&apps.ControllerRevision.Type),
			wakeup.Watches(&core.PersistentVolumeClaim.Type, statefulSetsOfClaim),
		},
	}
}

// statefulSetsOfClaim asks for the StatefulSets that a PersistentVolumeClaim may belong to by its
// name, if another writer has deleted it or changed its owners: for a-b-c-0, those are b-c and c.
func statefulSetsOfClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.PersistentVolumeClaim)
	claim, _ := d.New.(*corev1.PersistentVolumeClaim)
	if old == nil || d.Controller == names.StatefulSet || claim != nil && equality.Semantic.DeepEqual(old.OwnerReferences, claim.OwnerReferences) {
		return wakes
	}
	parts := strings.Split(old.Name, "-")
	for i := 1; i < len(parts)-1; i++ {
		wakes = append(wakes, wakeup.Wake{Resource: apps.StatefulSet.Resource(), Namespace: old.Namespace, Name: strings.Join(parts[i:len(parts)-1], "-")})
	}
	return wakes
}

func syncStatefulSet(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
	s := SnapshotStatefulSet(v, o.Object().(*appsv1.StatefulSet), now)
	s.Refused = refused
	return statefulset.Reconcile(s)
}

// SnapshotStatefulSet makes the controller's snapshot of a StatefulSet, which may differ from the
// one in the view.
func SnapshotStatefulSet(v mirror.View, set *appsv1.StatefulSet, now time.Time) statefulset.Snapshot {
	s := statefulset.Snapshot{StatefulSet: set, Now: now}
	s.Pods = gather.Orphans[*corev1.Pod](v, mirror.OrphanPods, set.Namespace, set.Spec.Selector)
	s.Revisions = gather.Orphans[*appsv1.ControllerRevision](v, mirror.OrphanRevisions, set.Namespace, set.Spec.Selector)
	v.EachIn(mirror.ByOwner, string(set.UID), func(version *object.Version) {
		switch o := version.Object().(type) {
		case *corev1.Pod:
			s.Pods = append(s.Pods, o)
		case *appsv1.ControllerRevision:
			s.Revisions = append(s.Revisions, o)
		}
	})
	s.Claims = gather.Named[*corev1.PersistentVolumeClaim](v, core.PersistentVolumeClaim.Resource(), set.Namespace, s.ClaimNames())
	return s
}
