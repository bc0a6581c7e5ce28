package cluster_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// journal is a log in memory, safe for concurrent writes.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// TestOpen_WarnsOnceOfWhatLasts: while a worker cannot work, it fails repeatedly, as its metric
// shows, and warns once.
func TestOpen_WarnsOnceOfWhatLasts(t *testing.T) {
	t.Parallel()
	var log journal
	url := pgtest.NewURL(t)
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // the test is over
	if _, err := conn.Exec(t.Context(), "ALTER TABLE wakeups RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(metrics(replica), `rowlock_worker_failures_total{controller="kubelet"} 3`) {
		if time.Now().After(deadline) {
			t.Fatalf("the worker does not fail:\n%s", log.String())
		}
		time.Sleep(5 * time.Millisecond)
	}
	warnings := 0
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, `msg="a turn was rolled back" controller=kubelet `) {
			warnings++
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings, want 1:\n%s", warnings, log.String())
	}
}

// metrics returns what the replica exposes.
func metrics(replica *cluster.Cluster) string {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://127.0.0.1/metrics", nil)
	replica.Handler().ServeHTTP(w, r)
	return w.Body.String()
}
