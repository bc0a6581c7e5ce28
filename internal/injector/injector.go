// Package injector tracks the deliberate faults that exist, as in the mirror, and creates and ends
// them.
//
// It observes the mirror, so that every replica learns of a fault as soon as of any other change,
// and costs nothing if there is none: the API's middleware loads one pointer per request. How often
// a fault may hit is counted in the database (faultcount.Counts): faults with a count end when it is
// reached, whichever replicas the requests came to.
package injector

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// Injector is the faults as this process knows them. Its methods are safe for concurrent use.
type Injector struct {
	deps    atomic.Pointer[Deps]
	metrics *metrics
	current atomic.Pointer[set] // nil if there are no faults
	turns   chan struct{}       // bounds how many turns are taken concurrently
	changed atomic.Pointer[func(*fault.Rule)]

	kick chan struct{} // buffer of one: another fault may be the next to end

	mu     sync.Mutex
	faults map[types.UID]*fault.Fault
}

// set is the faults that have not ended, ready for decisions; it never changes.
type set struct {
	api    []*fault.Rule
	pods   []*fault.PodRule
	images []*fault.ImageRule
}

// mostTurns bounds how many of the process's database connections faults use.
const mostTurns = 4

// New makes an Injector without faults, which must observe the mirror. Whatever needs no database
// works without Connect.
func New() *Injector {
	return &Injector{
		metrics: newMetrics(), turns: make(chan struct{}, mostTurns), kick: make(chan struct{}, 1), faults: map[types.UID]*fault.Fault{},
	}
}

var _ mirror.Observer = (*Injector)(nil)

// Reset implements mirror.Observer.
func (in *Injector) Reset() {
	in.mu.Lock()
	defer in.mu.Unlock()
	clear(in.faults)
	in.currentChanged()
}

// Observe implements mirror.Observer.
func (in *Injector) Observe(e mirror.Event) {
	if e.New.Type.Plural != fault.Plural || e.New.Type.Group != fault.Group {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	uid := e.New.UID
	f, ok := e.New.Object().(*fault.Fault)
	if !ok || e.New.Verb == object.Deleted || f.DeletionTimestamp != nil {
		delete(in.faults, uid)
		in.currentChanged()
		return
	}
	_, known := in.faults[uid]
	in.faults[uid] = f
	in.currentChanged()
	if f.Spec.API == nil || known {
		return
	}
	if f.Spec.Until != nil {
		select {
		case in.kick <- struct{}{}:
		default:
		}
	}
	if changed := in.changed.Load(); changed != nil && f.Spec.API.Watch != "" {
		rule := fault.NewRule(f)
		go func() { _ = contain.Call(func() error { (*changed)(rule); return nil }) }() // the watches that it would end continue
	}
}

// currentChanged rebuilds the set; in.mu is held. Rules have the same order on every replica: that
// of creation.
func (in *Injector) currentChanged() {
	if len(in.faults) == 0 {
		in.current.Store(nil)
		return
	}
	all := make([]*fault.Fault, 0, len(in.faults))
	for _, f := range in.faults {
		all = append(all, f)
	}
	slices.SortFunc(all, older)
	s := new(set)
	for _, f := range all {
		switch {
		case f.Spec.API != nil:
			s.api = append(s.api, fault.NewRule(f))
		case f.Spec.Pod != nil:
			s.pods = append(s.pods, fault.NewPodRule(f))
		case f.Spec.Image != nil:
			s.images = append(s.images, &fault.ImageRule{Fault: f})
		}
	}
	in.current.Store(s)
}

// older orders faults by when they were created, and by name.
func older(a, b *fault.Fault) int {
	if c := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); c != 0 {
		return c
	}
	if a.Name < b.Name {
		return -1
	}
	return 1
}

// Watched makes the Injector call f, in a goroutine of its own, with each new fault of watches.
func (in *Injector) Watched(f func(*fault.Rule)) { in.changed.Store(&f) }

// Rules returns the faults of the API in creation order; nil, at the cost of one load, if there are
// none.
func (in *Injector) Rules() []*fault.Rule {
	if s := in.current.Load(); s != nil {
		return s.api
	}
	return nil
}

// Lives reports whether a fault of the API has not ended.
func (in *Injector) Lives(uid types.UID) bool {
	return slices.ContainsFunc(in.Rules(), func(r *fault.Rule) bool { return r.UID == uid })
}

// OfPod returns the faults that the kubelet needs for the sync of a Pod. Called with the mirror
// held, it has the same revision.
func (in *Injector) OfPod(pod *corev1.Pod) (of fault.OfPod) {
	if in == nil {
		return of
	}
	s := in.current.Load()
	if s == nil {
		return of
	}
	for _, r := range s.pods {
		if r.Concerns(pod) {
			of.Pod = append(of.Pod, r)
		}
	}
	of.Image = s.images
	return of
}

// Take takes a turn of a rule for a request that it applies to, and reports whether the fault
// happens to it. The last hit of its count ends the fault before Take returns. If the database
// cannot be queried, nothing happens: the request fails by itself.
func (in *Injector) Take(ctx context.Context, r *fault.Rule) bool {
	deps := in.deps.Load()
	if deps == nil {
		return false
	}
	select {
	case in.turns <- struct{}{}:
		defer func() { <-in.turns }()
	case <-ctx.Done():
		return false
	}
	var drawn func(int64) bool
	if r.API.Probability != nil {
		drawn = r.API.Chance
	}
	c, hit, ok, err := deps.Counts.Take(ctx, r.UID, r.API.Count, drawn)
	if err != nil {
		if ctx.Err() == nil {
			deps.Log.WarnContext(ctx, "a fault could not be taken", "fault", r.Name, "error", err)
		}
		return false
	}
	// A fault that has reached its count only still exists because the request that took its last
	// turn has not ended it: then this request does.
	if r.API.Count > 0 && (!ok || c.Hits >= r.API.Count) {
		in.endSpent(ctx, r)
	}
	if hit {
		in.metrics.hits.WithLabelValues(fault.TargetAPI, r.API.Effect()).Inc()
	}
	return hit
}
