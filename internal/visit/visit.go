// Package visit gives the machines of Pods inputs from outside the kubelet: commands to execute,
// terminal input, requests to servers.
//
// A visit is one transaction under the Pod's lock, the lock that the kubelet's claims take. It
// reads what the kubelet remembers beside the Pod, opens the machine, runs it up to now, gives it
// the inputs, runs it on, and writes it back. A Pod in closed form has a machine from then on. The
// effects on the Pod itself, such as the end of a container, are left to the kubelet: it finds them
// in the memory, and is woken in the same transaction, as soon as the machine has news or questions
// for it, or at the time at which it will have.
//
// Time never goes back: inputs happen at cluster time or, if the machine is ahead, at its time. A
// machine runs ahead of the cluster by what its programs compute, at most a second. So commands
// answer while the clock is paused, and only what waits for time waits.
package visit

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/gate"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
)

// Errors of visits, besides those of the emulator and the database.
var (
	ErrGone       = errors.New("the Pod is gone")
	ErrBusy       = errors.New("the Pod is busy")
	ErrNotRunning = kubelet.ErrNotRunning
)

const (
	// mirrorWait is how long a visit waits, with the Pod locked, until the mirror has the locked
	// version of the Pod.
	mirrorWait = 500 * time.Millisecond

	// visitsAtOnce is how many visits of a process run concurrently. One that waits for its Pod's
	// lock holds a database connection, and other work needs those too.
	visitsAtOnce = 4
	// inputsAtOnce is how many inputs one visit delivers at most.
	inputsAtOnce = 16
)

// Store is the part of the database that visits use: see store.Store.
type Store interface {
	Visit(ctx context.Context, controller string, uid types.UID, f func(store.Visited) (store.Left, error)) error
}

// Sessions are those that visits record: see replica.Sessions.
type Sessions interface {
	Abandoned(ctx context.Context, present []int32) (map[types.UID][]int, error)
	Forget(ctx context.Context, pod types.UID, sessions ...int) error
}

// Source makes visits to Pods. It is safe for concurrent use; it must not be copied.
type Source struct {
	Store    Store
	Sessions Sessions
	// Presences returns the processes that are present: see replica.Hints.
	Presences func(context.Context) ([]int32, error)
	// Kubelet is the name of the controller to wake.
	Kubelet string
	// WaitFor waits until the mirror has reached a revision.
	WaitFor func(ctx context.Context, revision object.Revision) error
	// Snapshot returns the kubelet's snapshot of a Pod with this memory, by the mirror. Its Pod is
	// nil if it is gone; see need.ToRead.
	Snapshot func(pod types.UID, memory []byte, now time.Time) kubelet.Snapshot

	// Missing is called when a process that was present is missing: its last hints may be missing
	// too. May be nil.
	Missing func()

	Now   func() time.Time                // cluster time
	Until func(t time.Time) time.Duration // real time until a moment of cluster time

	// Gate serialises those whose Pods have used up their share.
	Gate gate.Gate

	once   sync.Once
	places chan struct{} // one for each current visit

	mu     sync.Mutex
	queues map[types.UID]*queue

	waiting waiters
}

// Visitor is what an input can use: the machine as it is at Visit.At. Run runs it on.
type Visitor struct {
	*kubelet.Visit

	// Unchanged says that there was no input after all: nothing needs to be stored.
	Unchanged bool
	// Known are the sessions in the Pod whose client some process has.
	Known []int

	begun, over []int
	listens     int // the session that needs to know when it will have output; 0 for none
}

// Outcome is the outcome of a visit.
type Outcome struct {
	Pod *corev1.Pod // as it was locked

	// Heard is when the session will have output, if nothing changes before; zero if unknown.
	Heard time.Time
	// Waits says that the machine waits for the kubelet, which has been woken; Spent that its
	// programs would continue if the Pod had not used up its share.
	Waits, Spent bool
}
