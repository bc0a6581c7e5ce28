package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// BenchmarkWrite measures creations by clients, by the number of concurrent clients: writes that
// wait are committed together.
func BenchmarkWrite(b *testing.B) {
	for _, clients := range []int{1, 16, 256} {
		b.Run(fmt.Sprint("clients=", clients), func(b *testing.B) {
			f := newStore(b, store.Config{})
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for range clients {
				wg.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						if _, err := f.Write(b.Context(), storetest.CreateConfigMap(fmt.Sprint("cm-", i))); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
}

// BenchmarkClaim measures a worker's turn without the reconciler: claim due objects, change each,
// acknowledge, commit.
func BenchmarkClaim(b *testing.B) {
	for _, size := range []int{1, 100} {
		b.Run(fmt.Sprint("objects=", size), func(b *testing.B) {
			f := newStore(b, store.Config{})
			changes := make([]store.Change, size)
			for i := range changes {
				changes[i] = storetest.CreateReplicaSet(fmt.Sprint("rs-", i), fmt.Sprint(i))
			}
			f.gather(changes)
			conn := f.Conn()
			live := &heads{live: map[types.UID]*object.Version{}}
			live.saw(f.live()...)
			b.ResetTimer()
			for n := range b.N {
				claimed := f.Claim(conn, names.ReplicaSet, "")
				batch := newBatch(names.ReplicaSet)
				for _, c := range claimed.Claims {
					batch.Acknowledge(c.IDs...)
					if _, err := batch.Add(storetest.Touch(live.live[c.UID], fmt.Sprint(n)), 0, c.UID, claimed.Now); err != nil {
						b.Fatal(err)
					}
				}
				applied, err := f.Commit(b.Context(), conn, batch)
				if err != nil || len(applied.Versions) != size {
					b.Fatalf("%d objects were changed: %v", len(applied.Versions), err)
				}
				live.saw(applied.Versions...)
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}

// BenchmarkPods measures a turn that creates and deletes ten Pods that only their owner selects.
func BenchmarkPods(b *testing.B) {
	f := newStore(b, store.Config{})
	conn := f.Conn()
	web := f.MustWrite(storetest.CreateReplicaSet("web", "web"))
	owners := []metav1.OwnerReference{*metav1.NewControllerRef(web.Object(), appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
	commit := func(changes []store.Change) []*object.Version {
		batch := newBatch(names.ReplicaSet)
		for _, c := range changes {
			if _, err := batch.Add(c, 0, "", web.At.Time()); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := conn.Exec(b.Context(), "BEGIN"); err != nil {
			b.Fatal(err)
		}
		applied, err := f.Commit(b.Context(), conn, batch)
		if err != nil || len(applied.Versions) != len(changes) {
			b.Fatalf("%d of %d changes were made: %v", len(applied.Versions), len(changes), err)
		}
		return applied.Versions
	}
	const pods = 10
	b.ResetTimer()
	for n := range b.N {
		made, gone := make([]store.Change, pods), make([]store.Change, pods)
		for i := range made {
			made[i] = storetest.CreatePod(fmt.Sprint("pod-", n, "-", i), "web")
			made[i].New.SetOwnerReferences(owners)
		}
		for i, v := range commit(made) {
			gone[i] = storetest.Remove(v)
		}
		commit(gone)
	}
	b.ReportMetric(float64(b.N*pods)/b.Elapsed().Seconds(), "pods/s")
}
