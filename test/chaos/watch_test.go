package chaos_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// follower watches all Pods, from one replica to the next: where a watch ends, the next continues.
type follower struct {
	t     testing.TB
	fleet *fleet
	from  object.Revision

	mu   sync.Mutex
	seen []seen
}

// seen is one event as a watch delivers it.
type seen struct {
	Revision object.Revision
	Verb     object.Verb
}

// follow begins at the present and ends with stop.
func (f *fleet) follow() (w *follower, stop func()) {
	f.t.Helper()
	list, err := f.any().CoreV1().Pods("").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	w = &follower{t: f.t, fleet: f, from: object.RevisionOf(&metav1.ObjectMeta{ResourceVersion: list.ResourceVersion})}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	return w, func() { cancel(); running.Wait() }
}

func (w *follower) run(ctx context.Context) {
	for at := w.from; ctx.Err() == nil; {
		client := w.fleet.any()
		if client == nil {
			continue
		}
		events, err := client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{ResourceVersion: at.ResourceVersion()})
		if err != nil {
			continue // killed, or not reachable: the next
		}
		for e := range events.ResultChan() {
			p, ok := e.Object.(*corev1.Pod)
			if !ok {
				if err := apierrors.FromObject(e.Object); apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
					w.t.Errorf("a watch from %d was refused: %v", at, err)
				}
				break
			}
			at = object.RevisionOf(p)
			w.mu.Lock()
			w.seen = append(w.seen, seen{at, verbs[e.Type]})
			w.mu.Unlock()
		}
		events.Stop()
	}
}

var verbs = map[watch.EventType]object.Verb{watch.Added: object.Created, watch.Modified: object.Updated, watch.Deleted: object.Deleted}

// judge waits until the follower has reached the end of the history and checks that it has seen
// every change of every Pod, once and in order.
func (w *follower) judge(h history.History) {
	w.t.Helper()
	var want []seen
	for _, e := range h {
		if e.Key.Resource == "pods" && e.Revision > w.from {
			want = append(want, seen{e.Revision, e.Verb})
		}
	}
	var got []seen
	eventually(w.t, "the watch is at the end", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		got = w.seen
		return len(got) > 0 && got[len(got)-1].Revision >= want[len(want)-1].Revision
	})
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("watches told of something else than what was (-want +got):\n%s", diff[:min(len(diff), 3000)])
	}
	w.t.Logf("the watches told of %d changes of Pods", len(got))
}
