package exercise

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
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

// readLists lists what followers watch, from alternating replicas: each list must be the state at
// its revision, and include all writes that were acknowledged before it was requested.
func readLists(a *actor) {
	a.rest(500 * time.Millisecond)
	client := a.somebody()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	w, floor := watched[a.IntN(len(watched))], a.Newest()
	list, err := w.list(ctx, client)
	switch {
	case err == nil:
		a.noteList(listedOf(w.resource, w.namespace, floor, list))
	case !a.refusals.Retryable(err):
		a.Wrong("%s was told: %v", a.name, err)
	}
}

// QuietPath lists what only clients change, whatever controllers do: in a copy of the cluster it
// stays as it was.
const QuietPath = "/api/v1/namespaces/" + hot + "/configmaps"

// NoteCopy records what QuietPath lists in a copy of the cluster, which holds the state at a
// revision: that must be so, and include all writes up to the floor.
func (c *Clients) NoteCopy(floor, at object.Revision, list []byte) error {
	var maps corev1.ConfigMapList
	if err := json.Unmarshal(list, &maps); err != nil {
		return err
	}
	l := listedOf(configMapsOf, hot, floor, &maps)
	l.Revision = at
	c.noteList(l)
	return nil
}

func (c *Clients) noteList(l history.Listed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists = append(c.lists, l)
}

// listedOf keeps the part of a list that is checked.
func listedOf(resource, namespace string, floor object.Revision, list metav1.ListInterface) history.Listed {
	l := history.Listed{
		Resource: resource, Namespace: namespace, Floor: floor,
		Revision: object.RevisionOf(&metav1.ObjectMeta{ResourceVersion: list.GetResourceVersion()}), Items: map[object.Key]uint64{},
	}
	if o, ok := list.(runtime.Object); ok {
		_ = meta.EachListItem(o, func(item runtime.Object) error { // it only fails if this does
			if o, ok := item.(object.Object); ok {
				l.Items[object.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()}] = history.Digest(o)
			}
			return nil
		})
	}
	return l
}
