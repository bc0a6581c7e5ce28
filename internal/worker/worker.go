package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// mirrorWait bounds how long a claim may be held while the mirror catches up with it.
	mirrorWait = 200 * time.Millisecond
	// contendedPause is the pause after another worker held the controller's lock.
	contendedPause = 15 * time.Millisecond
	// lockedPause is the pause after all due objects were found locked.
	lockedPause = 5 * time.Millisecond
	// idlePoll bounds how long a worker sleeps: wake-up calls from other processes are hints and may be lost.
	idlePoll = time.Second
	// planTime is how long the plans of one transaction may take to make, where they are not made with the mirror held. The
	// database ends transactions that idle for two seconds.
	planTime = 400 * time.Millisecond
	// failurePause is the pause after the database or the mirror failed.
	failurePause = 100 * time.Millisecond
)

// Deps are what workers share.
type Deps struct {
	Pool   *pgxpool.Pool
	Store  *store.Store
	Mirror *mirror.Mirror
	Clock  *clock.Clock
	Driver *clock.Driver // is told when the workers have run out of work; nil where time is not to be advanced
	Kinds  *kind.Catalogue
	Draw   Draw
	// Recorder is shared by all workers of a process, so that they know each other's events again.
	Recorder *Recorder
	Metrics  *Metrics
	Log      *slog.Logger
}

// Draw gives what must not repeat. Tests fix it.
type Draw struct {
	UID    func() types.UID
	Suffix func() string // the random end of a generated name
}

// Worker runs one controller, one transaction at a time.
type Worker struct {
	Deps
	controller Controller
	applier    applier
	signal     chan struct{} // has room for one: there may be work
	alone      int           // how many claims to make one by one, after a batch has failed
}

// New makes a worker for a controller.
func New(deps Deps, c Controller) *Worker {
	deps.Log = deps.Log.With("controller", c.Name)
	return &Worker{Deps: deps, controller: c, applier: newApplier(deps, c), signal: make(chan struct{}, 1)}
}

// Wake says that there may be work. It does not block.
func (w *Worker) Wake() {
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// Run works until ctx ends, and then finishes what it has begun. It returns nil.
func (w *Worker) Run(ctx context.Context) error {
	w.Driver.Busy()
	defer w.Driver.Idle()
	for ctx.Err() == nil {
		t, err := w.Turn(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			w.Metrics.Failures.WithLabelValues(w.controller.Name).Inc()
			w.Log.Warn("work was rolled back", "error", err)
			w.wait(ctx, failurePause)
		case t.Contended:
			w.wait(ctx, contendedPause)
		case len(t.Claims) == 0, t.Last && w.Driver.Advancing():
			w.wait(ctx, w.untilDue(t.Claimed))
		}
	}
	return nil
}

// untilDue is how long there is nothing to do, unless somebody wakes the worker. What is due already but could not be
// claimed is locked by others, who will soon be done.
func (w *Worker) untilDue(c wakeup.Claimed) time.Duration {
	left := idlePoll
	if !c.NextDue.IsZero() {
		left = min(left, w.Clock.Until(c.NextDue))
	}
	if !c.NextRetry.IsZero() {
		left = min(left, time.Until(c.NextRetry))
	}
	return max(left, lockedPause)
}

func (w *Worker) wait(ctx context.Context, d time.Duration) {
	w.Driver.Idle()
	defer w.Driver.Busy()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-w.signal:
	case <-t.C:
	}
}

// Turn is what one transaction of a worker did.
type Turn struct {
	wakeup.Claimed
	Planned []Planned // of all claims, as they were applied; a failed batch, which is taken again one by one, has none
	// Last says that nothing more is due, as far as the turn can tell: others may hold objects that are, and they may be no more.
	// NextDue is then right without another claim.
	Last bool
}

// Turn runs one transaction: claim, reconcile, apply, commit. What has been claimed is worked off even if ctx ends
// meanwhile. Run takes one turn after another; tests that step through a story call it instead of Run.
func (w *Worker) Turn(ctx context.Context) (t Turn, err error) {
	err = w.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		t, err = w.once(context.WithoutCancel(ctx), conn.Conn())
		return err
	})
	return t, err
}

// Name is the controller's name.
func (w *Worker) Name() string { return w.controller.Name }

// once claims, reconciles, applies and commits.
func (w *Worker) once(ctx context.Context, conn *pgx.Conn) (Turn, error) {
	limit, alone := w.controller.Batch, w.alone > 0
	if alone {
		w.alone--
		limit = 1
	}
	claimed, err := w.take(ctx, conn, limit)
	if alone && len(claimed.Claims) > 1 { // under a controller's lock, what is to be tried again comes besides what is due
		first := slices.MinFunc(claimed.Claims, func(a, b wakeup.Claim) int { return cmp.Compare(a.Attempt, b.Attempt) })
		claimed.Claims = []wakeup.Claim{first}
	}
	t := Turn{Claimed: claimed}
	if err != nil {
		return t, err
	}
	if len(claimed.Claims) == 0 {
		return t, rollback(ctx, conn)
	}
	if err := w.reach(ctx, claimed.Revision); err != nil {
		return t, errors.Join(err, rollback(ctx, conn))
	}
	looks, err := w.look(ctx, conn, claimed)
	var planned []Planned
	seen := claimed
	if err == nil {
		planned, seen, err = w.reconcile(claimed, looks)
	}
	if err == nil {
		err = w.withinQuotas(ctx, conn, planned)
	}
	whole := false
	if err == nil {
		whole, err = w.apply(ctx, conn, seen, planned)
	}
	if err == nil {
		t.Claimed, t.Planned = seen, planned
		t.Last = whole && w.alone == 0 && wakeups(claimed) < limit && len(seen.Claims) == len(claimed.Claims) && t.foresee()
		return t, nil
	}
	if conn.IsClosed() {
		return t, err
	}
	if err := rollback(ctx, conn); err != nil {
		return t, err
	}
	return t, w.fail(ctx, claimed, err)
}

// wakeups is how many a claim has taken.
func wakeups(c wakeup.Claimed) (n int) {
	for _, claim := range c.Claims {
		n += len(claim.IDs)
	}
	return n
}

// foresee makes NextDue what it is with the looks that the turn's own plans have asked for, and says whether nothing is due by them.
func (t *Turn) foresee() bool {
	for _, p := range t.Planned {
		at := p.Plan.WakeAt
		if at.IsZero() {
			continue
		}
		if !at.After(t.Now) {
			return false
		}
		if t.NextDue.IsZero() || at.Before(t.NextDue) {
			t.NextDue = at
		}
	}
	return true
}

// take claims up to limit objects.
func (w *Worker) take(ctx context.Context, conn *pgx.Conn, limit int) (wakeup.Claimed, error) {
	if w.controller.Remembers {
		return wakeup.TakeWithMemory(ctx, conn, w.controller.Name, limit)
	}
	return wakeup.Take(ctx, conn, w.controller.Name, w.controller.Lock, limit)
}

func rollback(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}

// reach waits, for a bounded time, until the mirror holds what the claim has seen.
func (w *Worker) reach(ctx context.Context, revision object.Revision) error {
	ctx, cancel := context.WithTimeout(ctx, mirrorWait)
	defer cancel()
	if err := w.Mirror.WaitFor(ctx, revision); err != nil {
		return fmt.Errorf("the mirror did not reach revision %d: %w", revision, err)
	}
	return nil
}

// reconcile asks the controller for its plans, and answers the claims that it has come to. A panic is an error like any other.
func (w *Worker) reconcile(claimed wakeup.Claimed, looks []Look) (planned []Planned, seen wakeup.Claimed, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the reconciler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	// Objects hold times to the second, so that is how fine the time of a decision is: it reads back as it was written.
	now := claimed.Now.Truncate(time.Second)
	if w.controller.Gather != nil {
		return w.gatherAndPlan(claimed, looks, now)
	}
	err = w.read(claimed, func(v mirror.View) {
		planned = w.controller.Reconcile(v, looks, now)
		for i, p := range planned {
			if !p.Plan.Empty() {
				planned[i].seen = newestSeen(v, p.UID, claimed)
			}
			if refused := w.applier.refusal(v, p.Plan); refused != nil {
				again := w.controller.Reconcile(v, []Look{{UID: p.UID, Refused: refused}}, now)
				if len(again) == 1 {
					planned[i].Plan = againAfter(refused, again[0].Plan)
				}
			}
			planned[i].again = func(refused *plan.Refusal) (again plan.Plan, err error) {
				err = w.read(claimed, func(v mirror.View) {
					for _, other := range w.controller.Reconcile(v, []Look{{UID: p.UID, Refused: refused}}, now) {
						again = other.Plan
					}
				})
				return again, err
			}
		}
	})
	return planned, claimed, err
}

// read shows f the mirror, which must not be older than the claim.
func (w *Worker) read(claimed wakeup.Claimed, f func(mirror.View)) (err error) {
	w.Mirror.Read(func(v mirror.View) {
		if v.Revision() < claimed.Revision { // the mirror has begun to load again since it was asked
			err = fmt.Errorf("the mirror went back to revision %d, before %d", v.Revision(), claimed.Revision)
			return
		}
		f(v)
	})
	return err
}

// gatherAndPlan takes the snapshots while the mirror is held, and plans from them when it is not. Claims that it has not come
// to when its time is up are left out of seen: they are not acknowledged, and the next turn finds them again.
func (w *Worker) gatherAndPlan(claimed wakeup.Claimed, looks []Look, now time.Time) (planned []Planned, seen wakeup.Claimed, err error) {
	var gathered []Gathered
	var seenOf []object.Revision
	if err := w.read(claimed, func(v mirror.View) {
		gathered = w.controller.Gather(v, looks, now)
		for _, g := range gathered {
			seenOf = append(seenOf, newestSeen(v, g.UID, claimed))
		}
	}); err != nil {
		return nil, claimed, err
	}
	creates := false
	began := time.Now()
	for i, g := range gathered {
		if i > 0 && time.Since(began) > planTime {
			claimed.Claims = without(claimed.Claims, gathered[i:])
			break
		}
		p := g.Plan(nil)
		creates = creates || len(p.Creates) > 0
		planned = append(planned, Planned{UID: g.UID, Plan: p, seen: seenOf[i], again: func(refused *plan.Refusal) (plan.Plan, error) { return g.Plan(refused), nil }})
	}
	if !creates {
		return planned, claimed, nil
	}
	refusals := make([]*plan.Refusal, len(planned))
	err = w.read(claimed, func(v mirror.View) {
		for i, p := range planned {
			refusals[i] = w.applier.refusal(v, p.Plan)
		}
	})
	for i, refused := range refusals {
		if refused != nil {
			planned[i].Plan = againAfter(refused, gathered[i].Plan(refused))
		}
	}
	return planned, claimed, err
}

// without is the claims but for those of snapshots that were not planned from.
func without(claims []wakeup.Claim, left []Gathered) []wakeup.Claim {
	leave := make(map[types.UID]bool, len(left))
	for _, g := range left {
		leave[g.UID] = true
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c wakeup.Claim) bool { return leave[c.UID] })
}

// apply applies the plans, acknowledges the wakeups and commits. whole says that nothing was left out.
func (w *Worker) apply(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed, planned []Planned) (whole bool, err error) {
	claims := make(map[types.UID]wakeup.Claim, len(claimed.Claims))
	batch := w.Store.NewBatch(w.controller.Name)
	var causes map[types.UID]object.Revision
	for _, c := range claimed.Claims {
		claims[c.UID] = c
		batch.Acknowledge(c.IDs...)
	}
	if w.controller.Lock != "" {
		causes = causesOf(claimed)
	}
	for _, p := range planned {
		c := claims[p.UID]
		if causes != nil {
			c.Cause = causes[""]
		}
		about := about{cause: max(c.Cause, p.seen), causes: causes, remembered: c.Memory != nil, attempt: c.Attempt, now: claimed.Now}
		if err := w.applier.add(batch, p, about); err != nil {
			return false, err
		}
		if p.awaits != "" {
			batch.AwaitRoom(p.UID, p.awaits, claimed.Revision)
		}
	}
	if err := w.countResync(ctx, conn, claimed, planned); err != nil {
		return false, err
	}
	applied, err := w.Store.Commit(ctx, conn, batch)
	if err != nil {
		return false, err
	}
	w.Metrics.observe(w.controller.Name, len(claimed.Claims), applied)
	return applied.LeftOut() == 0 && batch.Retries() == 0, nil
}

// fail puts off what could not be done. A batch is taken again one by one, so that only what is at fault waits.
func (w *Worker) fail(ctx context.Context, claimed wakeup.Claimed, cause error) error {
	if len(claimed.Claims) > 1 {
		w.alone = len(claimed.Claims)
		w.Log.Warn("looks at several objects failed together, and are taken one by one", "objects", w.alone, "error", cause)
		return nil
	}
	c := claimed.Claims[0]
	w.Metrics.Failures.WithLabelValues(w.controller.Name).Inc()
	w.Log.Error("a look at an object failed", "uid", c.UID, "attempt", c.Attempt+1, "error", cause)
	return w.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if err := wakeup.Hold(ctx, conn.Conn(), cmp.Or(w.controller.Lock, c.UID)); err != nil {
			return err
		}
		batch := w.Store.NewBatch(w.controller.Name)
		batch.Acknowledge(c.IDs...)
		batch.Retry(c.UID, c.Attempt+1, c.Cause)
		_, err := w.Store.Commit(ctx, conn.Conn(), batch)
		return err
	})
}
