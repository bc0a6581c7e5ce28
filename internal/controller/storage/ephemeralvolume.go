package storage

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/ephemeralvolume"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewEphemeralVolume makes the controller that creates the PersistentVolumeClaims of ephemeral
// volumes.
//
// Cost: the Pod and the PersistentVolumeClaims of its volumes.
func NewEphemeralVolume(world.World) engine.Controller {
	return engine.Controller{
		Name: names.EphemeralVolume, UserAgent: "ephemeral-volume-controller", Others: []string{"pods"}, Batch: 64,
		Gather: gather.Apart(syncEphemeralVolumes), Remembers: true,
		Sources: []wakeup.Source{
			wakeup.For(&podkind.Kind.Type, needsClaims),
			wakeup.Watches(&core.PersistentVolumeClaim.Type, podOfGoneClaim),
		},
	}
}

// needsClaims holds for new Pods with ephemeral volumes, whose PersistentVolumeClaims must be
// created.
func needsClaims(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	return old == nil && slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim == nil && v.Ephemeral != nil })
}

// podOfGoneClaim asks for the Pod whose PersistentVolumeClaim is gone.
func podOfGoneClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New != nil {
		return wakes
	}
	if owner := metav1.GetControllerOfNoCopy(d.Old); owner != nil && owner.Kind == podkind.Kind.Kind {
		wakes = append(wakes, wakeup.Wake{UID: owner.UID})
	}
	return wakes
}

func syncEphemeralVolumes(v mirror.View, o *object.Version, request engine.Request, _ time.Time) func(*plan.Refusal) plan.Plan {
	pod, ok := o.Object().(*corev1.Pod)
	if !ok {
		return gather.Planned(plan.Plan{})
	}
	s := ephemeralvolume.Snapshot{Pod: pod, Memory: request.Memory}
	var names []string
	for _, use := range volumestate.Uses(pod) {
		if use.Ephemeral {
			names = append(names, use.Claim)
		}
	}
	s.Claims = gather.Named[*corev1.PersistentVolumeClaim](v, "persistentvolumeclaims", pod.Namespace, names)
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return ephemeralvolume.Reconcile(s)
	}
}
