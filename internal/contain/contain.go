// Package contain keeps a panic from ending the process. A panic that leaves its goroutine ends the
// process, and with it everything that has nothing to do with the object at fault. So code that
// runs in its own goroutine goes through this package or recovers by itself. Some faults cannot be
// contained: the Go runtime ends the process when a stack overflows, when memory runs out, and when
// two goroutines write a map at the same time.
package contain

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// Panic is a recovered panic. Its text leaves out the stack, which is only for the log.
type Panic struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the panic's value if it is an error, and nil otherwise.
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

// A part restarts after firstPause, which doubles at each further panic up to lastPause. A part
// that ran for longer than lastPause starts again at firstPause.
const firstPause, lastPause = 100 * time.Millisecond, 30 * time.Second

// Keep runs a part of a process until it returns or ctx ends. If the part panics, Keep logs the
// panic, calls panicked (unless nil) and restarts the part after a growing pause. It returns the
// part's error, or nil if ctx ends during a pause.
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
		log.ErrorContext(ctx, "a part of the process panicked and will be restarted", "part", name, "pause", pause, "error", p, "stack", string(p.Stack))
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
