package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/migrations"
	"github.com/rowlock/rowlock/test/history"
)

// clocked is a fleet whose clock is paused until it is advanced.
type clocked struct {
	*clients
	conn *pgx.Conn
}

// newClocked starts n processes over a database, at a time of the test's own.
func newClocked(t *testing.T, database string, n int, at time.Time) *clocked {
	t.Helper()
	c := &clocked{clients: newClients(newFleet(t, database, 0))}
	c.connect()
	if err := migrate(t, database); err != nil {
		t.Fatal(err)
	}
	if _, err := c.conn.Exec(t.Context(), "UPDATE clock SET anchor_cluster = $1, anchor_real = clock_timestamp(), speed = 0, was = 0", at); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		r := &replica{fleet: c.fleet, name: fmt.Sprintf("%s-%d", strings.ToLower(t.Name()), i+1)}
		c.replicas = append(c.replicas, r)
		r.start()
	}
	return c
}

// connect connects the test itself to the database.
func (c *clocked) connect() {
	c.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.database)
	if err != nil {
		c.t.Fatal(err)
	}
	c.conn = conn
	c.t.Cleanup(func() { _ = conn.Close(context.Background()) }) // the test is over
}

// migrate creates the tables, as the first process would.
func migrate(t *testing.T, database string) error {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: database})
	if err != nil {
		return err
	}
	defer pool.Close()
	return pg.Migrate(t.Context(), pool, migrations.FS)
}

// clock queries the clock of one of the replicas that serve, or changes it: "GET", or "POST" with
// the change.
func (c *clocked) clock(method, body string) (shown v1.Clock) {
	c.t.Helper()
	eventually(c.t, "a replica answers about the clock", func() bool {
		for _, r := range c.replicas {
			r.mu.Lock()
			url := r.url
			r.mu.Unlock()
			if url != "" && ask(url, method, body, &shown) {
				return true
			}
		}
		return false
	})
	return shown
}

func ask(url, method, body string, into any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url+v1.ClockPath, bytes.NewReader([]byte(body)))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close() //nolint:errcheck // it is read
	return res.StatusCode == http.StatusOK && json.NewDecoder(res.Body).Decode(into) == nil
}

// reach waits until the advance has reached a time, or has ended.
func (c *clocked) reach(at time.Time) (shown v1.Clock) {
	c.t.Helper()
	eventually(c.t, "the advance comes to "+at.String(), func() bool {
		shown = c.clock(http.MethodGet, "")
		return !shown.Now.Before(at) || shown.Advance.Phase != "running"
	})
	return shown
}

// createCronJob creates a CronJob whose Jobs' Pods run for this many seconds.
func (c *clocked) createCronJob(name, schedule string, seconds int) {
	c.t.Helper()
	do(c.clients, "cronjobs.batch", func(ctx context.Context, client kubernetes.Interface) (*batchv1.CronJob, error) {
		return client.BatchV1().CronJobs(namespace).Create(ctx, &batchv1.CronJob{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: batchv1.CronJobSpec{Schedule: schedule, JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{
				Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyNever,
					Containers:    []corev1.Container{{Name: "main", Image: "busybox:1.36", Command: []string{"sh", "-c", fmt.Sprintf("sleep %d; echo done", seconds)}}},
				}},
			}}},
		}, metav1.CreateOptions{})
	})
}

// outcome returns the effects of an advance: when Jobs and their Pods were created and deleted, by
// the log, and how they ended.
func (c *clocked) outcome() []string {
	c.t.Helper()
	rows, err := c.conn.Query(context.Background(), `
		SELECT format('%s %s %s %s', at AT TIME ZONE 'UTC', verb, resource, regexp_replace(name, '-[a-z0-9]{5}$', '-…')) FROM log
		WHERE verb IN ('c', 'd') AND (resource = 'jobs.batch' OR resource = 'pods')
		UNION ALL
		SELECT format('%s %s to %s: %s', name, body::json -> 'status' ->> 'startTime', body::json -> 'status' ->> 'completionTime', body::json -> 'status' ->> 'succeeded') FROM (
			SELECT DISTINCT ON (uid) * FROM log WHERE resource = 'jobs.batch' AND verb <> 'd' ORDER BY uid, revision DESC) AS jobs
		UNION ALL
		SELECT format('%s %s, %s', name, body::json -> 'status' ->> 'lastScheduleTime', body::json -> 'status' ->> 'lastSuccessfulTime') FROM (
			SELECT DISTINCT ON (uid) * FROM log WHERE resource = 'cronjobs.batch' ORDER BY uid, revision DESC) AS cronjobs
		ORDER BY 1`)
	if err != nil {
		c.t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		c.t.Fatal(err)
	}
	return lines
}

// The time that passes in these tests, and the work in it.
var begin = time.Date(2030, time.March, 1, 8, 29, 30, 0, time.UTC)

const (
	span      = 6 * time.Hour
	leastDone = 2 * (72 + 51) // Jobs and Pods that are created
)

// advanced lets the span pass for two CronJobs, disturbs that, and returns the outcome.
func (c *clocked) advanced(disturb func()) []string {
	c.t.Helper()
	c.createCronJob("quick", "*/5 * * * *", 0)
	c.createCronJob("slow", "*/7 * * * *", 200)
	if begun := c.clock(http.MethodPost, fmt.Sprintf(`{"advance": {"by": %q}}`, span)); begun.Advance == nil || begun.Advance.Phase != "running" {
		c.t.Fatalf("the advance has not begun: %+v", begun)
	}
	disturb()
	last := c.reach(begin.Add(span))
	if last.Advance.Phase == "running" { // it has arrived, and has yet to do what is due then
		last = c.reach(begin.Add(1000 * time.Hour))
	}
	if last.Advance.Phase != "done" || !last.Now.Equal(begin.Add(span)) || !last.Paused {
		c.t.Errorf("in the end the clock is %+v %+v", last, last.Advance)
	}
	h, err := history.Read(context.Background(), c.conn)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, v := range slices.Concat(history.Chain(h), history.Pods(h)) {
		c.t.Error(v)
	}
	return c.outcome()
}

// undisturbed returns the outcome of the same with one undisturbed process. The first test that
// asks computes it for all.
func undisturbed(t *testing.T) []string {
	t.Helper()
	calm.Do(func() {
		calm.outcome = newClocked(t, pgtest.NewURL(t), 1, begin).advanced(func() {})
	})
	if len(calm.outcome) < leastDone {
		t.Errorf("too little has happened: %d lines", len(calm.outcome))
	}
	return calm.outcome
}

var calm struct {
	sync.Once
	outcome []string
}

// Hours of CronJobs pass while every process is killed, one after another and then all at once: the
// advance continues as long as there is a process, and its outcome is that of an undisturbed one,
// at the same times.
func TestKill_AnAdvanceGoesOn(t *testing.T) {
	c := newClocked(t, pgtest.NewURL(t), 3, begin)
	got := c.advanced(func() {
		for i, r := range c.replicas {
			at := c.reach(begin.Add(time.Duration(i+1) * time.Hour))
			if at.Advance.Phase != "running" {
				t.Error("the advance had ended before a process was killed")
			}
			r.kill()
			c.reach(at.Now.Add(time.Minute)) // the others continue
			r.start()
		}
		for _, r := range c.replicas {
			r.kill()
		}
		for _, r := range c.replicas {
			r.start()
		}
	})
	if diff := cmp.Diff(undisturbed(t), got); diff != "" {
		t.Errorf("the outcome (-undisturbed +disturbed):\n%s", diff)
	}
}

// PostgreSQL crashes twice while time is advanced, and the outcome is the same.
func TestPostgresCrashes_AnAdvanceGoesOn(t *testing.T) {
	dir := filepath.Join(serverDir(t), "data")
	database := startServer(t, dir)
	c := newClocked(t, database.URL(), 2, begin)
	got := c.advanced(func() {
		for i := range 2 {
			at := c.reach(begin.Add(time.Duration(i+1) * 2 * time.Hour))
			if at.Advance.Phase != "running" {
				t.Error("the advance had ended before the database crashed")
			}
			ended, end := context.WithCancel(context.Background())
			end()
			_ = database.Stop(ended) // its error says that it was killed
			database = startServer(t, dir)
			c.connect()
		}
	})
	if diff := cmp.Diff(undisturbed(t), got); diff != "" {
		t.Errorf("the outcome (-undisturbed +disturbed):\n%s", diff)
	}
}
