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

// shownWork is how much of what is due, or fails, is shown unless the client asks for another number; most is how much may be.
const shownWork, mostWork = 10, 500

func (s *Server) operations() []operation {
	wait := &huma.Param{
		Name: "wait", In: "query", Schema: &huma.Schema{Type: "string"},
		Description: "How long, in real time and up to 1m, to hold the answer back while an advance is under way, such as 30s.",
	}
	due := &huma.Param{
		Name: "due", In: "query", Schema: &huma.Schema{Type: "integer"},
		Description: "How much of what is due, and of what fails, to list; 10 if not given.",
	}
	return []operation{
		{
			method: http.MethodGet, path: v1.ClockPath, id: "getRowlockV1Clock", summary: "read the cluster's clock",
			description: "With watch=true the clock is sent as it is, and again whenever it has been changed, each time as a line of JSON: what becomes due and what is done changes nothing " +
				"of it. An empty line is sent each minute.",
			query:  []*huma.Param{wait, due, param("watch", "boolean", "Send the clock whenever it has been changed.")},
			answer: v1.Clock{}, serve: s.serveClock,
		},
		{
			method: http.MethodPost, path: v1.ClockPath, id: "setRowlockV1Clock", summary: "pause, resume, speed up or advance the cluster's clock",
			description: "An advance goes on when the request ends; ask for the clock to see how far it is. While one is under way, everything else is refused with 409.",
			query:       []*huma.Param{wait, due}, body: v1.ClockRequest{}, answer: v1.Clock{},
			serve: s.post,
		},
		{
			method: http.MethodDelete, path: v1.AdvancePath, id: "interruptRowlockV1ClockAdvance", summary: "interrupt the advance under way",
			description: "The clock stays where it has come to, and runs or stands still as before the advance. Without an advance nothing happens.",
			query:       []*huma.Param{due}, answer: v1.Clock{},
			serve: func(_ http.ResponseWriter, req *http.Request) (any, error) { return s.answer(req, s.Clock.Interrupt) },
		},
	}
}

func (s *Server) post(w http.ResponseWriter, req *http.Request) (any, error) {
	var r v1.ClockRequest
	if err := readJSON(w, req, &r); err != nil {
		return nil, err
	}
	change, err := s.change(r)
	if err != nil {
		return nil, err
	}
	return s.answer(req, change)
}

// change is what a request asks for.
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

// answer does something with the clock, waits for the end of an advance as long as the request says, and tells how the clock is then.
func (s *Server) answer(req *http.Request, do func(context.Context) (clock.State, error)) (any, error) {
	ctx := req.Context()
	wait, err := waitOf(req)
	if err != nil {
		return nil, err
	}
	shown, err := countOf(req, "due", shownWork, mostWork)
	if err != nil {
		return nil, err
	}
	state, err := do(ctx)
	if err == nil && wait > 0 && state.Advance.Phase == clock.Running {
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		state, err = s.Clock.AwaitEnd(waiting)
	}
	var c v1.Clock
	if err == nil {
		c, err = s.show(ctx, state, shown)
	}
	return c, failure(err)
}

// failure makes an error of the clock one that says its own Status.
func failure(err error) error {
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

// show is the clock as clients see it.
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

// given is a time, nil for the zero time.
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
