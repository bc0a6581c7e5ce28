package mirror_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// emptyLog is the log of an empty database.
type emptyLog struct{ mirror.Log }

func (emptyLog) Revision(context.Context) (newest, compacted object.Revision, err error) {
	return 0, 0, nil
}
func (emptyLog) Heads(context.Context) ([]object.Revision, error) { return nil, nil }
func (emptyLog) After(context.Context, object.Revision, int) ([]*object.Version, error) {
	return nil, nil
}
func (emptyLog) Holds(context.Context, object.Revision, types.UID, time.Time) (bool, error) {
	return true, nil
}

var _ mirror.Log = (*store.Store)(nil)

// pods makes the creations of n Pods, in revision order.
func pods(b testing.TB, n int) []*object.Version {
	b.Helper()
	out := make([]*object.Version, n)
	for i := range out {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("pod-%06d", i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{NodeName: fmt.Sprint("node-", i%100), Containers: []corev1.Container{{Name: "nginx", Image: "nginx:1.29"}}},
		}
		out[i] = &object.Version{Type: typeOf("pods"), Namespace: "default", Name: pod.Name, UID: pod.UID, Revision: object.Revision(i + 1), Verb: object.Created}
		body, err := object.Encode(out[i].Type, pod)
		if err != nil {
			b.Fatal(err)
		}
		out[i].SetBody(body)
		out[i].Remember(pod)
	}
	return out
}

// BenchmarkMirrorApply measures applying one change, with all indexes, by the number of changes
// that arrive together.
func BenchmarkMirrorApply(b *testing.B) {
	for _, size := range []int{1, 256} {
		b.Run(fmt.Sprint("batch=", size), func(b *testing.B) {
			m := follow(b, emptyLog{}, mirror.Config{Indexes: mirror.Indexes(), Poll: time.Hour})
			versions := pods(b, b.N)
			b.ReportAllocs()
			b.ResetTimer()
			for len(versions) > 0 {
				n := min(size, len(versions))
				m.Committed(versions[:n])
				versions = versions[n:]
			}
		})
	}
}

// BenchmarkWatchFanout measures delivering one change to all watchers, by their number.
func BenchmarkWatchFanout(b *testing.B) {
	for _, watchers := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint("watchers=", watchers), func(b *testing.B) {
			m := mirror.New(emptyLog{}, mirror.Config{Poll: time.Hour, WindowBytes: 1 << 30}, slog.New(slog.DiscardHandler))
			ctx, stop := context.WithCancel(b.Context())
			var running, wg sync.WaitGroup
			running.Go(func() { _ = m.Run(ctx) })
			eventually(b, "the mirror is loaded", func() bool { return m.Ready() == nil })
			versions := pods(b, b.N)
			b.ResetTimer()
			for range watchers {
				w, err := m.Watch("pods", "", 0)
				if err != nil {
					b.Fatal(err)
				}
				wg.Go(func() {
					for range b.N {
						if _, err := w.Next(ctx); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			for len(versions) > 0 {
				n := min(16, len(versions))
				m.Committed(versions[:n])
				versions = versions[n:]
			}
			wg.Wait()
			b.ReportMetric(float64(b.N*watchers)/b.Elapsed().Seconds(), "events/s")
			stop()
			running.Wait()
		})
	}
}
