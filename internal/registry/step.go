package registry

import (
	"sync"

	"github.com/rowlock/rowlock/internal/kind"
)

// Step is one step of a write.
type Step struct {
	Name  string // of an admission plugin: upstream's name
	Stage Stage
	// Waits says that the step may wait for the network. Steps that do not are pure.
	Waits bool
	run   func(*write) error
}

// take runs the steps of some stages.
func (w *write) take(all []Step, first, last Stage) (Result, error) {
	for i := range all {
		if s := &all[i]; s.Stage >= first && s.Stage <= last && !w.in.WithoutAdmission[s.Name] {
			if err := s.run(w); err != nil {
				return w.result, err
			}
		}
	}
	w.result.Object = w.next
	return w.result, nil
}

// steps are the steps of one kind.
type steps struct {
	create, update, subresource []Step
	admitted                    map[*kind.Subresource][]Step // of the subresources with their own admission
}

// known has the steps of each kind that was written.
var known sync.Map // *kind.Kind to *steps

// Steps returns the steps that create and update an object of the kind.
func Steps(k *kind.Kind) (create, update []Step) {
	s := stepsOf(k)
	return s.create, s.update
}

// SubresourceSteps returns the steps that update an object of the kind through one of its
// subresources. They are made once.
func SubresourceSteps(k *kind.Kind, sub *kind.Subresource) []Step {
	if len(sub.Admission) == 0 {
		return stepsOf(k).subresource
	}
	return stepsOf(k).admitted[sub]
}

func stepsOf(k *kind.Kind) *steps {
	if s, ok := known.Load(k); ok {
		return s.(*steps)
	}
	stored := storedKind(k)
	s := &steps{create: creation(k, stored), update: replacement(k, stored), subresource: partial(k, nil), admitted: map[*kind.Subresource][]Step{}}
	for _, sub := range k.Subresources {
		s.admitted[sub] = partial(k, sub.Admission)
	}
	if k.Status != nil {
		s.admitted[k.Status] = partial(k, k.Status.Admission)
	}
	known.Store(k, s)
	return s
}

// received returns the steps that turn what was sent into an object of the stored kind.
func received(k *kind.Kind) []Step {
	all := []Step{
		{Name: "Default", Stage: Completion, run: (*write).setDefaults},
		{Name: "FieldOwners", Stage: Completion, run: (*write).recordOwners},
	}
	if k.Stored != nil {
		all = append(all, Step{Name: "Conversion", Stage: Completion, run: (*write).convert})
	}
	return all
}

func creation(k, stored *kind.Kind) (all []Step) {
	if stored.Namespaced {
		all = append(all, Step{Name: "NamespaceLifecycle", Stage: Lifecycle, Waits: true, run: (*write).checkNamespace})
	}
	all = append(all, Step{Name: "Name", Stage: Completion, run: (*write).drawName})
	all = append(all, received(k)...)
	all = append(all, Step{Name: "Identity", Stage: Completion, run: (*write).identify})
	if stored.Allocate != nil {
		all = append(all, Step{Name: "Allocation", Stage: Completion, Waits: true, run: (*write).allocate})
	}
	for i := range stored.Admission {
		if p := &stored.Admission[i]; p.Mutate != nil {
			all = append(all, Step{Name: p.Name, Stage: Mutation, Waits: p.Waits, run: func(w *write) error { return w.mutate(p) }})
		}
	}
	all = append(all, grants(stored.Admission)...)
	if stored.PrepareCreate != nil {
		all = append(all, Step{Name: "Preparation", Stage: Preparation, run: (*write).prepareNew})
	}
	all = append(all, Step{Name: "Validation", Stage: Validation, run: (*write).validateNew})
	for i := range stored.Admission {
		if p := &stored.Admission[i]; p.Validate != nil {
			all = append(all, Step{Name: p.Name, Stage: Approval, Waits: p.Waits, run: func(w *write) error { return w.approve(p) }})
		}
	}
	all = append(append(all, authorizations(stored.Admission)...), warnings)
	all = append(all, rereading(stored)...)
	if stored.Custom != nil && stored.Status != nil {
		all = append(all, Step{Name: "StatusDefaults", Stage: Approval, run: (*write).defaultStatus})
	}
	return append(append(all, advice(stored.Admission)...), Step{Name: "ResourceVersion", Stage: Approval, run: (*write).checkNoRevision})
}

var (
	warnings   = Step{Name: "Warnings", Stage: Approval, run: (*write).warn}
	precedence = Step{Name: "ResourceVersion", Stage: Lifecycle, run: (*write).checkRevision}
)

func replacement(k, stored *kind.Kind) []Step {
	all := append([]Step{precedence}, received(k)...)
	if stored.Allocate != nil {
		all = append(all, Step{Name: "Allocation", Stage: Completion, Waits: true, run: (*write).allocate})
	}
	all = append(all, grants(stored.Admission)...)
	all = append(all,
		Step{Name: "Preparation", Stage: Preparation, run: (*write).prepareUpdate},
		Step{Name: "Validation", Stage: Validation, run: (*write).validateUpdate})
	all = append(append(all, approvals(stored.Admission)...), warnings)
	return append(append(all, rereading(stored)...), advice(stored.Admission)...)
}

// rereading returns the last step for a custom resource.
func rereading(stored *kind.Kind) []Step {
	if stored.Custom == nil {
		return nil
	}
	return []Step{{Name: "Restoration", Stage: Approval, run: (*write).reread}}
}

// partial returns the steps of a write through a subresource with these plugins.
func partial(k *kind.Kind, admission []kind.Plugin) []Step {
	all := append([]Step{precedence}, received(k)...)
	for i := range admission {
		if p := &admission[i]; p.Mutate != nil {
			all = append(all, Step{Name: p.Name, Stage: Mutation, Waits: p.Waits, run: func(w *write) error { return w.ask(p, Mutation, w.next.GetName()) }})
		}
	}
	all = append(all,
		Step{Name: "Preparation", Stage: Preparation, run: (*write).prepareUpdate},
		Step{Name: "Validation", Stage: Validation, run: (*write).validateUpdate})
	all = append(append(all, approvals(admission)...), warnings)
	return append(append(all, rereading(storedKind(k))...), advice(admission)...)
}

// approvals returns the plugins that judge an update.
func approvals(plugins []kind.Plugin) (all []Step) {
	for i := range plugins {
		if p := &plugins[i]; p.ValidateUpdate != nil {
			all = append(all, Step{Name: p.Name, Stage: Approval, Waits: p.Waits, run: func(w *write) error { return w.approve(p) }})
		}
	}
	return append(all, authorizations(plugins)...)
}

// advice returns the plugins that warn about what is admitted.
func advice(plugins []kind.Plugin) (all []Step) {
	for i := range plugins {
		if p := &plugins[i]; p.Warn != nil {
			all = append(all, Step{Name: p.Name, Stage: Approval, run: func(w *write) error { w.advise(p); return nil }})
		}
	}
	return all
}

// grants returns the plugins that judge what the user may do before the object is prepared, and
// authorizations those that do so after validation.
func grants(plugins []kind.Plugin) (all []Step) {
	for i := range plugins {
		if p := &plugins[i]; p.Grant != nil {
			all = append(all, Step{Name: p.Name, Stage: Mutation, Waits: true, run: func(w *write) error { return w.judgeUser(p.Grant) }})
		}
	}
	return all
}

func authorizations(plugins []kind.Plugin) (all []Step) {
	for i := range plugins {
		if p := &plugins[i]; p.Authorize != nil {
			all = append(all, Step{Name: p.Name, Stage: Approval, Waits: true, run: func(w *write) error { return w.judgeUser(p.Authorize) }})
		}
	}
	return all
}
