// Package kubelet decides what happens to a Pod on its emulated node: containers start, exit,
// restart and stop, the Pod becomes ready, and once it is being deleted and has stopped, it is
// removed.
//
// What runs in the Pod is an emulator.Runtime: the closed form if all containers only serve, sleep
// or are unknown, otherwise a machine, which is stored from sync to sync in its state at the last
// input. It reports what the containers do and when. The reaction is decided here, in upstream's
// order: compute the action, perform it, generate the status. Apart from the machine only the Pod
// itself is stored. Back-offs are derived from its status: how long a container waited before its
// last start follows from two timestamps, and the attempts to pull an image come at fixed intervals
// from when the first was due. Times in a status have whole seconds, so that is the resolution of
// everything here.
//
// Files: sync.go is one sync of a Pod, and state.go what its containers do now. live.go sets the
// Pod up, container.go starts and restarts containers, pull.go fetches their images, exit.go ends
// them, by faults too, stop.go stops the Pod, resize.go changes resources, restartall.go and
// reboot.go start all again, phase.go and condition.go generate the status. inside.go opens the
// runtime, carry.go runs it, spec.go and volume.go provide its containers and volumes. ask.go
// answers its questions, reach.go asks other Pods, call.go does so with requests that leave a
// trace. visit.go lets clients in.
//
// What follows from plain arguments has packages of its own below this one: what must be done about
// the Pod (action), how long its containers wait (backoff, imagepull), what they are allocated
// (allocation), their files and tokens (nodefile, namefile, token), what is stored (memory) and
// what a snapshot must have (need).
package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
)

// Reconcile brings the Pod's status up to Now, and removes the Pod once it has been told to stop
// and has stopped. It plans at most one update, with subresource "status", or one delete, and what
// to store. WakeAt is when the next thing happens by itself. It ignores a Pod that is not bound,
// one that has ended and is not being deleted, and one whose node is silent.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, SyncPod, SyncTerminatingPod and SyncTerminatedPod.
// Differs: states that a real node passes through within a second (ContainerCreating; a container
// that exits at once) are not written. status.containerStatuses[].user is not set, because emulated
// images have no users.
func Reconcile(s Snapshot) plan.Plan {
	pod := s.Pod
	if pod.Spec.NodeName == "" || s.Node == nil || outage.Silent(s.Node) {
		return plan.Plan{}
	}
	deleting := pod.DeletionTimestamp != nil
	if deleting && s.Faults.Find(fault.Stuck, s.Now) != nil {
		return plan.Plan{} // the end of the fault wakes this kubelet
	}
	if ended(pod.Status.Phase) && !deleting {
		return refuseAll(s)
	}
	k := newSync(s)
	k.todo = k.situation().Compute()
	k.open()
	if o, yes := s.reboot(); yes {
		k.afterReboot(o)
	}
	k.markReplaced()
	k.abandon()
	k.carryOn()
	k.receive()
	k.serve()
	if deleting && ended(pod.Status.Phase) && !k.behind && !k.anyRunning() {
		zero := int64(0)
		k.respond()
		return k.signed(plan.Plan{Deletes: []plan.Delete{{Object: pod, GracePeriodSeconds: &zero}}, Calls: k.calls, Traffic: k.traffic.Counts()})
	}
	stopped := k.act()
	k.generateStatus(stopped)
	return k.signed(k.plan())
}

// act performs the action, and reports whether the Pod has been stopped.
func (k *sync) act() (stopped bool) {
	switch a := &k.todo; {
	case k.behind:
		return false
	case a.Kind == action.Stop:
		return k.stopForDeletion()
	case a.Fails():
		return k.stopAsFailed()
	case !a.Begin.IsZero():
		k.wakeAt(a.Begin)
	}
	k.live()
	return false
}

// generateStatus derives everything in the status that follows from the containers. stopped is as
// for phase.
func (k *sync) generateStatus(stopped bool) {
	failed := k.todo.Fails() && !k.behind
	if failed {
		k.status.Phase = corev1.PodFailed // for the conditions; reset below while containers still run
	}
	k.deriveStatus(stopped)
	if stopped {
		k.settle()
		if k.changed && k.Pod.DeletionTimestamp != nil {
			k.wake = k.Now // to remove the Pod, which is a separate change
		}
	}
	switch {
	case !failed:
	case stopped:
		reason, message, _ := k.todo.Cause()
		k.status.Phase, k.status.Reason, k.status.Message = corev1.PodFailed, reason, message
		k.changed = true
	default:
		k.status.Phase = k.Pod.Status.Phase
	}
}

// plan is the result of the sync.
func (k *sync) plan() plan.Plan {
	files := k.keepFiles()
	k.respond()
	k.remember()
	k.foresee()
	k.awaitRenewal()
	k.settleReferences()
	if k.hangUp(); k.MoreCalls {
		k.wake = k.Now
	}
	p := plan.Plan{Files: files, Calls: k.calls, Traffic: k.traffic.Counts(), Events: k.events, WakeAt: k.wake, Retry: k.accountless}
	if k.touched {
		if m := k.memory.Encode(); len(m) > 0 || len(k.Memory) > 0 {
			p.Memory, p.Audible = m, k.audible
		}
	}
	if ended(k.status.Phase) && k.Pod.DeletionTimestamp == nil {
		p.WakeAt, p.Retry = time.Time{}, false // nothing more happens by itself
	}
	if k.changed {
		next := *k.Pod
		next.Status = k.status
		p.Updates = []plan.Update{{Object: &next, Subresource: "status"}}
	}
	return p
}

// Reject rejects a Pod permanently.
// Source: kubernetes v1.36 pkg/kubelet/kubelet.go, rejectPod.
func Reject(pod *corev1.Pod, reason, message string) plan.Plan {
	next := pod.DeepCopy()
	next.Status.Phase, next.Status.Reason, next.Status.Message = corev1.PodFailed, reason, "Pod was rejected: "+message
	return plan.Plan{
		Updates: []plan.Update{{Object: next, Subresource: "status"}},
		Events: []plan.Event{{
			Regarding: pod, Type: corev1.EventTypeWarning, Reason: reason, Message: message, Component: "kubelet", Host: pod.Spec.NodeName,
		}},
	}
}

// signed is the plan, or a plan to sync again soon if a program has read a token that could not be
// signed yet.
func (k *sync) signed(p plan.Plan) plan.Plan {
	if k.signer.Failed {
		return plan.Plan{Retry: true}
	}
	return p
}
