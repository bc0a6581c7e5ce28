package chaos_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/test/history"
)

// awaitSettled waits until every replica serves as many Pods of each app as wanted, all Ready, and
// no others; they must then agree on which those are.
func (c *clients) awaitSettled(want map[string]int) {
	c.t.Helper()
	var seen [][]string
	for _, r := range c.replicas {
		var names []string
		var got map[string]int
		eventually(c.t, r.name+" serves what was asked for", func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			pods, err := r.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return false
			}
			names, got = nil, map[string]int{}
			for _, p := range pods.Items {
				names = append(names, p.Name)
				got[p.Labels["app"]] += one(&p)
			}
			return len(names) == sum(want) && cmp.Equal(want, got)
		})
		seen = append(seen, names)
	}
	for i := range seen[1:] {
		if diff := cmp.Diff(seen[0], seen[i+1]); diff != "" {
			c.t.Errorf("the replicas serve different Pods (-first +other):\n%s", diff)
		}
	}
}

// awaitRolledOut waits until the Deployments only have Pods of their newest template.
func (c *clients) awaitRolledOut(names []string) {
	c.t.Helper()
	for _, name := range names {
		eventually(c.t, name+" is rolled out", func() bool { return c.isRolledOut(name) })
	}
}

func (c *clients) isRolledOut(deployment string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	d, err := c.any().AppsV1().Deployments(namespace).Get(ctx, deployment, metav1.GetOptions{})
	return err == nil && d.Status.ObservedGeneration >= d.Generation && d.Status.Replicas == *d.Spec.Replicas &&
		d.Status.UpdatedReplicas == *d.Spec.Replicas && d.Status.AvailableReplicas == *d.Spec.Replicas
}

// awaitDaemons waits until a DaemonSet has Pods of its newest template on every node.
func (c *clients) awaitDaemons(ds *appsv1.DaemonSet) {
	c.t.Helper()
	eventually(c.t, ds.Name+" is rolled out", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		now, err := c.any().AppsV1().DaemonSets(agents).Get(ctx, ds.Name, metav1.GetOptions{})
		return err == nil && now.Status.ObservedGeneration >= ds.Generation && now.Status.DesiredNumberScheduled > 0 &&
			now.Status.UpdatedNumberScheduled == now.Status.DesiredNumberScheduled && now.Status.NumberAvailable == now.Status.DesiredNumberScheduled
	})
}

// one returns 1 for a Pod that is as it should be.
func one(p *corev1.Pod) int {
	if podstate.Active(p) && podstate.Ready(p) {
		return 1
	}
	return 0
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// awaitResync waits until the resync has covered all Pods once more, and checks that it has never
// found anything, at any time in any process.
func (c *clients) awaitResync(pods int) {
	c.t.Helper()
	looks := func() (n float64) {
		for _, r := range c.replicas {
			n += r.metric("rowlock_worker_resync_syncs_total")["kubelet"]
		}
		return n
	}
	before := looks()
	eventually(c.t, "the resync has looked at all Pods", func() bool { return looks() >= before+float64(2*pods) })
	for _, r := range c.replicas {
		for controller, n := range r.metric("rowlock_worker_resync_found_total") {
			if n > 0 {
				c.t.Errorf("the resync of %s has found %v things that %s should have seen", r.name, n, controller)
			}
		}
	}
	if c.log.Contains("the resync found") {
		c.t.Error("the resync has found something, as the log says")
	}
}

// judge reads the log and runs all checks on it.
func (c *clients) judge() history.History {
	c.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.database)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // nothing was written
	h, err := history.Read(context.Background(), conn)
	if err != nil {
		c.t.Fatal(err)
	}
	found := slices.Concat(history.Chain(h), history.Holds(h, c.acknowledged), history.ReplicaSets(h),
		history.Deployments(h), history.DaemonSets(h), history.StatefulSets(h), history.Jobs(h), history.Pods(h),
		history.Quotas(h), history.QuotasTell(h), history.Budgets(h), history.Definitions(h), history.Devices(h))
	for _, v := range found[:min(len(found), 30)] {
		c.t.Error(v)
	}
	c.t.Logf("%d revisions, %d writes acknowledged, %d violations; clients met: %s", len(h), len(c.acknowledged), len(found), &c.refusals)
	return h
}

// takeover logs how long after each moment the next commit came, and the next of a controller.
func takeover(t testing.TB, h history.History, moments []time.Time) {
	t.Helper()
	var commits, controllers []time.Duration
	for _, moment := range moments {
		if d, ok := next(h, moment, func(history.Entry) bool { return true }); ok {
			commits = append(commits, d)
		}
		if d, ok := next(h, moment, func(e history.Entry) bool { return e.Cause != 0 }); ok {
			controllers = append(controllers, d)
		}
	}
	report(t, "from a kill to the next commit", commits)
	report(t, "from a kill to the next commit of a controller", controllers)
	report(t, "from a Pod's creation to its node", binding(h))
}

func report(t testing.TB, what string, d []time.Duration) {
	t.Helper()
	if len(d) == 0 {
		return
	}
	slices.Sort(d)
	round := func(i int) time.Duration { return d[i].Round(time.Millisecond) }
	t.Logf("%s: median %v, 90%% %v, longest %v of %d", what, round(len(d)/2), round(len(d)*9/10), round(len(d)-1), len(d))
}

// binding returns how long each Pod waited for its node. A Pod that a killed process had just
// claimed waits for another's claim.
func binding(h history.History) []time.Duration {
	waiting := map[types.UID]time.Time{}
	var all []time.Duration
	for _, e := range h {
		p, ok := e.Object.(*corev1.Pod)
		switch since, waits := waiting[e.UID]; {
		case !ok:
		case e.Verb == object.Created:
			waiting[e.UID] = e.At
		case waits && p.Spec.NodeName != "":
			all = append(all, e.At.Sub(since))
			delete(waiting, e.UID)
		}
	}
	return all
}

// next returns how long after a moment the first matching entry was committed. Processes and
// database share one clock.
func next(h history.History, moment time.Time, is func(history.Entry) bool) (time.Duration, bool) {
	for _, e := range h {
		if e.At.After(moment) && is(e) {
			return e.At.Sub(moment), true
		}
	}
	return 0, false
}
