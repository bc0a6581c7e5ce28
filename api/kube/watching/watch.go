package watching

import (
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/net/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// Events are the changes of one resource, in the order of their revisions.
type Events interface {
	// Next returns the next change. If there is none, it waits until the context ends and returns
	// the context's error. It returns store.ErrCompacted if changes were missed, and
	// mirror.ErrUnavailable if the mirror can no longer follow the database.
	Next(ctx context.Context) (mirror.Event, error)
	// Pending reports whether Next would return at once.
	Pending() bool
	// Revision returns the revision up to which everything has been delivered.
	Revision() object.Revision
}

// Watch is what a stream sends.
type Watch struct {
	Initial   collection.Snapshot // sent first, all of it as ADDED; nil for none
	Events    Events
	Selection collection.Selection

	Bookmarks bool // whether the client wants them

	// Failed is the Status of an error that ends the watch.
	Failed func(error) *metav1.Status
}

// Serve sends a watch until the context or the client ends it, or it fails.
func (s *Stream) Serve(ctx context.Context, what Watch) {
	run := func(ctx context.Context) {
		err := s.follow(ctx, what)
		switch until := s.until(); {
		case !errors.Is(err, errGone):
			_ = s.sendStatus(what.Failed(err)) // best effort: the stream ends anyway
		case until > 0:
			_ = s.sendRest(s.req.Context(), what, until) // as above
		}
	}
	if wire.WantsSocket(s.req) {
		s.overSocket(ctx, run)
		return
	}
	s.open()
	run(ctx)
}

// follow sends the snapshot's objects and then the changes until the watch ends. It returns errGone
// for an ordinary end, otherwise the error to send to the client.
func (s *Stream) follow(ctx context.Context, what Watch) error {
	if what.Initial != nil {
		if err := s.sendInitial(what.Initial, what.Selection); err != nil {
			return err
		}
		if what.Bookmarks {
			if err := s.sendBookmark(what.Initial.Revision(), true); err != nil {
				return err
			}
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	for {
		if ctx.Err() != nil {
			return errGone // although there may be more to send
		}
		wait, cancel := s.untilBookmark(ctx, what.Bookmarks)
		err := s.relay(wait, what)
		due := wait.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil, errors.Is(err, mirror.ErrUnavailable):
			// Without the database, end the watch without an error: the client reconnects, perhaps
			// to another replica.
			return errGone
		case !due:
			return err
		}
		if err := s.sendBookmark(what.Events.Revision(), false); err != nil {
			return err
		}
		if err := s.flush(); err != nil {
			return err
		}
	}
}

// bookmarkBeforeEnd is how long before its end a watch sends a last bookmark, from which the client
// can continue.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go, nextBookmarkTime
const bookmarkBeforeEnd = 2 * time.Second

// untilBookmark returns a context that ends when the next bookmark is due.
func (s *Stream) untilBookmark(ctx context.Context, bookmarks bool) (context.Context, context.CancelFunc) {
	if !bookmarks {
		return context.WithCancel(ctx)
	}
	due := time.Now().Add(s.by.BookmarkEvery)
	if end, ok := ctx.Deadline(); ok {
		if last := end.Add(-bookmarkBeforeEnd); last.Before(due) && time.Now().Before(last) {
			due = last
		}
	}
	return context.WithDeadline(ctx, due)
}

// relay sends changes until the context ends or an error occurs. It batches pending changes.
func (s *Stream) relay(ctx context.Context, what Watch) error {
	for {
		event, err := what.Events.Next(ctx)
		if err != nil {
			return err
		}
		if err := s.sendEvent(event, what.Selection); err != nil {
			return err
		}
		if !what.Events.Pending() {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
}

// sendRest sends pending events before a revision, at the end of a watch whose definition has
// changed, so that the client sees the deletion of objects that were deleted with the definition.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, removeStorage_locked, which
// ends the watches too
func (s *Stream) sendRest(ctx context.Context, what Watch, until object.Revision) error {
	for ctx.Err() == nil && what.Events.Pending() {
		e, err := what.Events.Next(ctx)
		if err != nil {
			return err
		}
		if e.New.Revision > until {
			break
		}
		if err := s.sendEvent(e, what.Selection); err != nil {
			return err
		}
	}
	return s.flush()
}

// until returns the revision at which the kind's definition has changed; 0 if it has not.
func (s *Stream) until() object.Revision {
	if c := s.r.Stored.Custom; c != nil {
		return c.Life.Until()
	}
	return 0
}

// EndWith calls end when the kinds of a definition change. The caller must call stop.
func EndWith(life *kind.Life, end func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-life.Over():
			end()
		case <-done:
		}
	}()
	return func() { close(done) }
}

// overSocket upgrades the connection to a websocket and runs the watch over it, until either ends.
// It discards what the client sends. The request has been authorized like any other, including its
// origin.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go, HandleWS
func (s *Stream) overSocket(ctx context.Context, run func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	handler := func(conn *websocket.Conn) {
		conn.MaxPayloadBytes = 1 << 10
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, conn) // returns when the client disconnects or the watch ends
		}()
		s.socket = &socket{conn}
		run(ctx)
	}
	websocket.Server{Handler: handler}.ServeHTTP(wire.Hijackable{ResponseWriter: s.w, ResponseController: s.ctl}, s.req)
}
