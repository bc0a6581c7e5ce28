package clock_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...) }

// start is a moment that no machine's clock shows.
var start = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

const never = time.Duration(math.MaxInt64)

func open(t *testing.T, pool *pgxpool.Pool) *clock.Clock {
	t.Helper()
	c, err := clock.Open(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// anchor makes cluster time start now, at a speed.
func anchor(t *testing.T, pool *pgxpool.Pool, speed float64) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), "UPDATE clock SET anchor_cluster = $1, anchor_real = clock_timestamp(), speed = $2", start, speed); err != nil {
		t.Fatal(err)
	}
}

// near reports whether a duration is the wanted one, or shorter by less than the time since then.
func near(got, want time.Duration, since time.Time) bool {
	// A process assumes that the database answered half-way, so it may be wrong by half of the
	// response time.
	return got <= want && got >= want-2*time.Since(since)
}

// opened is a clock, and its maximum distance from the database's: the time that its reading took.
type opened struct {
	*clock.Clock
	within time.Duration
}

func openTimed(t *testing.T, pool *pgxpool.Pool) opened {
	t.Helper()
	began := time.Now()
	c := open(t, pool)
	return opened{c, time.Since(began)}
}

// wantReal checks that a clock shows real time, which is the database's.
func (c opened) wantReal(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ask := func() (now time.Time) {
		if err := pool.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&now); err != nil {
			t.Fatal(err)
		}
		return now
	}
	before, now, after := ask(), c.Now(), ask()
	if now.Before(before.Add(-c.within)) || now.After(after.Add(c.within)) || now.Location() != time.UTC {
		t.Errorf("the clock shows %v, want %v to %v", now, before, after)
	}
}

func TestClock_IsRealAtFirst(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	c := openTimed(t, pool)
	c.wantReal(t, pool)
	began := time.Now()
	if left := c.Until(c.Now().Add(time.Hour)); !near(left, time.Hour, began) {
		t.Errorf("an hour of cluster time takes %v", left)
	}
}

func TestClock_RunsAtItsSpeed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		speed float64
		until time.Duration // of cluster time from the start
		want  time.Duration // of real time
	}{
		{"standing still, the future never comes", 0, time.Nanosecond, never},
		{"standing still, now has come", 0, 0, 0},
		{"the past has come", 2, -time.Hour, 0},
		{"at twice the speed", 2, time.Hour, 30 * time.Minute},
		{"at half the speed", 0.5, time.Hour, 2 * time.Hour},
		{"a day in a minute", 1440, 10 * 24 * time.Hour, 10 * time.Minute},
		{"later than can be waited for", 0.001, 100 * 365 * 24 * time.Hour, never},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			anchored := time.Now()
			anchor(t, pool, test.speed)
			c := open(t, pool)
			if left := c.Until(start.Add(test.until)); left != test.want && (test.want == never || !near(left, test.want, anchored)) {
				t.Errorf("%v take %v, want %v", test.until, left, test.want)
			}
			began := time.Now()
			before := c.Now()
			time.Sleep(10 * time.Millisecond)
			after := c.Now()
			took := time.Since(began)
			passed := after.Sub(before)
			if least, most := time.Duration(test.speed*float64(10*time.Millisecond)), time.Duration(test.speed*float64(took)); passed < least-1 || passed > most+1 {
				t.Errorf("%v passed, want %v to %v", passed, least, most)
			}
		})
	}
}

func TestClock_Set(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	a, b := open(t, pool), openTimed(t, pool)
	for _, at := range []time.Time{start, start.Add(time.Hour), start.Add(365 * 24 * time.Hour)} { // it jumps
		if err := a.Set(t.Context(), at.In(time.FixedZone("", 3600))); err != nil {
			t.Fatal(err)
		}
		if now := a.Now(); !now.Equal(at) || now.Location() != time.UTC {
			t.Errorf("the clock shows %v, want %v", now, at)
		}
		var database time.Time
		if err := pool.QueryRow(t.Context(), "SELECT cluster_now()").Scan(&database); err != nil || !database.Equal(at) {
			t.Errorf("the database's clock shows %v, want %v (%v)", database, at, err)
		}
	}
	b.wantReal(t, pool) // another process, which has not compared yet
	if now := open(t, pool).Now(); !now.Equal(a.Now()) {
		t.Errorf("a process that starts now shows %v, want %v", now, a.Now())
	}
}

// TestClock_TwoProcessesAgree: they agree however long ago each has read the clock, and at any
// speed.
func TestClock_TwoProcessesAgree(t *testing.T) {
	t.Parallel()
	const speed = 100
	pool := pgtest.New(t)
	anchor(t, pool, speed)
	a := openTimed(t, pool)
	time.Sleep(20 * time.Millisecond)
	b := openTimed(t, pool)
	first, other, again := a.Now(), b.Now(), a.Now()
	if slack := speed * (a.within + b.within); other.Before(first.Add(-slack)) || other.After(again.Add(slack)) {
		t.Errorf("one clock shows %v, then the other %v, then the one %v", first, other, again)
	}
}

func TestClock_Failures(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	c := openTimed(t, pool)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := clock.Open(ended, pool); err == nil {
		t.Error("a clock that cannot be read was opened")
	}
	if err := c.Set(ended, start); err == nil {
		t.Error("a clock that cannot be reached was set")
	}
	c.wantReal(t, pool) // after that
	if err := c.Run(ended); err != nil {
		t.Errorf("run: %v", err)
	}
}
