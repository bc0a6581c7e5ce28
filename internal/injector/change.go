package injector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/faultcount"
)

// The errors of creating and ending faults.
var (
	ErrExists   = errors.New("there is a fault of that name")
	ErrNotFound = errors.New("there is no fault of that name")
	ErrTooMany  = errors.New("there are too many faults")
)

// Most is about how many faults may exist: each of them is checked for every request, or every Pod.
const Most = 1000

// endTimeout bounds ending a fault without a waiting request.
const endTimeout = 10 * time.Second

// controller is the log's name for the writer that ends faults automatically.
const controller = "fault-injector"

// Create creates a validated fault, and returns when this process knows it. Without a name it gets
// one. lasts is its duration, by the clock of its target; zero means until it is deleted. writer is
// the requesting client, as in store.Change. Errors: ErrExists, ErrTooMany and those of
// store.Write.
func (in *Injector) Create(ctx context.Context, name, writer string, spec fault.Spec, lasts time.Duration) (*fault.Fault, error) {
	d := in.deps.Load()
	in.mu.Lock()
	n := len(in.faults)
	in.mu.Unlock()
	if n >= Most {
		return nil, ErrTooMany
	}
	now := d.Now()
	f := &fault.Fault{ObjectMeta: metav1.ObjectMeta{
		Name: name, UID: d.NewUID(), CreationTimestamp: metav1.NewTime(now.Truncate(time.Second)), Finalizers: []string{fault.Finalizer},
	}, Spec: spec}
	if name == "" {
		f.Name = spec.Target() + "-" + d.Suffix()
	}
	if lasts > 0 {
		if spec.API != nil {
			now = time.Now() // clients live in real time
		}
		until := now.Add(lasts).UTC().Truncate(time.Microsecond) // the precision of the database: a wakeup comes neither earlier nor later
		f.Spec.Until = &until
	}
	v, err := d.Store.Write(ctx, store.Change{Verb: object.Created, Type: &builtin.Fault.Type, New: f, Writer: writer})
	switch {
	case errors.Is(err, store.ErrExists):
		return nil, ErrExists
	case err != nil:
		return nil, fmt.Errorf("make fault %s: %w", f.Name, err)
	}
	return v.Object().(*fault.Fault), d.Mirror.WaitFor(ctx, v.Revision)
}

// List returns the faults that have not ended, in creation order, and how often those of the API
// have happened.
func (in *Injector) List(ctx context.Context) ([]*fault.Fault, map[types.UID]faultcount.Count, error) {
	d := in.deps.Load()
	if err := d.Mirror.Fresh(ctx); err != nil {
		return nil, nil, err
	}
	in.mu.Lock()
	all := make([]*fault.Fault, 0, len(in.faults))
	var counted []types.UID
	for uid, f := range in.faults {
		if f.Ended(d.Now()) {
			continue
		}
		if f.Spec.API != nil {
			counted = append(counted, uid)
		}
		all = append(all, f)
	}
	in.mu.Unlock()
	slices.SortFunc(all, older)
	if len(counted) == 0 {
		return all, nil, nil
	}
	counts, err := d.Counts.Of(ctx, counted)
	return all, counts, err
}

// End ends a fault by its name, and returns when this process knows: from then on it does not
// happen here, and its controller undoes its effects. An empty uid matches any; writer is the
// requesting client, as in store.Change. Errors: ErrNotFound, the mirror's and those of
// store.Write.
func (in *Injector) End(ctx context.Context, name string, uid types.UID, writer string) (*fault.Fault, error) {
	return in.end(ctx, name, uid, store.Change{Writer: writer})
}

// end ends a fault by a change that says who asked for that.
func (in *Injector) end(ctx context.Context, name string, uid types.UID, by store.Change) (*fault.Fault, error) {
	d := in.deps.Load()
	for {
		if err := d.Mirror.Fresh(ctx); err != nil {
			return nil, err
		}
		v := d.Mirror.Get(object.Key{Resource: fault.Resource, Name: name})
		if v == nil || uid != "" && v.UID != uid {
			return nil, ErrNotFound
		}
		f := v.Object().(*fault.Fault)
		deletion := registry.Delete(builtin.Fault, f, registry.DeleteRequest{}, d.Now())
		if deletion.Outcome == registry.DeletionPending {
			return nil, ErrNotFound // it has been ended
		}
		change := by
		change.Verb, change.Type, change.Old, change.New = deletion.Verb(), &builtin.Fault.Type, v, deletion.Object
		written, err := d.Store.Write(ctx, change)
		switch {
		case errors.As(err, new(*store.ConflictError)):
			continue
		case errors.Is(err, store.ErrGone):
			return nil, ErrNotFound
		case err != nil:
			return nil, fmt.Errorf("end fault %s: %w", name, err)
		}
		return f, d.Mirror.WaitFor(ctx, written.Revision)
	}
}

// retryEnd is the pause after a fault could not be ended, farAway the pause if there is none to
// end.
const retryEnd, farAway = time.Second, time.Hour

// Run ends faults of the API when they expire in real time, until ctx ends. All replicas try; one
// succeeds. It returns nil.
func (in *Injector) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-in.kick:
		case <-timer.C:
		}
		next := farAway
		for _, f := range in.limited() {
			left := time.Until(*f.Spec.Until)
			if left <= 0 {
				in.endOwn(ctx, f.Name, f.UID)
				left = retryEnd // unless it is gone by then
			}
			next = min(next, left)
		}
		timer.Reset(next)
	}
}

// limited returns the faults that end in real time.
func (in *Injector) limited() (all []*fault.Fault) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, f := range in.faults {
		if f.Spec.API != nil && f.Spec.Until != nil {
			all = append(all, f)
		}
	}
	return all
}

// endOwn ends a fault automatically. If that fails, the fault stays in the list, but does not
// happen any more.
func (in *Injector) endOwn(ctx context.Context, name string, uid types.UID) {
	d := in.deps.Load()
	if d == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	if _, err := in.end(ctx, name, uid, store.Change{Writer: controller, Cause: object.NoRequest}); err != nil && !errors.Is(err, ErrNotFound) {
		d.Log.WarnContext(ctx, "a fault that is over was not removed", "fault", name, "error", err)
	}
}
