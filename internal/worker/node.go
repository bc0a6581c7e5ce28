package worker

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
	"github.com/rowlock/rowlock/internal/reconcile/tainteviction"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func lookAtNode(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	return nodelifecycle.Reconcile(nodelifecycle.Snapshot{Node: o.Object().(*corev1.Node), Now: now})
}

// keptPods is how many Pods that have ended are kept.
func (w World) keptPods() int { return cmp.Or(w.EndedPods, nodelifecycle.DefaultEndedPods) }

// housekeeping stands for the row under which Pods are collected.
var housekeeping = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "housekeeping", UID: wakeup.HousekeepingLock}}

// collectEnded adds to the plan for a Pod that some that have ended are collected, if this one ends and there are too many.
func collectEnded(p plan.Plan, tooMany bool) plan.Plan {
	for _, u := range p.Updates {
		if pod, ok := u.Object.(*corev1.Pod); ok && tooMany && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed) {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.PodGC, Object: housekeeping})
		}
	}
	return p
}

// lookForOrphans goes through the nodes that Pods name and that do not exist, and collects those Pods. When there is nothing to do
// about them, it collects Pods that have ended, if they are too many.
func (w World) lookForOrphans(v mirror.View, looks []Look, now time.Time) []Planned {
	var all plan.Plan
	for _, node := range v.Values(mirror.PodsByNode) {
		if v.Get(object.Key{Resource: "nodes", Name: node}) != nil {
			continue
		}
		missing := w.Nodes.MissingSince(node, now)
		for _, pod := range typed[*corev1.Pod](v, mirror.PodsByNode, node) {
			p := nodelifecycle.CollectOrphan(nodelifecycle.Orphan{Pod: pod, Missing: missing, Now: now})
			all.Updates, all.Deletes, all.Events = append(all.Updates, p.Updates...), append(all.Deletes, p.Deletes...), append(all.Events, p.Events...)
			if len(p.Updates) > 0 {
				p.WakeAt = now
			}
			if !p.WakeAt.IsZero() && (all.WakeAt.IsZero() || p.WakeAt.Before(all.WakeAt)) {
				all.WakeAt = p.WakeAt
			}
		}
	}
	if kept := w.keptPods(); v.EachIn(mirror.EndedPods, "", nil) <= kept {
		return []Planned{{UID: looks[0].UID, Plan: all}}
	} else if !all.Empty() {
		all.WakeAt = now
	} else {
		p := nodelifecycle.CollectEnded(nodelifecycle.Ended{Pods: typed[*corev1.Pod](v, mirror.EndedPods, ""), Keep: kept, Now: now})
		if all.Deletes = p.Deletes; !p.WakeAt.IsZero() {
			all.WakeAt = p.WakeAt
		}
	}
	return []Planned{{UID: looks[0].UID, Plan: all}}
}

// lookAtNodes looks at all of them together, in the order of their names.
func (w World) lookAtNodes(_ mirror.View, looks []Look, now time.Time) []Planned {
	c := nodelifecycle.Cluster{Now: now}
	w.Nodes.Use(func(s *scheduler.Cluster) { c.Nodes = s.Nodes() })
	return []Planned{{UID: looks[0].UID, Plan: nodelifecycle.TaintUnready(c)}}
}

// lookAtPodsOfNode looks at what has become of the node's Pods, and has their kubelets go on when the node is back, or another
// has come in its place. Pods that are bound to it after this view was taken are seen by their kubelets with a view in which the
// node is back.
func lookAtPodsOfNode(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) (p plan.Plan) {
	node := o.Object().(*corev1.Node)
	if !nodelifecycle.Ready(node) {
		p = nodelifecycle.ReconcilePods(nodelifecycle.Bound{Node: node, Pods: typed[*corev1.Pod](v, mirror.PodsByNode, node.Name), Now: now})
	}
	if !outage.Silent(node) {
		v.EachIn(mirror.PodsByNode, node.Name, func(pod *object.Version) {
			named := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}} // spares decoding it
			p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.Kubelet, Object: named})
		})
	}
	return p
}

func lookForEvictions(v mirror.View, o *object.Version, look Look, now time.Time) func(*plan.Refusal) plan.Plan {
	s := tainteviction.Snapshot{Node: o.Object().(*corev1.Node), Now: now, Memory: look.Memory}
	if tainteviction.NeedsPods(s.Node, look.Memory) {
		s.Pods = typed[*corev1.Pod](v, mirror.PodsByNode, s.Node.Name)
	}
	return func(*plan.Refusal) plan.Plan { return tainteviction.Reconcile(s) }
}

// onSilentNode is what the kubelet of a node that is out does to a Pod: nothing. It has others look at the Pods of the node if the
// Pod may concern them.
func onSilentNode(pod *corev1.Pod, node *corev1.Node) (p plan.Plan) {
	if !nodelifecycle.Ready(node) && (pod.DeletionTimestamp != nil || nodelifecycle.PodReady(pod)) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.NodePods, Object: node})
	}
	return evictNewcomer(p, pod, node)
}

// evictNewcomer adds to the plan of a kubelet that it has the Pods of a tainted node looked at when another has come.
func evictNewcomer(p plan.Plan, pod *corev1.Pod, node *corev1.Node) plan.Plan {
	if pod.Status.StartTime == nil && tainteviction.NeedsPods(node, nil) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.TaintEviction, Object: node})
	}
	return p
}
