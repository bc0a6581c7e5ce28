package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/history"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
)

// prepare makes the namespaces, and has the clock run as fast as it is to.
func (c *clients) prepare(ctx context.Context) error {
	a := c.actor(ctx, "prepare")
	for _, name := range []string{calm, storm, work, hot} {
		a.createNamespace(name)
	}
	body := []byte(`{"speed":` + strconv.FormatFloat(c.speed, 'g', -1, 64) + `}`)
	return c.any(0).CoreV1().RESTClient().Post().AbsPath("/rowlock/v1/clock").SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
}

func (c *clients) actor(ctx context.Context, name string) *actor {
	return &actor{clients: c, Rand: c.draw(name), name: name, ctx: ctx, round: name}
}

// warmUp has the load go on for a while without failures, removes what it made, and measures the processes' memory then: what a
// process needs that has worked.
func (c *clients) warmUp(ctx context.Context) (memory, error) {
	load := c.start(ctx, "warm-up")
	sleep(ctx, c.warmUpTime())
	load.stop()
	if _, err := c.finish(ctx); err != nil {
		return nil, err
	}
	var err error
	if c.cleared, err = c.clear(ctx); err != nil {
		return nil, err
	}
	m, err := c.memoryAtRest(ctx, nil)
	if err != nil {
		return nil, err
	}
	return m, c.prepare(ctx)
}

func (c *clients) warmUpTime() time.Duration { return c.options.warmUp }

// finish asks for the last time: whole nodes, no Pods that nobody asked for, and Deployments of a known size. It returns when all has come
// to be so, with the revision of a moment at which it was.
func (c *clients) finish(ctx context.Context) (object.Revision, error) {
	a := c.actor(ctx, "finish")
	for n := failing; n <= nodes; n++ {
		a.mend("node-" + number(n))
	}
	a.suspend("tick", true)
	for i := range 3 {
		for namespace, name := range map[string]string{calm: "web-", storm: "app-"} {
			name += number(i)
			for range 100 { // it may be going
				a.applyDeployment(namespace, name, 3)
				patch := `{"spec":{"paused":false,"replicas":` + number(2+i) + `,"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.16"}]}}}}`
				if d, ok := a.patchDeployment(namespace, name, patch, gone); ok && d.DeletionTimestamp == nil {
					break
				}
				sleep(ctx, 200*time.Millisecond)
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

// removeStrays removes the Pods that a label has taken from their workload, and nobody wants any more.
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
	var wrong []history.Violation
	right := 0
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); sleep(a.ctx, 250*time.Millisecond) {
		if err := errors.Join(a.failed(), a.ctx.Err()); err != nil {
			return 0, err
		}
		at, found, err := look()
		if err != nil || len(found) > 0 {
			wrong, right = found, 0
			continue
		}
		if right++; right == 2 {
			return at, nil
		}
	}
	texts := make([]string, len(wrong))
	for i, v := range wrong {
		texts[i] = v.String()
	}
	slices.Sort(texts)
	return 0, fmt.Errorf("waited %v for %s, in vain:\n%s\nthe processes logged:\n%s", patience, what, strings.Join(texts[:min(len(texts), 20)], "\n"), a.log.Tail(4000))
}

// list is everything that Converged goes by, from one replica, and the revision of the first list.
func (a *actor) list(ctx context.Context) (map[object.Key]object.Object, object.Revision, error) {
	client := a.any(a.IntN(len(a.replicas)))
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

// settled asks the database.
func (c *clients) settled(ctx context.Context) ([]history.Violation, error) {
	pool, err := pg.Open(ctx, pg.Config{URL: c.url})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return history.Settled(ctx, pool)
}

// clear removes all that the load has made, and returns when nothing is left of it, with a revision at which it was so.
func (c *clients) clear(ctx context.Context) (object.Revision, error) {
	a := c.actor(ctx, "clear")
	return a.await("everything to be removed", func() (object.Revision, []history.Violation, error) {
		live, at, err := a.list(ctx)
		if err != nil {
			return 0, nil, err
		}
		var left []history.Violation
		for key := range live {
			if key.Resource == "namespaces" && (strings.HasPrefix(key.Name, passing) || slices.Contains([]string{calm, storm, work, hot}, key.Name)) {
				if live[key].GetDeletionTimestamp() == nil {
					a.deleteNamespace(key.Name)
				}
				left = append(left, history.Violation{Key: key, Message: "is there"})
			}
		}
		if len(left) == 0 {
			left, err = c.settled(ctx)
		}
		return at, left, err
	})
}

// judge waits until the cluster has come to rest, removes everything, and puts all checks to the log.
func (c *clients) judge(ctx context.Context, watches *followers, stdout io.Writer) (history.History, error) {
	converged, err := c.finish(ctx)
	if err != nil {
		return nil, err
	}
	c.judgeCounters(ctx)
	if _, err := c.clear(ctx); err != nil {
		return nil, err
	}
	c.judgeResync()
	pool, err := pg.Open(ctx, pg.Config{URL: c.url})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	h, err := history.Read(ctx, pool)
	if err != nil {
		return nil, err
	}
	if err := watches.stop(ctx, h); err != nil {
		return nil, err
	}
	before := h[:min(int(converged), len(h))]
	lasting := before[min(int(c.cleared), len(before)):] // since the warm-up, whose objects were removed in the end
	for _, check := range []struct {
		name  string
		found []history.Violation
	}{
		{"chain", history.Chain(h)},
		{"acknowledged writes", history.Holds(h, c.acknowledged)},
		{"lives", history.Lives(h)},
		{"ownership", history.Ownership(h)},
		{"ReplicaSets", history.ReplicaSets(h)},
		{"Deployments", history.Deployments(in(lasting, calm))},
		{"DaemonSets", history.DaemonSets(h)},
		{"StatefulSets", history.StatefulSets(h)},
		{"Jobs", history.Jobs(h)},
		{"Pods", history.Pods(in(lasting, calm, storm, work))},
		{"budgets", history.Budgets(h)},
		{"capacity", history.Capacity(h)},
		{"addresses", history.Addresses(h)},
		{"convergence", history.Converged(history.Live(before))},
		{"watches", history.Watches(h, c.followed)},
		{"linearizability", history.Linearizable(c.operations)},
	} {
		fmt.Fprintf(stdout, "%s: %d violations\n", check.name, len(check.found))
		for _, v := range check.found {
			c.wrong("%s: %s%s", check.name, v, around(h, v))
		}
	}
	return h, nil
}

// around are the entries of a namespace just before and after a violation.
func around(h history.History, v history.Violation) string {
	var text strings.Builder
	for i := max(0, int(v.Revision)-40); v.Revision > 0 && i < min(len(h), int(v.Revision)+5); i++ {
		if e := h[i]; e.Key.Namespace == v.Key.Namespace && e.Key.Resource != "events" && e.Key.Namespace != hot {
			fmt.Fprintf(&text, "\n\t%d of %d: %s %s by %s", e.Revision, e.Cause, e.Verb, e.Key, e.Writer)
		}
	}
	return text.String()
}

// in are the entries of some namespaces.
func in(h history.History, namespaces ...string) history.History {
	var part history.History
	for _, e := range h {
		if slices.Contains(namespaces, e.Key.Namespace) {
			part = append(part, e)
		}
	}
	return part
}

// judgeCounters checks that no raise of a number was lost, and none done twice.
func (c *clients) judgeCounters(ctx context.Context) {
	a := c.actor(ctx, "counters")
	for name, n := range c.counted {
		cm, ok := do(a, configMapsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
			return client.CoreV1().ConfigMaps(hot).Get(ctx, name, metav1.GetOptions{})
		})
		if !ok {
			continue // of the warm-up
		}
		if got, _ := strconv.Atoi(cm.Data["n"]); got < n.done || got > n.done+n.unknown {
			c.wrong("%s is %d after %d raises, and %d of which nobody knows", name, got, n.done, n.unknown)
		}
	}
}

// judgeResync checks that the safety net has found nothing, in any process at any time.
func (c *clients) judgeResync() {
	for _, line := range c.log.Lines("the resync found") {
		c.wrong("%s", line)
	}
}

// report says what was survived.
func (c *clients) report(stdout io.Writer, h history.History) {
	s := &c.survived
	events := 0
	for _, w := range c.followed {
		events += len(w.Seen)
	}
	fmt.Fprintf(stdout, "survived %d processes killed, %d stopped for a while; PostgreSQL crashed %d times and restarted %d times\n",
		s.kills.Load(), s.stops.Load(), s.crashes.Load(), s.restarts.Load())
	fmt.Fprintf(stdout, "%d revisions, %d writes acknowledged, %d operations on hot ConfigMaps, %d events of watches\n",
		len(h), len(c.acknowledged), len(c.operations), events)
	fmt.Fprintf(stdout, "%s; longest time without an acknowledged write %v; clients met: %s\n", created(h), c.longest.Round(time.Millisecond), &c.refusals)
}

// created counts what was created of the main kinds.
func created(h history.History) string {
	var pods, deployments, jobs int
	for _, e := range h {
		if e.Verb != object.Created {
			continue
		}
		switch e.Object.(type) {
		case *corev1.Pod:
			pods++
		case *appsv1.Deployment:
			deployments++
		case *batchv1.Job:
			jobs++
		}
	}
	return fmt.Sprintf("%d Pods, %d Jobs and %d Deployments were created", pods, jobs, deployments)
}

// verdict is an error if anything was wrong.
func (c *clients) verdict(stdout io.Writer) error {
	if err := c.failed(); err != nil {
		return err
	}
	if len(c.violations) == 0 {
		fmt.Fprintln(stdout, "nothing was wrong")
		return nil
	}
	for _, v := range c.violations[:min(len(c.violations), 50)] {
		fmt.Fprintln(stdout, v)
	}
	return fmt.Errorf("%d violations, with the seed %d", len(c.violations), c.seed)
}
