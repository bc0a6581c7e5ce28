package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

func TestRetention_Target(t *testing.T) {
	t.Parallel()
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	// Revision r was committed r minutes after the epoch; now is the time of revision 100.
	const newest = 100
	tests := []struct {
		name      string
		retention store.Retention
		compacted object.Revision
		want      object.Revision
	}{
		{"the zero Retention keeps all", store.Retention{}, 0, 0},
		{"no age keeps all", store.Retention{Revisions: 1}, 0, 0},
		{"no count keeps all", store.Retention{Age: time.Minute}, 0, 0},
		{"the count is more", store.Retention{Age: 10 * time.Minute, Revisions: 30}, 0, 70},
		{"the age is more", store.Retention{Age: 30 * time.Minute, Revisions: 10}, 0, 70},
		{"both are the same", store.Retention{Age: 30 * time.Minute, Revisions: 30}, 0, 70},
		{"more than there is, by count", store.Retention{Age: time.Minute, Revisions: 100}, 0, 0},
		{"more than there is, by age", store.Retention{Age: 200 * time.Minute, Revisions: 1}, 0, 0},
		{"the age is more than there may be", store.Retention{Age: 90 * time.Minute, Revisions: 10, Most: 40}, 0, 60},
		{"the age is less than there may be", store.Retention{Age: 30 * time.Minute, Revisions: 10, Most: 40}, 0, 70},
		{"compacted so far already", store.Retention{Age: 30 * time.Minute, Revisions: 10}, 70, 0},
		{"compacted further", store.Retention{Age: 30 * time.Minute, Revisions: 10}, 90, 0},
		{"one more revision may go", store.Retention{Age: 30 * time.Minute, Revisions: 10}, 69, 70},
		{"the last revision may not", store.Retention{Age: time.Nanosecond, Revisions: 1}, 0, 99},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			got, err := test.retention.Target(newest, test.compacted, epoch.Add(newest*time.Minute), func(r object.Revision) (time.Time, error) {
				if r <= test.compacted || r > newest {
					t.Errorf("asked about revision %d", r)
				}
				asked++
				return epoch.Add(time.Duration(r) * time.Minute), nil
			})
			if err != nil || got != test.want {
				t.Errorf("got %d, %v, want %d", got, err, test.want)
			}
			if asked > 7 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

func TestRetention_TargetFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	got, err := store.Retention{Age: 1, Revisions: 1}.Target(100, 0, time.Time{}, func(object.Revision) (time.Time, error) { return time.Time{}, broken })
	if got != 0 || !errors.Is(err, broken) {
		t.Errorf("got %d, %v, want 0, %v", got, err, broken)
	}
}

// TestS8_OldVersionsGoWithTime: versions younger than the age and those among the newest stay. Of
// older ones, only superseded versions go. Reads from before fail; later reads do not notice.
func TestS8_OldVersionsGoWithTime(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Retention: store.Retention{Age: time.Hour, Revisions: 5}})
	kept := f.MustWrite(storetest.CreateConfigMap("kept"))
	gone := f.MustWrite(storetest.CreateConfigMap("gone"))
	f.MustWrite(storetest.Remove(gone))
	v := f.MustWrite(storetest.CreateConfigMap("changing"))
	for i := range 10 {
		v = f.MustWrite(storetest.Update(v, fmt.Sprint(i)))
	}
	if to, err := f.CompactOld(t.Context(), v.At.Time().Add(59*time.Minute)); to != 0 || err != nil {
		t.Fatalf("compacted to %d, %v, although all is young", to, err)
	}
	want, err := f.At(t.Context(), "configmaps", "", v.Revision-5)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.RunCompaction(ctx, func() time.Time { return v.At.Time().Add(2 * time.Hour) }) }()
	storetest.Eventually(t, "the log is compacted", func() bool {
		_, compacted, err := f.Revision(t.Context())
		return err == nil && compacted == v.Revision-5
	})
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	got, err := f.At(t.Context(), "configmaps", "", v.Revision-5)
	if err != nil || fmt.Sprint(revisionsOf(got)) != fmt.Sprint(revisionsOf(want)) {
		t.Errorf("at the compaction there are %v, %v, want %v", revisionsOf(got), err, revisionsOf(want))
	}
	if _, err := f.At(t.Context(), "configmaps", "", v.Revision-6); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("before the compaction: got %v, want %v", err, store.ErrCompacted)
	}
	if _, err := f.After(t.Context(), kept.Revision, 1); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("a follower from before: got %v, want %v", err, store.ErrCompacted)
	}
	if log, err := f.After(t.Context(), v.Revision-5, 10); err != nil || len(log) != 5 {
		t.Errorf("behind the compaction there are %d rows, %v, want 5", len(log), err)
	}
	if n := f.Number("SELECT count(*) FROM log WHERE uid = $1", gone.UID); n != 0 {
		t.Errorf("%d versions are left of what is gone", n)
	}
	if n := f.Number("SELECT count(*) FROM log WHERE uid = $1", kept.UID); n != 1 {
		t.Errorf("%d versions are left of what never changed, want 1", n)
	}
}

// revisionsOf returns the names and revisions of versions.
func revisionsOf(versions []*object.Version) map[string]object.Revision {
	out := map[string]object.Revision{}
	for _, v := range versions {
		out[v.Name] = v.Revision
	}
	return out
}

// TestS8_CompactorsTakeTurns: several processes compact at the same time, and each superseded
// version is removed once.
func TestS8_CompactorsTakeTurns(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	v := f.MustWrite(storetest.CreateConfigMap("a"))
	f.MustExec(`INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
		SELECT r, now(), 0, $1, 'u', 'configmaps', 'default', 'a', '', $2 FROM generate_series($3::bigint, $3::bigint + 9999) AS r`,
		v.UID, string(v.Body()), v.Revision+1)
	f.MustExec("UPDATE objects SET revision = $1 WHERE uid = $2", v.Revision+10_000, v.UID)
	f.MustExec("UPDATE revision SET value = $1", v.Revision+10_000)
	var removed [4]int64
	var wg sync.WaitGroup
	for i := range removed {
		wg.Go(func() {
			var err error
			if removed[i], err = f.Compact(t.Context(), v.Revision+9_000); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if sum := removed[0] + removed[1] + removed[2] + removed[3]; sum != 9_000 {
		t.Errorf("%v, in sum %d, versions were removed, want 9000", removed, sum)
	}
	if _, compacted, err := f.Revision(t.Context()); err != nil || compacted != v.Revision+9_000 {
		t.Errorf("compacted to %d, %v, want %d", compacted, err, v.Revision+9_000)
	}
}
