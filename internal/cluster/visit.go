package cluster

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/visit"
)

// connectVisits connects the input of machines to what it needs.
func (p parts) connectVisits() {
	v := p.visits
	v.Store, v.Sessions, v.Presences = p.Store, replica.NewSessions(p.Pool), p.hints.Presences
	v.WaitFor, v.Snapshot, v.Now, v.Until = p.mirror.WaitFor, p.visited, p.clock.Now, p.clock.Until
}

// audible notifies sessions that have output to collect: those of this process, and the others by a
// hint.
func (p parts) audible(pod types.UID, sessions []int) {
	if others := p.visits.Tell(pod, sessions); len(others) > 0 {
		p.hints.SendAudible(pod, others)
	}
}

// hear notifies sessions of this process of a hint.
func (p parts) hear(h replica.Hint) {
	if h.Deafened || h.From == "" {
		p.visits.TellAll()
	}
	for _, a := range h.Audible {
		p.visits.Tell(a.Pod, a.Sessions)
	}
}

// watchSessions ends the sessions of processes that have died.
func (p parts) watchSessions(ctx context.Context) error { return p.visits.Watch(ctx, p.Log) }

// podsGone notifies sessions of Pods that go.
type podsGone struct{ visits *visit.Source }

// Observe implements mirror.Observer.
func (g podsGone) Observe(e mirror.Event) {
	if e.New.Verb == object.Deleted && e.New.Type.Plural == "pods" {
		g.visits.TellPod(e.New.UID)
	}
}

// Reset implements mirror.Observer.
func (g podsGone) Reset() { g.visits.TellAll() }

// visited returns what a visit sees of a Pod, nothing if that is gone.
func (p parts) visited(uid types.UID, memory []byte, now time.Time) (s kubelet.Snapshot) {
	p.mirror.Read(func(v mirror.View) {
		if found := v.UID(uid); found != nil {
			if pod, ok := found.Object().(*corev1.Pod); ok {
				s = p.snapshot(v, pod, memory, now)
			}
		}
	})
	return s
}
