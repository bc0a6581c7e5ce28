package exercise

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// Followers watch, each from one replica to the next: where a watch ends, the next continues.
type Followers struct {
	*Clients
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu   sync.Mutex
	seen [][]history.Watched // of each; a new history begins a new part
}

// Follow begins at the present.
func (c *Clients) Follow() *Followers {
	ctx, cancel := context.WithCancel(context.Background())
	f := &Followers{Clients: c, cancel: cancel, seen: make([][]history.Watched, len(watched))}
	for i := range watched {
		f.all.Go(func() { f.run(ctx, i) })
	}
	return f
}

// begin lists what follower i watches; its next part continues from there.
func (f *Followers) begin(ctx context.Context, i int, client kubernetes.Interface) (at object.Revision, ok bool) {
	w, floor := watched[i], f.Newest()
	list, err := w.list(ctx, client)
	if err != nil {
		return 0, false
	}
	listed := listedOf(w.resource, w.namespace, floor, list)
	f.noteList(listed)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[i] = append(f.seen[i], history.Watched{Resource: w.resource, Namespace: w.namespace, From: listed.Revision})
	return listed.Revision, true
}

func (f *Followers) run(ctx context.Context, i int) {
	w, draw := watched[i], f.draw("watch-"+strconv.Itoa(i))
	begun, renewed := false, 0
	at := object.Revision(0)
	for ; ctx.Err() == nil; Sleep(ctx, 10*time.Millisecond) {
		client := f.Any(draw.Int())
		if client == nil {
			continue
		}
		if !begun {
			renewed = f.Renewed()
			if at, begun = f.begin(ctx, i, client); !begun {
				continue
			}
		}
		events, err := w.watch(ctx, client, metav1.ListOptions{ResourceVersion: at.ResourceVersion(), AllowWatchBookmarks: true})
		if err != nil {
			begun = !f.expired(w.resource, at, renewed, err)
			continue
		}
		for e := range events.ResultChan() {
			o, ok := e.Object.(object.Object)
			if !ok {
				begun = !f.expired(w.resource, at, renewed, apierrors.FromObject(e.Object))
				break
			}
			seen := history.Seen{Revision: object.RevisionOf(o), Verb: verbs[e.Type], UID: o.GetUID()}
			if seen.Verb != 0 {
				seen.Digest = history.Digest(o)
			}
			at = seen.Revision
			f.mu.Lock()
			part := &f.seen[i][len(f.seen[i])-1]
			part.Seen = append(part.Seen, seen)
			f.mu.Unlock()
		}
		events.Stop()
	}
}

var verbs = map[watch.EventType]object.Verb{watch.Added: object.Created, watch.Modified: object.Updated, watch.Deleted: object.Deleted}

// expired handles a watch that cannot continue where it was. That is wrong unless a new history may
// have begun since: nothing else is compacted.
func (f *Followers) expired(resource string, at object.Revision, renewed int, err error) bool {
	if !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err) {
		return false
	}
	if f.Renewed() == renewed {
		f.Wrong("a watch of %s from %d was refused: %v", resource, at, err)
	}
	return true
}

// stop waits until every follower has seen everything up to a revision, and ends them.
func (f *Followers) stop(ctx context.Context, h history.History) error {
	defer func() { f.cancel(); f.all.Wait() }()
	last := make([]object.Revision, len(watched)) // of each
	for _, e := range h {
		for i, w := range watched {
			if e.Key.Resource == w.resource && (w.namespace == "" || w.namespace == e.Key.Namespace) {
				last[i] = e.Revision
			}
		}
	}
	behind := func() (waiting string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		for i, parts := range f.seen {
			if len(parts) == 0 {
				waiting += " " + watched[i].resource
				continue
			}
			w := parts[len(parts)-1]
			if n := len(w.Seen); last[i] > w.From && (n == 0 || w.Seen[n-1].Revision < last[i]) {
				waiting += " " + watched[i].resource
			}
		}
		return waiting
	}
	for w := newWait(); behind() != ""; Sleep(ctx, 20*time.Millisecond) {
		if w.over(strconv.Itoa(f.count())) || ctx.Err() != nil {
			return errors.New("watches never came to the end:" + behind())
		}
	}
	f.cancel()
	f.all.Wait()
	f.Clients.followed = slices.Concat(f.seen...)
	return nil
}

// count returns how many events have arrived.
func (f *Followers) count() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, parts := range f.seen {
		for _, w := range parts {
			n += len(w.Seen)
		}
	}
	return n
}
