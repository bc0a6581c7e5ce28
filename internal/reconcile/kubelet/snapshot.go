package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
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

	// Real is real time, in which tokens are issued and end; zero stands for Now. Sign signs the
	// claims of a token; false says that it cannot do so yet. If nil, the files of tokens are
	// empty.
	Real time.Time
	Sign func(claims []byte) (token []byte, signed bool)

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

	// Calls are the requests of other Pods that the Pod has to answer, in the order of their times,
	// and those that it has made. MoreCalls says that there may be more to answer.
	Calls     []plan.Call
	MoreCalls bool
	// Moment is when the Pod was claimed, to the microsecond, where Now has whole seconds; Still
	// says that the clock stands still, and nobody advances it.
	Moment time.Time
	Still  bool

	// Claims are what the Pod's claims have come to, by the names of its volumes.
	Claims map[string]Claimed

	// Files are those at and below the places that the Pod's volumes of the type hostPath and its claims show, by node and path;
	// Shared says that other Pods see some of them too.
	Files  []plan.File
	Shared bool
}

// ended says whether a phase is final.
func ended(p corev1.PodPhase) bool { return p == corev1.PodSucceeded || p == corev1.PodFailed }

// Shortage is why a node has no room for the resources that a Pod asks for by now: the reason is that of a Pod which is turned down.
type Shortage struct{ Reason, Message string }
