package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// rememberer is a controller that remembers, and that plans after the mirror is released.
func rememberer(f func(o *object.Version, request engine.Request, refused *plan.Refusal) plan.Plan) engine.Controller {
	c := testController(nil)
	c.Reconcile, c.Remembers = nil, true
	c.Gather = func(v mirror.View, requests []engine.Request, _ time.Time) (gathered []engine.Gathered) {
		for _, l := range requests {
			if o := v.UID(l.UID); o != nil {
				gathered = append(gathered, engine.Gathered{UID: l.UID, Plan: func(r *plan.Refusal) plan.Plan { return f(o, l, r) }})
			}
		}
		return gathered
	}
	return c
}

// memory returns what is remembered about an object; "-" for nothing.
func (r replica) memory(o *object.Version) string {
	r.T.Helper()
	memory, err := r.Store.Memory(r.T.Context(), o.UID)
	if err != nil {
		r.T.Fatal(err)
	}
	if memory == nil {
		return "-"
	}
	return string(memory)
}

func TestTurn_RemembersFromLookToLook(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	var shown []string
	plans := []plan.Plan{{Memory: []byte("1")}, {}, {Memory: []byte("2")}, {Memory: []byte{}}, {}}
	w := engine.New(r.Deps, rememberer(func(_ *object.Version, request engine.Request, _ *plan.Refusal) plan.Plan {
		shown = append(shown, string(request.Memory))
		return plans[len(shown)-1]
	}))
	kept := []string{}
	for range plans {
		r.Wake(o)
		r.Turn(w)
		kept = append(kept, r.memory(o))
	}
	if diff := cmp.Diff([]string{"", "1", "1", "2", ""}, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1", "1", "2", "-", "-"}, kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if revision := r.Revision(); revision != o.Revision {
		t.Errorf("the log has grown to %d, from %d", revision, o.Revision)
	}
}

func TestTurn_LeavesAMemoryOutWithItsUpdate(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b := r.ConfigMap("a"), r.ConfigMap("b")
	r.Wake(a, b)
	w := engine.New(r.Deps, rememberer(func(o *object.Version, _ engine.Request, _ *plan.Refusal) plan.Plan {
		return plan.Plan{Updates: []plan.Update{{Object: touched(b, "by "+o.Name)}}, Memory: []byte("of " + o.Name)}
	}))
	r.Turn(w)
	if got := r.memory(a) + ", " + r.memory(b); got != "of a, -" {
		t.Errorf("remembered: %s", got)
	}
	if diff := cmp.Diff([]due{{Name: "b", Retry: true}}, r.Wakeups()); diff != "" {
		t.Errorf("wakeups (-want +got):\n%s", diff)
	}
}

func TestTurn_ForgetsWhatItRemoves(t *testing.T) {
	t.Parallel()
	finish := func(o *object.Version) plan.Plan {
		done := touched(o, "done")
		done.Finalizers, done.DeletionTimestamp = nil, new(done.CreationTimestamp)
		return plan.Plan{Updates: []plan.Update{{Object: done}}, Memory: []byte("last")}
	}
	for name, remove := range map[string]func(o *object.Version) plan.Plan{
		"by a deletion":                          func(o *object.Version) plan.Plan { return plan.Plan{Deletes: []plan.Delete{{Object: o.Object()}}} },
		"by an update that leaves nothing to do": finish,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			o := r.ConfigMap("a")
			w := engine.New(r.Deps, rememberer(func(o *object.Version, request engine.Request, _ *plan.Refusal) plan.Plan {
				if request.Memory == nil {
					return plan.Plan{Memory: []byte("1")}
				}
				return remove(o)
			}))
			r.Wake(o)
			r.Turn(w)
			r.Wake(o)
			r.Turn(w)
			var left int
			if err := r.Pool.QueryRow(t.Context(), "SELECT count(*) FROM memories").Scan(&left); err != nil || left != 0 {
				t.Errorf("%d memories are left, %v", left, err)
			}
			if history := r.History(o.Revision); !slices.Equal(history, []string{"deleted configmaps/default/a by test-controller"}) {
				t.Errorf("history %q", history)
			}
		})
	}
}

// TestTurn_ADeadWorkerHasRememberedNothing: its memory is lost together with its changes.
func TestTurn_ADeadWorkerHasRememberedNothing(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Wake(o)
	syncs := 0
	w := engine.New(r.Deps, rememberer(func(o *object.Version, request engine.Request, _ *plan.Refusal) plan.Plan {
		if syncs++; syncs == 1 {
			r.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`)
		}
		return plan.Plan{Updates: []plan.Update{{Object: touched(o, "1")}}, Memory: []byte("after " + string(request.Memory))}
	}))
	if _, err := w.Turn(t.Context()); err == nil || r.memory(o) != "-" || r.Revision() != o.Revision {
		t.Errorf("remembered %s, revision %d, error %v", r.memory(o), r.Revision(), err)
	}
	eventually(t, "the dead worker's locks are free", func() bool { return len(r.Turn(w).Claims) == 1 })
	if r.memory(o) != "after " || r.Revision() != o.Revision+1 || syncs != 2 {
		t.Errorf("remembered %s, revision %d after %d syncs", r.memory(o), r.Revision(), syncs)
	}
}

// TestTurn_PlansWithoutTheMirror: the mirror advances while a plan is made.
func TestTurn_PlansWithoutTheMirror(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b := r.ConfigMap("a"), r.ConfigMap("b")
	r.Wake(a)
	w := engine.New(r.Deps, rememberer(func(o *object.Version, _ engine.Request, _ *plan.Refusal) plan.Plan {
		r.Touch(b, "meanwhile")
		if err := r.Mirror.Fresh(t.Context()); err != nil {
			t.Error(err)
		}
		return plan.Plan{Updates: []plan.Update{{Object: touched(o, "planned")}}}
	}))
	r.Turn(w)
	want := []string{"updated configmaps/default/b by client", "updated configmaps/default/a by test-controller"}
	if diff := cmp.Diff(want, r.History(b.Revision)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// TestTurn_LeavesToTheNextWhatTakesTooLong: transactions must not idle for long.
func TestTurn_LeavesToTheNextWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b := r.ConfigMap("a"), r.ConfigMap("b")
	r.Wake(a, b)
	w := engine.New(r.Deps, rememberer(func(o *object.Version, _ engine.Request, _ *plan.Refusal) plan.Plan {
		for began := time.Now(); time.Since(began) < 450*time.Millisecond; { // a program that runs
		}
		return plan.Plan{Updates: []plan.Update{{Object: touched(o, "planned")}}}
	}))
	for _, o := range []*object.Version{a, b} {
		turn := r.Turn(w)
		if len(turn.Claims) != 1 || turn.Claims[0].UID != o.UID || len(turn.Planned) != 1 {
			t.Errorf("the turn was %+v, want one sync of %s", turn, o.Name)
		}
	}
	if left := r.Wakeups(); len(left) != 0 {
		t.Errorf("wakeups are left: %v", left)
	}
}

func TestTurn_AsksAgainWithoutTheMirror(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	r.ConfigMap("taken")
	parent := r.ConfigMap("parent")
	r.Wake(parent)
	var asked []string
	w := engine.New(r.Deps, rememberer(func(_ *object.Version, _ engine.Request, refused *plan.Refusal) plan.Plan {
		if refused != nil {
			asked = append(asked, refused.Message)
			return plan.Plan{}
		}
		asked = append(asked, "")
		return plan.Plan{Creates: []plan.Create{{Object: configMap("taken")}}}
	}))
	r.Turn(w)
	if got := strings.Join(asked, ";"); got != `;configmaps "taken" already exists` {
		t.Errorf("asked %q", got)
	}
}

// TestTurn_ShowsAndKeepsFilesOfNodes: a sync gets the files at its places, and files are written
// with the plan they belong to.
func TestTurn_ShowsAndKeepsFilesOfNodes(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	a, b, blind := r.ConfigMap("a"), r.ConfigMap("b"), r.ConfigMap("c")
	file := func(path, data string) plan.File {
		return plan.File{Node: "n", Path: path, Mode: 0o100644, Data: []byte(data)}
	}
	seen := map[string][]string{}
	c := rememberer(func(o *object.Version, request engine.Request, _ *plan.Refusal) plan.Plan {
		for _, f := range request.Files {
			seen[o.Name] = append(seen[o.Name], f.Path+"="+string(f.Data))
		}
		p := plan.Plan{Files: []plan.File{file("/data/"+o.Name, "by "+o.Name)}}
		if o.UID == blind.UID { // part of this plan is left out, because another has changed b in this transaction
			p.Updates = []plan.Update{{Object: touched(blind, "by itself")}}
		} else if o.UID == a.UID {
			p.Updates = []plan.Update{{Object: touched(blind, "by a")}}
		}
		return p
	})
	c.Places = func(_ mirror.View, o *object.Version) []store.Place {
		switch o.UID {
		case a.UID:
			return []store.Place{{Node: "n", Path: "/data"}}
		case b.UID:
			return []store.Place{{Node: "n", Path: "/data/a"}, {Node: "n", Path: "/etc"}}
		}
		return nil
	}
	w := engine.New(r.Deps, c)
	r.Wake(a, b, blind)
	r.Turn(w)
	if len(seen) != 0 {
		t.Errorf("seen at first: %v", seen)
	}
	r.Wake(a, b)
	r.Turn(w)
	want := map[string][]string{"a": {"/data/a=by a", "/data/b=by b"}, "b": {"/data/a=by a"}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("seen then (-want +got):\n%s", diff)
	}
}
