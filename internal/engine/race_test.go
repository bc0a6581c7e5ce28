package engine_test

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TestRun_TwoReplicasNeverCreateTwice: each sync creates one more child until there are enough; a
// sync with an outdated mirror, or two at once, would create one too many.
func TestRun_TwoReplicasNeverCreateTwice(t *testing.T) {
	t.Parallel()
	const parents, children = 20, 30
	r := newReplica(t)
	replicas := []replica{r, joinReplica(t, r.URL, mirror.Config{})}
	var looking sync.Map // uid to true
	var syncs, full atomic.Int64
	c := testController(func(v mirror.View, o *object.Version, now time.Time) plan.Plan {
		if _, twice := looking.LoadOrStore(o.UID, true); twice {
			t.Errorf("there are two syncs of %s at once", o.Name)
		}
		defer looking.Delete(o.UID)
		syncs.Add(1)
		n := len(v.Find(mirror.ByOwner, string(o.UID)))
		if n >= children {
			full.Add(1)
			return plan.Plan{}
		}
		child := configMap(o.Name + "-" + strconv.Itoa(n) + "-" + string(newUID())) // a name that cannot hide a second one
		child.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: o.Name, UID: o.UID}}
		return plan.Plan{Creates: []plan.Create{{Object: child}}, WakeAt: now}
	})
	c.Batch = 4
	var all []*object.Version
	for i := range parents {
		all = append(all, r.ConfigMap(fmt.Sprint("parent-", i)))
	}
	r.Wake(all...)
	for _, replica := range replicas {
		for range 2 {
			replica.Run(engine.New(replica.Deps, c).Run)
		}
	}
	for full.Load() < 200 || syncs.Load() < 2000 {
		r.Wake(all...)
		if t.Failed() {
			break
		}
	}
	eventually(t, "all work is done", func() bool { return len(r.Wakeups()) == 0 })
	var got, most int
	if err := r.Pool.QueryRow(t.Context(), "SELECT sum(n), max(n) FROM (SELECT count(*) AS n FROM owners GROUP BY owner) AS c").Scan(&got, &most); err != nil {
		t.Fatal(err)
	}
	if got != parents*children || most != children {
		t.Errorf("%d children, at most %d of one parent, want %d and %d, in %d syncs", got, most, parents*children, children, syncs.Load())
	}
}

// TestRun_LockExcludesOthers: this holds whatever objects they sync.
func TestRun_LockExcludesOthers(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	replicas := []replica{r, joinReplica(t, r.URL, mirror.Config{}), joinReplica(t, r.URL, mirror.Config{})}
	lock := r.ConfigMap("lock")
	var inside, syncs atomic.Int64
	seen := sync.Map{} // replica to true
	for i, replica := range replicas {
		c := engine.Controller{Name: "test", UserAgent: "test-controller", Lock: lock.UID, Batch: 2}
		c.Reconcile = func(v mirror.View, claimed []engine.Request, _ time.Time) []engine.Planned {
			if inside.Add(1) != 1 {
				t.Error("two decide at once")
			}
			defer inside.Add(-1)
			syncs.Add(int64(len(claimed)))
			seen.Store(i, true)
			// One counter for all: a sync that missed the last decision would write an old number
			// again.
			state := v.UID(lock.UID).Object().DeepCopyObject().(*corev1.ConfigMap)
			n, _ := strconv.Atoi(state.Data["syncs"])
			state.Data = map[string]string{"syncs": strconv.Itoa(n + len(claimed))}
			return []engine.Planned{{UID: lock.UID, Plan: plan.Plan{Updates: []plan.Update{{Object: state}}}}}
		}
		replica.Run(engine.New(replica.Deps, c).Run)
	}
	var objects []*object.Version
	for i := range 10 {
		objects = append(objects, r.ConfigMap(fmt.Sprint("o-", i)))
	}
	for range 20 {
		r.Wake(objects...)
	}
	eventually(t, "all work is done", func() bool { return len(r.Wakeups()) == 0 })
	workers := 0
	seen.Range(func(any, any) bool { workers++; return true })
	r.View(func(v mirror.View) {
		got := v.UID(lock.UID).Object().(*corev1.ConfigMap).Data["syncs"]
		if want := strconv.FormatInt(syncs.Load(), 10); got != want {
			t.Errorf("%s syncs were counted by %d replicas, want %s", got, workers, want)
		}
	})
}

// TestTurn_Contended: a turn is contended while another holds the lock, and not after.
func TestTurn_Contended(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	lock, o := r.ConfigMap("lock"), r.ConfigMap("a")
	r.Wake(o)
	c := testController(func(mirror.View, *object.Version, time.Time) plan.Plan { return plan.Plan{} })
	c.Lock = lock.UID
	w := engine.New(r.Deps, c)
	end := lockRow(t, r, lock)
	if turn := r.Turn(w); !turn.Contended || len(turn.Claims) != 0 {
		t.Errorf("while the lock is held, the turn is %+v", turn)
	}
	end()
	turn := r.Turn(w)
	if turn.Contended || len(turn.Claims) != 1 || turn.Claims[0].UID != o.UID {
		t.Errorf("after that, the turn is %+v", turn)
	}
}
