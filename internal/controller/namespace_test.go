package controller_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/reconcile/namespace"
	"github.com/rowlock/rowlock/internal/store"
)

// emptier is a replica that counts the versions it visits, and its namespace controller.
type emptier struct {
	replica
	visits *atomic.Int64
	worker *engine.Worker
}

func newEmptier(t *testing.T) emptier {
	t.Helper()
	e := emptier{visits: &atomic.Int64{}}
	e.replica = joinReplica(t, pgtest.NewURL(t), mirror.Config{Visits: e.visits})
	if err := e.Clock.Set(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	for _, c := range controller.Controllers(world.World{Kinds: e.Kinds, Expiry: world.NewExpiry()}) {
		if c.Name == names.Namespace {
			e.worker = engine.New(e.Deps, c)
		}
	}
	return e
}

// namespace makes one that is being deleted, with contents, as clients would have left it.
func (e emptier) namespace(name string, contents ...object.Object) *object.Version {
	e.T.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}}}
	old := e.Create(ns)
	for len(contents) > 0 {
		n := min(len(contents), 1000)
		e.createAll(contents[:n])
		contents = contents[n:]
	}
	next := old.Object().DeepCopyObject().(*corev1.Namespace)
	next.DeletionTimestamp, next.Status.Phase = &metav1.Time{Time: start}, corev1.NamespaceTerminating
	return e.Write(store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: next, Writer: "client"})
}

// turns takes turns until there is nothing to do, and returns how many did something, and the most
// that one of them visited and wrote.
func (e emptier) turns() (turns int, visits int64, writes object.Revision) {
	e.T.Helper()
	for ; ; turns++ {
		if err := e.Mirror.Fresh(e.T.Context()); err != nil {
			e.T.Fatal(err)
		}
		before, at := e.visits.Load(), e.Revision()
		if t := e.Turn(e.worker); len(t.Claims) == 0 {
			return turns, visits, writes
		}
		visits, writes = max(visits, e.visits.Load()-before), max(writes, e.Revision()-at)
	}
}

// trueMessages returns the messages of the conditions that are True.
func (e emptier) trueMessages(ns *object.Version) (messages []string) {
	e.View(func(v mirror.View) {
		o := v.UID(ns.UID)
		if o == nil {
			messages = []string{"gone"}
			return
		}
		for _, c := range o.Object().(*corev1.Namespace).Status.Conditions {
			if c.Status == corev1.ConditionTrue {
				messages = append(messages, c.Message)
			}
		}
	})
	return messages
}

func many(n int, named string, shape func(name string) object.Object) (objects []object.Object) {
	for i := range n {
		objects = append(objects, shape(fmt.Sprintf("%s-%05d", named, i)))
	}
	return objects
}

func inNamespace(namespace, name string, finalizers ...string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, Finalizers: finalizers}
}

// TestNamespace_IsEmptiedInBoundedTurns empties a namespace. Each turn visits and writes at most a
// Burst, however much is in the namespace, and however much of that is already being deleted or
// stays because of finalizers. The conditions count what is left.
func TestNamespace_IsEmptiedInBoundedTurns(t *testing.T) {
	t.Parallel()
	const pods, maps, held, events = 1200, 1100, 1300, 700
	e := newEmptier(t)
	contents := many(pods, "pod", func(name string) object.Object {
		pod := &corev1.Pod{ObjectMeta: inNamespace("big", name), Spec: corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "c", Image: "nginx"}}}}
		e.KindOf(pod).Default(pod)
		return pod
	})
	contents = append(contents, many(maps, "map", func(name string) object.Object { return &corev1.ConfigMap{ObjectMeta: inNamespace("big", name)} })...)
	contents = append(contents, many(held, "held", func(name string) object.Object {
		return &corev1.ConfigMap{ObjectMeta: inNamespace("big", name, "example.com/held")}
	})...)
	contents = append(contents, many(events, "event", func(name string) object.Object { return &corev1.Event{ObjectMeta: inNamespace("big", name)} })...)
	e.namespace("beside", many(10, "map", func(name string) object.Object { return &corev1.ConfigMap{ObjectMeta: inNamespace("beside", name)} })...)
	e.turns()
	ns := e.namespace("big", contents...)

	bounded := func(what string, atMost int) {
		t.Helper()
		turns, visits, writes := e.turns()
		if turns > atMost || visits > 2*namespace.Burst+10 || writes > namespace.Burst+1 {
			t.Errorf("%s: %d turns; one visited %d and wrote %d", what, turns, visits, writes)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, e.trueMessages(ns)); diff != "" {
			t.Errorf("conditions (-want +got):\n%s", diff)
		}
	}
	bounded("all Pods are told", pods/namespace.Burst+1)
	expect(fmt.Sprintf("Some resources are remaining: pods. has %d resource instances", pods))

	e.stopPods("big", pods/2)
	bounded("some Pods have gone", 1)
	expect(fmt.Sprintf("Some resources are remaining: pods. has %d resource instances", pods/2))

	e.stopPods("big", pods)
	bounded("everything else goes", (maps+held+events)/namespace.Burst+2)
	expect(fmt.Sprintf("Some resources are remaining: configmaps. has %d resource instances", held),
		fmt.Sprintf("Some content in the namespace has finalizers remaining: example.com/held in %d resource instances", held))

	e.Exec(`INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now(), 1, $1, 0, 'namespace')`, string(ns.UID))
	if turns, visits, writes := e.turns(); turns != 1 || visits > 10 || writes > 0 {
		t.Errorf("with nothing to do, %d turns visited %d and wrote %d", turns, visits, writes)
	}

	e.letGo("big")
	bounded("the finalizers are off", 3)
	expect("gone")
}

// batch adds changes to one transaction and commits it.
func (r replica) batch(changes []store.Change) {
	r.T.Helper()
	batch := store.NewBatch(r.Kinds, controller.NewRouter(), "")
	for _, c := range changes {
		if _, err := batch.Add(c, 0, "", start); err != nil {
			r.T.Fatal(err)
		}
	}
	conn, err := r.Pool.Acquire(r.T.Context())
	if err != nil {
		r.T.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(r.T.Context(), "BEGIN"); err != nil {
		r.T.Fatal(err)
	}
	if _, err := r.Store.Commit(r.T.Context(), conn.Conn(), batch); err != nil {
		r.T.Fatal(err)
	}
}

// stopPods removes this many terminating Pods, as their kubelets do.
func (e emptier) stopPods(in string, n int) {
	e.T.Helper()
	var changes []store.Change
	e.View(func(v mirror.View) {
		v.Each("pods", in, func(o *object.Version) bool {
			if o.Object().GetDeletionTimestamp() == nil {
				e.T.Fatalf("the Pod %s was not told to go", o.Name)
			}
			changes = append(changes, store.Change{Verb: object.Deleted, Type: o.Type, Old: o, Writer: "kubelet", Controller: names.Kubelet})
			return len(changes) < n
		})
	})
	e.batch(changes)
}

// letGo removes the finalizers.
func (e emptier) letGo(in string) {
	e.T.Helper()
	var changes []store.Change
	e.View(func(v mirror.View) {
		v.Each("configmaps", in, func(o *object.Version) bool {
			next := o.Object().DeepCopyObject().(object.Object)
			next.SetFinalizers(nil)
			changes = append(changes, store.Change{Verb: object.Deleted, Type: o.Type, Old: o, New: next, Writer: "client"})
			return true
		})
	})
	e.batch(changes)
}

// TestNamespaces_ShareATurn: many are deleted at once, and claims beyond about a Burst of changes
// are left to the next turn.
func TestNamespaces_ShareATurn(t *testing.T) {
	t.Parallel()
	e := newEmptier(t)
	const namespaces, each = 12, 150
	for i := range namespaces {
		name := fmt.Sprint("ns-", i)
		e.namespace(name, many(each, "map", func(n string) object.Object { return &corev1.ConfigMap{ObjectMeta: inNamespace(name, n)} })...)
	}
	turns, visits, writes := e.turns()
	if left := strings.Join(e.names("namespaces"), " "); left != "" {
		t.Errorf("%s are left", left)
	}
	if turns > 2*namespaces || visits > 3*namespace.Burst || writes > namespace.Burst+each+namespaces {
		t.Errorf("%d turns; one visited %d and wrote %d", turns, visits, writes)
	}
}

func (r replica) names(resource string) (names []string) {
	r.View(func(v mirror.View) {
		v.Each(resource, "", func(o *object.Version) bool { names = append(names, o.Name); return true })
	})
	return names
}
