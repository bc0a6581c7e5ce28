package podclient

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	hints "github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// pod is the caller in these tests.
const pod = "00000000-0000-4000-8000-000000000001"

// replica makes a server of its own over a database.
func replica(pool *pgxpool.Pool, number int32, h http.HandlerFunc) *Server {
	log := slog.New(slog.DiscardHandler)
	s := New(store.New(pool, builtin.Catalogue(), wakeup.NewRouter(nil), store.Config{Replica: number}, nil, log), func(time.Time) time.Duration { return 0 }, "", log)
	s.Handler, s.Presences = h, hints.NewHints(pool, log).Presences
	return s
}

// post posts calls to the API server, numbered from 1, of an existing Pod.
func post(t *testing.T, pool *pgxpool.Pool, n int) {
	t.Helper()
	q, err := json.Marshal(emulator.Query{Kind: emulator.QueryHTTP, TLS: true, Method: "GET", Host: "kubernetes", Path: "/version", From: "10.244.0.2"})
	if err == nil {
		_, err = pool.Exec(t.Context(), `INSERT INTO objects (uid, revision, terminating, resource, namespace, name) VALUES ($1, 1, false, 'pods', 'default', 'p')`, pod)
	}
	if err == nil {
		_, err = pool.Exec(t.Context(), `INSERT INTO calls (caller, number, callee, at, query) SELECT $1, i, $2, now(), $3 FROM generate_series(1, $4::int) AS i`, pod, plan.APIServer, q, n)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// answers returns how many calls have each answer: a status or an outcome.
func answers(t *testing.T, pool *pgxpool.Pool) map[string]int {
	t.Helper()
	rows, err := pool.Query(t.Context(), "SELECT answer FROM calls")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var encoded []byte
		var a emulator.Answer
		if err := rows.Scan(&encoded); err != nil {
			t.Fatal(err)
		}
		if encoded != nil {
			if err := json.Unmarshal(encoded, &a); err != nil {
				t.Fatal(err)
			}
		}
		all[fmt.Sprintf("%d%s", a.Status, a.Outcome)]++
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return all
}

// TestServer_ExecutesOnce: one of several replicas executes each request, and the Pod is woken for
// the answer.
func TestServer_ExecutesOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	post(t, pool, 30)
	var executed atomic.Int32
	var working sync.WaitGroup
	for n := range int32(3) {
		s := replica(pool, n+1, func(w http.ResponseWriter, req *http.Request) {
			if !auth.FromPod(req.Context()) || req.RemoteAddr == "" || req.Host != "kubernetes" {
				w.WriteHeader(http.StatusTeapot)
			}
			executed.Add(1)
		})
		working.Go(func() {
			for n, err := s.Turn(t.Context()); n > 0 || err != nil; n, err = s.Turn(t.Context()) {
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	working.Wait()
	if got := executed.Load(); got != 30 {
		t.Errorf("%d requests are executed, want 30", got)
	}
	if diff := cmp.Diff(map[string]int{"200": 30}, answers(t, pool)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	var wakeups int
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM wakeups WHERE uid = $1 AND controller = 'kubelet'", pod).Scan(&wakeups); err != nil || wakeups == 0 {
		t.Errorf("the Pod is woken %d times, error %v", wakeups, err)
	}
}

// TestServer_DiesInTheMiddle: requests taken by a replica that is gone are never executed again.
// Their clients find the connection reset, once the replica was missing three times in a row.
func TestServer_DiesInTheMiddle(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	post(t, pool, 3)
	dead, alive := replica(pool, 1, nil), replica(pool, 2, func(http.ResponseWriter, *http.Request) { t.Error("a request is executed") })
	if taken, err := dead.take(t.Context(), 2); len(taken) != 2 || err != nil {
		t.Fatalf("taken %v, error %v", taken, err)
	}
	if _, err := alive.Store.TakeAPICalls(t.Context(), 1); err != nil { // and the database's answer is lost
		t.Fatal(err)
	}
	for _, want := range []map[string]int{{"0": 2, "0reset": 1}, {"0": 2, "0reset": 1}, {"0reset": 3}} {
		if _, err := alive.look(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, answers(t, pool)); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
	}
	if n, err := alive.Turn(t.Context()); n != 0 || err != nil {
		t.Errorf("%d are left to execute, error %v", n, err)
	}
}

// TestServer_RestsWithoutWriting: a replica without requests reads once in half a minute, until it
// is woken. It reads more often while requests are under way, at any replica, and sleeps until one
// arrives.
func TestServer_RestsWithoutWriting(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	resting, sent := counted(t, pool)
	s := replica(resting, 2, nil)
	s.Until = func(time.Time) time.Duration { return 10 * time.Second }
	look := func(now step) (next step) {
		t.Helper()
		_, next, err := s.step(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	idle := look(step{})
	if n := sent.Load(); n != 1 || idle.pause != sweep || idle.take {
		t.Errorf("a sweep takes %d queries, and then waits for %s: %+v", n, idle.pause, idle)
	}
	s.ClockChanged()
	if len(s.signal) > 0 {
		t.Error("a change of the clock wakes it, though it waits for no time")
	}

	post(t, pool, 2)
	move := func(number int, by time.Duration) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), "UPDATE calls SET due = now() + $2 WHERE number = $1", number, by); err != nil {
			t.Fatal(err)
		}
	}
	move(1, time.Hour)
	move(2, time.Hour)
	if next := look(idle); !next.take || next.pause != 10*time.Second+time.Millisecond {
		t.Errorf("it waits %s for a request that arrives in ten seconds: %+v", next.pause, next)
	}
	if s.ClockChanged(); len(s.signal) == 0 {
		t.Error("a change of the clock does not wake it, though it waits for a time")
	}
	move(1, -time.Second)
	if taken, err := replica(pool, 1, nil).take(t.Context(), 8); len(taken) != 1 || err != nil {
		t.Fatalf("another replica takes %d, %v", len(taken), err)
	}
	if next := look(idle); next.pause != poll {
		t.Errorf("it looks again after %s while another replica has one", next.pause)
	}
}

// counted returns a read-only pool, and the count of its statements.
func counted(t *testing.T, pool *pgxpool.Pool) (*pgxpool.Pool, *statements) {
	t.Helper()
	config := pool.Config()
	sent := &statements{}
	config.ConnConfig.Tracer, config.ConnConfig.ValidateConnect = sent, nil
	config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	reading, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(reading.Close)
	return reading, sent
}

// statements counts statements.
type statements struct{ atomic.Int32 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestServe: how a request is converted, and its answer.
func TestServe(t *testing.T) {
	t.Parallel()
	const ours, theirs = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n"
	s := &Server{Authorities: ours, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/large":
			_, _ = w.Write(make([]byte, mostBody))
			_, _ = w.Write([]byte{1}) // it reports that no more fits
		case "/panics":
			panic(http.ErrAbortHandler)
		case "/watch":
			_, _ = w.Write([]byte("begun"))
			<-req.Context().Done()
		default:
			w.Header().Set("X-Seen", req.Method+" "+req.Host+" "+req.URL.RawQuery+" "+req.Header.Get("Authorization")+req.Header.Get("Upgrade")+req.RemoteAddr)
			w.WriteHeader(http.StatusCreated)
		}
	})}
	seen := func(what string) emulator.Answer {
		return emulator.Answer{Status: 201, Header: []string{"Content-Length: 0", "X-Seen: " + what}}
	}
	tests := map[string]struct {
		q    emulator.Query
		want emulator.Answer
	}{
		"all of it": {
			emulator.Query{
				Method: "POST", Host: "h", Path: "/a?b=c", ID: 7, From: "10.0.0.9",
				Header: []string{"authorization: Bearer x", "Upgrade: SPDY/3.1", "Connection: Upgrade"},
			},
			seen("POST h b=c Bearer x10.0.0.9:32775"),
		},
		"an invalid method":          {emulator.Query{Method: "G T", Path: "/"}, emulator.Answer{Status: 400}},
		"an invalid path":            {emulator.Query{Method: "GET", Path: "http://other/"}, emulator.Answer{Status: 400}},
		"a header with a line break": {emulator.Query{Method: "GET", Path: "/", Header: []string{"a: b\r\nc: d"}}, emulator.Answer{Status: 400}},
		"too large":                  {emulator.Query{Method: "GET", Path: "/large"}, emulator.Answer{Status: 500}},
		"cut off":                    {emulator.Query{Method: "GET", Path: "/panics"}, emulator.Answer{Outcome: emulator.OutcomeReset}},
		"a watch":                    {emulator.Query{Method: "GET", Path: "/watch?watch=1"}, emulator.Answer{Status: 200, Body: "begun"}},
		"a known authority":          {emulator.Query{Method: "GET", Host: "kubernetes.default.svc:443", Path: "/", Verify: true, Roots: theirs + ours}, seen("GET kubernetes.default.svc:443  :32768")},
		"an unknown authority":       {emulator.Query{Method: "GET", Host: "kubernetes", Path: "/", Verify: true, Roots: theirs}, emulator.Answer{Outcome: emulator.OutcomeIssuer}},
		"another name":               {emulator.Query{Method: "GET", Host: "api.example.com", Path: "/", Verify: true, Roots: ours}, emulator.Answer{Outcome: emulator.OutcomeName}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded, err := json.Marshal(tt.q)
			if err != nil {
				t.Fatal(err)
			}
			got := s.serve(t.Context(), store.APICall{Query: encoded})
			if got.Status == 400 || got.Status == 500 {
				got.Header, got.Body = nil, ""
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
	if a := encode(emulator.Answer{Body: emulator.Text(strings.Repeat("<", mostBody))}); len(a) > mostAnswer {
		t.Errorf("an answer has %d bytes as it is encoded", len(a))
	}
}
