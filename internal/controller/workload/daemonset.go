package workload

import (
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/apps"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDaemonSet makes the controller that manages the Pods of DaemonSets, and the history of their
// templates.
//
// Cost: all nodes, from memory; its Pods, its ControllerRevisions, and the orphans of both that
// have the rarest label of its selector. It creates at most 250 Pods, and deletes as many.
func NewDaemonSet(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.DaemonSet, UserAgent: "daemonset-controller", Primary: "daemonsets.apps", Batch: 16,
		Gather: gather.Apart(controllers(w).syncDaemonSet), Remembers: true,
		WokenBy: []string{names.DaemonSetNode, names.DaemonSetGone},
		Sources: []wakeup.Source{
			wakeup.For(&apps.DaemonSet.Type, wakeup.NotBy(names.DaemonSet)),
			wakeup.Owns(&podkind.Kind.Type, concernsDaemonSet),
			wakeup.Owns(&apps.ControllerRevision.Type, wakeup.NotBy(names.DaemonSet)),
			wakeup.Adopts(&podkind.Kind.Type),
			wakeup.Adopts(&apps.ControllerRevision.Type),
		},
	}
}

// concernsDaemonSet reports whether the change of a Pod may matter to the DaemonSet that controls
// it. That includes Pods that it has created itself: the next sync counts them, and may create
// more.
func concernsDaemonSet(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	return old == nil || pod == nil ||
		old.Status.Phase != pod.Status.Phase ||
		!podstate.ReadySince(old).Equal(podstate.ReadySince(pod)) ||
		podstate.Ready(old) != podstate.Ready(pod) ||
		(old.DeletionTimestamp == nil) != (pod.DeletionTimestamp == nil) ||
		old.Spec.NodeName != pod.Spec.NodeName ||
		d.OwnersChanged() ||
		!maps.Equal(old.Labels, pod.Labels)
}

func (w controllers) syncDaemonSet(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	ds := o.Object().(*appsv1.DaemonSet)
	s := daemonset.Snapshot{DaemonSet: ds, Memory: request.Memory, Now: now}
	w.Nodes.Use(func(c *scheduler.Cluster) { s.Nodes = c.Nodes() })
	s.Pods = append(gather.Typed[*corev1.Pod](v, mirror.ByOwner, string(ds.UID)),
		gather.Orphans[*corev1.Pod](v, mirror.OrphanPods, ds.Namespace, ds.Spec.Selector)...)
	s.Revisions = append(gather.Typed[*appsv1.ControllerRevision](v, mirror.ByOwner, string(ds.UID)),
		gather.Orphans[*appsv1.ControllerRevision](v, mirror.OrphanRevisions, ds.Namespace, ds.Spec.Selector)...)
	if name := s.NextRevision(); name != "" {
		s.Revisions = withRevision(v, s.Revisions, ds.Namespace, name)
	}
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return daemonset.Reconcile(s)
	}
}

// withRevision adds the ControllerRevision with a name, if it exists and is not among them.
func withRevision(v mirror.View, revisions []*appsv1.ControllerRevision, namespace, name string) []*appsv1.ControllerRevision {
	o := v.Get(object.Key{Resource: apps.ControllerRevision.Resource(), Namespace: namespace, Name: name})
	if o == nil || slices.ContainsFunc(revisions, func(r *appsv1.ControllerRevision) bool { return r.UID == o.UID }) {
		return revisions
	}
	return append(revisions, o.Object().(*appsv1.ControllerRevision))
}
