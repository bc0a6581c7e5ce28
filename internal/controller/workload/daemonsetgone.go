package workload

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewDaemonSetGone makes the controller that wakes the DaemonSets that have Pods for nodes that no
// longer exist.
//
// Differs: upstream leaves the status as it is until those Pods have been collected, and Pods that
// wait for such a node until something else happens to the DaemonSet.
//
// Cost: the names of the nodes that DaemonSets have Pods for, without decoding any, and 500 Pods of
// each that is gone.
func NewDaemonSetGone(world.World) engine.Controller {
	return engine.Controller{
		Name: names.DaemonSetGone, UserAgent: "daemonset-controller", Batch: 500, Lock: wakeup.HousekeepingLock, Reconcile: syncDaemonSetsOfGone,
		Sources: []wakeup.Source{wakeup.Watches(&core.Node.Type, wakeup.OfLock(wakeup.HousekeepingLock, gone))},
	}
}

// gone holds for objects that no longer exist.
func gone(d wakeup.Diff) bool { return d.New == nil }

func syncDaemonSetsOfGone(v mirror.View, requests []engine.Request, _ time.Time) []engine.Planned {
	var p plan.Plan
	woken := map[types.UID]bool{}
	for _, node := range v.Values(mirror.DaemonPods) {
		if v.Get(object.Key{Resource: "nodes", Name: node}) != nil {
			continue
		}
		for _, o := range v.First(mirror.DaemonPods, node, nodelifecycle.PodsBurst) {
			if ref := metav1.GetControllerOfNoCopy(o.Object().(*corev1.Pod)); !woken[ref.UID] {
				woken[ref.UID] = true
				ds := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: ref.Name, UID: ref.UID}}
				p.Wakes = append(p.Wakes, plan.Wake{Controller: names.DaemonSet, Object: ds})
			}
		}
	}
	return []engine.Planned{{UID: requests[0].UID, Plan: p}}
}
