package control

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/pg"
)

// shownWork is the default number of due wakeups, and of failing syncs, that an answer lists.
const shownWork = 10

// maxWait limits how long a request may wait.
const maxWait = time.Minute

// duration returns how long a request asks to wait, in real time.
func (w Waiting) duration() (time.Duration, error) {
	if w.Wait == "" {
		return 0, nil
	}
	d, err := clock.ParseDuration(w.Wait)
	if err != nil || d < 0 || d > maxWait {
		return 0, invalid(field.Invalid(field.NewPath("wait"), w.Wait, "must be a duration from 0s to "+clock.FormatDuration(maxWait)))
	}
	return d, nil
}

// Waiting is the input of operations that can wait.
type Waiting struct {
	Wait string `query:"wait" doc:"How long to wait for the end of the current advance, in real time, such as 30s; at most 1m."`
}

// Showing is the input of operations that list due work. The default is not a tag, because huma
// would apply it to an explicit 0 in a request with a body, too.
type Showing struct {
	Due int `query:"due" minimum:"0" maximum:"500" doc:"The most due wakeups, and the most failing syncs, to list; default 10, at most 500."`
}

// Resolve implements huma.Resolver.
func (in *Showing) Resolve(c huma.Context) []error {
	if c.Query("due") == "" {
		in.Due = shownWork
	}
	return nil
}

type readClock struct {
	Waiting
	Showing
	Watch bool `query:"watch" doc:"Stream the clock: send it again after each change."`
}

type setClock struct {
	Waiting
	Showing
	Body v1.ClockRequest
}

func (s *Server) clockOperations(a *typed) {
	registerWriter(a, huma.Operation{
		Method: http.MethodGet, Path: v1.ClockPath, OperationID: "getRowlockV1Clock", Summary: "Get the cluster's clock",
		Description: "With watch=true, the response is a stream of JSON lines: the clock as it is, then the clock again after each change of it. " +
			"Work that becomes due or is completed does not count as a change. An empty line is sent every minute.",
	}, jsonOf[v1.Clock](a), s.readClock)
	register(a, huma.Operation{
		Method: http.MethodPost, Path: v1.ClockPath, OperationID: "setRowlockV1Clock", Summary: "Pause, resume, speed up or advance the cluster's clock",
		Description: "An advance continues after the request has ended; get the clock to follow its progress. " +
			"During an advance, other changes of the clock fail with 409.",
	}, func(ctx context.Context, in *setClock) (v1.Clock, error) {
		do, err := s.change(in.Body)
		if err != nil {
			return v1.Clock{}, err
		}
		return s.answer(ctx, in.Waiting, in.Showing, do)
	})
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: v1.AdvancePath, OperationID: "interruptRowlockV1ClockAdvance", Summary: "Interrupt the current advance",
		Description: "The clock stays at the time it has reached, and runs or stays paused as before the advance. Without an advance, nothing happens.",
	}, func(ctx context.Context, in *struct{ Showing }) (v1.Clock, error) {
		return s.answer(ctx, Waiting{}, in.Showing, s.Clock.Interrupt)
	})
}

// change returns the operation that a request asks for.
func (s *Server) change(r v1.ClockRequest) (func(context.Context) (clock.State, error), error) {
	switch {
	case count(r.Speed != nil, r.Paused != nil, r.Advance != nil) != 1:
		return nil, invalid(field.Forbidden(field.NewPath("clock"), "exactly one of speed, paused and advance must be given"))
	case r.Speed != nil:
		return func(ctx context.Context) (clock.State, error) {
			state, err := s.Clock.SetSpeed(ctx, *r.Speed)
			if errors.Is(err, clock.ErrSpeed) {
				err = invalid(field.Invalid(field.NewPath("speed"), *r.Speed, err.Error()))
			}
			return state, err
		}, nil
	case r.Paused != nil && *r.Paused:
		return s.Clock.Pause, nil
	case r.Paused != nil:
		return s.Clock.Resume, nil
	}
	return s.advance(*r.Advance)
}

func (s *Server) advance(r v1.ClockAdvanceRequest) (func(context.Context) (clock.State, error), error) {
	at := field.NewPath("advance")
	refused := func(at *field.Path, value any, do func(context.Context) (clock.State, error)) func(context.Context) (clock.State, error) {
		return func(ctx context.Context) (clock.State, error) {
			state, err := do(ctx)
			if errors.Is(err, clock.ErrBackwards) || errors.Is(err, clock.ErrTooFar) {
				err = invalid(field.Invalid(at, value, err.Error()))
			}
			return state, err
		}
	}
	switch {
	case count(r.By != nil, r.To != nil, r.ToNext != nil) != 1:
		return nil, invalid(field.Forbidden(at, "exactly one of by, to and toNext must be given"))
	case r.By != nil:
		d, err := clock.ParseDuration(*r.By)
		if err != nil {
			return nil, invalid(field.Invalid(at.Child("by"), *r.By, err.Error()))
		}
		return refused(at.Child("by"), *r.By, func(ctx context.Context) (clock.State, error) { return s.Clock.AdvanceBy(ctx, d) }), nil
	case r.To != nil:
		to := *r.To
		return refused(at.Child("to"), to.Format(time.RFC3339Nano), func(ctx context.Context) (clock.State, error) { return s.Clock.AdvanceTo(ctx, to) }), nil
	case !*r.ToNext:
		return nil, invalid(field.Invalid(at.Child("toNext"), false, "can only be true"))
	}
	return s.Clock.AdvanceToNext, nil
}

func count(given ...bool) (n int) {
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}

// answer runs an operation on the clock, waits for the end of an advance if the request asks to,
// and returns the clock.
func (s *Server) answer(ctx context.Context, waiting Waiting, showing Showing, do func(context.Context) (clock.State, error)) (v1.Clock, error) {
	wait, err := waiting.duration()
	if err != nil {
		return v1.Clock{}, err
	}
	state, err := do(ctx)
	if err == nil && wait > 0 && state.Advance.Phase == clock.Running {
		until, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		state, err = s.Clock.AwaitEnd(until)
	}
	var c v1.Clock
	if err == nil {
		c, err = s.show(ctx, state, showing.Due)
	}
	return c, clockFailure(err)
}

// clockFailure converts an error of the clock to one with a Status.
func clockFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, clock.ErrAdvancing):
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusConflict, Reason: metav1.StatusReasonConflict,
			Message: "the clock is advancing already: wait for it to arrive, or interrupt it",
		}}
	case pg.IsRetryable(err):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}

// show returns the clock as clients see it.
func (s *Server) show(ctx context.Context, state clock.State, shown int) (v1.Clock, error) {
	c := v1.Clock{Now: state.Now, Speed: state.Speed, Pace: state.Pace, Paused: state.Paused(), Due: []v1.ClockWork{}}
	if a := state.Advance; a.Phase != clock.Never {
		c.Advance = &v1.ClockAdvance{Phase: string(a.Phase), From: a.From, To: given(a.To), Ended: given(a.Ended), Steps: a.Steps}
	}
	due, err := s.Clock.Due(ctx, shown)
	if err != nil {
		return v1.Clock{}, err
	}
	for _, w := range due {
		c.Due = append(c.Due, s.work(w))
	}
	failing, total, err := s.Clock.Failing(ctx, shown)
	if err != nil {
		return v1.Clock{}, err
	}
	for _, w := range failing {
		c.Failing = append(c.Failing, s.work(w))
	}
	c.FailingCount = total
	if s.Stalled != nil {
		c.Stalled = s.Stalled()
	}
	return c, nil
}

// given returns nil for the zero time.
func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (s *Server) work(w clock.Work) v1.ClockWork {
	shown := v1.ClockWork{At: w.At, Controller: w.Controller, Namespace: w.Namespace, Name: w.Name, Attempts: w.Attempt}
	if k := s.Catalogue.ByResource(w.Resource); k != nil {
		shown.Kind = k.Kind
	}
	return shown
}
