package scheduler

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// String is the whole content of the cluster, in an order that does not depend on its history.
func (c *Cluster) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.nodes)) {
		n := c.nodes[name]
		fmt.Fprintf(&b, "node %s exists=%t uses %s of %s with %d of %d Pods, ports %v\n", name, n.Object != nil, n.Used,
			n.Allocatable, n.Pods, n.MaxPods, sortedPorts(n.Ports))
		for _, uid := range slices.Sorted(maps.Keys(n.pods)) {
			p := n.pods[uid]
			fmt.Fprintf(&b, "  Pod %s of %q priority=%d start=%s preempted=%t uses %s\n", uid, p.group.key, p.priority,
				p.start.UTC().Format(time.RFC3339), p.preempted, p.request)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[key]
		on := map[string]int64{}
		for n, pods := range g.nodes {
			on[n.name] = pods
		}
		_, termed := c.termed[g]
		fmt.Fprintf(&b, "group %q termed=%t on %v\n", key, termed, on)
	}
	for _, uid := range slices.Sorted(maps.Keys(c.waiting)) {
		fmt.Fprintf(&b, "waiting %s for node %q\n", uid, c.waiting[uid].node)
	}
	b.WriteString(c.backlog.String())
	fmt.Fprintf(&b, "priorities %v, %d namespaces, %d labels\n", c.priorities, len(c.byNamespace), len(c.byLabel))
	return b.String()
}

// String is the Pods, and those of each cohort, in the order in which they are tried.
func (l *backlog) String() string {
	var b strings.Builder
	l.untried.Scan(func(m *member) bool { fmt.Fprintf(&b, "untried %s\n", m.uid); return true })
	l.byRank.Scan(func(c *cohort) bool {
		fmt.Fprintf(&b, "cohort %q mingles=%t", c.key, c.mingles)
		c.members.Scan(func(m *member) bool { fmt.Fprintf(&b, " %s", m.uid); return true })
		for _, said := range slices.Sorted(maps.Keys(c.told)) {
			fmt.Fprintf(&b, " %d:%q", c.told[said].Len(), said)
		}
		b.WriteByte('\n')
		return true
	})
	fmt.Fprintf(&b, "%d in %d cohorts, %d and %d by try, %d selective\n", len(l.members), len(l.cohorts), l.byTry.Len(), l.minglers.Len(), l.selective)
	return b.String()
}

func sortedPorts(ports []HostPort) []HostPort {
	return slices.SortedFunc(slices.Values(ports), func(a, b HostPort) int {
		return cmp.Or(cmp.Compare(a.Port, b.Port), cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.IP, b.IP))
	})
}
