package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// once claims, reconciles, applies and commits. fault is the object that must be put off, nil for
// none.
func (w *Worker) once(ctx context.Context, conn *pgx.Conn) (t Turn, fault *failure, err error) {
	limit := w.pace.limit()
	claimed, err := w.take(ctx, conn, limit)
	if err != nil {
		return Turn{Claimed: claimed}, nil, err
	}
	if len(claimed.Claims) == 0 {
		return Turn{Claimed: claimed}, nil, rollback(ctx, conn)
	}
	all := len(claimed.Claims)
	claimed.Claims = w.pace.choose(claimed.Claims)
	t = Turn{Claimed: claimed}
	if t.Behind, err = w.behind(ctx, conn, claimed.Revision); err != nil || t.Behind {
		return t, nil, errors.Join(err, rollback(ctx, conn))
	}
	began := w.Real()
	done, err := w.perform(ctx, conn, claimed)
	if errors.Is(err, errWentBack) {
		w.Metrics.Behind.WithLabelValues(w.controller.Name).Inc()
		t.Behind = true
		return t, nil, rollback(ctx, conn)
	}
	if err != nil {
		fault, err = w.judge(ctx, conn, claimed, w.since(began), err)
		return t, fault, err
	}
	if w.pace.succeeded(done.seen.Claims, done.idle) {
		w.Metrics.batch(w.controller.Name, w.pace.size)
	}
	t.Claimed, t.Planned = done.seen, done.planned
	t.Last = done.whole && w.pace.whole() && wakeups(claimed) < limit && len(done.seen.Claims) == all && t.foresee()
	return t, nil, nil
}

// performed is what a turn did with its claims.
type performed struct {
	seen    wakeup.Claimed // without the claims that are left to the next turn
	planned []Planned
	whole   bool          // nothing was left out
	idle    time.Duration // how long the transaction was idle while plans were made
}

// perform makes the plans of a claim and commits them. It returns a panic as an error.
func (w *Worker) perform(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed) (p performed, err error) {
	err = contain.Call(func() error {
		requests, err := w.requests(ctx, conn, claimed)
		if err != nil {
			return err
		}
		began := w.Real()
		if p.planned, p.seen, err = w.reconcile(claimed, requests, began); err != nil {
			return err
		}
		if err := w.withinQuotas(ctx, conn, p.planned); err != nil {
			return err
		}
		batch, err := w.fill(&p)
		if err != nil {
			return err
		}
		p.idle = w.since(began)
		p.whole, err = w.apply(ctx, conn, batch, p)
		return err
	})
	return p, err
}

// wakeups returns how many wakeups a claim has taken.
func wakeups(c wakeup.Claimed) (n int) {
	for _, claim := range c.Claims {
		n += len(claim.IDs)
	}
	return n
}

// foresee updates NextDue with the wakeups that the turn's own plans have asked for, and reports
// whether none of them is due.
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

// behind waits, for a bounded time, until the mirror holds what the claim has seen, and reports
// whether it does not.
func (w *Worker) behind(ctx context.Context, conn *pgx.Conn, revision object.Revision) (bool, error) {
	began := w.Real()
	bounded, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	err := w.Mirror.WaitFor(bounded, revision)
	switch {
	case err == nil && w.since(began) > mirrorWait:
		// The plans need the time that the database allows a transaction to be idle: each statement
		// restarts it.
		return false, conn.Ping(ctx)
	case err == nil:
		w.patience = mirrorWait
		return false, nil
	case bounded.Err() == nil:
		return false, fmt.Errorf("the mirror did not reach revision %d: %w", revision, err)
	}
	w.patience = min(2*w.patience, longestMirrorWait)
	w.Metrics.Behind.WithLabelValues(w.controller.Name).Inc()
	return true, nil
}

// awaitMirror waits, without a claim, until the mirror has reached the revision of a claim that was
// given back.
func (w *Worker) awaitMirror(ctx context.Context, revision object.Revision) {
	ctx, cancel := context.WithTimeout(ctx, idlePoll)
	defer cancel()
	_ = w.Mirror.WaitFor(ctx, revision) // the next claim gets the error
}

// reconcile asks the controller for its plans, and returns the claims that it got to.
func (w *Worker) reconcile(claimed wakeup.Claimed, requests []Request, began time.Time) (planned []Planned, seen wakeup.Claimed, err error) {
	// Objects hold times to the second, so the time of a decision is truncated to that: it reads
	// back as it was written.
	now := claimed.Now.Truncate(time.Second)
	if w.controller.Gather != nil {
		return w.gatherAndPlan(claimed, requests, now, began)
	}
	err = w.read(claimed, func(v mirror.View) {
		if w.controller.Lock != "" { // one decision for all
			planned = w.planFor(v, claimed, requests, now)
			return
		}
		changes := 0
		for i := range requests {
			if i > 0 && (w.since(began) > planTime || changes >= turnChanges) {
				claimed.Claims = without(claimed.Claims, requests[i:])
				return
			}
			if w.concerns(v, requests[i]) {
				for _, p := range w.planFor(v, claimed, requests[i:i+1], now) {
					changes += weight(p.Plan)
					planned = append(planned, p)
				}
			}
		}
	})
	return planned, claimed, err
}

// planFor asks a controller without a Gather for the plans of some requests, and again if a
// creation would be refused.
func (w *Worker) planFor(v mirror.View, claimed wakeup.Claimed, requests []Request, now time.Time) []Planned {
	planned := w.controller.Reconcile(v, requests, now)
	for i, p := range planned {
		if !p.Plan.Empty() {
			planned[i].seen = newestSeen(v, p.UID, claimed)
		}
		if refused := w.applier.refusal(v, p.Plan); refused != nil {
			again := w.controller.Reconcile(v, []Request{{UID: p.UID, Refused: refused}}, now)
			if len(again) == 1 {
				planned[i].Plan = againAfter(refused, again[0].Plan)
			}
		}
		planned[i].again = func(refused *plan.Refusal) (again plan.Plan, err error) {
			err = w.read(claimed, func(v mirror.View) {
				for _, other := range w.controller.Reconcile(v, []Request{{UID: p.UID, Refused: refused}}, now) {
					again = other.Plan
				}
			})
			return again, err
		}
	}
	return planned
}

// concerns reports whether a request is for an object of a resource that the controller syncs. No
// change asks for another, but the state that an older Rowlock has loaded from a snapshot may: such
// a request is only acknowledged.
func (w *Worker) concerns(v mirror.View, request Request) bool {
	o := v.UID(request.UID)
	if o == nil || w.controller.Syncs(o.Type.Resource()) {
		return true
	}
	w.Metrics.Foreign.WithLabelValues(w.controller.Name).Inc()
	w.Log.Warn("dropped a wakeup for an object that this controller does not sync", "object", o.Key())
	return false
}

// errWentBack says that the mirror is no longer at the revision that it had reached. Nothing is
// wrong with the claims.
var errWentBack = errors.New("the mirror went back")

// read passes f the mirror, which must not be older than the claim.
func (w *Worker) read(claimed wakeup.Claimed, f func(mirror.View)) (err error) {
	w.Mirror.Read(func(v mirror.View) {
		if v.Revision() < claimed.Revision { // the mirror has begun to load again since the last check
			err = fmt.Errorf("%w to revision %d, before %d", errWentBack, v.Revision(), claimed.Revision)
			return
		}
		f(v)
	})
	return err
}

// gatherAndPlan takes the snapshots while the mirror is held, and plans from them after releasing
// it. Claims that it does not get to before its time is up are left out of seen: they are not
// acknowledged, and the next turn finds them again.
func (w *Worker) gatherAndPlan(claimed wakeup.Claimed, requests []Request, now, began time.Time) (planned []Planned, seen wakeup.Claimed, err error) {
	var gathered []Gathered
	var seenOf []object.Revision
	if err := w.read(claimed, func(v mirror.View) {
		for i := range requests {
			if i > 0 && w.since(began) > gatherTime {
				claimed.Claims = without(claimed.Claims, requests[i:])
				return
			}
			if !w.concerns(v, requests[i]) {
				continue
			}
			for _, g := range w.controller.Gather(v, requests[i:i+1], now) {
				gathered = append(gathered, g)
				seenOf = append(seenOf, newestSeen(v, g.UID, claimed))
			}
		}
	}); err != nil {
		return nil, claimed, err
	}
	creates, changes := false, 0
	for i, g := range gathered {
		if i > 0 && (w.since(began) > planTime || changes >= turnChanges) {
			claimed.Claims = without(claimed.Claims, gathered[i:])
			break
		}
		p := g.Plan(nil)
		creates, changes = creates || len(p.Creates) > 0, changes+weight(p)
		planned = append(planned, Planned{
			UID: g.UID, Plan: p, seen: seenOf[i],
			again: func(refused *plan.Refusal) (plan.Plan, error) { return g.Plan(refused), nil },
		})
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

// weight is the part of turnChanges that a plan uses.
func weight(p plan.Plan) int { return len(p.Creates) + len(p.Updates) + len(p.Deletes) + len(p.Wakes) }

// object returns the uid that a request, a snapshot or a plan is for.
func (l Request) object() types.UID  { return l.UID }
func (g Gathered) object() types.UID { return g.UID }
func (p Planned) object() types.UID  { return p.UID }

// without returns the claims except those whose objects are left to the next turn.
func without[T interface{ object() types.UID }](claims []wakeup.Claim, left []T) []wakeup.Claim {
	leave := make(map[types.UID]bool, len(left))
	for _, l := range left {
		leave[l.object()] = true
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c wakeup.Claim) bool { return leave[c.UID] })
}

// fill makes the batch of the plans. Plans for which no time is left are removed from p, with their
// claims.
func (w *Worker) fill(p *performed) (*store.Batch, error) {
	began := w.Real()
	claims := make(map[types.UID]wakeup.Claim, len(p.seen.Claims))
	for _, c := range p.seen.Claims {
		claims[c.UID] = c
	}
	var causes map[types.UID]object.Revision
	if w.controller.Lock != "" {
		causes = causesOf(p.seen)
	}
	batch := w.Store.NewBatch(w.controller.Name)
	for i, one := range p.planned {
		if i > 0 && causes == nil && w.since(began) > fillTime {
			p.seen.Claims = without(p.seen.Claims, p.planned[i:])
			p.planned = p.planned[:i]
			break
		}
		c := claims[one.UID]
		if causes != nil {
			c.Cause = causes[""]
		}
		about := about{cause: max(c.Cause, one.seen), causes: causes, remembered: c.Memory != nil, attempt: c.Attempt, now: p.seen.Now}
		if err := w.applier.add(batch, one, about); err != nil {
			return nil, err
		}
		if one.awaits != "" {
			batch.AwaitRoom(one.UID, one.awaits, p.seen.Revision)
		}
	}
	for _, c := range p.seen.Claims {
		batch.Acknowledge(c.IDs...)
	}
	return batch, nil
}

// apply applies the plans, acknowledges the wakeups and commits. whole says that nothing was left
// out.
func (w *Worker) apply(ctx context.Context, conn *pgx.Conn, batch *store.Batch, p performed) (whole bool, err error) {
	found, err := w.resynced(ctx, conn, p.seen, p.planned)
	if err != nil {
		return false, err
	}
	applied, err := w.Store.Commit(ctx, conn, batch)
	if err != nil {
		return false, err
	}
	w.reportFound(found, p.planned, batch, applied)
	w.Metrics.observe(w.controller.Name, len(p.seen.Claims), applied)
	return applied.LeftOut() == 0 && batch.Retries() == 0, nil
}
