package clock_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// timed is a cluster of some replicas whose clock is paused.
type timed struct {
	kubernetes.Interface // of the first replica
	pool                 *pgxpool.Pool
	clocks               []*clock.Clock // of each replica
}

func newTimed(t *testing.T, replicas int) timed {
	t.Helper()
	url := pgtest.NewURL(t)
	c := timed{pool: clustertest.Pool(t, url)}
	for range replicas {
		replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Nodes: 2, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(replica.Handler())
		client := &http.Client{Transport: &http.Transport{}}
		t.Cleanup(func() { client.CloseIdleConnections(); server.Close(); replica.Close() })
		if c.Interface == nil {
			if c.Interface, err = kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL, QPS: -1}, client); err != nil {
				t.Fatal(err)
			}
		}
		c.clocks = append(c.clocks, replica.Clock())
	}
	if _, err := c.clocks[0].Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// advance advances the clock: one replica begins, and another waits for the end.
func (c timed) advance(t *testing.T, d time.Duration) clock.State {
	t.Helper()
	if _, err := c.clocks[0].AdvanceBy(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return c.arrive(t)
}

// arrive waits for the end of the current advance.
func (c timed) arrive(t *testing.T) clock.State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := c.clocks[len(c.clocks)-1].AwaitEnd(ctx)
	if err != nil || s.Advance.Phase != clock.Done {
		due, _ := c.clocks[0].Due(t.Context(), 10) // only for the message
		t.Fatalf("the advance is %+v, %v; due is %+v", s.Advance, err, due)
	}
	return s
}

// run creates a Pod that sleeps and ends.
func (c timed) run(t *testing.T, name string, seconds int) {
	t.Helper()
	_, err := c.CoreV1().Pods("default").Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{
			{Name: "main", Image: "busybox:1.36", Command: []string{"sh", "-c", fmt.Sprintf("sleep %d; exit 3", seconds)}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// ended returns how long after its start a Pod's container ended; ok is false if it has not.
func (c timed) ended(t *testing.T, name string) (took time.Duration, ok bool) {
	t.Helper()
	pod, err := c.CoreV1().Pods("default").Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(pod.Status.ContainerStatuses) == 0 || pod.Status.ContainerStatuses[0].State.Terminated == nil {
		return 0, false
	}
	end := pod.Status.ContainerStatuses[0].State.Terminated
	return end.FinishedAt.Sub(end.StartedAt.Time), true
}

// TestClock_NothingHappensWhilePaused: only immediate effects of clients' actions happen; an
// advance by a second does what is due in that second, on any replica.
func TestClock_NothingHappensWhilePaused(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 3)
	c.run(t, "sleeper", 20)
	c.advance(t, 0)
	now := c.clocks[1].Now()
	for second := range 20 {
		if _, ended := c.ended(t, "sleeper"); ended {
			t.Fatalf("after %d seconds the container has ended", second)
		}
		pod, err := c.CoreV1().Pods("default").Get(t.Context(), "sleeper", metav1.GetOptions{})
		if err != nil || pod.Status.Phase != corev1.PodRunning {
			t.Fatalf("after %d seconds the Pod is %s, %v", second, pod.Status.Phase, err)
		}
		for i, clock := range c.clocks {
			if at := clock.Now().Sub(now); second > 0 && i == len(c.clocks)-1 && at != time.Duration(second)*time.Second {
				t.Errorf("after %d seconds the clock of replica %d has gone on by %v", second, i, at)
			}
		}
		c.advance(t, time.Second)
	}
	if took, ended := c.ended(t, "sleeper"); !ended || took != 20*time.Second {
		t.Errorf("in the end the container has run for %v (ended: %v)", took, ended)
	}
}

// TestClock_AdvanceToNext: an advance goes to what is due next, and no further. It does not stop
// for the expiry of Events.
func TestClock_AdvanceToNext(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 2)
	c.run(t, "first", 7)
	c.run(t, "second", 3*60*60)
	for _, name := range []string{"first", "second"} {
		if _, err := c.clocks[1].AdvanceToNext(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := c.arrive(t)
		if _, ended := c.ended(t, name); !ended {
			t.Errorf("at %v after %v, %s has not ended", s.Now, s.Advance.From, name)
		}
		if _, ended := c.ended(t, "second"); name == "first" && ended {
			t.Error("the second has ended with the first")
		}
	}
	if _, err := c.clocks[0].AdvanceToNext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := c.arrive(t); s.Advance.Steps != 0 || !s.Now.Equal(s.Advance.From) {
		t.Errorf("with nothing due, the clock has gone on: %+v", s.Advance)
	}
}

// TestClock_Speed: at sixty times the speed, what takes half a minute has taken half a minute by
// the cluster's clock, within await's patience.
func TestClock_Speed(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 2)
	c.run(t, "sleeper", 10*60)
	if _, err := c.clocks[1].SetSpeed(t.Context(), 600); err != nil {
		t.Fatal(err)
	}
	clustertest.Await(t, "the container has ended", func(context.Context) bool { _, ended := c.ended(t, "sleeper"); return ended })
	if took, _ := c.ended(t, "sleeper"); took != 10*time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestClock_ProgressDeadline: a deadline of ten minutes passes in a few steps.
func TestClock_ProgressDeadline(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 1)
	labels := map[string]string{"app": "web"}
	web, err := c.AppsV1().Deployments("default").Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels}, ProgressDeadlineSeconds: new(int32(600)),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx:1.161"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reason := func() (string, time.Time) {
		if web, err = c.AppsV1().Deployments("default").Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, condition := range web.Status.Conditions {
			if condition.Type == appsv1.DeploymentProgressing {
				return condition.Reason, condition.LastUpdateTime.Time
			}
		}
		return "", time.Time{}
	}
	c.advance(t, 0)
	_, since := reason()
	c.advance(t, 599*time.Second)
	if got, _ := reason(); got == "ProgressDeadlineExceeded" {
		t.Error("the deadline has passed too early")
	}
	s := c.advance(t, 2*time.Second)
	if got, at := reason(); got != "ProgressDeadlineExceeded" || at.Sub(since) < 600*time.Second || at.Sub(since) > 601*time.Second {
		t.Errorf("after %v the condition is %s, since %v", s.Now.Sub(since), got, at.Sub(since))
	}
}

// TestClock_AMonthOfNothing: the advance checks for expired Events hour by hour, not minute by
// minute.
func TestClock_AMonthOfNothing(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 1)
	if s := c.advance(t, 30*24*time.Hour); s.Advance.Steps > 30*24+1 {
		t.Errorf("a month took %d steps", s.Advance.Steps)
	}
}

// TestClock_WhatFailsForEverHoldsNothingUp: the failure is reported and retried in real time, while
// time continues.
func TestClock_WhatFailsForEverHoldsNothingUp(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 2)
	for _, sql := range []string{
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END'`,
		`CREATE TRIGGER refuse BEFORE INSERT ON log FOR EACH ROW WHEN (NEW.resource = 'pods' AND NEW.name LIKE 'cursed-%') EXECUTE FUNCTION refuse()`,
	} {
		if _, err := c.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	labels := map[string]string{"app": "cursed"}
	if _, err := c.AppsV1().ReplicaSets("default").Create(t.Context(), &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "cursed"},
		Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx:1.29"}}},
		}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.run(t, "sleeper", 60)
	s := c.advance(t, time.Hour)
	if _, ended := c.ended(t, "sleeper"); !ended || s.Now.Sub(s.Advance.From) != time.Hour {
		t.Errorf("after %v the other Pod has not ended", s.Now.Sub(s.Advance.From))
	}
	failing, total, err := c.clocks[1].Failing(t.Context(), 10)
	if err != nil || total != 1 || failing[0].Name != "cursed" || failing[0].Controller != "replicaset" || failing[0].Attempt <= clock.Patience {
		t.Errorf("failing is %+v, of %d, %v", failing, total, err)
	}
	if _, err := c.pool.Exec(t.Context(), "DROP TRIGGER refuse ON log"); err != nil {
		t.Fatal(err)
	}
	clustertest.Await(t, "what failed has been done", func(context.Context) bool {
		_, total, err := c.clocks[0].Failing(t.Context(), 1)
		return err == nil && total == 0
	})
}

// TestClock_NeverGoesBack: whatever several replicas do to the clock, no commit has an earlier time
// than a previous one.
func TestClock_NeverGoesBack(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 2)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("note-", i)}}
			if _, err := c.CoreV1().ConfigMaps("default").Create(ctx, note, metav1.CreateOptions{}); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	running.Go(func() {
		// Who reads the clock waits for nothing. If a change is committed only after the moment from
		// which it holds, as on a machine that stood still, who read it in between has read too much.
		var last, read time.Time
		for ctx.Err() == nil {
			var now, real, holds time.Time
			if err := c.pool.QueryRow(ctx, "SELECT cluster_now(), clock_timestamp(), anchor_real FROM clock").Scan(&now, &real, &holds); err != nil {
				continue
			}
			if now.Before(last) && read.Before(holds) {
				t.Errorf("the clock went back from %v to %v", last, now)
			}
			last, read = now, real
		}
	})
	advances := 0
	for range 300 {
		var err error
		switch by := c.clocks[rand.IntN(2)]; rand.IntN(6) {
		case 0:
			_, err = by.Pause(ctx)
		case 1:
			_, err = by.Resume(ctx)
		case 2:
			_, err = by.SetSpeed(ctx, []float64{0.001, 1, 60, 100_000}[rand.IntN(4)])
		case 3:
			_, err = by.AdvanceBy(ctx, time.Duration(rand.IntN(100))*time.Minute)
			advances++
		case 4:
			_, err = by.AdvanceToNext(ctx)
		case 5:
			_, err = by.Interrupt(ctx)
		}
		if err != nil && !errors.Is(err, clock.ErrAdvancing) {
			t.Errorf("a change of the clock: %v", err)
		}
	}
	stop()
	running.Wait()
	var backwards, commits int
	if err := c.pool.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE at < before), count(DISTINCT at)
		FROM (SELECT at, lag(at) OVER (ORDER BY revision) AS before FROM log) AS l`).Scan(&backwards, &commits); err != nil {
		t.Fatal(err)
	}
	if backwards != 0 || commits < 10 || advances == 0 {
		t.Errorf("of %d times of commits, with %d advances, %d are before an earlier commit's", commits, advances, backwards)
	}
}

// TestBurning_ClockAdvances: the clock advances by an hour over Pods that never rest, with two
// replicas.
func TestBurning_ClockAdvances(t *testing.T) {
	t.Parallel()
	c := newTimed(t, 2)
	for i, again := range []string{":", "x=$((x+1))"} {
		_, err := c.CoreV1().Pods("default").Create(t.Context(), &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("evil-%d", i)},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "busybox:1.36", Command: []string{"sh", "-c", "while :; do " + again + "; done"}}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	c.run(t, "good", 1800)
	c.advance(t, time.Hour)
	if took, ok := c.ended(t, "good"); !ok || took != 1800*time.Second {
		t.Errorf("a Pod that sleeps for 1800 s ended after %s, %t", took, ok)
	}
}
