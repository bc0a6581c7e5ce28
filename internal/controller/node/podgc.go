package node

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewPodGC makes the controller that deletes Pods of nodes that do not exist, and Pods that have
// ended if there are too many.
func NewPodGC(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.PodGC, UserAgent: "pod-garbage-collector", Batch: 500, Lock: wakeup.HousekeepingLock, Reconcile: controllers(w).syncOrphans,
		Sources: []wakeup.Source{
			wakeup.Watches(&core.Node.Type, quarantine),
			wakeup.Watches(&podkind.Kind.Type, wakeup.OfLock(wakeup.HousekeepingLock, boundByClient)),
		},
	}
}

// podGCQuarantine is how long the Pods of a node that is gone are kept, in case the node comes
// back.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, quarantineTime.
const podGCQuarantine = 40 * time.Second

// quarantine has the Pods of a node that is gone collected some time later.
func quarantine(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil {
		wakes = append(wakes, wakeup.Wake{UID: wakeup.HousekeepingLock, After: podGCQuarantine})
	}
	return wakes
}

// boundByClient holds for Pods whose node a client has named: the node may not exist.
func boundByClient(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	return d.Controller == "" && podstate.Bound(pod) && !podstate.Bound(old)
}

// keptPods returns how many ended Pods are kept.
func (w controllers) keptPods() int { return cmp.Or(w.EndedPods, nodelifecycle.DefaultEndedPods) }

// housekeeping stands for the row under which Pods are collected.
var housekeeping = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "housekeeping", UID: wakeup.HousekeepingLock}}

// collectEnded adds to the plan for a Pod that ended Pods are collected, if this one ends and there
// are too many.
func collectEnded(p plan.Plan, tooMany bool) plan.Plan {
	for _, u := range p.Updates {
		if pod, ok := u.Object.(*corev1.Pod); ok && tooMany && podstate.Terminal(pod) {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: names.PodGC, Object: housekeeping})
		}
	}
	return p
}

// syncOrphans finds the nodes that Pods name and that do not exist, and collects those Pods. If
// there are none to collect, it collects ended Pods if they are too many.
//
// Cost: the names of the nodes, without decoding any, and the Pods that it changes, at most 500.
func (w controllers) syncOrphans(v mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
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
	return []engine.Planned{{UID: requests[0].UID, Plan: all}}
}

// collectOrphans adds the Pods of a missing node to a plan. Those that the plan has no room for are
// left to the next sync.
func (w controllers) collectOrphans(v mirror.View, node string, all *plan.Plan, now time.Time) {
	missing := w.Nodes.MissingSince(node, now)
	wakeAt := func(at time.Time) {
		if !at.IsZero() && (all.WakeAt.IsZero() || at.Before(all.WakeAt)) {
			all.WakeAt = at
		}
	}
	var after *object.Version
	for {
		pods := v.After(mirror.PodsByNode, node, after, nodelifecycle.PodsBurst)
		early := 0
		for _, o := range pods {
			if len(all.Updates)+len(all.Deletes) >= nodelifecycle.PodsBurst {
				wakeAt(now)
				return
			}
			p := nodelifecycle.CollectOrphan(nodelifecycle.Orphan{Pod: o.Object().(*corev1.Pod), Missing: missing, Now: now})
			all.Updates, all.Deletes, all.Events = append(all.Updates, p.Updates...), append(all.Deletes, p.Deletes...), append(all.Events, p.Events...)
			if wakeAt(p.WakeAt); p.WakeAt.After(now) {
				early++
			}
		}
		// The Pods of a node wait for about the same time: if it is too early for some, it is for
		// nearly all, and the few others can wait too.
		if len(pods) < nodelifecycle.PodsBurst || early > 0 {
			return
		}
		after = pods[len(pods)-1]
	}
}
