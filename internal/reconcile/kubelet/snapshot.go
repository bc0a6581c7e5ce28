package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Snapshot is the kubelet's view of one Pod. It is not modified, and plans share parts of it.
type Snapshot struct {
	Pod *corev1.Pod

	// Node is the node that the Pod is bound to; nil if it does not exist, in which case nothing
	// happens to the Pod.
	Node *corev1.Node

	// Address is a free Pod IP. It is used if the Pod has none yet and does not share its node's
	// network.
	Address string

	Images *emulator.Catalogue
	Now    time.Time

	// Real is real time, in which tokens are issued and expire; zero means Now. Sign signs the
	// claims of a token; it returns false if it cannot do so yet. If nil, the files of tokens are
	// empty.
	Real time.Time
	Sign func(claims []byte) (token []byte, signed bool)

	// Faults are the injected faults that affect the Pod or any image.
	Faults fault.OfPod

	// Shortage is why the node has no room for the resize that the Pod awaits; nil if it has room.
	Shortage *Shortage

	// Steps is how many steps of the Pod's machine the sync may run; zero means memory.BacklogSteps. A
	// sync that needs more leaves the Pod behind: its plan asks for another sync at Now, which
	// continues.
	Steps int64

	// Memory is what the last plan stored; nil if nothing.
	Memory []byte

	// Around are the objects that the Pod refers to, and Outside is what its processes can find out
	// about the cluster. Package need says what these must contain.
	Around  podsetup.Surroundings
	Outside *network.Outside

	// Calls are the requests of other Pods that the Pod must answer, in the order of their times,
	// and those that it has made. MoreCalls is true if there may be more to answer.
	Calls     []plan.Call
	MoreCalls bool
	// Moment is when the Pod was claimed, in microseconds, while Now has whole seconds. Still is
	// true if the clock is stopped and is not being advanced.
	Moment time.Time
	Still  bool

	// Claims are the results for the Pod's PersistentVolumeClaims, by volume name.
	Claims map[string]volumestate.Mount

	// Files are those at and below the places of the Pod's hostPath volumes and
	// PersistentVolumeClaims, by node and path. Shared is true if other Pods see some of them too.
	Files  []plan.File
	Shared bool
}

// ended reports whether a phase is final.
func ended(p corev1.PodPhase) bool { return p == corev1.PodSucceeded || p == corev1.PodFailed }

// Shortage is why a node has no room for the resources that a Pod now requests. The reason is the
// one with which a Pod would be rejected.
type Shortage struct{ Reason, Message string }
