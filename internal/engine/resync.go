package engine

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

var (
	//go:embed resync.sql
	sqlResync string
	//go:embed resync_awaited.sql
	sqlResyncAwaited string
)

const (
	// DefaultResync is the time between two passes of the resync.
	DefaultResync = 10 * time.Minute
	// resyncPage is how many objects one page of a pass has, resyncPause the pause between two
	// pages.
	resyncPage  = 100
	resyncPause = time.Second
)

// Resync is the safety net below the wakeups: slowly, page by page, it has every controller sync
// all its objects without a reason. Nothing relies on it. A sync that only it has caused and that
// finds something to change means that a wakeup was missing, and is counted as a defect
// (Metrics.ResyncFound). The replicas of a cluster share one pass.
type Resync struct {
	Deps
	every time.Duration
	wake  func(controllers []string)

	controllers, resources []string
	locks                  []*string
}

// NewResync makes the resync of the controllers, with this much real time between two passes. wake
// is called with the controllers that have work.
func NewResync(deps Deps, controllers []Controller, every time.Duration, wake func(controllers []string)) *Resync {
	r := &Resync{Deps: deps, every: every, wake: wake}
	for _, c := range controllers {
		if c.Off {
			continue
		}
		var lock *string
		if c.Lock != "" {
			lock = new(string(c.Lock))
		}
		r.controllers, r.resources, r.locks = append(r.controllers, c.Name), append(r.resources, c.Primary), append(r.locks, lock)
	}
	return r
}

// Run makes one pass after another until ctx ends. It returns nil.
func (r *Resync) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		wait, err := r.page(ctx)
		if err != nil && ctx.Err() == nil {
			r.Log.Warn("could not continue the resync", "error", err)
			wait = resyncPause
		}
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
	return nil
}

// page makes the next page, if it is time, and returns when to come back.
func (r *Resync) page(ctx context.Context) (wait time.Duration, err error) {
	var woken []string
	row := r.Pool.QueryRow(ctx, sqlResync, r.controllers, r.resources, r.locks, r.every, resyncPause, resyncPage)
	if err := row.Scan(&wait, &woken); err != nil {
		return 0, fmt.Errorf("request a page of the resync: %w", err)
	}
	r.wake(woken)
	return wait, nil
}

// resynced counts the syncs that only the resync has asked for, and returns those that found
// something to change, by object. It must be called before the plans are committed.
//
// The mirror may be newer than the claim and hold changes whose wakeups are not claimed. Those
// wakeups exist by now, because they were committed with the changes: such syncs found nothing that
// would have been missed.
func (w *Worker) resynced(ctx context.Context, conn *pgx.Conn, claimed wakeup.Claimed, planned []Planned) (found map[types.UID]bool, err error) {
	alone := map[types.UID]bool{}
	var ids []int64
	for _, c := range claimed.Claims {
		if c.Cause == wakeup.Resync {
			alone[c.UID] = true
		}
		ids = append(ids, c.IDs...)
	}
	w.Metrics.ResyncSyncs.WithLabelValues(w.controller.Name).Add(float64(len(alone)))
	if w.controller.Lock != "" && len(alone) < len(claimed.Claims) {
		return nil, nil // findings across objects may be what the other syncs are about
	}
	found = map[types.UID]bool{}
	for _, p := range planned {
		if alone[p.UID] && !p.Plan.Empty() {
			found[p.UID] = true
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found, w.dropAwaited(ctx, conn, found, ids)
}

// reportFound counts and logs what only the resync has found, once it is committed. If every change
// was left out, another transaction came first: it may have deleted the objects, and with them the
// wakeups that asked for the same sync.
func (w *Worker) reportFound(found map[types.UID]bool, planned []Planned, batch *store.Batch, applied store.Applied) {
	for _, p := range planned {
		if !found[p.UID] {
			continue
		}
		if kept, all := batch.Kept(applied, p.UID); all > 0 && kept == 0 {
			continue
		}
		w.Log.Error("the resync found work that no wakeup had requested", "uid", p.UID, "plan", p.Plan.String())
		w.Metrics.ResyncFound.WithLabelValues(w.controller.Name).Inc()
	}
}

// dropAwaited drops from found the objects that the controller would soon have synced without the
// claimed wakeups. For a controller that decides across objects, any sync would have found the
// same. Controllers that are about to ask for a sync count too.
func (w *Worker) dropAwaited(ctx context.Context, conn *pgx.Conn, found map[types.UID]bool, claimed []int64) error {
	var uids []string
	for uid := range found {
		uids = append(uids, string(uid))
	}
	rows, err := conn.Query(ctx, sqlResyncAwaited, w.controller.Name, uids, claimed, w.controller.Lock != "", w.controller.WokenBy)
	if err != nil {
		return fmt.Errorf("look for other wakeups: %w", err)
	}
	var uid pgtype.UUID
	_, err = pgx.ForEachRow(rows, []any{&uid}, func() error {
		delete(found, types.UID(uid.String()))
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for other wakeups: %w", err)
	}
	return nil
}
