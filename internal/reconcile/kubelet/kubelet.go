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
// Files: action.go says what is to be done, sync.go runs the Pod, container.go starts and restarts, exit.go ends, stop.go stops the
// Pod, pull.go waits for images, resize.go changes resources, probe.go says when a container is ready, reboot.go starts anew, phase.go and condition.go generate
// the status. inside.go says who needs a machine and opens the runtime, carry.go carries it on, share.go says how far a sync may and
// who waits behind others, spec.go and volume.go furnish it, outside.go answers what it asks, memory.go is what is kept, claim.go
// and hostpath.go say where volumes are, fault.go fails on purpose.
package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// Snapshot is what kubelet sees of one Pod. Nothing in it is changed, and plans share parts of it.
type Snapshot struct {
	Pod *corev1.Pod

	// Node is the one that the Pod is bound to; nil when it does not exist, and then nothing happens to the Pod.
	Node *corev1.Node

	// Address is a free Pod IP. It is used when the Pod has none yet and does not share its node's network.
	Address string

	Images *emulator.Catalogue
	Now    time.Time

	// Faults are those on purpose that concern the Pod or any image.
	Faults fault.OfPod

	// Shortage is why the node has no room for the resources that a Pod asks for which awaits a resize; nil where it has.
	Shortage *Shortage

	// Steps is how many steps of the Pod's machine the sync may run; zero is BacklogSteps. A sync that needs more leaves the Pod
	// behind: its plan asks for another sync at Now, which goes on.
	Steps int64

	// Memory is what the last plan left to be remembered; nil for nothing.
	Memory []byte

	// Around are the objects that the Pod refers to, and Outside what its processes can find out about the cluster. Needed
	// says what of them has to be there.
	Around  podsetup.Surroundings
	Outside *Outside

	// Claims are what the Pod's claims have come to, by the names of its volumes.
	Claims map[string]Claimed

	// Files are those at and below the places that the Pod's volumes of the type hostPath and its claims show, by node and path;
	// Shared says that other Pods see some of them too.
	Files  []plan.File
	Shared bool
}

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
		return plan.Plan{}
	}
	k := newSync(s)
	k.todo = k.computeAction()
	k.open()
	if o, yes := s.reboot(); yes {
		k.afterReboot(o)
	}
	k.carryOn()
	if deleting && ended(pod.Status.Phase) && !k.behind && !k.anyRunning() {
		zero := int64(0)
		return plan.Plan{Deletes: []plan.Delete{{Object: pod, GracePeriodSeconds: &zero}}}
	}
	stopped := k.act()
	k.generateStatus(stopped)
	return k.plan()
}

// ended says whether a phase is final.
func ended(p corev1.PodPhase) bool { return p == corev1.PodSucceeded || p == corev1.PodFailed }
