package fieldmanager

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/rowlock/rowlock/internal/object"
)

// Writer is the author of a write, and its time.
type Writer struct {
	Manager     string    // the field manager's name, "kube-controller-manager"; "" is recorded as "unknown"
	Subresource string    // that the object is written through, "status"; "" for the object itself
	At          time.Time // cluster time; recorded in whole seconds
}

// Created records that the writer owns a new object's fields: it sets o's managedFields, in place.
// It honours managedFields in o as upstream does. o is as it was sent, with defaults, and before
// admission has completed it.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go, UpdateNoErrors
func Created(t *object.Type, o object.Object, by Writer) error {
	return Updated(t, o, t.New(), by)
}

// Updated records that the writer owns the fields by which next differs from old: it sets next's
// managedFields, in place. If next has no managedFields, it keeps old's; [{}] discards all. old is
// not changed. Both are of the type t.
//
// If no field of an object can be recorded, it gets no managedFields, and the error says why: that
// is only this package's fault, and need not prevent the object from being stored.
func Updated(t *object.Type, next, old object.Object, by Writer) error {
	if !tracked(t) || foreign(t, next) {
		next.SetManagedFields(nil)
		return nil
	}
	if quickly(t, next, old, by) {
		return nil
	}
	return slowly(t, next, old, by)
}

// foreign reports whether a custom resource claims another kind, as a patch, or an update of its
// status, may. No manager owns its fields then.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/structuredmerge.go, Update, which finds no schema
func foreign(t *object.Type, o object.Object) bool {
	is := o.GetObjectKind().GroupVersionKind()
	return t.Custom != nil && is.Kind != "" && is != t.GroupVersionKind() &&
		(is.Kind != t.Kind || !t.Custom.Convertible(is.GroupVersion().String()))
}

// UpdatedBoth is Updated for a write that changes an object and its status at once, which clients
// cannot: status owns the changes in the status, and main the rest. Only the manager of status
// counts.
func UpdatedBoth(t *object.Type, next, old object.Object, main, status Writer) error {
	status.Subresource = statusAlone
	if tracked(t) && !quickly(t, next, old, status) {
		status.Subresource = "status" // with the metadata
		if err := slowly(t, next, old, status); err != nil {
			return err
		}
	}
	return Updated(t, next, old, main)
}

// statusAlone is the subresource "status" without the metadata that it may change.
const statusAlone = "status alone"

// slowly is Updated by upstream's code, which handles all cases and takes a tenth of a millisecond.
//
// Differs: an object with more than maxSlowEntries that only upstream's code handles gets no
// managedFields, because its cost there is the square of their number.
func slowly(t *object.Type, next, old object.Object, by Writer) error {
	if crowded(next) || crowded(old) {
		next.SetManagedFields(nil)
		return nil
	}
	fm, err := managerFor(t, by.Subresource)
	known := times{}
	if err == nil {
		if is := next.GetObjectKind().GroupVersionKind(); t.Custom != nil && is.Kind != "" {
			defer next.GetObjectKind().SetGroupVersionKind(is) // validation judges it
		}
		next.GetObjectKind().SetGroupVersionKind(t.GroupVersionKind())
		old = named(t, old)
		known.shift(next, by.At)
		known.shift(old, by.At)
		_, err = fm.Update(old, next, by.Manager)
	}
	if err != nil {
		next.SetManagedFields(nil)
		return fmt.Errorf("record the fields of %s %s/%s: %w", t.Resource(), next.GetNamespace(), next.GetName(), err)
	}
	known.settle(next, by.At)
	return nil
}

// Apply merges an applied configuration into the live object and returns the result, a new object
// with its managedFields, before defaults. live is nil or empty if there is none yet, and is not
// changed. A field that another manager owns with another value is a conflict, unless force takes
// it: the error is then a *errors.StatusError with the reason Conflict and a cause for each field.
// Other faults of the configuration are such errors too, or plain ones.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go, Apply
func Apply(t *object.Type, live object.Object, applied map[string]any, by Writer, force bool) (object.Object, error) {
	if live == nil {
		live = t.New()
	}
	if !tracked(t) {
		return nil, fmt.Errorf("%s cannot be applied", t.GroupVersionKind())
	}
	fm, err := managerFor(t, by.Subresource)
	if err != nil {
		return nil, err
	}
	known := times{}
	live = named(t, live)
	known.shift(live, by.At)
	out, err := fm.Apply(live, &unstructured.Unstructured{Object: applied}, by.Manager, force)
	if err != nil {
		return nil, err
	}
	o, ok := out.(object.Object)
	if !ok {
		return nil, fmt.Errorf("applying to a %s gave a %T", t.Kind, out)
	}
	known.settle(o, by.At)
	return o, nil
}

// named returns a copy of o with its kind.
func named(t *object.Type, o object.Object) object.Object {
	c, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		panic(fmt.Sprintf("fieldmanager: a copy of %T is none", o))
	}
	c.GetObjectKind().SetGroupVersionKind(t.GroupVersionKind())
	return c
}

// times maps the times in managedFields to those before a write: upstream's code takes the time
// from the process's clock, and compares it with the others, so they are shifted to that clock, and
// back.
type times map[*metav1.Time]*metav1.Time

// shift gives o, which the caller owns, times by the process's clock.
func (ts times) shift(o object.Object, at time.Time) {
	entries := slices.Clone(o.GetManagedFields())
	ahead := time.Now().Truncate(time.Second).Sub(at.Truncate(time.Second))
	for i := range entries {
		if e := &entries[i]; e.Time != nil {
			shifted := &metav1.Time{Time: e.Time.Add(ahead)}
			ts[shifted] = e.Time
			e.Time = shifted
		}
	}
	o.SetManagedFields(entries)
}

// settle gives the entries that a write has made or changed the write's time, and the others their
// own.
func (ts times) settle(o object.Object, at time.Time) {
	entries := o.GetManagedFields()
	for i := range entries {
		switch e := &entries[i]; {
		case e.Time == nil:
		case ts[e.Time] != nil:
			e.Time = ts[e.Time]
		default:
			e.Time = &metav1.Time{Time: at.UTC().Truncate(time.Second)}
		}
	}
	slices.SortFunc(entries, compareEntries)
	o.SetManagedFields(entries) // for a custom resource they are a copy
}

// compareEntries is the order of managedFields.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/managedfields.go, sortEncodedManagedFields
func compareEntries(a, b metav1.ManagedFieldsEntry) int {
	return cmp.Or(
		cmp.Compare(a.Operation, b.Operation),
		cmp.Compare(seconds(a.Time), seconds(b.Time)),
		cmp.Compare(a.Manager, b.Manager),
		cmp.Compare(a.APIVersion, b.APIVersion),
		cmp.Compare(a.Subresource, b.Subresource),
	)
}

func seconds(t *metav1.Time) int64 {
	if t == nil {
		return 0
	}
	return t.Unix()
}

// managers holds upstream's field manager for each type and subresource written so far.
var managers sync.Map // managerKey to *managedfields.FieldManager

type managerKey struct {
	schema.GroupVersionKind
	subresource string
}

func managerFor(t *object.Type, subresource string) (*managedfields.FieldManager, error) {
	key, all, create := managerKey{t.GroupVersionKind(), subresource}, &managers, managedfields.NewDefaultFieldManager
	if t.Custom != nil {
		all, create = &t.Custom.Managers, managedfields.NewDefaultCRDFieldManager
	}
	if fm, ok := all.Load(key); ok {
		return fm.(*managedfields.FieldManager), nil
	}
	c := converter{t}
	fm, err := create(typesOf(t), c, c, c, t.GroupVersionKind(), t.GroupVersion(), subresource, resets(t, subresource))
	if err != nil {
		return nil, err
	}
	all.Store(key, fm)
	return fm, nil
}

// converter makes, converts and defaults objects for upstream's field manager: each type has one
// version, and defaults come later.
type converter struct{ t *object.Type }

var (
	_ runtime.ObjectConvertor = converter{}
	_ runtime.ObjectDefaulter = converter{}
	_ runtime.ObjectCreater   = converter{}
)

func (c converter) New(schema.GroupVersionKind) (runtime.Object, error) {
	return named(c.t, c.t.New()), nil
}

func (converter) Default(runtime.Object) {}

func (c converter) Convert(in, out, _ any) error {
	return fmt.Errorf("no conversion of %T to %T", in, out)
}

func (c converter) ConvertToVersion(in runtime.Object, gv runtime.GroupVersioner) (runtime.Object, error) {
	gvk := in.GetObjectKind().GroupVersionKind()
	if c.t.Custom != nil {
		return c.convertCustom(in, gvk, gv)
	}
	if to, ok := gv.KindForGroupVersionKinds([]schema.GroupVersionKind{gvk}); !ok || to != gvk {
		return nil, runtime.NewNotRegisteredErrForKind(c.t.Kind, gvk)
	}
	u, ok := in.(*unstructured.Unstructured)
	if !ok {
		return in, nil
	}
	o := c.t.New()
	return o, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, o)
}

// convertCustom converts between the versions of a definition, only by name.
func (c converter) convertCustom(in runtime.Object, gvk schema.GroupVersionKind, gv runtime.GroupVersioner) (runtime.Object, error) {
	to, ok := gv.KindForGroupVersionKinds([]schema.GroupVersionKind{gvk})
	if exact, is := gv.(schema.GroupVersion); is {
		to, ok = exact.WithKind(gvk.Kind), c.t.Custom.Convertible(exact.String())
	}
	switch {
	case !ok:
		return nil, runtime.NewNotRegisteredErrForKind(c.t.Kind, gvk)
	case to == gvk:
		return in, nil
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(to)
	return out, nil
}

func (converter) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// SameButTimes reports whether managedFields differ in the times of their entries, and in nothing
// else.
func SameButTimes(a, b []metav1.ManagedFieldsEntry) bool {
	if len(a) != len(b) {
		return false
	}
	newer := false
	for i := range a {
		x, y := a[i], b[i]
		newer = newer || !x.Time.Equal(y.Time)
		x.Time, y.Time = nil, nil
		if x.FieldsV1 == nil != (y.FieldsV1 == nil) || x.FieldsV1 != nil && string(x.FieldsV1.Raw) != string(y.FieldsV1.Raw) {
			return false
		}
		x.FieldsV1, y.FieldsV1 = nil, nil
		if x != y {
			return false
		}
	}
	return newer
}

// Dated is how many entries of managedFields have a time. A JSON patch can remove one.
func Dated(entries []metav1.ManagedFieldsEntry) (n int) {
	for i := range entries {
		if entries[i].Time != nil {
			n++
		}
	}
	return n
}
