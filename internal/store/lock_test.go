package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestS2_NoDeadlock: clients of two replicas and workers of three controllers change and delete the
// same few objects, many in one transaction and in any order, while the log is compacted and
// vacuumed, until a thousand changes are made. PostgreSQL counts no deadlock.
func TestS2_NoDeadlock(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 4, MaxBatch: 16, VacuumEvery: 100 * time.Millisecond})
	other := newReplica(t, f.URL(), store.Config{Writers: 4, MaxBatch: 16})
	heads := &heads{live: map[types.UID]*object.Version{}}
	for i := range 20 {
		heads.saw(f.MustWrite(storetest.CreateReplicaSet(fmt.Sprint("rs-", i), "web")))
	}
	const enough = object.Revision(1000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() { heads.churn(ctx, []fixture{f, other}[i%2], i) })
	}
	for _, lock := range []types.UID{"", "", "", wakeup.SchedulerLock, wakeup.SchedulerLock} {
		conn := f.Conn()
		wg.Go(func() { heads.work(ctx, t, f, conn, lock) })
	}
	wg.Go(func() {
		for ctx.Err() == nil {
			newest, _, err := f.Revision(ctx)
			if err != nil {
				t.Error(err)
				cancel()
			}
			if _, err := f.Compact(ctx, newest-50); err == nil && newest >= enough {
				cancel()
			}
		}
	})
	wg.Wait()
	if n := f.Number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	t.Logf("%d revisions", f.Number("SELECT value FROM revision"))
	if n := f.Number("SELECT count(*) FROM wakeups w WHERE controller <> 'scheduler' AND NOT EXISTS (SELECT FROM objects o WHERE o.uid = w.uid)"); n != 0 {
		t.Errorf("%d wakeups outlive their objects", n)
	}
}

// heads is what the actors of a test know of the objects; it may be out of date.
type heads struct {
	mu   sync.Mutex
	live map[types.UID]*object.Version
}

func (h *heads) saw(versions ...*object.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range versions {
		if v.Verb == object.Deleted {
			delete(h.live, v.UID)
		} else {
			h.live[v.UID] = v
		}
	}
}

// some returns up to n objects, in any order.
func (h *heads) some(n int) []*object.Version {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*object.Version
	for _, v := range h.live {
		if len(out) < n {
			out = append(out, v)
		}
	}
	return out
}

// churn is a client that creates, changes and deletes objects.
func (h *heads) churn(ctx context.Context, f fixture, seed int) {
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	for n := 0; ctx.Err() == nil; n++ {
		some := h.some(1)
		c := storetest.CreateReplicaSet(fmt.Sprintf("rs-%d-%d", seed, n), "web")
		switch random.IntN(8) {
		case 0:
		case 1:
			if len(some) > 0 {
				c = storetest.Remove(some[0])
			}
		default:
			if len(some) > 0 {
				c = storetest.Touch(some[0], fmt.Sprint(seed, n))
			}
		}
		if v, err := f.Write(ctx, c); err == nil {
			h.saw(v)
		}
	}
}

// work is a worker that claims work and changes and deletes many objects in one transaction, its
// own and others.
func (h *heads) work(ctx context.Context, t *testing.T, f fixture, conn *pgx.Conn, lock types.UID) {
	name := names.ReplicaSet
	if lock != "" {
		name = names.Scheduler
	}
	for n := 0; ctx.Err() == nil; n++ {
		claimed, err := wakeup.Take(context.WithoutCancel(ctx), conn, name, lock, 5)
		if err != nil {
			t.Error(err)
			return
		}
		batch := newBatch(name)
		for _, c := range claimed.Claims {
			batch.Acknowledge(c.IDs...)
		}
		for i, v := range h.some(8) {
			c := storetest.Touch(v, fmt.Sprint("work", n))
			if i == 7 && n%4 == 0 {
				c = storetest.Remove(v)
			}
			c.Controller = name
			if _, err := batch.Add(c, 0, v.UID, claimed.Now); err != nil {
				t.Error(err)
			}
			batch.Again(v.UID, claimed.Now, 0)
		}
		applied, err := f.Commit(context.WithoutCancel(ctx), conn, batch)
		if err != nil {
			t.Error(err)
			return
		}
		h.saw(applied.Versions...)
	}
}

// TestS2_ARemovalWaitsForNobody: a worker that decides across objects acknowledges wakeups without
// locking their objects. While its transaction is open, even the removal of such an object proceeds
// at once: the holder of the counter waits for nothing.
func TestS2_ARemovalWaitsForNobody(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	pod := f.MustWrite(storetest.CreatePod("a", "web"))
	conn := f.Conn()
	claimed := f.Claim(conn, names.Scheduler, wakeup.SchedulerLock)
	if len(claimed.Claims) != 1 || claimed.Claims[0].UID != pod.UID {
		t.Fatalf("claimed %+v, want the Pod", claimed.Claims)
	}
	if _, err := conn.Exec(t.Context(), "DELETE FROM wakeups WHERE id = ANY ($1)", claimed.Claims[0].IDs); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // shorter than the session may idle
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := f.Write(t.Context(), storetest.Remove(pod))
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-ctx.Done():
		t.Error("the removal waits for the worker")
	}
	if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
}

// TestS2_AHeldClaimIsWalkedPast: other workers do not wait for claimed objects, and take the rest.
func TestS2_AHeldClaimIsWalkedPast(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	first := f.MustWrite(storetest.CreateReplicaSet("first", "web"))
	holder := f.Conn()
	if got := f.Claim(holder, names.ReplicaSet, ""); len(got.Claims) != 1 || got.Claims[0].UID != first.UID {
		t.Fatalf("claimed %+v, want the first", got.Claims)
	}
	second := f.MustWrite(storetest.CreateReplicaSet("second", "web"))
	passer := f.Conn()
	if got := f.Claim(passer, names.ReplicaSet, ""); len(got.Claims) != 1 || got.Claims[0].UID != second.UID {
		t.Errorf("claimed %+v, want the second", got.Claims)
	}
	under, again := f.Conn(), f.Conn()
	f.Claim(under, names.Scheduler, wakeup.SchedulerLock)
	if got := f.Claim(again, names.Scheduler, wakeup.SchedulerLock); !got.Contended {
		t.Errorf("a lock that is held gives %+v, want it contended", got)
	}
}

// TestClaim_GoesByTheTimeOfALoadedState: a worker waits to claim while a state of an earlier time
// is loaded. It claims nothing that is not due by that time: it would otherwise sync objects at a
// time that the cluster has not reached, and an advance would skip what it took.
func TestClaim_GoesByTheTimeOfALoadedState(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		controller string
		lock       types.UID
	}{"of objects": {names.ReplicaSet, ""}, "under one lock": {names.Scheduler, wakeup.SchedulerLock}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newStore(t, store.Config{})
			f.MustWrite(storetest.CreateReplicaSet("web", "web"))
			f.MustWrite(storetest.CreatePod("web", "web"))
			loads, claims := f.Conn(), f.Conn()
			if _, err := loads.Exec(t.Context(), "BEGIN; LOCK TABLE objects IN EXCLUSIVE MODE"); err != nil {
				t.Fatal(err)
			}
			var claimed wakeup.Claimed
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				claimed, err = wakeup.Take(t.Context(), claims, tt.controller, tt.lock, 10)
			}()
			storetest.Eventually(t, "the claim waits", func() bool {
				return f.Number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1
			})
			if _, err := loads.Exec(t.Context(), `UPDATE clock SET anchor_cluster = anchor_cluster - interval '1 hour';
				UPDATE wakeups SET due = cluster_now() + interval '1 min'; COMMIT`); err != nil {
				t.Fatal(err)
			}
			<-done
			if err != nil || len(claimed.Claims) != 0 || claimed.NextDue.IsZero() {
				t.Errorf("claimed %+v, %v; want nothing, and when something is due", claimed, err)
			}
		})
	}
}
