package contain_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/contain"
)

func TestCall(t *testing.T) {
	t.Parallel()
	if err := contain.Call(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
	err := contain.Call(func() error { panic("on purpose") })
	var p *contain.Panic
	if !errors.As(err, &p) || err.Error() != "panic: on purpose" || !strings.Contains(string(p.Stack), "contain_test.TestCall") {
		t.Errorf("got %v with the stack %s", err, p.Stack)
	}
	if err := contain.Call(func() error { panic(io.EOF) }); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

// TestKeep restarts a part that panics, and does not restart one that returns.
func TestKeep(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	ran, counted := 0, 0
	err := contain.Keep(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), "flaky", func() { counted++ }, func(context.Context) error {
		if ran++; ran == 1 {
			panic("on purpose")
		}
		return io.EOF
	})
	if !errors.Is(err, io.EOF) || ran != 2 || counted != 1 || strings.Count(log.String(), "part=flaky") != 1 || !strings.Contains(log.String(), "stack=") {
		t.Errorf("error %v after %d runs and %d panics; logged %s", err, ran, counted, log.String())
	}
}

// TestKeep_Ends ends ctx during a pause.
func TestKeep_Ends(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	err := contain.Keep(ctx, slog.New(slog.DiscardHandler), "flaky", stop, func(context.Context) error { panic("on purpose") })
	if err != nil {
		t.Error(err)
	}
}
