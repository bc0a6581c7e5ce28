package cluster

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuiet_SaysTheSameWarningOnceInAWhile(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h := newQuiet(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	log := func(part string, level slog.Level, message string, after time.Duration) {
		h := h.WithAttrs([]slog.Attr{slog.String("controller", part)})
		if err := h.Handle(context.Background(), slog.NewRecord(start.Add(after), level, message, 0)); err != nil {
			t.Error(err)
		}
	}
	log("a", slog.LevelWarn, "away", 0)
	log("a", slog.LevelWarn, "away", time.Second)
	log("b", slog.LevelWarn, "away", time.Second)
	log("a", slog.LevelWarn, "other", 2*time.Second)
	log("a", slog.LevelError, "broken", 2*time.Second)
	log("a", slog.LevelError, "broken", 2*time.Second)
	log("a", slog.LevelWarn, "away", 3*time.Second)
	log("a", slog.LevelWarn, "away", 5*time.Second)
	want := `level=WARN msg=away controller=a
level=WARN msg=away controller=b
level=WARN msg=other controller=a
level=ERROR msg=broken controller=a
level=ERROR msg=broken controller=a
level=WARN msg=away controller=a repeated=2
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}
