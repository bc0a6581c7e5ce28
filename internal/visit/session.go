package visit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
)

const (
	// pieceBytes is how much is read of an input at once, collectBytes how much of each output a visit collects.
	pieceBytes   = 32 << 10
	collectBytes = 256 << 10
	// rounds is how often one visit runs the machine to collect what it writes.
	rounds = 8

	// pause is how often a session looks whether the Pod's memory has changed, and beat how often it says that it is there: real time.
	pause = time.Second
	beat  = time.Minute
	// answerPause is the pause before the next visit while the machine waits for the kubelet, or is locked.
	answerPause = 20 * time.Millisecond
	// hangupTime bounds the visit that ends a session whose client is gone.
	hangupTime = 5 * time.Second
)

// Start says what a session is joined to.
type Start struct {
	Container string
	Command   []string // to be executed; nil attaches to the main process

	// Stdin says that there is an input, TTY that a command gets a terminal.
	Stdin, TTY bool
}

// Size is that of a terminal.
type Size struct{ Rows, Cols int }

// Streams are the client's ends of a session. Nil ones are not asked for.
type Streams struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Resize         <-chan Size
}

// ExitError says that a command has ended with another code than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string {
	return fmt.Sprintf("command terminated with exit code %d", e.Code)
}

// killed is the code of a command whose Pod has gone or ended.
const killed = 137

// session is a session while it lasts.
type session struct {
	*Source
	pod     types.UID
	start   Start
	streams Streams

	id     int
	input  []byte // not fed yet
	closed bool   // the input has ended
	ended  bool   // and the process knows
	size   *Size
	output emulator.Output

	out    Outcome
	more   bool      // there is more to collect
	last   time.Time // when the session last said that it is there, in real time
	beaten bool      // it does so in this visit
}

// Run joins streams to a process of a Pod, until the process ends, the client goes, which ends ctx, or its streams fail. It blocks. The
// process lives on, without its client, where it does not end of that.
//
// Errors: *ExitError; *emulator.StartError, emulator.ErrSessions, ErrNotRunning and ErrGone where it could not begin; ctx's, those of the
// streams, and the database's.
func (s *Source) Run(ctx context.Context, pod types.UID, start Start, streams Streams) error {
	e := &session{Source: s, pod: pod, start: start, streams: streams}
	told, stop := s.Watch(pod)
	defer stop()
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	input := read(reading, streams.Stdin)
	for {
		err := e.visit(ctx)
		select { // visits tell those who make them, too
		case <-told:
		default:
		}
		switch {
		case errors.Is(err, ErrBusy):
			e.out.Waits = true
		case e.id != 0 && (errors.Is(err, ErrGone) || errors.Is(err, ErrNotRunning)):
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
		if err := e.wait(ctx, input, told); err != nil {
			e.hangup(ctx)
			return err
		}
	}
}

// exit is how a session ends whose process has ended; that of a main process is no failure.
func (e *session) exit(code int) error {
	if code == 0 || e.start.Command == nil {
		return nil
	}
	return &ExitError{code}
}

// visit brings the Pod what the client has said, and takes what there is for the client.
func (e *session) visit(ctx context.Context) error {
	input, id, size, ended := e.input, e.id, e.size, e.ended
	e.output, e.more = emulator.Output{}, false
	out, err := e.Do(ctx, e.pod, func(v *Visitor) error {
		beats := e.id == 0 || e.Real().Sub(e.last) >= beat
		v.Unchanged = !beats && e.size == nil
		if err := e.begin(v, beats); err != nil {
			return err
		}
		if e.size != nil {
			v.Machine.ResizeTerminal(v.At, e.id, e.size.Rows, e.size.Cols)
			e.size = nil
		}
		e.exchange(v)
		v.Machine.Listen(e.id)
		return nil
	})
	if err != nil {
		e.input, e.id, e.size, e.ended, e.output = input, id, size, ended, emulator.Output{}
		return err
	}
	if e.out = out; e.beaten {
		e.last, e.beaten = e.Real(), false
	}
	return nil
}

// begin starts the session, once.
func (e *session) begin(v *Visitor, beats bool) (err error) {
	if beats {
		v.Reap(e.Real(), e.id)
		e.beaten = true
	}
	switch {
	case e.id != 0:
		return nil
	case e.start.Command == nil:
		e.id, err = v.Machine.Attach(v.At, e.start.Container, e.start.Stdin)
	default:
		e.id, err = v.Machine.Execute(v.At, e.start.Container, emulator.Command{Argv: e.start.Command, Stdin: e.start.Stdin, TTY: e.start.TTY})
	}
	v.Reap(e.Real(), e.id)
	return err
}

// exchange feeds and collects by turns, as long as anything moves.
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

// deliver writes what was collected. A slow client slows the process down, whose pipes fill meanwhile.
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

// wait waits for what makes the next visit worth its while.
func (e *session) wait(ctx context.Context, input <-chan []byte, told <-chan struct{}) error {
	if e.more {
		return ctx.Err()
	}
	if e.closed || len(e.input) > 0 {
		input = nil // no more before that is fed
	}
	for {
		d := pause
		if e.out.Waits {
			d = answerPause
		} else if !e.out.Heard.IsZero() {
			d = max(min(e.Until(e.out.Heard), pause), 0)
		}
		timer := time.NewTimer(d)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case b, ok := <-input:
			timer.Stop()
			e.input, e.closed = b, !ok
			return nil
		case size, ok := <-e.streams.Resize:
			timer.Stop()
			if !ok {
				e.streams.Resize = nil
				continue
			}
			e.size = &size
			return nil
		case <-told:
			timer.Stop()
			return nil
		case <-timer.C:
			if e.due(ctx) {
				return nil
			}
		}
	}
}

// due says whether it is time for the next visit.
func (e *session) due(ctx context.Context) bool {
	if e.out.Waits || !e.Exists(e.pod) || e.Real().Sub(e.last) >= beat || !e.out.Heard.IsZero() && !e.Now().Before(e.out.Heard) {
		return true
	}
	memory, err := e.Memory(ctx, e.pod)
	return err == nil && string(memory) != string(e.out.memory)
}

// hangup leaves the session of a client that is gone.
func (e *session) hangup(ctx context.Context) {
	if e.id == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangupTime)
	defer cancel()
	for {
		_, err := e.Do(ctx, e.pod, func(v *Visitor) error {
			v.Machine.Hangup(v.At, e.id)
			v.Run()
			return nil
		})
		if !errors.Is(err, ErrBusy) || ctx.Err() != nil {
			return // a session that is left behind is hung up when it has been silent for long
		}
	}
}

// read reads the client's input in pieces, one ahead; the channel is closed at its end.
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
