package chaos_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/remotecommand"
)

// amount returns an environment variable that makes a test larger.
func amount(t *testing.T, name string, small int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return small
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, not a number above 0", name, text)
	}
	return n
}

// gauge returns a metric of the process.
func (a *target) gauge(name string) int64 {
	a.t.Helper()
	_, text := a.send(http.MethodGet, "/metrics", "")
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				a.t.Fatal(err)
			}
			return int64(n)
		}
	}
	a.t.Fatalf("the metrics have no %s", name)
	return 0
}

// rows returns the number that a query returns.
func (a *target) rows(sql string) (n int64) {
	a.t.Helper()
	conn, err := pgx.Connect(a.t.Context(), a.database)
	if err != nil {
		a.t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the query has succeeded or failed
	if err := conn.QueryRow(a.t.Context(), sql).Scan(&n); err != nil {
		a.t.Fatal(err)
	}
	return n
}

// boxes creates Pods to execute commands in.
func (a *target) boxes(n int) []string {
	a.t.Helper()
	boxes := names("box", n)
	for _, name := range boxes {
		a.createPod(name, "sleep infinity")
	}
	a.await("the Pods run", func(pods []corev1.Pod) bool { return started(pods, "box") == n })
	return boxes
}

// TestSessions_LeaveNothing: after ROWLOCK_EXECS commands the process has no more goroutines and
// the database no more rows than after a few, and the Pods remember no more.
func TestSessions_LeaveNothing(t *testing.T) {
	a := newTarget(t)
	boxes, r := a.boxes(4), a.replicas[0]
	run := func(n int) {
		var clients sync.WaitGroup
		for i := range 4 {
			clients.Go(func() {
				for j := i; j < n; j += 4 {
					if got := r.output(t.Context(), boxes[j%len(boxes)], fmt.Sprintf("echo %d", j)); got != fmt.Sprintln(j) {
						t.Errorf("command %d has written %q", j, got)
					}
				}
			})
		}
		clients.Wait()
	}
	run(12)
	goroutines, sessions, memories := a.gauge("go_goroutines"), a.rows("SELECT count(*) FROM sessions"), a.rows("SELECT sum(octet_length(state)) FROM memories")
	n := amount(t, "ROWLOCK_EXECS", 100)
	run(n)
	const tolerated = 20 // requests that are just ending, and connections that are kept
	eventually(t, "the goroutines of sessions end", func() bool { return a.gauge("go_goroutines") <= goroutines+tolerated })
	if left := a.rows("SELECT count(*) FROM sessions"); left > sessions {
		t.Errorf("%d sessions are noted after %d commands, %d before", left, n, sessions)
	}
	after := a.rows("SELECT sum(octet_length(state)) FROM memories")
	t.Logf("%d commands: %d goroutines, then %d; %d bytes are remembered, then %d", n, goroutines, a.gauge("go_goroutines"), memories, after)
	if after > memories+4<<10 {
		t.Errorf("%d bytes are remembered after %d commands, %d before", after, n, memories)
	}
}

// lazy is a client that reads one piece at a time, with pauses.
type lazy struct {
	bytes int
	piece func()
}

func (l *lazy) Write(b []byte) (int, error) {
	l.bytes += len(b)
	l.piece()
	return len(b), nil
}

// TestSessions_MuchOutput: a command writes ROWLOCK_OUTPUT_MB; while its client reads slowly, the
// process and the database hold a bounded part, and all of it arrives.
func TestSessions_MuchOutput(t *testing.T) {
	a := newTarget(t)
	a.boxes(1)
	size := amount(t, "ROWLOCK_OUTPUT_MB", 10) << 20
	before, cpu, from, most, pieces := a.memory(), a.gauge("process_cpu_seconds_total"), time.Now(), int64(0), 0
	client := &lazy{}
	client.piece = func() {
		if pieces++; pieces%50 == 1 {
			most = max(most, a.rows("SELECT max(octet_length(state)) FROM memories"))
		}
	}
	err := a.replicas[0].execute(t.Context(), "box-1", fmt.Sprintf("yes 'some words of a line' | head -c %d", size), false, remotecommand.StreamOptions{Stdout: client, Stderr: io.Discard})
	grown := a.memory() - before
	t.Logf("%d MB in %s, with %d s of CPU time: the process has grown by %d MB, a Pod remembers %d KB at most", size>>20,
		time.Since(from).Round(100*time.Millisecond), a.gauge("process_cpu_seconds_total")-cpu, grown>>20, most>>10)
	if err != nil || client.bytes != size {
		t.Errorf("%d of %d bytes arrived: %v", client.bytes, size, err)
	}
	if most > 1<<20 || grown > 256<<20 {
		t.Errorf("the process has grown by %d MB, and the Pod remembers %d KB", grown>>20, most>>10)
	}
}

// TestSessions_IdleOnes: ROWLOCK_IDLE_SESSIONS idle terminals cost no turns and no database
// connections, and end with their clients.
func TestSessions_IdleOnes(t *testing.T) {
	a := newTarget(t)
	n := amount(t, "ROWLOCK_IDLE_SESSIONS", 40)
	boxes := a.boxes((n + 39) / 40)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	before, goroutines := a.memory(), a.gauge("go_goroutines")
	connections := "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
	were := a.rows(connections)
	var sessions sync.WaitGroup
	for i := range n {
		seen, in := &screen{}, make(chan struct{})
		context.AfterFunc(ctx, func() { close(in) })
		sessions.Go(func() {
			_ = a.replicas[0].execute(ctx, boxes[i/40], "echo ready; exec sh", true, remotecommand.StreamOptions{Stdin: silence(in), Stdout: seen})
		})
		seen.await(t, "ready")
	}
	visits := "SELECT coalesce(sum(n_tup_upd + n_tup_hot_upd), 0) FROM pg_stat_user_tables WHERE relname = 'memories'"
	written, cpu, from := a.rows(visits), a.gauge("process_cpu_seconds_total"), time.Now()
	time.Sleep(time.Duration(amount(t, "ROWLOCK_IDLE_SECONDS", 0)) * time.Second) // to measure their cost
	grown := (a.memory() - before) / int64(n)
	t.Logf("%d idle sessions: %d KB each, %d goroutines each, %d more connections; %d s of CPU time and %d memories written in %s", n, grown>>10,
		(a.gauge("go_goroutines")-goroutines)/int64(n), a.rows(connections)-were, a.gauge("process_cpu_seconds_total")-cpu, a.rows(visits)-written, time.Since(from).Round(time.Second))
	if noted := a.rows("SELECT count(*) FROM sessions"); noted != int64(n) {
		t.Errorf("%d of %d sessions are noted", noted, n)
	}
	if more := a.rows(connections) - were; more > 20 {
		t.Errorf("%d sessions have opened %d connections", n, more)
	}
	leave()
	sessions.Wait()
	eventually(t, "the sessions end", func() bool {
		return a.rows("SELECT count(*) FROM sessions") == 0 && a.gauge("go_goroutines") <= goroutines+20
	})
}

// silence is an input without data until it ends.
type silence chan struct{}

func (s silence) Read([]byte) (int, error) {
	<-s
	return 0, io.EOF
}
