package engine

import (
	"log/slog"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestReconcile_NotWhileTheMirrorLoadsAgain: a mirror that was emptied after it had reached the
// claim's revision shows nothing, and a reconciler that trusted it would plan nothing and
// acknowledge its wakeups.
func TestReconcile_NotWhileTheMirrorLoadsAgain(t *testing.T) {
	t.Parallel()
	called := false
	w := &Worker{
		Deps: Deps{Mirror: mirror.New(nil, mirror.Config{}, slog.New(slog.DiscardHandler))},
		controller: Controller{Reconcile: func(mirror.View, []Request, time.Time) []Planned {
			called = true
			return nil
		}},
	}
	planned, _, err := w.reconcile(wakeup.Claimed{Claims: []wakeup.Claim{{UID: "a"}}, Revision: 7}, []Request{{UID: "a"}}, time.Now())
	if called || err == nil || planned != nil {
		t.Errorf("reconciled: %v, planned %v, error %v; want no plan and an error", called, planned, err)
	}
}
