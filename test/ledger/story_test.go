package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/migrations"
)

// The size of the story.
const (
	pods       = 500
	jobs       = 100
	configMaps = 500
)

// start is the time of the whole story.
var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// story is a cluster whose clock is paused and whose workers take turns one by one, on a PostgreSQL
// of its own, because WAL is counted per server.
type story struct {
	*testing.T
	url     string
	pool    *pgxpool.Pool // not the cluster's
	cluster *cluster.Cluster
	tracer  *tracer
	counts  map[string]float64 // of the chapters played so far
}

func newStory(t *testing.T) *story {
	t.Helper()
	database, err := server.Start(t.Context(), server.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Stop(context.WithoutCancel(t.Context())) })
	separator := "?"
	if strings.Contains(database.URL(), "?") {
		separator = "&"
	}
	// Turns may take their time on a slow machine.
	s := &story{T: t, url: database.URL() + separator + "idle_in_transaction_session_timeout=0", counts: map[string]float64{}}
	if s.pool, err = pg.Open(t.Context(), pg.Config{URL: s.url, MaxConns: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.pool.Close)
	// The server's vacuums would be counted as WAL, whenever they happen.
	s.exec("ALTER SYSTEM SET autovacuum = off")
	s.exec("SELECT pg_reload_conf()")
	if err := pg.Migrate(t.Context(), s.pool, migrations.FS); err != nil {
		t.Fatal(err)
	}
	still, err := clock.Open(t.Context(), s.pool)
	if err != nil {
		t.Fatal(err)
	}
	if err := still.Set(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	s.open()
	s.settle()
	s.close()
	s.open()
	return s
}

func (s *story) exec(sql string) {
	s.Helper()
	if _, err := s.pool.Exec(s.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		s.Fatal(err)
	}
}

func (s *story) open() {
	s.Helper()
	s.tracer = &tracer{}
	var err error
	s.cluster, err = cluster.Open(s.Context(), cluster.Config{
		DatabaseURL: s.url, Nodes: 10, Stepped: true, Tracer: s.tracer, Log: slog.New(slog.NewTextHandler(s.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		s.Fatal(err)
	}
	for _, w := range s.cluster.Workers() {
		w.Real = func() (still time.Time) { return still } // no turn is cut short, however slow the machine is
	}
}

// close ends the cluster, and returns when PostgreSQL has counted the work of its sessions.
func (s *story) close() {
	s.Helper()
	s.cluster.Close()
	for n := 1; n > 0; {
		if err := s.pool.QueryRow(s.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()").Scan(&n); err != nil {
			s.Fatal(err)
		}
	}
}

// context returns the context of the story's requests and turns, by which the tracer recognises
// their statements.
func (s *story) context() context.Context { return context.WithValue(s.Context(), ofStory{}, true) }

// settle makes the workers take turns until none has anything to do.
func (s *story) settle() {
	s.Helper()
	for idle := false; !idle; {
		idle = true
		for _, w := range s.cluster.Workers() {
			for {
				before := s.tracer.sent()
				turn, err := w.Turn(s.context())
				if err != nil {
					s.Fatalf("%s: %v", w.Name(), err)
				}
				if len(turn.Claims) == 0 {
					s.tracer.forget(before) // looking for work costs the same whether or not there was any
					break
				}
				idle = false
			}
		}
	}
}

// request sends a request to the replica, without a network.
func (s *story) request(method, path, body string) {
	s.Helper()
	r := httptest.NewRequestWithContext(s.context(), method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	w := httptest.NewRecorder()
	s.cluster.Handler().ServeHTTP(w, r)
	if w.Code >= http.StatusMultipleChoices {
		s.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
}

// moment is what has been used up to a moment of the story.
type moment struct {
	revision         int64
	wal              float64 // bytes
	encoded, decoded int64
	memory           runtime.MemStats
	sent             sent
}

func (s *story) now() (m moment) {
	s.Helper()
	if err := s.pool.QueryRow(s.Context(), "SELECT value, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 FROM revision").Scan(&m.revision, &m.wal); err != nil {
		s.Fatal(err)
	}
	m.encoded, m.decoded, m.sent = object.Encodes(), object.Decodes(), s.tracer.sent()
	runtime.ReadMemStats(&m.memory)
	return m
}

// tell plays a chapter about n objects until nothing is left to do, and counts its cost.
func (s *story) tell(chapter string, n int, play func()) {
	s.Helper()
	before := s.now()
	play()
	s.settle()
	after := s.now()
	for count, v := range map[string]float64{
		"WAL kB":               (after.wal - before.wal) / 1000,
		"bodies encoded":       float64(after.encoded - before.encoded),
		"bodies decoded":       float64(after.decoded - before.decoded),
		"allocations each":     float64(after.memory.Mallocs-before.memory.Mallocs) / float64(n),
		"kB allocated each":    float64(after.memory.TotalAlloc-before.memory.TotalAlloc) / 1000 / float64(n),
		"round trips":          float64(after.sent.roundTrips - before.sent.roundTrips),
		"statements":           float64(after.sent.statements - before.sent.statements),
		"transactions' writes": float64(after.sent.applies - before.sent.applies),
	} {
		s.counts[chapter+": "+count] = v
	}
	s.countLog(chapter, before.revision, after.revision)
}

// countLog counts the rows of the log after one revision, up to another, and the bytes of their
// bodies.
func (s *story) countLog(chapter string, after, last int64) {
	s.Helper()
	rows, err := s.pool.Query(s.Context(), `
		SELECT CASE WHEN resource IN ('pods', 'events', 'jobs.batch', 'configmaps') THEN resource ELSE 'other kinds' END, count(*)::float8,
			coalesce(sum(octet_length(body::text)), 0)::float8
		FROM log WHERE revision > $1 AND revision <= $2 GROUP BY 1`, after, last)
	if err != nil {
		s.Fatal(err)
	}
	var resource string
	var n, size float64
	if _, err := pgx.ForEachRow(rows, []any{&resource, &n, &size}, func() error {
		s.counts[chapter+": log rows of "+resource] = n
		s.counts[chapter+": kB of bodies"] += size / 1000
		return nil
	}); err != nil {
		s.Fatal(err)
	}
}

const namespace = "/namespaces/default"

// play plays the whole story. The steps of a chapter are sequential, so that each write is a
// transaction.
func (s *story) play() {
	s.Helper()
	tables := s.tables()
	const deployments = "/apis/apps/v1" + namespace + "/deployments"
	s.tell("deployment created", pods, func() {
		s.request("POST", deployments, compact(s.T, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":%d,
			"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"terminationGracePeriodSeconds":0,
			"containers":[{"name":"main","image":"nginx:1.14.2"}]}}}}`, pods))
	})
	s.tell("deployment rolled", pods, func() {
		s.request("PATCH", deployments+"/web", `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.16.1"}]}}}}`)
	})
	s.tell("deployment deleted", pods, func() {
		s.request("DELETE", deployments+"/web?propagationPolicy=Foreground", "")
	})
	s.tell("jobs run", jobs, func() {
		for i := range jobs {
			s.request("POST", "/apis/batch/v1"+namespace+"/jobs", compact(s.T, `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"task-%d"},"spec":{"template":{"spec":{
				"restartPolicy":"Never","containers":[{"name":"main","image":"busybox:1.28","command":["true"]}]}}}}`, i))
		}
	})
	const maps = "/api/v1" + namespace + "/configmaps"
	const configMap = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings-%d","labels":{"app":"web"}},"data":{"state":"%s","some":"forty bytes or so, as small settings have"}}`
	s.tell("configmaps created", configMaps, func() {
		for i := range configMaps {
			s.request("POST", maps, compact(s.T, configMap, i, "created"))
		}
	})
	s.tell("configmaps updated", configMaps, func() {
		for i := range configMaps {
			s.request("PUT", fmt.Sprintf("%s/settings-%d", maps, i), compact(s.T, configMap, i, "updated"))
		}
	})
	s.tell("configmaps deleted", configMaps, func() {
		for i := range configMaps {
			s.request("DELETE", fmt.Sprintf("%s/settings-%d", maps, i), "")
		}
	})
	s.close()
	for name, n := range s.tables() {
		if n > tables[name] {
			s.counts["story: "+name] = n - tables[name]
		}
	}
}

// compact returns JSON without the spaces that make it readable here.
func compact(t *testing.T, format string, args ...any) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, fmt.Appendf(nil, format, args...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tables returns how many rows of each table have been written, by sessions that have ended.
func (s *story) tables() map[string]float64 {
	s.Helper()
	s.exec("SELECT pg_stat_force_next_flush()")
	rows, err := s.pool.Query(s.Context(), "SELECT relname, n_tup_ins::float8, n_tup_upd::float8, n_tup_del::float8, n_tup_upd - n_tup_hot_upd::float8 FROM pg_stat_user_tables")
	if err != nil {
		s.Fatal(err)
	}
	all := map[string]float64{}
	var table string
	var inserted, updated, deleted, cold float64
	if _, err := pgx.ForEachRow(rows, []any{&table, &inserted, &updated, &deleted, &cold}, func() error {
		all["rows inserted into "+table], all["rows updated in "+table], all["rows deleted from "+table] = inserted, updated, deleted
		all["updates of "+table+" that are not heap-only"] = cold
		return nil
	}); err != nil {
		s.Fatal(err)
	}
	return all
}
