package control_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...) }

// start is the cluster time at which the clocks of tests are paused.
var start = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

// server serves the operations over a database without due wakeups and without workers.
type server struct {
	http.Handler
	clock *clock.Clock
	pool  *pgxpool.Pool
}

func newServer(t testing.TB) server {
	t.Helper()
	pool := pgtest.New(t)
	c, err := clock.Open(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Set(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "DELETE FROM wakeups"); err != nil {
		t.Fatal(err)
	}
	router := chi.NewRouter()
	described := humachi.New(router, huma.Config{OpenAPI: &huma.OpenAPI{OpenAPI: "3.1.0", Components: route.NewComponents()}})
	control.New(control.Deps{Clock: c, Catalogue: builtin.Catalogue(), Status: api.Status, Heartbeat: 20 * time.Millisecond}).Register(described)
	return server{router, c, pool}
}

// do sends a request: "POST /clock?wait=1s" and a body.
func (s server) do(t *testing.T, request, body string) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	return s.send(t, method, path, "application/json", body)
}

// send sends a request with a body of the given media type.
func (s server) send(t *testing.T, method, path, media, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	req := httptest.NewRequestWithContext(t.Context(), method, "/rowlock/v1"+path, strings.NewReader(body))
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	s.ServeHTTP(w, req)
	return w
}

// shown returns the clock in the answer to a request.
func (s server) shown(t *testing.T, request, body string) (c v1.Clock) {
	t.Helper()
	w := s.do(t, request, body)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", request, body, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// step lets the advance under way take as many steps as it can.
func (s server) step(t *testing.T) {
	t.Helper()
	for {
		stepped, err := s.clock.Step(t.Context())
		if err != nil {
			t.Error(err)
		}
		if stepped.Outcome != "stepped" {
			return
		}
	}
}

func TestClock_Refusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, request, body string
		code                int
		reason              metav1.StatusReason
		message             string
	}{
		{"nothing", "POST /clock", `{}`, 422, metav1.StatusReasonInvalid, "clock: Forbidden: exactly one of speed, paused and advance must be given"},
		{"both", "POST /clock", `{"speed": 2, "paused": true}`, 422, metav1.StatusReasonInvalid, "clock: Forbidden: exactly one of speed, paused and advance must be given"},
		{"no body", "POST /clock", ``, 400, metav1.StatusReasonBadRequest, "cannot decode the body: EOF"},
		{"no JSON", "POST /clock", `speed: 2`, 400, metav1.StatusReasonBadRequest, "cannot decode the body: "},
		{"an unknown field", "POST /clock", `{"sped": 2}`, 400, metav1.StatusReasonBadRequest, `cannot decode the body: json: unknown field "sped"`},
		{"two bodies", "POST /clock", `{"speed": 2} {}`, 400, metav1.StatusReasonBadRequest, "the body has data after the JSON value"},
		{"a long body", "POST /clock", `{"speed": ` + strings.Repeat(" ", 70_000) + `2}`, 413, metav1.StatusReasonRequestEntityTooLarge, "Request entity too large: limit is 65536"},
		{"a text for a number", "POST /clock", `{"speed": "fast"}`, 400, metav1.StatusReasonBadRequest, "cannot decode the body: "},
		{"a negative speed", "POST /clock", `{"speed": -1}`, 422, metav1.StatusReasonInvalid, "speed: Invalid value: -1: a speed is 0, or from 0.001 to 100000"},
		{"a small speed", "POST /clock", `{"speed": 0.0001}`, 422, metav1.StatusReasonInvalid, "speed: Invalid value: 0.0001: a speed is 0, or from 0.001 to 100000"},
		{"a large speed", "POST /clock", `{"speed": 100001}`, 422, metav1.StatusReasonInvalid, "speed: Invalid value: 100001: a speed is 0, or from 0.001 to 100000"},
		{"how far", "POST /clock", `{"advance": {}}`, 422, metav1.StatusReasonInvalid, "advance: Forbidden: exactly one of by, to and toNext must be given"},
		{"how far, twice", "POST /clock", `{"advance": {"by": "1h", "toNext": true}}`, 422, metav1.StatusReasonInvalid, "advance: Forbidden: exactly one of by, to and toNext must be given"},
		{"no span", "POST /clock", `{"advance": {"by": "soon"}}`, 422, metav1.StatusReasonInvalid, `advance.by: Invalid value: "soon": "soon" is not a duration`},
		{"a negative span", "POST /clock", `{"advance": {"by": "-1h"}}`, 422, metav1.StatusReasonInvalid, `advance.by: Invalid value: "-1h": the clock does not go backwards`},
		{"a long span", "POST /clock", `{"advance": {"by": "40000d"}}`, 422, metav1.StatusReasonInvalid, `advance.by: Invalid value: "40000d": the clock does not go so far`},
		{
			"a time that has passed", "POST /clock", `{"advance": {"to": "2099-12-31T23:59:59Z"}}`, 422,
			metav1.StatusReasonInvalid, `advance.to: Invalid value: "2099-12-31T23:59:59Z": the clock does not go backwards`,
		},
		{"a time too far", "POST /clock", `{"advance": {"to": "9999-12-31T23:59:59Z"}}`, 422, metav1.StatusReasonInvalid, `advance.to: Invalid value: "9999-12-31T23:59:59Z": the clock does not go so far`},
		{"no time", "POST /clock", `{"advance": {"to": "tomorrow"}}`, 400, metav1.StatusReasonBadRequest, "cannot decode the body: "},
		{"not to the next", "POST /clock", `{"advance": {"toNext": false}}`, 422, metav1.StatusReasonInvalid, "advance.toNext: Invalid value: false: can only be true"},
		{"no wait", "GET /clock?wait=soon", ``, 422, metav1.StatusReasonInvalid, `wait: Invalid value: "soon": must be a duration from 0s to 1m`},
		{"a long wait", "GET /clock?wait=61s", ``, 422, metav1.StatusReasonInvalid, `wait: Invalid value: "61s": must be a duration from 0s to 1m`},
		{"a wait that is refused before anything is done", "POST /clock?wait=-1s", `{"paused": false}`, 422, metav1.StatusReasonInvalid, `wait: Invalid value: "-1s"`},
		{"no number", "GET /clock?due=all", ``, 422, metav1.StatusReasonInvalid, `due: Invalid value: "all": must be a number from 0 to 500`},
	}
	s := newServer(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := s.do(t, test.request, test.body)
			var status metav1.Status
			if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil {
				t.Fatalf("%d %s: %v", w.Code, w.Body, err)
			}
			if w.Code != test.code || status.Kind != "Status" || status.Status != metav1.StatusFailure || int(status.Code) != test.code ||
				status.Reason != test.reason || !strings.HasPrefix(status.Message, test.message) {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
	if c := s.shown(t, "GET /clock", ""); !c.Now.Equal(start) || !c.Paused || c.Advance != nil {
		t.Errorf("after all that the clock is %+v", c)
	}
}

// The content type of an HTML form is rejected; a body without a content type is read as JSON.
func TestContentType(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for media, code := range map[string]int{
		"application/json": 200, "Application/JSON; charset=utf-8": 200,
		"": 200, "text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data; boundary=a": 415,
		"text/plain; application/json": 415, "application/json, text/plain": 415,
	} {
		if w := s.send(t, "POST", "/clock", media, `{"paused": true}`); w.Code != code {
			t.Errorf("%q: %d %s; want %d", media, w.Code, w.Body, code)
		}
	}
}

// A pause keeps the speed, and resuming restores it.
func TestClock_SpeedAndPause(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	type state struct {
		Speed, Pace float64
		Paused      bool
	}
	for _, step := range []struct {
		body string
		want state
	}{
		{`{"speed": 60}`, state{60, 60, false}},
		{`{"paused": true}`, state{0, 60, true}},
		{`{"paused": true}`, state{0, 60, true}},
		{`{"paused": false}`, state{60, 60, false}},
		{`{"speed": 0}`, state{0, 60, true}},
		{`{"speed": 0.5}`, state{0.5, 0.5, false}},
		{`{"speed": 100000}`, state{100000, 100000, false}},
	} {
		before := s.clock.Now()
		c := s.shown(t, "POST /clock", step.body)
		if diff := cmp.Diff(step.want, state{c.Speed, c.Pace, c.Paused}); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", step.body, diff)
		}
		if step.want.Paused && !c.Now.Equal(s.shown(t, "GET /clock", "").Now) {
			t.Errorf("after %s the clock runs", step.body)
		}
		if c.Now.Before(start) || before.Sub(c.Now) > time.Minute { // the process's estimate of the time may be ahead by so much at that speed
			t.Errorf("after %s the clock went back from %v to %v", step.body, before, c.Now)
		}
	}
}

// An advance reports its progress; other operations are refused until it ends.
func TestClock_Advance(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := s.pool.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	const uid = "00000000-0000-4000-8000-000000000001"
	exec("INSERT INTO objects (uid, revision, terminating, resource, namespace, name) VALUES ($1, 1, false, 'pods', 'shop', 'web')", uid)
	exec(`INSERT INTO wakeups (due, cause, uid, attempt, controller) SELECT $1::timestamptz + i * interval '1 min', 0, $2, 0, 'kubelet'
		FROM generate_series(10, 12) AS i`, start, uid)
	exec("INSERT INTO wakeups (retry, cause, uid, attempt, controller) VALUES (clock_timestamp() + interval '1 h', 0, $1, 9, 'podgc')", uid)

	c := s.shown(t, "POST /clock?due=2", `{"advance": {"by": "1d"}}`)
	to := start.Add(24 * time.Hour)
	want := v1.Clock{
		Now: start, Pace: 1, Paused: true, Advance: &v1.ClockAdvance{Phase: "running", From: start, To: &to},
		Due:          []v1.ClockWork{{At: start.Add(10 * time.Minute), Controller: "kubelet", Kind: "Pod", Namespace: "shop", Name: "web"}},
		Failing:      []v1.ClockWork{{Controller: "podgc", Kind: "Pod", Namespace: "shop", Name: "web", Attempts: 9}},
		FailingCount: 1,
	}
	c.Failing[0].At = time.Time{}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("when it has begun (-want +got):\n%s", diff)
	}
	for _, body := range []string{`{"advance": {"by": "1s"}}`, `{"advance": {"toNext": true}}`, `{"speed": 2}`, `{"paused": true}`, `{"paused": false}`} {
		if w := s.do(t, "POST /clock", body); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "the clock is advancing already") {
			t.Errorf("%s meanwhile: %d %s", body, w.Code, w.Body)
		}
	}

	s.step(t)
	first := s.shown(t, "GET /clock?wait=10ms", "")
	if !first.Now.Equal(start.Add(10*time.Minute)) || first.Advance.Phase != "running" || first.Advance.Steps != 1 || first.Due[0].At.After(first.Now) {
		t.Errorf("with something due, the clock is %+v %+v", first, first.Advance)
	}
	exec("DELETE FROM wakeups WHERE due IS NOT NULL")
	go s.step(t)
	last := s.shown(t, "GET /clock?wait=10s&due=0", "")
	want = v1.Clock{
		Now: to, Pace: 1, Paused: true, Advance: &v1.ClockAdvance{Phase: "done", From: start, To: &to, Ended: &to, Steps: 2}, Due: []v1.ClockWork{}, FailingCount: 0,
	}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
}

// The clock runs as before after an advance that completes or is canceled.
func TestClock_ResumesAfterAdvance(t *testing.T) {
	t.Parallel()
	for _, before := range []string{`{"paused": true}`, `{"speed": 7}`} {
		for _, end := range []string{"done", "interrupted"} {
			t.Run(before+" "+end, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				was := s.shown(t, "POST /clock", before)
				begun := s.shown(t, "POST /clock", `{"advance": {"by": "1h"}}`)
				if begun.Speed != 0 || begun.Paused != was.Paused || begun.Advance.Phase != "running" {
					t.Errorf("while it advances, the clock is %+v", begun)
				}
				from := begun.Advance.From
				want := from.Add(time.Hour)
				if end == "done" {
					s.step(t)
				} else {
					want = from
					if c := s.shown(t, "DELETE /clock/advance", ""); c.Advance.Phase != "interrupted" {
						t.Errorf("interrupted, the clock is %+v", c)
					}
				}
				c := s.shown(t, "GET /clock", "")
				if c.Speed != was.Speed || c.Paused != was.Paused || c.Advance.Phase != end || !c.Advance.Ended.Equal(want) {
					t.Errorf("before, the clock was %+v, and afterwards %+v %+v", was, c, c.Advance)
				}
				again := s.shown(t, "DELETE /clock/advance", "")
				if again.Advance.Phase != end || !again.Advance.Ended.Equal(want) {
					t.Errorf("an advance that is over was interrupted: %+v", again.Advance)
				}
			})
		}
	}
}

// A watch of the clock sends it at once, and again when it changes.
func TestClock_Watch(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	web := httptest.NewServer(s)
	defer web.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+v1.ClockPath+"?watch=true&due=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewReader(res.Body)
	next := func() (c v1.Clock) {
		t.Helper()
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			if len(line) == 1 {
				continue // a heartbeat
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	if c := next(); !c.Paused || !c.Now.Equal(start) {
		t.Fatalf("the clock is first shown as %+v", c)
	}
	s.shown(t, "POST /clock", `{"speed":60}`)
	if c := next(); c.Paused || c.Speed != 60 {
		t.Errorf("after a change it is shown as %+v", c)
	}
	s.shown(t, "POST /clock", `{"paused":true}`)
	if c := next(); !c.Paused || c.Pace != 60 {
		t.Errorf("after another it is shown as %+v", c)
	}
	for silent := false; !silent; { // empty lines follow when nothing changes
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		silent = len(line) == 1
	}
}
