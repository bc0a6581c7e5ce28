package kube

import (
	"context"
	"net/http"
	"strings"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// endWith calls end when the kinds of a definition change. stop, which must be called, ends the
// waiting.
func endWith(life *kind.Life, end func()) (stop func()) {
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

// until is the revision at which the kind's definition has changed; 0 if it has not.
func (r *resource) until() object.Revision {
	if c := r.stored.Custom; c != nil {
		return c.Life.Until()
	}
	return 0
}

// sendRest sends what happened before a revision and is waiting. It is the end of a watch whose
// definition has changed: the client learns of objects that went with the definition.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, removeStorage_locked, which
// ends the watches too
func (s *stream) sendRest(ctx context.Context, events Watch, sel selection, until object.Revision) error {
	for ctx.Err() == nil && events.Pending() {
		e, err := events.Next(ctx)
		if err != nil {
			return err
		}
		if e.New.Revision > until {
			break
		}
		if err := s.sendEvent(e, sel); err != nil {
			return err
		}
	}
	return s.flush()
}

// pastOf is the catalogue as of the revision that a list of custom resources reads; nil for that of
// now.
func (s *Server) pastOf(req *http.Request, about customPath) *kind.Catalogue {
	query := req.URL.RawQuery
	if req.Method != http.MethodGet || about.name != "" || !strings.Contains(query, "resourceVersion=") && !strings.Contains(query, "continue=") {
		return nil
	}
	opts, err := listOptions(req)
	if err != nil || opts.Watch {
		return nil // it is judged again
	}
	at, err := wire.ParseRevision(opts.ResourceVersion)
	if err != nil {
		return nil // as above
	}
	if opts.Continue != "" {
		token, err := parseContinue(opts.Continue)
		if err != nil {
			return nil // as above
		}
		at = token.Revision
	}
	if !exact(opts, at) || at <= 0 {
		return nil
	}
	c, _ := s.catalogueAt(req.Context(), at) // a revision that cannot be read is refused by the list
	return c
}

// catalogueAt is the catalogue as of a revision. Errors: store.ErrCompacted, store.ErrFuture, and
// those of reading the log.
func (s *Server) catalogueAt(ctx context.Context, at object.Revision) (*kind.Catalogue, error) {
	if s.Past == nil {
		return s.Catalogue.Value(), nil
	}
	return s.Past(ctx, at)
}
