package controller

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Scheduler binds Pods to nodes.
const Scheduler = "scheduler"

func newScheduler(w World) engine.Controller {
	return engine.Controller{
		Name: Scheduler, UserAgent: "default-scheduler", Others: []string{"pods"}, Batch: scheduleLimit, Lock: wakeup.SchedulerLock, Reconcile: w.schedule,
		Sources: []wakeup.Source{
			wakeup.Watches(&kind.Pod.Type, toBind),
			wakeup.Watches(&kind.Pod.Type, wakeLock(wakeup.SchedulerLock, helpsOthers)),
			wakeup.Watches(&kind.Node.Type, wakeLock(wakeup.SchedulerLock, movesPods)),
			wakeup.Watches(&kind.Namespace.Type, wakeLock(wakeup.SchedulerLock, relabelled)),      // affinity may select namespaces by their labels
			wakeup.Watches(&kind.CSIStorageCapacity.Type, wakeLock(wakeup.SchedulerLock, always)), // room for volumes may be what Pods wait for
			wakeup.Watches(&kind.CSIDriver.Type, wakeLock(wakeup.SchedulerLock, always)),
		},
	}
}

// toBind asks for a Pod that has no node. When the scheduler itself has changed one it has said why.
func toBind(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	pod, _ := d.New.(*corev1.Pod)
	if pod != nil && pod.Spec.NodeName == "" && !podstate.Terminal(pod) && d.Controller != Scheduler {
		wakes = append(wakes, wakeup.Wake{UID: pod.UID})
	}
	return wakes
}

// helpsOthers says whether Pods that fit nowhere may do so after the change of a Pod: it frees room that it used or had reserved, or
// others that look for such Pods find it. What the scheduler does itself it takes into account at once.
func helpsOthers(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	if pod == nil {
		return old.Spec.NodeName != "" || old.Status.NominatedNodeName != ""
	}
	if pod.Spec.NodeName == "" || d.Controller == Scheduler {
		return false
	}
	if podstate.Terminal(pod) {
		return old == nil || !podstate.Terminal(old)
	}
	return d.Controller == "" && (!bound(old) || !maps.Equal(old.Labels, pod.Labels))
}

// movesPods says whether the change of a node may let Pods fit that fitted nowhere, or alters why they do not.
func movesPods(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return old == nil || node == nil || old.Spec.Unschedulable != node.Spec.Unschedulable || !maps.Equal(old.Labels, node.Labels) ||
		!equality.Semantic.DeepEqual(old.Spec.Taints, node.Spec.Taints) ||
		!equality.Semantic.DeepEqual(old.Status.Allocatable, node.Status.Allocatable)
}

// relabelled holds for objects that have other labels than before.
func relabelled(d wakeup.Diff) bool {
	return d.Old != nil && !maps.Equal(d.Old.GetLabels(), d.Last().GetLabels())
}

func always(wakeup.Diff) bool { return true }
