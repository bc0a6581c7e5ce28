// Package visit gives the machines of Pods inputs from outside the kubelet: commands that are executed, what somebody types, requests
// to servers.
//
// A visit is one transaction under the Pod's lock, the lock that the kubelet's claims take. It reads what the kubelet remembers beside the
// Pod, opens the machine, runs it up to now, gives it the inputs, runs it on, and writes it back. A Pod in closed form has a machine from
// then on. What follows for the Pod itself, such as the end of a container, is the kubelet's business: it finds the news in the memory,
// and is woken in the same transaction, as soon as the machine has news or questions for it, or at the time at which it will have.
//
// Time never goes back: inputs happen at cluster time or, if the machine has come further, then. A machine runs ahead of the cluster by
// what its programs compute, a second at most. So commands answer while the clock is paused, and only what waits for time waits.
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
	// mirrorWait is how long a visit waits, with the Pod locked, until the mirror has the Pod as it was locked.
	mirrorWait = 500 * time.Millisecond

	// visitsAtOnce is how many visits of a process are under way. One that waits for its Pod's lock holds a connection to the database;
	// others need those too.
	visitsAtOnce = 4
	// inputsAtOnce is how many inputs one visit brings at most.
	inputsAtOnce = 16
)

// Store is the database as visits use it: see store.Store.
type Store interface {
	Visit(ctx context.Context, controller string, uid types.UID, f func(store.Visited) (store.Left, error)) error
	Presences(ctx context.Context) ([]int32, error)
	AbandonedSessions(ctx context.Context, present []int32) (map[types.UID][]int, error)
	ForgetSessions(ctx context.Context, pod types.UID, sessions ...int) error
}

// Source is where Pods are visited. It is safe for concurrent use; it must not be copied.
type Source struct {
	Store Store
	// Kubelet is the name of the controller that is woken.
	Kubelet string
	// WaitFor waits until the mirror has reached a revision.
	WaitFor func(ctx context.Context, revision object.Revision) error
	// Snapshot is what a kubelet sees of a Pod, by the mirror, beside which that is remembered; its Pod is nil if there is none. See
	// kubelet.NeededToRead.
	Snapshot func(pod types.UID, memory []byte, now time.Time) kubelet.Snapshot

	// Missing is called when a process is missing that was there: its last hints may be missing too. Nil for nothing.
	Missing func()

	Now   func() time.Time                // cluster time
	Until func(t time.Time) time.Duration // real time until a moment of cluster time

	// Gate is passed by those whose Pods have used up their share, so that they take turns.
	Gate gate.Gate

	once   sync.Once
	places chan struct{} // one for each visit that is under way

	mu     sync.Mutex
	queues map[types.UID]*queue

	waiting waiters
}

// Visitor is what an input has at hand: the machine as it is at Visit.At. Run has it go on.
type Visitor struct {
	*kubelet.Visit

	// Unchanged says that there was no input after all: nothing is to be stored.
	Unchanged bool
	// Known are the sessions in the Pod that some process has a client of.
	Known []int

	begun, over []int
	listens     int // the session that is to know when it will have something to collect; 0 for none
}

// Outcome is what a visit has come to.
type Outcome struct {
	Pod *corev1.Pod // as it was locked

	// Heard is when the session will have something to collect, if nothing changes before; zero if that is not foreseen.
	Heard time.Time
	// Waits says that the machine waits for the kubelet, which has been woken, Spent that its programs would go on if the Pod had not used
	// up its share.
	Waits, Spent bool
}

// Do visits a Pod: input gives the machine its inputs and runs it. If input fails, nothing has happened. What comes while the Pod is
// being visited already comes together in the next visit, in its order.
//
// Errors: ErrGone, ErrBusy, ErrNotRunning, input's, ctx's before it has begun, emulator.ErrSize if the machine would be too large, and the
// database's.
func (s *Source) Do(ctx context.Context, pod types.UID, input func(v *Visitor) error) (Outcome, error) {
	return s.do(ctx, &turn{pod: pod, input: input, done: make(chan struct{})})
}
