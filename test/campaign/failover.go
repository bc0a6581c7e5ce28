package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/exercise"
	"github.com/rowlock/rowlock/test/history"
)

// failOverLossy fails over to a standby that lacks what was acknowledged for a while (S12).
func (f *fleet) failOverLossy(ctx context.Context, last func()) error {
	d := f.database
	from := f.clients.Elapsed()
	if err := d.lag(ctx); err != nil {
		return err
	}
	last()
	f.renewed.Add(1)
	d.stop(&d.primary, 0)
	d.link.cut() // what is held is lost
	d.link.mend()
	if err := d.promote(ctx); err != nil {
		return err
	}
	kept, err := d.newest(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.losses = append(f.losses, history.Loss{Kept: kept, From: from, To: f.clients.Elapsed()})
	f.mu.Unlock()
	if err := d.takeOver(); err != nil {
		return err
	}
	return d.addStandby(ctx)
}

// lost returns what such failovers have lost so far.
func (f *fleet) lost() history.Losses {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.losses)
}

// failOver crashes the primary, promotes the standby, and makes a new standby from it.
func (d *database) failOver(ctx context.Context) error {
	if err := d.awaitSync(ctx); err != nil {
		return err
	}
	d.stop(&d.primary, 0)
	d.link.cut()
	if err := d.promote(ctx); err != nil {
		return err
	}
	if err := d.takeOver(); err != nil {
		return err
	}
	return d.addStandby(ctx)
}

// lag makes commits no longer wait for the standby, and keeps from it what is written from now on.
func (d *database) lag(ctx context.Context) error {
	if err := d.awaitSync(ctx); err != nil {
		return err
	}
	if err := d.each(ctx, sqlAsynchronous); err != nil {
		return err
	}
	d.link.hold(back, true)
	return nil
}

// promote promotes the standby while no replica can reach it.
func (d *database) promote(ctx context.Context) error {
	d.mu.Lock()
	next := d.standby
	d.mu.Unlock()
	if err := promote(filepath.Join(next.dir, "pgdata")); err != nil {
		return fmt.Errorf("promote the standby: %w", err)
	}
	return awaitAt(ctx, next.server.URL(), "the standby to be promoted", sqlPromoted)
}

// newest returns the newest revision of a standby that has been promoted.
func (d *database) newest(ctx context.Context) (r object.Revision, err error) {
	d.mu.Lock()
	at := d.standby.server.URL()
	d.mu.Unlock()
	return r, ask(ctx, at, sqlRevision, nil, &r)
}

// takeOver makes the promoted standby the primary, which has no standby then.
func (d *database) takeOver() error {
	d.mu.Lock()
	old := d.primary.dir
	d.primary, d.standby = d.standby, node{}
	d.mu.Unlock()
	return os.RemoveAll(old)
}

// revive waits until the primary accepts statements, and starts it again if it has ended by itself,
// as it does when it cannot recover because the disk fails.
func (d *database) revive(ctx context.Context) error {
	var n int
	var err error
	revived := exercise.Retry(ctx, 50*time.Millisecond, func() bool {
		d.mu.Lock()
		s := d.primary.server
		d.mu.Unlock()
		select {
		case <-s.Done():
			d.stop(&d.primary, 0)
			return true
		default:
			err = d.read(ctx, sqlDatabases, nil, &n)
			return err == nil && n > 0
		}
	})
	switch _, down := d.url(); {
	case revived && down != nil:
		return d.startPrimary(ctx)
	case revived:
		return nil
	}
	return fmt.Errorf("the primary does not come back: %w", errors.Join(err, ctx.Err()))
}
