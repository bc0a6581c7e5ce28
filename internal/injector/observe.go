package injector

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

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
