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

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/pg"
)

// ClockPath is where the clock is served, AdvancePath where the advance under way is.
const (
	ClockPath   = "/rowlock/v1/clock"
	AdvancePath = ClockPath + "/advance"
)

// Clock is the cluster's clock.
type Clock struct {
	Now     time.Time `json:"now" doc:"What the clock shows."`
	Speed   float64   `json:"speed" doc:"How many times as fast as real time it runs now; 0 while it stands still."`
	Pace    float64   `json:"pace" doc:"How fast it runs when it runs: what it goes back to after a pause."`
	Paused  bool      `json:"paused" doc:"Whether somebody has made it stand still. An advance lets go of it when it ends."`
	Advance *Advance  `json:"advance,omitempty" doc:"The advance under way, or the last."`
	Due     []Work    `json:"due" doc:"What is due next, or already, in order: the first few."`
	Failing []Work    `json:"failing,omitempty" doc:"Looks that have failed and are tried again in real time: those that failed most often."`
	// FailingCount is the number of all of them.
	FailingCount int `json:"failingCount,omitempty" doc:"How many such looks there are altogether."`
	// Stalled is the controllers of this replica that do not get on.
	Stalled []Stalled `json:"stalled,omitempty" doc:"The controllers of the replica that answers which have had work for a minute and not got on with any of it."`
}

// OpenAPIModelName names the schema.
func (Clock) OpenAPIModelName() string { return "rowlock.v1.Clock" }

// Stalled is a controller that does not get on.
type Stalled struct {
	Controller string `json:"controller" doc:"Its name."`
	Seconds    int64  `json:"seconds" doc:"For how long it has had work and not got on with any of it, in real time."`
}

// OpenAPIModelName names the schema.
func (Stalled) OpenAPIModelName() string { return "rowlock.v1.StalledController" }

// Advance is a run of the clock from one thing that is due to the next.
type Advance struct {
	Phase string     `json:"phase" enum:"running,done,interrupted" doc:"How far it is."`
	From  time.Time  `json:"from" doc:"Where the clock stood before."`
	To    *time.Time `json:"to,omitempty" doc:"Where it is to come to; absent while that is the next thing due, which is not known before all that is due now is done."`
	Ended *time.Time `json:"ended,omitempty" doc:"Where it came to; absent while it runs."`
	Steps int64      `json:"steps" doc:"How many times the clock has been set forward."`
}

// OpenAPIModelName names the schema.
func (Advance) OpenAPIModelName() string { return "rowlock.v1.ClockAdvance" }

// Work is something that a controller will look at.
type Work struct {
	At         time.Time `json:"at" doc:"When, by the cluster's clock; for what has failed, in real time."`
	Controller string    `json:"controller" doc:"Who will look."`
	Kind       string    `json:"kind,omitempty" doc:"The object's kind; absent for a look that is not at an object."`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name" doc:"The object's name, or that of the lock under which the look is taken."`
	Attempts   int       `json:"attempts,omitempty" doc:"How often the look has failed."`
}

// OpenAPIModelName names the schema.
func (Work) OpenAPIModelName() string { return "rowlock.v1.ClockWork" }

// ClockRequest says what the clock is to do: exactly one thing.
type ClockRequest struct {
	Speed   *float64        `json:"speed,omitempty" doc:"Run so many times as fast as real time, 0.001 to 100000; 0 is to stand still."`
	Paused  *bool           `json:"paused,omitempty" doc:"true: stand still. false: run at the pace that it had."`
	Advance *AdvanceRequest `json:"advance,omitempty" doc:"Advance, and run or stand still afterwards as before."`
}

// OpenAPIModelName names the schema.
func (ClockRequest) OpenAPIModelName() string { return "rowlock.v1.ClockRequest" }

// AdvanceRequest says how far the clock is to advance: exactly one of its fields.
type AdvanceRequest struct {
	By     *string    `json:"by,omitempty" doc:"A span of time, such as 90s, 36h, 1d or 2d12h; 0s is until all is done that is due now."`
	To     *time.Time `json:"to,omitempty" doc:"A time that has not passed."`
	ToNext *bool      `json:"toNext,omitempty" doc:"true: to the next time at which something is due."`
}

// OpenAPIModelName names the schema.
func (AdvanceRequest) OpenAPIModelName() string { return "rowlock.v1.ClockAdvanceRequest" }

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
			method: http.MethodGet, path: ClockPath, id: "getRowlockV1Clock", summary: "read the cluster's clock",
			description: "With watch=true the clock is sent as it is, and again whenever it has been changed, each time as a line of JSON: what becomes due and what is done changes nothing " +
				"of it. An empty line is sent each minute.",
			query:  []*huma.Param{wait, due, param("watch", "boolean", "Send the clock whenever it has been changed.")},
			answer: Clock{}, serve: s.serveClock,
		},
		{
			method: http.MethodPost, path: ClockPath, id: "setRowlockV1Clock", summary: "pause, resume, speed up or advance the cluster's clock",
			description: "An advance goes on when the request ends; ask for the clock to see how far it is. While one is under way, everything else is refused with 409.",
			query:       []*huma.Param{wait, due}, body: ClockRequest{}, answer: Clock{},
			serve: s.post,
		},
		{
			method: http.MethodDelete, path: AdvancePath, id: "interruptRowlockV1ClockAdvance", summary: "interrupt the advance under way",
			description: "The clock stays where it has come to, and runs or stands still as before the advance. Without an advance nothing happens.",
			query:       []*huma.Param{due}, answer: Clock{},
			serve: func(_ http.ResponseWriter, req *http.Request) (any, error) { return s.answer(req, s.Clock.Interrupt) },
		},
	}
}

func (s *Server) post(w http.ResponseWriter, req *http.Request) (any, error) {
	var r ClockRequest
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
func (s *Server) change(r ClockRequest) (func(context.Context) (clock.State, error), error) {
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

func (s *Server) advance(r AdvanceRequest) (func(context.Context) (clock.State, error), error) {
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
	var c Clock
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
func (s *Server) show(ctx context.Context, state clock.State, shown int) (Clock, error) {
	c := Clock{Now: state.Now, Speed: state.Speed, Pace: state.Pace, Paused: state.Paused(), Due: []Work{}}
	if a := state.Advance; a.Phase != clock.Never {
		c.Advance = &Advance{Phase: string(a.Phase), From: a.From, To: given(a.To), Ended: given(a.Ended), Steps: a.Steps}
	}
	due, err := s.Clock.Due(ctx, shown)
	if err != nil {
		return Clock{}, err
	}
	for _, w := range due {
		c.Due = append(c.Due, s.work(w))
	}
	failing, total, err := s.Clock.Failing(ctx, shown)
	if err != nil {
		return Clock{}, err
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

func (s *Server) work(w clock.Work) Work {
	shown := Work{At: w.At, Controller: w.Controller, Namespace: w.Namespace, Name: w.Name, Attempts: w.Attempt}
	if k := s.Catalogue.ByResource(w.Resource); k != nil {
		shown.Kind = k.Kind
	}
	return shown
}
