package visit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

const (
	// pieceBytes is how much input is read at once, collectBytes how much of each output a visit
	// collects.
	pieceBytes   = 32 << 10
	collectBytes = 256 << 10
	// rounds is how often one visit runs the machine to collect its output.
	rounds = 8
	// hangupTime bounds the visit that ends a session whose client is gone.
	hangupTime = 5 * time.Second
)

// Start says what a session joins.
type Start struct {
	Container string
	Command   []string // to execute; nil attaches to the main process

	// Stdin says that there is an input, TTY that a command gets a terminal.
	Stdin, TTY bool
}

// Size is the size of a terminal.
type Size struct{ Rows, Cols int }

// Streams are the client's ends of a session. Nil ones are not requested.
type Streams struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Resize         <-chan Size
}

// ExitError says that a command has ended with a code other than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string {
	return fmt.Sprintf("command terminated with exit code %d", e.Code)
}

// killed is the exit code of a command whose Pod is gone or has ended.
const killed = 137

// session is a session while it lasts.
type session struct {
	*Source
	pod     types.UID
	start   Start
	streams Streams

	state
	output emulator.Output
	out    Outcome
	busy   bool // the visit has not taken place
	lost   patience
	more   bool // there is more to collect
	waiter *waiter
	pass   chan struct{} // of the gate, to close after the visit; nil for none
}

// state is the progress of a session, as of its last visit.
type state struct {
	id    int
	input []byte // not fed yet
	size  *Size

	closed bool // the input has ended
	ended  bool // and the process knows
	known  bool // others know that this process has the client
}

// Run joins streams to a process of a Pod, until the process ends, the client goes, which ends ctx,
// or its streams fail. It blocks. The process lives on without its client, unless that ends it.
//
// An idle session costs nothing: it waits for its client, for a predicted moment, and for Tell.
//
// Errors: *ExitError; *emulator.StartError, emulator.ErrSessions, ErrNotRunning and ErrGone if it
// could not begin; ctx's, those of the streams, and the database's.
func (s *Source) Run(ctx context.Context, pod types.UID, start Start, streams Streams) error {
	e := &session{Source: s, pod: pod, start: start, streams: streams, waiter: s.waiting.add(pod)}
	defer s.waiting.remove(pod, e.waiter)
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	input := read(reading, streams.Stdin)
	for {
		err := e.visit(ctx)
		switch {
		case e.busy:
		case e.id != 0 && (errors.Is(err, ErrGone) || errors.Is(err, ErrNotRunning)):
			e.forget(ctx)
			return e.exit(killed)
		case err != nil:
			e.hangup(ctx)
			return err
		}
		if err := e.deliver(); err != nil {
			e.hangup(ctx)
			return err
		}
		if e.output.Ended {
			return e.exit(e.output.ExitCode)
		}
		if err := e.wait(ctx, input); err != nil {
			e.hangup(ctx)
			return err
		}
	}
}

// exit returns the result of a session whose process has ended; that of a main process is not a
// failure.
func (e *session) exit(code int) error {
	if code == 0 || e.start.Command == nil {
		return nil
	}
	return &ExitError{code}
}

// visit delivers the client's input to the Pod, and collects output for the client. busy says that
// it could not.
func (e *session) visit(ctx context.Context) error {
	before := e.state
	t := &turn{pod: e.pod, done: make(chan struct{}), input: func(v *Visitor) error { return e.bring(v) }}
	if e.pass != nil {
		t.steps = memory.BacklogSteps
		defer func() { close(e.pass); e.pass = nil }()
	}
	e.output, e.more, e.busy = emulator.Output{}, false, false
	out, err := e.do(ctx, t)
	if err != nil {
		e.state, e.output, e.more = before, emulator.Output{}, false
		if e.busy = errors.Is(err, ErrBusy) || e.lost.bears(err); e.busy {
			return nil
		}
		return err
	}
	e.out, e.lost = out, patience{}
	return nil
}

// bring is the session's part of a visit.
func (e *session) bring(v *Visitor) error {
	v.Unchanged = e.id != 0 && e.size == nil
	if err := e.begin(v); err != nil {
		return err
	}
	if e.size != nil {
		v.Machine.ResizeTerminal(v.At, e.id, e.size.Rows, e.size.Cols)
		e.size = nil
	}
	e.exchange(v)
	switch {
	case !e.output.Ended:
		v.Machine.Await(e.id, v.Waits())
		v.listens = e.id
		if !e.known {
			v.begun, e.known = append(v.begun, e.id), true
		}
	case e.known:
		v.over = append(v.over, e.id)
	}
	return nil
}

// begin starts the session, once. Sessions without a client, such as those from a snapshot, make
// room.
func (e *session) begin(v *Visitor) (err error) {
	if e.id != 0 {
		return nil
	}
	if len(v.Machine.Joined()) > len(v.Known) {
		for _, id := range v.Machine.Joined() {
			if !slices.Contains(v.Known, id) {
				v.Machine.Hangup(v.At, id)
			}
		}
	}
	if e.start.Command == nil {
		e.id, err = v.Machine.Attach(v.At, e.start.Container, e.start.Stdin)
	} else {
		e.id, err = v.Machine.Execute(v.At, e.start.Container, emulator.Command{Argv: e.start.Command, Stdin: e.start.Stdin, TTY: e.start.TTY})
	}
	e.waiting.begin(e.waiter, e.id)
	return err
}

// exchange alternates between feeding and collecting, as long as anything moves.
func (e *session) exchange(v *Visitor) {
	for round := range rounds {
		fed := 0
		if len(e.input) > 0 {
			fed = v.Machine.Feed(v.At, e.id, e.input)
			e.input = e.input[fed:]
		}
		if e.closed && !e.ended && len(e.input) == 0 {
			v.Machine.CloseInput(v.At, e.id)
			e.ended, v.Unchanged = true, false
		}
		v.Run()
		o := v.Machine.Collect(v.At, e.id, collectBytes-max(len(e.output.Stdout), len(e.output.Stderr)))
		e.output.Stdout, e.output.Stderr = append(e.output.Stdout, o.Stdout...), append(e.output.Stderr, o.Stderr...)
		e.output.Ended, e.output.ExitCode = o.Ended, o.ExitCode
		v.Unchanged = v.Unchanged && fed == 0 && len(o.Stdout)+len(o.Stderr) == 0 && !o.Ended
		moved := fed > 0 && len(e.input) > 0 || len(o.Stdout)+len(o.Stderr) > 0
		full := len(e.output.Stdout) >= collectBytes || len(e.output.Stderr) >= collectBytes
		if e.more = !o.Ended && (full || moved && round == rounds-1); o.Ended || full || !moved {
			return
		}
	}
}

// deliver writes the collected output. A slow client slows down the process, whose pipes fill
// meanwhile.
func (e *session) deliver() error {
	for _, part := range []struct {
		to   io.Writer
		what []byte
	}{{e.streams.Stdout, e.output.Stdout}, {e.streams.Stderr, e.output.Stderr}} {
		if part.to == nil || len(part.what) == 0 {
			continue
		}
		if _, err := part.to.Write(part.what); err != nil {
			return fmt.Errorf("write to the client: %w", err)
		}
	}
	return nil
}

// wait waits until the next visit is worth it.
func (e *session) wait(ctx context.Context, input <-chan []byte) error {
	if e.more {
		return ctx.Err()
	}
	passes, stop := e.queueUp(ctx)
	defer stop()
	if e.closed || len(e.input) > 0 {
		input = nil // no more before this is fed
	}
	timed := !e.busy && !e.out.Heard.IsZero()
	e.waiting.time(e.waiter, timed)
	var due <-chan time.Time
	var timer *time.Timer
	if e.busy || timed {
		timer = time.NewTimer(e.pause())
		defer timer.Stop()
		due = timer.C
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, ok := <-input:
			e.input, e.closed = b, !ok
			return nil
		case size, ok := <-e.streams.Resize:
			if ok {
				e.size = &size
				return nil
			}
			e.streams.Resize = nil
		case <-e.waiter.woken:
			return nil
		case e.pass = <-passes:
			return nil
		case <-e.waiter.clock:
			if timed {
				timer.Reset(e.pause())
			}
		case <-due:
			if !timed || !e.Now().Before(e.out.Heard) {
				return nil
			}
			timer.Reset(e.pause())
		}
	}
}

// queueUp makes a session whose Pod has used up its share take its turn among all such sessions.
// What it receives from passes must be closed when the turn is over. stop leaves the queue.
func (e *session) queueUp(ctx context.Context) (passes <-chan chan struct{}, stop func()) {
	if e.busy || !e.out.Spent {
		return nil, func() {}
	}
	ctx, stop = context.WithCancel(ctx)
	c := make(chan chan struct{})
	go e.Gate.Pass(ctx, true, func() {
		over := make(chan struct{})
		select {
		case c <- over:
			<-over
		case <-ctx.Done():
		}
	})
	return c, stop
}

// pause returns how long the session waits at most.
func (e *session) pause() time.Duration {
	if e.busy {
		return max(e.lost.pause, busyPause)
	}
	return max(e.Until(e.out.Heard), time.Millisecond)
}

// hangup ends the session of a client that is gone.
func (e *session) hangup(ctx context.Context) {
	if e.id == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangupTime)
	defer cancel()
	for lost := (patience{}); ; {
		_, err := e.Do(ctx, e.pod, func(v *Visitor) error {
			v.Machine.Hangup(v.At, e.id)
			v.over = append(v.over, e.id)
			v.Run()
			return nil
		})
		if !errors.Is(err, ErrBusy) && !lost.bears(err) || !lost.rest(ctx) {
			return
		}
	}
}

// forget forgets a session whose Pod is gone or has ended.
func (e *session) forget(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangupTime)
	defer cancel()
	if e.known {
		_ = e.Sessions.Forget(ctx, e.pod, e.id) // otherwise it is forgotten with others: see Source.Watch
	}
}

// read reads the client's input in pieces, one ahead; the channel is closed at the end of input.
func read(ctx context.Context, from io.Reader) <-chan []byte {
	if from == nil {
		return nil
	}
	pieces := make(chan []byte)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, pieceBytes)
			n, err := from.Read(b)
			if n > 0 {
				select {
				case pieces <- b[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return pieces
}
