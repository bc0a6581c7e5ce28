package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/history"
	"github.com/rowlock/rowlock/internal/object"
)

// patience bounds everything that must happen in the end, on a machine that does much else.
const patience = 5 * time.Minute

// clients go from replica to replica, try again what fails, and remember what they were told.
type clients struct {
	*fleet
	began    time.Time
	cleared  object.Revision // when nothing was left of the warm-up
	refusals history.Refusals

	mu           sync.Mutex
	acknowledged []history.Write
	operations   []history.Operation // on hot ConfigMaps
	counted      map[string]*counted
	lastWrite    time.Time
	longest      time.Duration // without an acknowledged write
	violations   []string
	followed     []history.Watched
}

func newClients(f *fleet) *clients {
	return &clients{fleet: f, began: time.Now(), counted: map[string]*counted{}}
}

// actor is one client, with its own random numbers.
type actor struct {
	*clients
	*rand.Rand
	name  string
	ctx   context.Context
	round string // tells the objects of one load from those of the last
}

// wrong notes what should not have happened.
func (c *clients) wrong(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.violations = append(c.violations, fmt.Sprintf(format, args...))
}

// do calls f with one replica's client after another until it succeeds or answers with an error
// that is expected. ok says that it has succeeded.
func do[T metav1.Object](a *actor, resource string, expected func(error) bool, f func(context.Context, kubernetes.Interface) (T, error)) (o T, ok bool) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && a.failed() == nil; time.Sleep(20 * time.Millisecond) {
		client := a.any(a.IntN(len(a.replicas)))
		if client == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), clientTimeout)
		o, err := f(ctx, client)
		cancel()
		switch {
		case err == nil:
			a.acknowledge(resource, o)
			return o, true
		case a.refusals.Retryable(err):
			continue
		case expected != nil && expected(err):
		default:
			a.wrong("%s was told of %s what is no reason to try again: %v", a.name, resource, err)
		}
		return o, false
	}
	a.wrong("a request of %s for %s was never answered", a.name, resource)
	return o, false
}

// acknowledge notes a write that is said to be committed. Removals of some kinds are answered without their object.
func (c *clients) acknowledge(resource string, o metav1.Object) {
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
	c.acknowledged = append(c.acknowledged, history.Write{
		Key: object.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()}, UID: o.GetUID(), Revision: object.RevisionOf(o),
	})
}

// neverSent says that nothing was asked for: there was nobody to connect to.
func neverSent(err error) bool {
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

// running is a load.
type running struct {
	*clients
	cancel context.CancelFunc
	all    sync.WaitGroup
}

// stop has every actor finish what it is at, and waits for all.
func (l *running) stop() {
	l.cancel()
	l.all.Wait()
	l.watchPauses(time.Time{})
}

// watchPauses begins to measure the time between acknowledged writes, or ends it with zero.
func (c *clients) watchPauses(since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastWrite = since
}

// start starts all actors. round names their objects.
func (c *clients) start(ctx context.Context, round string) *running {
	ctx, cancel := context.WithCancel(ctx)
	l := &running{clients: c, cancel: cancel}
	c.watchPauses(time.Now())
	for name, act := range actors() {
		a := &actor{clients: c, Rand: c.draw(round + "/" + name), name: name, ctx: ctx, round: round}
		l.all.Go(func() {
			for ctx.Err() == nil && c.failed() == nil {
				act(a)
			}
		})
	}
	return l
}

// rest is a pause of an actor, of up to a time.
func (a *actor) rest(most time.Duration) { sleep(a.ctx, time.Duration(a.Int64N(int64(most)))) }
