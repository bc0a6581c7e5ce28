package chronicle

import (
	"context"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Past is the part of the store that a Chronicle passes on: it is read separately for each caller.
type Past interface {
	Log(ctx context.Context, q store.LogQuery) (store.LogPage, error)
	Change(ctx context.Context, revision object.Revision) (store.EntryStep, error)
	Bodies(ctx context.Context, revisions []object.Revision) ([]*object.Version, error)
	Causes(ctx context.Context, revision object.Revision, limit int) ([]store.Entry, error)
	Points(ctx context.Context, n int) (oldest, newest store.Point, points []store.Point, err error)
}

// Source is what a Chronicle uses of the store: the past, and the end of the log that it follows.
type Source interface {
	Past
	Tail(ctx context.Context, after object.Revision, limit int) ([]store.Entry, error)
}

// Mirror is what a Chronicle uses of the mirror.
type Mirror interface {
	Ready() error
	Progress() mirror.Progress
}
