package exercise

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/test/history"
)

// Prepare creates the namespaces, and sets the speed of the cluster's clock.
func (c *Clients) Prepare(ctx context.Context, speed float64) error {
	a := c.actor(ctx, "prepare")
	for _, name := range []string{calm, storm, work, hot, edge} {
		a.createNamespace(name)
	}
	body, err := json.Marshal(v1.ClockRequest{Speed: &speed})
	if err != nil {
		return err
	}
	return c.Any(0).CoreV1().RESTClient().Post().AbsPath(v1.ClockPath).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
}

// WarmUp runs the load for a while without failures, and deletes what it created.
func (c *Clients) WarmUp(ctx context.Context, duration time.Duration) error {
	load := c.Start(ctx, "warm-up")
	Sleep(ctx, duration)
	load.Stop()
	if _, err := c.finish(ctx); err != nil {
		return err
	}
	var err error
	c.cleared, err = c.clear(ctx)
	return err
}

// finish makes the final requests: healthy nodes, no stray Pods, and Deployments of a known size.
// It returns when all of that holds, with a revision at which it did.
func (c *Clients) finish(ctx context.Context) (object.Revision, error) {
	a := c.actor(ctx, "finish")
	for n := failing; n <= nodes; n++ {
		a.mend("node-" + strconv.Itoa(n))
	}
	a.suspend("tick", true)
	a.applyDeployment(edge, "many", 3)
	a.patchDeployment(edge, "many", scaleTo(3), never) // the quota has room for these
	for i := range 3 {
		for namespace, name := range map[string]string{calm: "web-", storm: "app-"} {
			name += strconv.Itoa(i)
			for range 100 { // it may be being deleted
				a.applyDeployment(namespace, name, 3)
				patch := `{"spec":{"paused":false,"replicas":` + strconv.Itoa(2+i) + `,"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.16"}]}}}}`
				if d, ok := a.patchDeployment(namespace, name, patch, gone); ok && d.DeletionTimestamp == nil {
					break
				}
				Sleep(ctx, 200*time.Millisecond)
			}
		}
	}
	return a.await("the cluster to come to what it was asked for", func() (object.Revision, []history.Violation, error) {
		a.removeStrays()
		live, at, err := a.list(ctx)
		if err != nil {
			return 0, nil, err
		}
		found := history.Converged(live)
		if len(found) == 0 {
			found, err = c.settled(ctx)
		}
		return at, found, err
	})
}

// removeStrays deletes the Pods that lost their workload by a change of labels and are not needed
// any more.
func (a *actor) removeStrays() {
	for range 200 {
		p := a.somePod(storm, "app=stray")
		if p == nil || p.DeletionTimestamp != nil {
			return
		}
		a.deletePod(storm, p.Name)
	}
}

// await waits until nothing is found wrong, twice in a row.
func (a *actor) await(what string, look func() (object.Revision, []history.Violation, error)) (object.Revision, error) {
	var wrong string
	right := 0
	for w := newWait(); !w.over(wrong); Sleep(a.ctx, 250*time.Millisecond) {
		if err := errors.Join(a.Failed(), a.ctx.Err()); err != nil {
			return 0, err
		}
		at, found, err := look()
		if err != nil || len(found) > 0 {
			wrong, right = textOf(found, err), 0
			continue
		}
		if right++; right == 2 {
			return at, nil
		}
	}
	return 0, fmt.Errorf("waited for %s, and nothing has changed for %v:\n%s\nthe processes logged:\n%s", what, Patience, wrong, a.Log().Tail(4000))
}

// textOf describes what is wrong: the first twenty violations.
func textOf(found []history.Violation, err error) string {
	texts := make([]string, len(found))
	for i, v := range found {
		texts[i] = v.String()
	}
	slices.Sort(texts)
	if err != nil {
		texts = append(texts, err.Error())
	}
	return strings.Join(texts[:min(len(texts), 20)], "\n")
}

// list returns the whole input of Converged, from one replica, and the revision of the first list.
func (a *actor) list(ctx context.Context) (map[object.Key]object.Object, object.Revision, error) {
	client := a.somebody()
	if client == nil {
		return nil, 0, errors.New("no replica serves")
	}
	live := map[object.Key]object.Object{}
	first := object.Revision(0)
	for _, l := range []struct {
		resource string
		list     func() (runtime.Object, error)
	}{
		{"namespaces", func() (runtime.Object, error) { return client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{}) }},
		{"nodes", func() (runtime.Object, error) { return client.CoreV1().Nodes().List(ctx, metav1.ListOptions{}) }},
		{podsOf, func() (runtime.Object, error) { return client.CoreV1().Pods("").List(ctx, metav1.ListOptions{}) }},
		{setsOf, func() (runtime.Object, error) { return client.AppsV1().ReplicaSets("").List(ctx, metav1.ListOptions{}) }},
		{deploymentsOf, func() (runtime.Object, error) { return client.AppsV1().Deployments("").List(ctx, metav1.ListOptions{}) }},
		{daemonsOf, func() (runtime.Object, error) { return client.AppsV1().DaemonSets("").List(ctx, metav1.ListOptions{}) }},
		{statefulOf, func() (runtime.Object, error) {
			return client.AppsV1().StatefulSets("").List(ctx, metav1.ListOptions{})
		}},
		{claimsOf, func() (runtime.Object, error) {
			return client.CoreV1().PersistentVolumeClaims("").List(ctx, metav1.ListOptions{})
		}},
		{jobsOf, func() (runtime.Object, error) { return client.BatchV1().Jobs("").List(ctx, metav1.ListOptions{}) }},
		{"cronjobs.batch", func() (runtime.Object, error) { return client.BatchV1().CronJobs("").List(ctx, metav1.ListOptions{}) }},
	} {
		list, err := l.list()
		if err != nil {
			return nil, 0, err
		}
		m, err := meta.ListAccessor(list)
		if err != nil {
			return nil, 0, err
		}
		if first == 0 {
			first = object.RevisionOf(&metav1.ObjectMeta{ResourceVersion: m.GetResourceVersion()})
		}
		if err := meta.EachListItem(list, func(item runtime.Object) error {
			if o, ok := item.(object.Object); ok {
				live[object.Key{Resource: l.resource, Namespace: o.GetNamespace(), Name: o.GetName()}] = o
			}
			return nil
		}); err != nil {
			return nil, 0, err
		}
	}
	return live, first, nil
}

// settled queries the database.
func (c *Clients) settled(ctx context.Context) ([]history.Violation, error) {
	pool, err := pg.Open(ctx, pg.Config{URL: c.URL()})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return history.Settled(ctx, pool)
}

// clear deletes everything that the load has created, and returns when nothing is left of it, with
// a revision at which that was so.
func (c *Clients) clear(ctx context.Context) (object.Revision, error) {
	a := c.actor(ctx, "clear")
	a.undefineWidgets()
	return a.await("everything to be removed", func() (object.Revision, []history.Violation, error) {
		live, at, err := a.list(ctx)
		if err != nil {
			return 0, nil, err
		}
		var left []history.Violation
		for key := range live {
			if key.Resource == "namespaces" && (strings.HasPrefix(key.Name, passing) || slices.Contains([]string{calm, storm, work, hot, edge}, key.Name)) {
				if live[key].GetDeletionTimestamp() == nil {
					a.deleteNamespace(key.Name)
				}
				left = append(left, history.Violation{Key: key, Message: "is there"})
			}
		}
		if client := a.somebody(); client == nil || !gone(client.CoreV1().RESTClient().Get().AbsPath(definitionPath+"/"+widgetsOf).Do(ctx).Error()) {
			left = append(left, history.Violation{Key: object.Key{Resource: definitionsOf, Name: widgetsOf}, Message: "still exists, or no replica answers"})
		}
		if len(left) == 0 {
			left, err = c.settled(ctx)
		}
		return at, left, err
	})
}
