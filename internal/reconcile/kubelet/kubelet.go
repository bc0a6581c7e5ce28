// Package kubelet decides what happens to a Pod on its emulated node: containers start, exit, restart and stop, the
// Pod becomes ready, and once it is being deleted and has stopped, it goes.
//
// What runs in the Pod is an emulator.Runtime: the closed form where all containers only serve, sleep or are not known, else a
// machine, which is remembered from sync to sync as it was at the last input. It says what the containers do and when; what is done
// about it is decided here, in upstream's order: compute what is to be done, act, generate the status. Besides the machine nothing
// is remembered but the Pod itself. Back-offs are read out of its status: how long a container waited before its last start follows
// from two timestamps, and the attempts to pull an image come at fixed distances from the moment when the first was due. Times in
// a status have whole seconds, so that is the resolution of everything here.
//
// Files: action.go says what is to be done, sync.go runs the Pod, container.go starts and restarts,
// exit.go ends, stop.go stops the Pod, pull.go waits for images, resize.go changes resources,
// probe.go says when a container is ready, reboot.go starts anew, phase.go and condition.go
// generate the status. inside.go says who needs a machine and opens the runtime, carry.go carries
// it on, share.go says how far a sync may and who waits behind others, spec.go and volume.go
// furnish it, outside.go answers what it asks, call.go asks other Pods and answers them, turn.go
// chooses among the endpoints of a Service, memory.go is what is kept, claim.go and hostpath.go say
// where volumes are, fault.go fails on purpose.
package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
)

// Reconcile brings the Pod's status up to Now, and deletes the Pod for good when it has been asked to stop and has.
// It plans at most one update, with subresource "status", or one delete, and what is to be remembered; WakeAt is when the
// next thing happens by itself. A Pod that is not bound, or that has ended and is not being deleted, is left alone, and so is
// one whose node is silent.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, SyncPod, SyncTerminatingPod and SyncTerminatedPod.
// Differs: states that a real node passes through within a second (ContainerCreating; a container that exits at
// once) are not written; status.containerStatuses[].user is not reported, as emulated images have no users.
func Reconcile(s Snapshot) plan.Plan {
	pod := s.Pod
	if pod.Spec.NodeName == "" || s.Node == nil || outage.Silent(s.Node) {
		return plan.Plan{}
	}
	deleting := pod.DeletionTimestamp != nil
	if deleting && s.Faults.Find(fault.Stuck, s.Now) != nil {
		return plan.Plan{} // its end wakes this kubelet
	}
	if ended(pod.Status.Phase) && !deleting {
		return refuseAll(s)
	}
	k := newSync(s)
	k.todo = k.computeAction()
	k.open()
	if o, yes := s.reboot(); yes {
		k.afterReboot(o)
	}
	k.markReplaced()
	k.carryOn()
	k.receive()
	k.serve()
	if deleting && ended(pod.Status.Phase) && !k.behind && !k.anyRunning() {
		zero := int64(0)
		k.respond()
		return k.signed(plan.Plan{Deletes: []plan.Delete{{Object: pod, GracePeriodSeconds: &zero}}, Calls: k.calls, Traffic: k.traffic})
	}
	stopped := k.act()
	k.generateStatus(stopped)
	return k.signed(k.plan())
}

// act does what is to be done, and says whether the Pod has been stopped.
func (k *sync) act() (stopped bool) {
	switch a := &k.todo; {
	case k.behind:
		return false
	case a.kind == actStop:
		return k.stopForDeletion()
	case a.fails():
		return k.stopAsFailed()
	case !a.begin.IsZero():
		k.wakeAt(a.begin)
	}
	k.live()
	return false
}

// generateStatus derives everything in the status that follows from the containers. stopped is as for phase.
func (k *sync) generateStatus(stopped bool) {
	failed := k.todo.fails() && !k.behind
	if failed {
		k.status.Phase = corev1.PodFailed // for the conditions, and to stay unless containers still run
	}
	k.deriveStatus(stopped)
	if stopped {
		k.settle()
		if k.changed && k.Pod.DeletionTimestamp != nil {
			k.wake = k.Now // for the removal, which is a change of its own
		}
	}
	switch {
	case !failed:
	case stopped:
		why, _ := k.todo.cause()
		k.status.Phase, k.status.Reason, k.status.Message = corev1.PodFailed, why.reason, why.message
		k.changed = true
	default:
		k.status.Phase = k.Pod.Status.Phase
	}
}

// plan says what has come of the sync.
func (k *sync) plan() plan.Plan {
	files := k.keepHostFiles()
	k.respond()
	k.remember()
	k.foresee()
	k.awaitRenewal()
	k.settleReferences()
	if k.hangUp(); k.MoreCalls {
		k.wake = k.Now
	}
	p := plan.Plan{Files: files, Calls: k.calls, Traffic: k.traffic, Events: k.events, WakeAt: k.wake}
	if k.touched {
		if m := k.memory.encode(); len(m) > 0 || len(k.Memory) > 0 {
			p.Memory, p.Audible = m, k.audible
		}
	}
	if ended(k.status.Phase) && k.Pod.DeletionTimestamp == nil {
		p.WakeAt = time.Time{} // nothing more happens by itself
	}
	if k.changed {
		next := *k.Pod
		next.Status = k.status
		p.Updates = []plan.Update{{Object: &next, Subresource: "status"}}
	}
	return p
}
