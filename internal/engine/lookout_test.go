package engine_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TestLookout_FindsWorkWithoutAHint: nothing else wakes the worker for due work or retries, and by
// itself it would sleep for an hour.
func TestLookout_FindsWorkWithoutAHint(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	var syncs atomic.Int64
	w := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan {
		syncs.Add(1)
		return plan.Plan{}
	}))
	lookout := engine.NewLookout(r.Deps, []*engine.Worker{w})
	w.SetIdle(time.Hour)
	r.Run(lookout.Run, w.Run)
	for i := range int64(3) {
		r.Wake(o)
		eventually(t, "the object is synced because it is due", func() bool { return syncs.Load() == i+1 && len(r.Wakeups()) == 0 })
	}
	r.Exec("INSERT INTO wakeups (retry, cause, uid, attempt, controller) VALUES (clock_timestamp(), 0, $1, 1, 'test')", o.UID)
	eventually(t, "the object is synced because it is to be retried", func() bool { return syncs.Load() == 4 && len(r.Wakeups()) == 0 })
}

// TestLookout_StartsThoseWithWork: when a process starts, a worker with work takes a turn once the
// work is due, and a worker without work takes none.
func TestLookout_StartsThoseWithWork(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	o := r.ConfigMap("a")
	r.Exec("INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now() + '200 ms', 0, $1, 0, 'test')", o.UID)
	if _, err := r.Clock.SetSpeed(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	busy := engine.New(r.Deps, testController(func(mirror.View, *object.Version, time.Time) plan.Plan { return plan.Plan{} }))
	other := testController(func(mirror.View, *object.Version, time.Time) plan.Plan { return plan.Plan{} })
	other.Name = "other"
	idle := engine.New(r.Deps, other)
	lookout := engine.NewLookout(r.Deps, []*engine.Worker{busy, idle})
	busy.SetIdle(time.Hour)
	r.Run(lookout.Run, busy.Run, idle.Run)
	eventually(t, "the object is synced when it is due", func() bool { return busy.Begun() && len(r.Wakeups()) == 0 })
	if idle.Begun() {
		t.Error("the worker without work has taken a turn")
	}
}
