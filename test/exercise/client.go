package exercise

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/childprocess"
	"github.com/rowlock/rowlock/test/history"
)

// Patience bounds the wait for everything that must eventually happen, on a busy machine.
const Patience = 5 * time.Minute

// ClientTimeout bounds each request; watches too, so that they continue elsewhere.
const ClientTimeout = 10 * time.Second

// Fleet is the replicas that the load goes to. Several goroutines may call its methods.
type Fleet interface {
	// Any returns a client of one of the replicas that serve, by a non-negative number; nil while
	// none does.
	Any(n int) kubernetes.Interface
	// URL returns how to connect to the database, past all deliberately disturbed connections.
	URL() string
	// Log returns the logs of the replicas.
	Log() *childprocess.Log
	// Renewed returns how often a new history may have begun (see store.Recognise), as far as
	// known.
	Renewed() int
	// Failed returns what has ended the run early.
	Failed() error
}

// Clients go from replica to replica, retry failures, and remember the answers.
type Clients struct {
	Fleet
	// Losses returns what failovers to asynchronous standbys have lost so far. If nil, nothing.
	Losses func() history.Losses
	// Doubled reports whether a request that was sent at a time or later may have arrived twice. If
	// nil, none did.
	Doubled func(since time.Time) bool
	// OnWrong is called with everything that is recorded as wrong, one at a time. It must not call
	// the Clients. It may be nil.
	OnWrong func(text string)

	seed     uint64
	began    time.Time
	cleared  object.Revision // when nothing of the warm-up was left
	refusals history.Refusals

	mu           sync.Mutex
	acknowledged []history.Write
	operations   []history.Operation // on hot ConfigMaps
	counted      map[string]*counted // increments, by the name of the number
	lastWrite    time.Time
	longest      time.Duration // without an acknowledged write
	violations   []string
	followed     []history.Watched
	lists        []history.Listed
	holds        []history.Hold
	last         object.Revision // of the acknowledged writes
	forgotten    int             // acknowledged writes that failovers have lost
}

// New returns clients of a fleet. The seed determines what they do, but not exactly when.
func New(f Fleet, seed uint64) *Clients {
	return &Clients{Fleet: f, seed: seed, began: time.Now(), counted: map[string]*counted{}}
}

// draw returns a source of random numbers for one actor: the same for the same seed.
func (c *Clients) draw(actor string) *rand.Rand {
	sum := c.seed
	for _, b := range []byte(actor) {
		sum = sum*31 + uint64(b)
	}
	return rand.New(rand.NewPCG(c.seed, sum))
}

// somebody returns a client of one of the replicas, nil while none serves.
func (a *actor) somebody() kubernetes.Interface { return a.Any(a.Int()) }

// actor is one client, with its own random numbers.
type actor struct {
	*Clients
	*rand.Rand
	name  string
	ctx   context.Context
	round string // distinguishes the objects of one load from those of the previous
}

func (c *Clients) actor(ctx context.Context, name string) *actor {
	return &actor{Clients: c, Rand: c.draw(name), name: name, ctx: ctx, round: name}
}

// Wrong records what should not have happened.
func (c *Clients) Wrong(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	c.violations = append(c.violations, text)
	if c.OnWrong != nil {
		c.OnWrong(text)
	}
}

// do calls f with one replica's client after another until it succeeds or returns an expected
// error. ok says that it has succeeded.
func do[T metav1.Object](a *actor, resource string, expected func(error) bool, f func(context.Context, kubernetes.Interface) (T, error)) (o T, ok bool) {
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline) && a.Failed() == nil; time.Sleep(20 * time.Millisecond) {
		client := a.somebody()
		if client == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
		o, err := f(ctx, client)
		cancel()
		switch {
		case err == nil:
			a.acknowledge(resource, o)
			return o, true
		case a.refusals.Retryable(err):
			continue
		case expected != nil && expected(err), a.isLoss(err):
		default:
			a.Wrong("%s got an error about %s that must not be retried: %v", a.name, resource, err)
		}
		return o, false
	}
	a.Wrong("a request of %s for %s was never answered", a.name, resource)
	return o, false
}

// lost returns what failovers have lost.
func (c *Clients) lost() history.Losses {
	if c.Losses == nil {
		return nil
	}
	return c.Losses()
}

// isLoss reports whether an object that was created before may be missing because its creation was
// lost.
func (c *Clients) isLoss(err error) bool { return apierrors.IsNotFound(err) && len(c.lost()) > 0 }

// Tolerate makes failures retryable that are not so elsewhere. It must be called before Start.
func (c *Clients) Tolerate(failure func(error) bool) { c.refusals.Tolerated = failure }

// Elapsed returns how long the clients have existed, which is the time that history.Loss counts in.
func (c *Clients) Elapsed() time.Duration { return time.Since(c.began) }

// acknowledge records an acknowledged write. Deletions of some kinds are answered without their
// object.
func (c *Clients) acknowledge(resource string, o metav1.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !c.lastWrite.IsZero() { // there is a load
		c.longest = max(c.longest, now.Sub(c.lastWrite))
		c.lastWrite = now
	}
	if m, ok := o.(*metav1.ObjectMeta); ok && m.UID == "" {
		return
	}
	c.last = max(c.last, object.RevisionOf(o))
	c.acknowledged = append(c.acknowledged, history.Write{
		Key: object.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()}, UID: o.GetUID(), Revision: object.RevisionOf(o),
	})
}

// Newest returns the newest acknowledged revision.
func (c *Clients) Newest() object.Revision {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// neverSent reports whether no request was sent, because no server accepted the connection.
func neverSent(err error) bool {
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

// rest is an actor's pause, of up to a duration.
func (a *actor) rest(most time.Duration) { Sleep(a.ctx, time.Duration(a.Int64N(int64(most)))) }

// Retry calls try until it is done, with a pause after each call. It gives up, and returns false,
// when ctx ends or after Patience.
func Retry(ctx context.Context, pause time.Duration, try func() (done bool)) bool {
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline) && ctx.Err() == nil; Sleep(ctx, pause) {
		if try() {
			return true
		}
	}
	return false
}

// Sleep pauses for d, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
