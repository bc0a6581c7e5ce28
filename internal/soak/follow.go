package main

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/history"
	"github.com/rowlock/rowlock/internal/object"
)

// watchOf watches one resource at one replica.
type watchOf func(ctx context.Context, client kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error)

// watched are what followers watch.
var watched = []struct {
	resource, namespace string
	list                func(ctx context.Context, client kubernetes.Interface) (metav1.ListInterface, error)
	watch               watchOf
}{
	{podsOf, "", func(ctx context.Context, c kubernetes.Interface) (metav1.ListInterface, error) {
		return c.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	}, func(ctx context.Context, c kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error) {
		return c.CoreV1().Pods("").Watch(ctx, o)
	}},
	{podsOf, storm, func(ctx context.Context, c kubernetes.Interface) (metav1.ListInterface, error) {
		return c.CoreV1().Pods(storm).List(ctx, metav1.ListOptions{})
	}, func(ctx context.Context, c kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error) {
		return c.CoreV1().Pods(storm).Watch(ctx, o)
	}},
	{configMapsOf, hot, func(ctx context.Context, c kubernetes.Interface) (metav1.ListInterface, error) {
		return c.CoreV1().ConfigMaps(hot).List(ctx, metav1.ListOptions{})
	}, func(ctx context.Context, c kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error) {
		return c.CoreV1().ConfigMaps(hot).Watch(ctx, o)
	}},
	{setsOf, "", func(ctx context.Context, c kubernetes.Interface) (metav1.ListInterface, error) {
		return c.AppsV1().ReplicaSets("").List(ctx, metav1.ListOptions{})
	}, func(ctx context.Context, c kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error) {
		return c.AppsV1().ReplicaSets("").Watch(ctx, o)
	}},
	{jobsOf, work, func(ctx context.Context, c kubernetes.Interface) (metav1.ListInterface, error) {
		return c.BatchV1().Jobs(work).List(ctx, metav1.ListOptions{})
	}, func(ctx context.Context, c kubernetes.Interface, o metav1.ListOptions) (watch.Interface, error) {
		return c.BatchV1().Jobs(work).Watch(ctx, o)
	}},
}

// followers watch, each from one replica to the next: wherever a watch ends, the next goes on from there.
type followers struct {
	*clients
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu   sync.Mutex
	seen []history.Watched
}

// follow begins at the present.
func (c *clients) follow() *followers {
	ctx, cancel := context.WithCancel(context.Background())
	f := &followers{clients: c, cancel: cancel, seen: make([]history.Watched, len(watched))}
	for i := range watched {
		f.all.Go(func() { f.run(ctx, i) })
	}
	return f
}

func (f *followers) run(ctx context.Context, i int) {
	w, draw := watched[i], f.draw("watch-"+number(i))
	begun := false
	at := object.Revision(0)
	for ; ctx.Err() == nil; sleep(ctx, 10*time.Millisecond) {
		client := f.any(draw.IntN(len(f.replicas)))
		if client == nil {
			continue
		}
		if !begun {
			list, err := w.list(ctx, client)
			if err != nil {
				continue
			}
			at, begun = object.RevisionOf(&metav1.ObjectMeta{ResourceVersion: list.GetResourceVersion()}), true
			f.mu.Lock()
			f.seen[i] = history.Watched{Resource: w.resource, Namespace: w.namespace, From: at}
			f.mu.Unlock()
		}
		events, err := w.watch(ctx, client, metav1.ListOptions{ResourceVersion: at.ResourceVersion(), AllowWatchBookmarks: true})
		if err != nil {
			f.judgeEnd(w.resource, at, err)
			continue
		}
		for e := range events.ResultChan() {
			o, ok := e.Object.(object.Object)
			if !ok {
				f.judgeEnd(w.resource, at, apierrors.FromObject(e.Object))
				break
			}
			seen := history.Seen{Revision: object.RevisionOf(o), Verb: verbs[e.Type], UID: o.GetUID()}
			if seen.Verb != "" {
				seen.Digest = history.Digest(o)
			}
			at = seen.Revision
			f.mu.Lock()
			f.seen[i].Seen = append(f.seen[i].Seen, seen)
			f.mu.Unlock()
		}
		events.Stop()
	}
}

var verbs = map[watch.EventType]object.Verb{watch.Added: object.Created, watch.Modified: object.Updated, watch.Deleted: object.Deleted}

// judgeEnd notes it where a watch was refused: nothing is compacted, so that every watch can be taken up again.
func (f *followers) judgeEnd(resource string, at object.Revision, err error) {
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		f.wrong("a watch of %s from %d was refused: %v", resource, at, err)
	}
}

// stop waits until every follower has seen everything up to a revision, and ends them.
func (f *followers) stop(ctx context.Context, h history.History) error {
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
		for i, w := range f.seen {
			if n := len(w.Seen); last[i] > w.From && (n == 0 || w.Seen[n-1].Revision < last[i]) {
				waiting += " " + watched[i].resource
			}
		}
		return waiting
	}
	for deadline := time.Now().Add(patience); behind() != ""; sleep(ctx, 20*time.Millisecond) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return errors.New("watches never came to the end:" + behind())
		}
	}
	f.cancel()
	f.all.Wait()
	f.clients.followed = f.seen
	return nil
}
