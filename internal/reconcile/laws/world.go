package laws

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// World is a toy cluster: objects in memory, revisions, a clock that the test moves, and the
// objects that changes wake. It is not safe for concurrent use.
type World struct {
	Now     time.Time
	Changes []string // what has happened so far, for the failure message of a test

	t        rapid.TB
	objects  map[types.UID]object.Object
	revision object.Revision
	drawn    int                     // names and uids generated so far
	woken    map[types.UID]bool      // objects to sync now
	due      map[types.UID]time.Time // objects to sync at a time
	acting   types.UID               // the object whose plan is being applied
}

// NewWorld is an empty World whose failures fail t.
func NewWorld(t rapid.TB, now time.Time) *World {
	return &World{Now: now, t: t, objects: map[types.UID]object.Object{}, woken: map[types.UID]bool{},
		due: map[types.UID]time.Time{}}
}

// List returns all objects of one type, oldest first, in a fixed order. They are shared: DeepCopy
// them before a change.
func List[T object.Object](w *World) []T {
	var out []T
	for _, o := range w.objects {
		if o, ok := o.(T); ok {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b T) int {
		return cmp.Or(a.GetCreationTimestamp().Compare(b.GetCreationTimestamp().Time), cmp.Compare(a.GetUID(), b.GetUID()))
	})
	return out
}

// Counted returns the Pods without a controller as they are, and the unfinished others as
// controllers count them together.
func Counted(pods []*corev1.Pod) (orphans []*corev1.Pod, groups []podstate.Alike) {
	for _, p := range pods {
		ref := metav1.GetControllerOfNoCopy(p)
		if ref == nil {
			orphans = append(orphans, p)
			continue
		}
		if podstate.Terminal(p) {
			continue
		}
		i := slices.IndexFunc(groups, func(a podstate.Alike) bool {
			return metav1.GetControllerOfNoCopy(a.Pod).UID == ref.UID && a.Includes(p)
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, podstate.NewAlike(p))
		}
		groups[i].N++
	}
	return orphans, groups
}

// Create stores a new object, as a client or the applier does, and returns it.
func (w *World) Create(o object.Object) object.Object {
	w.t.Helper()
	return w.create(o, "")
}

// create is Create for an object that may already have this uid; empty if it has none.
func (w *World) create(o object.Object, uid types.UID) object.Object {
	w.t.Helper()
	o = o.DeepCopyObject().(object.Object)
	if _, ok := w.objects[o.GetUID()]; ok || o.GetUID() != uid || o.GetResourceVersion() != "" {
		w.fail("the new %T %s has a uid or a resourceVersion", o, o.GetName())
	}
	w.drawn++
	if o.GetName() == "" {
		o.SetName(fmt.Sprintf("%s%d", o.GetGenerateName(), w.drawn))
	}
	for _, other := range w.objects {
		sameType := reflect.TypeOf(other) == reflect.TypeOf(o)
		if sameType && other.GetNamespace() == o.GetNamespace() && other.GetName() == o.GetName() {
			w.fail("the name of %T %s is taken", o, o.GetName())
		}
	}
	// Uids are chosen so that their order says nothing about age.
	if uid == "" {
		o.SetUID(types.UID(fmt.Sprintf("%02d-%d", w.drawn*37%100, w.drawn)))
	}
	o.SetCreationTimestamp(metav1.NewTime(w.Now).Rfc3339Copy())
	o.SetGeneration(1)
	w.store("create", o)
	return o
}

// Update stores a changed copy of an object. Its resourceVersion must be the current one.
func (w *World) Update(o object.Object) {
	w.t.Helper()
	old, ok := w.objects[o.GetUID()]
	if !ok || old.GetResourceVersion() != o.GetResourceVersion() {
		w.fail("the update of %T %s is of an old version", o, o.GetName())
	}
	w.store("update", o.DeepCopyObject().(object.Object))
}

// Delete sets the deletionTimestamp of a Pod. It removes any other object at once and sets the
// deletionTimestamp of the Pods it controls.
func (w *World) Delete(o object.Object) {
	w.t.Helper()
	current, ok := w.objects[o.GetUID()]
	if !ok {
		w.fail("the deleted %T %s is not there", o, o.GetName())
	}
	if pod, ok := current.(*corev1.Pod); ok {
		if pod.DeletionTimestamp == nil {
			pod = pod.DeepCopy()
			now := metav1.NewTime(w.Now).Rfc3339Copy()
			pod.DeletionTimestamp = &now
			w.store("delete", pod)
		}
		return
	}
	w.Remove(current)
	for _, pod := range List[*corev1.Pod](w) {
		if metav1.IsControlledBy(pod, current) {
			w.Delete(pod)
		}
	}
}

// Remove removes the object from the World.
func (w *World) Remove(o object.Object) {
	w.note("remove", o)
	w.wake(o)
	delete(w.objects, o.GetUID())
}

// Apply applies the plan that was made for the object self as the applier would. It fails the test
// where the applier would leave out a change: a stale update, two changes to one object, a name
// that is taken. A generation must grow exactly when its spec changes.
func (w *World) Apply(self types.UID, p plan.Plan) {
	w.t.Helper()
	w.acting = self
	defer func() { w.acting = "" }()
	changed := map[types.UID]bool{}
	once := func(o object.Object) {
		if changed[o.GetUID()] {
			w.fail("one plan changes %T %s twice", o, o.GetName())
		}
		changed[o.GetUID()] = true
	}
	for _, u := range p.Updates {
		once(u.Object)
		w.checkGeneration(u)
		w.Update(u.Object)
	}
	for _, c := range p.Creates {
		w.create(c.Object, referred(p, c.Object.GetUID()))
	}
	for _, d := range p.Deletes {
		once(d.Object)
		w.Delete(d.Object)
	}
	for _, e := range p.Events {
		if e.Regarding.GetUID() == "" || e.MessageOfCreate > len(p.Creates) {
			w.fail("the event %q is about nothing", e.Message)
		}
	}
}

// referred returns the uid if an update of the plan contains it, else an empty one.
func referred(p plan.Plan, uid types.UID) types.UID {
	for _, u := range p.Updates {
		if text, err := json.Marshal(u.Object); err == nil && strings.Contains(string(text), string(uid)) {
			return uid
		}
	}
	return ""
}

func (w *World) checkGeneration(u plan.Update) {
	w.t.Helper()
	old, ok := w.objects[u.Object.GetUID()]
	if !ok {
		return // Update fails for it
	}
	want := old.GetGeneration()
	if !equality.Semantic.DeepEqual(spec(old), spec(u.Object)) {
		if u.Subresource != "" {
			w.fail("the update of %s %T %s changes its spec", u.Subresource, u.Object, u.Object.GetName())
		}
		want++
	}
	if got := u.Object.GetGeneration(); got != want {
		w.fail("the update of %T %s has generation %d, want %d", u.Object, u.Object.GetName(), got, want)
	}
}

func spec(o object.Object) any {
	if f := reflect.ValueOf(o).Elem().FieldByName("Spec"); f.IsValid() {
		return f.Interface()
	}
	return nil
}

func (w *World) store(verb string, o object.Object) {
	w.revision++
	o.SetResourceVersion(w.revision.ResourceVersion())
	if old, ok := w.objects[o.GetUID()]; ok {
		w.wake(old)
	}
	w.objects[o.GetUID()] = o
	w.wake(o)
	w.note(verb, o)
}

// wake wakes the objects that must sync when o changes: o itself, unless its own plan made the
// change, and its controller. For a node, and for a Pod without a controller, which any object may
// adopt, it wakes all.
func (w *World) wake(o object.Object) {
	if uid := o.GetUID(); uid != w.acting {
		w.woken[uid] = true
	}
	if ref := metav1.GetControllerOf(o); ref != nil {
		w.woken[ref.UID] = true
		return
	}
	switch o.(type) {
	case *corev1.Pod, *corev1.Node:
		for uid := range w.objects {
			w.woken[uid] = true
		}
	}
}

func (w *World) note(verb string, o object.Object) {
	w.Changes = append(w.Changes, fmt.Sprintf("%s %s %T %s", w.Now.Format(time.TimeOnly), verb, o, o.GetName()))
}

// fail ends the test with the latest changes.
func (w *World) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nlately: %q", fmt.Sprintf(format, args...), w.Changes[max(0, len(w.Changes)-20):])
}
