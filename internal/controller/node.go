package controller

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// orphansBurst is how many Pods of nodes that are missing, or not ready, one sync changes.
const orphansBurst = 500

// keptPods is how many Pods that have ended are kept.
func (w World) keptPods() int { return cmp.Or(w.EndedPods, nodelifecycle.DefaultEndedPods) }

// housekeeping stands for the row under which Pods are collected.
var housekeeping = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "housekeeping", UID: wakeup.HousekeepingLock}}

// collectEnded adds to the plan for a Pod that some that have ended are collected, if this one ends and there are too many.
func collectEnded(p plan.Plan, tooMany bool) plan.Plan {
	for _, u := range p.Updates {
		if pod, ok := u.Object.(*corev1.Pod); ok && tooMany && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed) {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: PodGC, Object: housekeeping})
		}
	}
	return p
}

// lookForOrphans goes through the nodes that Pods name and that do not exist, and collects those Pods. When there is nothing to do
// about them, it collects Pods that have ended, if they are too many.
//
// Cost: the names of the nodes, without decoding any, and the Pods that it changes, 500 at most.
func (w World) lookForOrphans(v mirror.View, looks []engine.Look, now time.Time) []engine.Planned {
	var all plan.Plan
	for _, node := range v.Values(mirror.PodsByNode) {
		if v.Get(object.Key{Resource: "nodes", Name: node}) == nil {
			w.collectOrphans(v, node, &all, now)
		}
	}
	excess := v.EachIn(mirror.EndedPods, "", nil) - w.keptPods()
	switch {
	case excess <= 0:
	case !all.Empty():
		all.WakeAt = now
	default:
		ended := nodelifecycle.Ended{More: excess > nodelifecycle.EndedBurst, Now: now}
		for _, o := range v.First(mirror.EndedPods, "", min(excess, nodelifecycle.EndedBurst)) {
			ended.Pods = append(ended.Pods, o.Object().(*corev1.Pod))
		}
		p := nodelifecycle.CollectEnded(ended)
		if all.Deletes = p.Deletes; !p.WakeAt.IsZero() {
			all.WakeAt = p.WakeAt
		}
	}
	return []engine.Planned{{UID: looks[0].UID, Plan: all}}
}

// collectOrphans adds to a plan what becomes of the Pods of a node that is missing. Those for which there is no room in the plan are
// left to the next sync.
func (w World) collectOrphans(v mirror.View, node string, all *plan.Plan, now time.Time) {
	missing := w.Nodes.MissingSince(node, now)
	wakeAt := func(at time.Time) {
		if !at.IsZero() && (all.WakeAt.IsZero() || at.Before(all.WakeAt)) {
			all.WakeAt = at
		}
	}
	var after *object.Version
	for {
		pods := v.After(mirror.PodsByNode, node, after, orphansBurst)
		early := 0
		for _, o := range pods {
			if len(all.Updates)+len(all.Deletes) >= orphansBurst {
				wakeAt(now)
				return
			}
			p := nodelifecycle.CollectOrphan(nodelifecycle.Orphan{Pod: o.Object().(*corev1.Pod), Missing: missing, Now: now})
			all.Updates, all.Deletes, all.Events = append(all.Updates, p.Updates...), append(all.Deletes, p.Deletes...), append(all.Events, p.Events...)
			if wakeAt(p.WakeAt); p.WakeAt.After(now) {
				early++
			}
		}
		// Where it is too early for some it is for nearly all, and the few that have been given up can wait as long.
		if len(pods) < orphansBurst || early > 0 {
			return
		}
		after = pods[len(pods)-1]
	}
}

// lookAtPodsOfNode looks at what has become of the node's Pods, and has their kubelets go on when the node is back, or another
// has come in its place. Pods that are bound to it after this view was taken are seen by their kubelets with a view in which the
// node is back.
//
// Cost: the Pods that it changes, 500 at most; and one wakeup for each Pod of a node that is back, without decoding it.
func lookAtPodsOfNode(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) (p plan.Plan) {
	node := o.Object().(*corev1.Node)
	if !nodelifecycle.Ready(node) {
		p = nodelifecycle.ReconcilePods(nodelifecycle.Bound{Node: node, Pods: podsToChange(v, node.Name), Now: now})
	}
	if !outage.Silent(node) {
		v.EachIn(mirror.PodsByNode, node.Name, func(pod *object.Version) {
			named := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}} // spares decoding it
			p.Wakes = append(p.Wakes, plan.Wake{Controller: Kubelet, Object: named})
		})
	}
	return p
}

// podsToChange are those Pods of a node that may have to change as it is not ready: some more than one sync changes.
func podsToChange(v mirror.View, node string) []*corev1.Pod {
	var pods []*corev1.Pod
	known := map[types.UID]bool{}
	for _, index := range []mirror.Index{mirror.LeavingPodsByNode, mirror.ReadyPodsByNode} {
		for _, o := range v.First(index, node, orphansBurst+1) {
			if !known[o.UID] {
				known[o.UID], pods = true, append(pods, o.Object().(*corev1.Pod))
			}
		}
	}
	return pods
}

// onSilentNode is what the kubelet of a node that is out does to a Pod: nothing. It has others look at the Pods of the node if the
// Pod may concern them.
func onSilentNode(pod *corev1.Pod, node *corev1.Node) (p plan.Plan) {
	if !nodelifecycle.Ready(node) && (pod.DeletionTimestamp != nil || podstate.MayBeReady(pod)) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: NodePods, Object: node})
	}
	return evictNewcomer(p, pod, node)
}
