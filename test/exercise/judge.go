package exercise

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/test/history"
)

// Judge waits until the cluster has settled, deletes everything, and runs all checks on the log.
func (c *Clients) Judge(ctx context.Context, watches *Followers, stdout io.Writer) (history.History, error) {
	converged, err := c.finish(ctx)
	if err != nil {
		return nil, err
	}
	c.judgeCounters(ctx)
	if _, err := c.clear(ctx); err != nil {
		return nil, err
	}
	c.judgeResync()
	h, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	if err := watches.stop(ctx, h); err != nil {
		return nil, err
	}
	h, number := c.renumber(h)
	before := h[:min(int(number(converged)), len(h))]
	lasting := before[min(int(number(c.cleared)), len(before)):] // since the warm-up, whose objects were deleted at its end
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
		{"lists", history.Lists(h, c.lists)},
		{"locks", history.Locks(c.holds)},
		{"quotas", history.Quotas(h)},
		{"quotas' status", history.QuotasTell(before)},
		{"definitions", history.Definitions(h)},
		{"devices", history.Devices(h)},
		{"linearizability", history.Linearizable(c.operations)},
	} {
		fmt.Fprintf(stdout, "%s: %d violations\n", check.name, len(check.found))
		for _, v := range check.found {
			c.Wrong("%s: %s%s", check.name, v, around(h, v))
		}
	}
	return h, nil
}

// read reads the whole log.
func (c *Clients) read(ctx context.Context) (history.History, error) {
	pool, err := pg.Open(ctx, pg.Config{URL: c.URL()})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return history.Read(ctx, pool)
}

// renumber removes the answers about lost revisions, and converts the log and all other answers to
// numbers without the gaps that new histories leave.
func (c *Clients) renumber(h history.History) (history.History, func(object.Revision) object.Revision) {
	lost := c.lost()
	c.forgotten = len(c.acknowledged)
	c.acknowledged, c.lists, c.holds = lost.Writes(c.acknowledged), lost.Lists(c.lists), lost.Holds(c.holds)
	c.followed, c.operations = lost.Watched(c.followed), lost.Operations(c.operations)
	c.forgotten -= len(c.acknowledged)
	h, number := history.Renumber(h)
	for i := range c.acknowledged {
		c.acknowledged[i].Revision = number(c.acknowledged[i].Revision)
	}
	for i := range c.followed {
		c.followed[i].Renumber(number)
	}
	for i := range c.lists {
		c.lists[i].Revision, c.lists[i].Floor = number(c.lists[i].Revision), number(c.lists[i].Floor)
	}
	return h, number
}

// around returns the entries of a namespace just before and after a violation.
func around(h history.History, v history.Violation) string {
	var text strings.Builder
	for i := max(0, int(v.Revision)-40); v.Revision > 0 && i < min(len(h), int(v.Revision)+5); i++ {
		if e := h[i]; e.Key.Namespace == v.Key.Namespace && e.Key.Resource != "events" && e.Key.Namespace != hot {
			fmt.Fprintf(&text, "\n\t%d of %d: %s %s by %s", e.Revision, e.Cause, e.Verb, e.Key, e.Writer)
		}
	}
	return text.String()
}

// in returns the entries of some namespaces.
func in(h history.History, namespaces ...string) history.History {
	var part history.History
	for _, e := range h {
		if slices.Contains(namespaces, e.Key.Namespace) {
			part = append(part, e)
		}
	}
	return part
}

// judgeCounters checks that no increment was lost or done twice.
func (c *Clients) judgeCounters(ctx context.Context) {
	a := c.actor(ctx, "counters")
	for name, n := range c.counted {
		cm, ok := do(a, configMapsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
			return client.CoreV1().ConfigMaps(hot).Get(ctx, name, metav1.GetOptions{})
		})
		if !ok {
			continue // of the warm-up
		}
		got, _ := strconv.Atoi(cm.Data["n"])
		if least, most := n.bounds(c.lost()); got < least || got > most {
			c.Wrong("%s is %d after %d increments and %d of unknown outcome", name, got, len(n.done), n.unknown)
		}
	}
}

// judgeResync checks that the resync has found nothing, in any process at any time.
func (c *Clients) judgeResync() {
	for _, line := range c.Log().Lines("the resync found") {
		c.Wrong("%s", line)
	}
}

// Report prints what the clients did and encountered.
func (c *Clients) Report(stdout io.Writer, h history.History) {
	events := 0
	for _, w := range c.followed {
		events += len(w.Seen)
	}
	fmt.Fprintf(stdout,
		"%d revisions, %d writes acknowledged (%d more were lost by %d asynchronous failovers), "+
			"%d operations on hot ConfigMaps, %d events of watches\n",
		len(h), len(c.acknowledged), c.forgotten, len(c.lost()), len(c.operations), events)
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

// Verdict returns an error if anything was wrong.
func (c *Clients) Verdict(stdout io.Writer) error {
	if err := c.Failed(); err != nil {
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
