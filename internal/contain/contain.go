// Package contain keeps a panic where it happened. A panic that leaves its goroutine ends the process, and with it everything
// that has nothing to do with the object at fault: so whatever runs in a goroutine of its own goes through this package, or
// recovers by itself. Not every fault can be contained: the Go runtime ends the process when a stack overflows, when memory
// runs out, and when a map is written twice at the same time.
package contain

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// Panic is a panic that was recovered. Its text has no stack, which is for the log alone.
type Panic struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap is the error that the code panicked with, nil for any other value.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Call calls f. If f panics, Call returns a *Panic.
func Call(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Pauses before a part is started again: the first, doubling up to the last. A part that ran for longer than the last begins anew.
const firstPause, lastPause = 100 * time.Millisecond, 30 * time.Second

// Keep runs a part of a process until it returns or ctx ends. A part that panics is logged, counted by calling panicked (unless that
// is nil) and started again after a growing pause. It returns what the part does, nil if ctx ends while the part pauses.
func Keep(ctx context.Context, log *slog.Logger, name string, panicked func(), part func(context.Context) error) error {
	pause := firstPause
	for {
		began := time.Now()
		err := Call(func() error { return part(ctx) })
		p, ok := err.(*Panic) //nolint:errorlint // what Call itself has made, not what a part returns of another
		if !ok {
			return err
		}
		if panicked != nil {
			panicked()
		}
		if time.Since(began) > lastPause {
			pause = firstPause
		}
		log.ErrorContext(ctx, "a part of the process panicked and is started again", "part", name, "pause", pause, "error", p, "stack", string(p.Stack))
		t := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case <-t.C:
		}
		pause = min(2*pause, lastPause)
	}
}
