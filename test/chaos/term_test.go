package chaos_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// terminate sends SIGTERM, waits for the end of the process, and returns its exit code.
func (r *replica) terminate() (code int) {
	r.t.Helper()
	r.signal(syscall.SIGTERM)
	r.mu.Lock()
	cmd := r.cmd
	r.cmd, r.url, r.client = nil, "", nil
	r.mu.Unlock()
	hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }) // the exit code shows it
	defer hung.Stop()
	_ = cmd.Wait() // the state has what it says
	return cmd.ProcessState.ExitCode()
}

// TestTerminate_WhileTurnsAreLong: a process that receives SIGTERM ends although its turns, a
// write and a watch do not: what they wait for is held until it has ended. What was not
// acknowledged has not happened, and the next process continues the work.
func TestTerminate_WhileTurnsAreLong(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 1))
	r := c.replicas[0]
	blocker, err := pgx.Connect(t.Context(), r.database)
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the session ends either way
	count := func(query string) (n int) {
		t.Helper()
		if err := blocker.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	execute := func(statement string) {
		t.Helper()
		if _, err := blocker.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{}
	for i := 0; ; i++ {
		name := fmt.Sprintf("rs-%d", i)
		want[name] = 30
		c.createReplicaSet(name, 30)
		execute("BEGIN; LOCK TABLE objects IN EXCLUSIVE MODE") // from now on, row locks wait, and reads do not
		if count("SELECT count(*) FROM wakeups WHERE due <= cluster_now()") > 0 {
			break
		}
		execute("ROLLBACK") // they were faster
	}
	watched, written := make(chan struct{}), make(chan string, 1)
	watch, err := http.Get(r.url + podsPath + "?watch=true") //nolint:noctx // it ends with the process
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Body.Close() //nolint:errcheck // it was read to its end
	go func() {
		defer close(watched)
		_, _ = bytes.NewBuffer(nil).ReadFrom(watch.Body) // it ends one way or another
	}()
	url := r.url
	go func() {
		res, err := http.Post(url+configMapsPath, "application/json", strings.NewReader(`{"metadata":{"name":"note"}}`)) //nolint:noctx // as above
		if err != nil {
			written <- ""
			return
		}
		_ = res.Body.Close() // only the status matters
		written <- res.Status
	}()
	const waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
	// A turn waits to claim or, if the lock came later, to apply. The write waits too: for the lock
	// or, if turns have all connections, for a connection.
	eventually(t, "two turns and the write wait", func() bool { return count(waiting) > 2 })

	began := time.Now()
	if code := r.terminate(); code != 0 {
		t.Errorf("the process ended with %d", code)
	}
	t.Logf("the process ended after %s", time.Since(began).Round(time.Millisecond))
	<-watched
	if status := <-written; strings.HasPrefix(status, "2") {
		t.Errorf("the write was acknowledged: %s", status)
	}
	if count("SELECT count(*) FROM wakeups WHERE due <= cluster_now()") == 0 {
		t.Error("no work is left")
	}
	eventually(t, "the sessions of the process have ended, although what they wait for is held", func() bool { return count(waiting) == 0 })
	execute("ROLLBACK")
	r.start()
	c.awaitSettled(want)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := r.client.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "note"}}, metav1.CreateOptions{}); err != nil {
		t.Errorf("what was not acknowledged cannot be written again: %v", err)
	}
	c.judge()
}

// evilPods returns how many Pods burn CPU time in tests of other Pods: ROWLOCK_EVIL_PODS, or few.
func evilPods(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("ROWLOCK_EVIL_PODS"))
	if err != nil && os.Getenv("ROWLOCK_EVIL_PODS") != "" {
		t.Fatal(err)
	}
	return max(n, len(poisons))
}

// TestTerminate_BesidePodsThatBurn restarts a process with Pods that want all of its time, by
// SIGTERM and by SIGKILL. The Pods that were created just before continue in the next process, and
// so do later ones.
func TestTerminate_BesidePodsThatBurn(t *testing.T) {
	a := newTarget(t)
	r := a.replicas[0]
	evil := evilPods(t)
	for i := range evil {
		a.createPod(fmt.Sprintf("poison-%d", i), poisons[i%len(poisons)])
	}
	a.await("a poison runs", func(pods []corev1.Pod) bool { return started(pods, "poison-") > 0 })
	good := 0
	batch := func() {
		for range evil {
			a.createPod(fmt.Sprintf("good-%d", good), "echo hello")
			good++
		}
	}
	batch()
	if code := r.terminate(); code != 0 {
		t.Errorf("the process ended with %d", code)
	}
	r.start()
	batch()
	r.kill()
	r.start()
	batch()
	a.await("all other Pods have ended well", func(pods []corev1.Pod) bool { return succeeded(pods, "good-") == good })
}
