package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TestTurn_LeavesOutAlone: only the change that cannot be made now is left out, and its object is
// synced again.
func TestTurn_LeavesOutAlone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		// What another process does to the object x before or during the sync; end undoes it.
		before, during func(t *testing.T, other replica, x *object.Version) (end func())
	}{
		{name: "an object that is locked", before: lockRow},
		{name: "an object that is locked during the sync", during: lockRow},
		{name: "an object that moves on during the sync", during: func(_ *testing.T, r replica, x *object.Version) func() {
			r.Touch(x, "by a client")
			return func() {}
		}},
		{name: "an object that goes during the sync", during: func(_ *testing.T, r replica, x *object.Version) func() {
			r.Remove(x)
			return func() {}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			end := func() {}
			if test.before != nil {
				end = test.before(t, other, x)
			}
			syncs := 0
			w := engine.New(r.Deps, testController(func(v mirror.View, _ *object.Version, _ time.Time) plan.Plan {
				if syncs++; syncs == 1 && test.during != nil {
					end = test.during(t, other, x)
				}
				var p plan.Plan
				if now := v.UID(x.UID); now != nil {
					p.Updates = []plan.Update{{Object: touched(now, "planned")}}
					p.Events = []plan.Event{said(now, "Touched", "touched x")}
				}
				if syncs == 1 {
					p.Creates = []plan.Create{{Object: configMap("child")}}
					made := said(parent, "Made", "made %s")
					made.MessageOfCreate = 1
					p.Events = append(p.Events, made)
				}
				return p
			}))
			r.Turn(w)
			want := []string{
				"created configmaps/default/child by test-controller", "created event Made made child x1 by test-controller",
			}
			if diff := cmp.Diff(want, by(r.History(parent.Revision), "test-controller")); diff != "" {
				t.Errorf("history of the first sync (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]due{{Name: "parent", Retry: true}}, r.Wakeups()); diff != "" {
				t.Errorf("wakeups after the first sync (-want +got):\n%s", diff)
			}
			end()
			if err := r.Mirror.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := r.Revision()
			r.RetryNow()
			r.Turn(w)
			want = []string{
				"updated configmaps/default/x by test-controller", "created event Touched touched x x1 by test-controller",
			}
			if strings.Contains(test.name, "goes") {
				want = nil
			}
			if diff := cmp.Diff(want, r.History(after), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history of the second sync (-want +got):\n%s", diff)
			}
			if left := r.Wakeups(); len(left) != 0 {
				t.Errorf("wakeups left: %v", left)
			}
		})
	}
}

// TestTurn_LeavesOutWhatNeedsIt: if a change is left out, those that need it are not made, and their
// events are not written.
func TestTurn_LeavesOutWhatNeedsIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		during func(r replica, x *object.Version)
		want   []string
	}{
		{"nothing is in the way", func(replica, *object.Version) {}, []string{
			"deleted configmaps/default/x by test-controller", "created configmaps/default/child by test-controller",
			"updated configmaps/default/parent by test-controller", "created event Made made child x1 by test-controller",
		}},
		{"what is to be deleted has moved on", func(r replica, x *object.Version) { r.Touch(x, "by a client") }, nil},
		{"the name is taken", func(r replica, _ *object.Version) { r.ConfigMap("child") }, []string{
			"deleted configmaps/default/x by test-controller",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
				test.during(other, x)
				made := said(o, "Made", "made %s")
				made.MessageOfCreate = 1
				return plan.Plan{
					Updates: []plan.Update{{Object: touched(o, "made a child"), NeedsCreate: 1}},
					Creates: []plan.Create{{Object: configMap("child"), NeedsDelete: 1}},
					Deletes: []plan.Delete{{Object: v.UID(x.UID).Object()}},
					Events:  []plan.Event{made},
				}
			}))
			r.Turn(w)
			if diff := cmp.Diff(test.want, by(r.History(x.Revision), "test-controller"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			want := []due(nil)
			if len(test.want) < 4 {
				want = []due{{Name: "parent", Retry: true}}
			}
			if diff := cmp.Diff(want, r.Wakeups(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("wakeups (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTurn_TellsOfNoUpdateThatIsLeftOut: an event is not written until the update that it reports
// is made.
func TestTurn_TellsOfNoUpdateThatIsLeftOut(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	other := joinReplica(t, r.URL, mirror.Config{})
	parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
	r.Wake(parent)
	first := true
	w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
		current := v.UID(x.UID)
		if first {
			other.Touch(x, "by a client")
		}
		first = false
		scaled := said(o, "Scaled", "scaled x")
		scaled.OfUpdate = x.UID
		return plan.Plan{Updates: []plan.Update{{Object: touched(current, "scaled")}}, Events: []plan.Event{scaled}}
	}))
	r.Turn(w)
	if h := by(r.History(x.Revision), "test-controller"); len(h) > 0 {
		t.Errorf("the first sync wrote %v", h)
	}
	if err := r.Mirror.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.RetryNow()
	r.Turn(w)
	want := []string{"updated configmaps/default/x by test-controller", "created event Scaled scaled x x1 by test-controller"}
	if diff := cmp.Diff(want, by(r.History(x.Revision), "test-controller")); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// TestTurn_OneChangeANameAndTransaction: the second of two plans for one name is left out, and its
// object is synced again.
func TestTurn_OneChangeANameAndTransaction(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b := r.ConfigMap("a"), r.ConfigMap("b")
	r.Wake(a, b)
	w := engine.New(r.Deps, testController(func(v mirror.View, o *object.Version, _ time.Time) plan.Plan {
		if v.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: "both"}) != nil {
			return plan.Plan{}
		}
		made := said(o, "Made", o.Name+" made %s")
		made.MessageOfCreate = 1
		return plan.Plan{Creates: []plan.Create{{Object: configMap("both")}}, Events: []plan.Event{made}}
	}))
	r.Turn(w)
	want := []string{"created configmaps/default/both by test-controller", "created event Made a made both x1 by test-controller"}
	if diff := cmp.Diff(want, r.History(b.Revision)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]due{{Name: "b", Retry: true}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

// lockRow locks the object in a transaction of another process.
func lockRow(t *testing.T, r replica, x *object.Version) (end func()) {
	tx, err := r.Pool.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), "SELECT FROM objects WHERE uid = $1 FOR NO KEY UPDATE", x.UID)
	}
	if err != nil {
		t.Errorf("lock %s: %v", x.Key(), err)
	}
	return func() { _ = tx.Rollback(t.Context()) } // it fails if the session's time limit has ended the transaction
}

// by returns the changes in a history that one writer made.
func by(history []string, writer string) (own []string) {
	for _, line := range history {
		if strings.HasSuffix(line, " by "+writer) {
			own = append(own, line)
		}
	}
	return own
}

// TestTurn_DeletesAndSaysWhy: one change deletes the Pod and sets its condition, and only if the
// update that the deletion needs is made.
func TestTurn_DeletesAndSaysWhy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		during func(r replica, x *object.Version)
		want   []string
	}{
		{"nothing is in the way", func(replica, *object.Version) {}, []string{
			"updated configmaps/default/x by test-controller", "updated pods/default/victim by test-controller",
		}},
		{"what it is for has moved on", func(r replica, x *object.Version) { r.Touch(x, "by a client") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "victim", Generation: 1}}
			pod.Spec = corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "c", Image: "nginx"}}}
			r.KindOf(pod).Default(pod)
			victim := r.Create(pod)
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			w := engine.New(r.Deps, testController(func(v mirror.View, _ *object.Version, _ time.Time) plan.Plan {
				old, current := v.UID(victim.UID).Object().(*corev1.Pod), v.UID(x.UID)
				test.during(other, x)
				as := *old
				as.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}}
				return plan.Plan{
					Updates: []plan.Update{{Object: touched(current, "planned")}},
					Deletes: []plan.Delete{{Object: old, As: &as, NeedsUpdate: x.UID}},
				}
			}))
			r.Turn(w)
			if diff := cmp.Diff(test.want, by(r.History(x.Revision), "test-controller"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			if err := r.Mirror.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.View(func(v mirror.View) {
				now := v.UID(victim.UID).Object().(*corev1.Pod)
				if told, going := len(now.Status.Conditions) == 1, now.DeletionTimestamp != nil; told != (test.want != nil) || going != told {
					t.Errorf("the Pod has conditions %v and the deletion timestamp %v", now.Status.Conditions, now.DeletionTimestamp)
				}
			})
		})
	}
}
