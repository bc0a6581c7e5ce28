package nodelifecycle

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/node/topology"

	"github.com/rowlock/rowlock/internal/plan"
)

// How fast the nodes of a zone are tainted: one after the other, at these intervals, and not at all
// in a small zone where most nodes are not ready.
//
// Source: kubernetes v1.36 cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go
const (
	taintEvery          = 10 * time.Second  // --node-eviction-rate 0.1
	taintEveryDisrupted = 100 * time.Second // --secondary-node-eviction-rate 0.01
	largeZone           = 50                // --large-cluster-size-threshold
	unhealthyShare      = 0.55              // --unhealthy-zone-threshold
	leastUnhealthy      = 3

	excludeDisruption = "node.kubernetes.io/exclude-disruption"
)

// Cluster is all Nodes. They are not modified.
type Cluster struct {
	Nodes []*corev1.Node
	Now   time.Time
}

// zone is the state of the nodes of one zone.
type zone struct {
	ready, unready int
	queue          []*corev1.Node // the nodes to taint
	tainted        time.Time      // when the last of them was tainted
}

// every is the minimum time between two taints; 0 if no node is tainted.
func (z *zone) every() time.Duration {
	share := float64(z.unready) / float64(z.unready+z.ready)
	if z.ready == 0 || z.unready < leastUnhealthy || share < unhealthyShare {
		return taintEvery
	}
	if z.unready+z.ready > largeZone {
		return taintEveryDisrupted
	}
	return 0
}

// TaintUnready updates the taints that evict Pods from nodes which are not ready or not reachable.
// It removes them from ready nodes, and adds them to others, one at a time per zone. If no node of
// any zone is ready, the cause must be elsewhere, and no Pods are evicted.
//
// For example, two of three nodes fail at 12:00:00: one is tainted at 12:00:50, the other at
// 12:01:00. If the third fails at 12:01:10, all taints are removed at 12:02:00.
//
// Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go, processTaintBaseEviction, doNoExecuteTaintingPass,
// handleDisruption and ComputeZoneState.
// Differs: the history that upstream remembers is read from the taints' timeAdded. When the last
// disruption of all zones ends, the time for which a node has been silent is not reset.
func TaintUnready(c Cluster) plan.Plan {
	var p plan.Plan
	zones := map[string]*zone{}
	anyUnready, anyReady := false, false
	for _, n := range c.Nodes {
		z := zones[topology.GetZoneKey(n)]
		if z == nil {
			z = &zone{}
			zones[topology.GetZoneKey(n)] = z
		}
		if _, excluded := n.Labels[excludeDisruption]; excluded {
			continue
		}
		if readiness(n) == corev1.ConditionTrue {
			z.ready, anyReady = z.ready+1, true
		} else {
			z.unready, anyUnready = z.unready+1, true
		}
	}
	disrupted := anyUnready && !anyReady
	now := metav1.Time{Time: c.Now.Truncate(time.Second)}
	for _, n := range c.Nodes {
		z := zones[topology.GetZoneKey(n)]
		has, wanted := evictingTaint(n), unreadyTaints[readiness(n)]
		if disrupted {
			wanted = ""
		}
		if has != nil && has.TimeAdded != nil && has.TimeAdded.After(z.tainted) && !has.TimeAdded.After(c.Now) {
			z.tainted = has.TimeAdded.Time
		}
		switch {
		case n.DeletionTimestamp != nil || readiness(n) == "":
		case has == nil && wanted != "":
			z.queue = append(z.queue, n)
		case !hasOnly(n, wanted):
			p.Updates = append(p.Updates, plan.Update{Object: tainted(n, wanted, now)})
		}
	}
	for _, z := range zones {
		z.taint(&p, now)
	}
	slices.SortFunc(p.Updates, func(a, b plan.Update) int { return strings.Compare(a.Object.GetName(), b.Object.GetName()) })
	return p
}

// taint taints the next node of the zone, if it is due: the one that has been unready for longest.
func (z *zone) taint(p *plan.Plan, now metav1.Time) {
	every := z.every()
	if len(z.queue) == 0 || every == 0 {
		return
	}
	if at := z.tainted.Add(every); now.Time.Before(at) {
		p.WakeAt = earlier(p.WakeAt, at)
		return
	}
	next := slices.MinFunc(z.queue, func(a, b *corev1.Node) int {
		return cmp.Or(since(a).Compare(since(b)), strings.Compare(a.Name, b.Name))
	})
	p.Updates = append(p.Updates, plan.Update{Object: tainted(next, unreadyTaints[readiness(next)], now)})
	if len(z.queue) > 1 {
		p.WakeAt = earlier(p.WakeAt, now.Add(every))
	}
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// since is when the node's readiness last changed.
func since(n *corev1.Node) time.Time {
	for i := range n.Status.Conditions {
		if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.LastTransitionTime.Time
		}
	}
	return time.Time{}
}

// unreadyTaints are the keys of the evicting taints, by the status of Ready.
var unreadyTaints = conditionTaints[corev1.NodeReady]

// evicting reports whether a taint is one of them.
func evicting(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoExecute && (t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable)
}

// evictingTaint is the first of them on the node; nil if none exists.
func evictingTaint(n *corev1.Node) *corev1.Taint {
	for i := range n.Spec.Taints {
		if t := &n.Spec.Taints[i]; evicting(t) {
			return t
		}
	}
	return nil
}

// hasOnly reports whether the node has the taint with the key, or none if the key is empty, and not
// the other.
func hasOnly(n *corev1.Node, key string) bool {
	has := key == ""
	for i := range n.Spec.Taints {
		if t := &n.Spec.Taints[i]; evicting(t) {
			if t.Key != key {
				return false
			}
			has = true
		}
	}
	return has
}

// tainted is the node with the evicting taint of the key, and without the other; without both if
// the key is empty.
func tainted(n *corev1.Node, key string, now metav1.Time) *corev1.Node {
	next := *n
	next.Spec.Taints = nil
	for _, t := range n.Spec.Taints {
		if !evicting(&t) || t.Key == key {
			next.Spec.Taints = append(next.Spec.Taints, t)
		}
	}
	if key != "" && !hasOnly(&next, key) {
		next.Spec.Taints = append(next.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute, TimeAdded: &now})
	}
	return &next
}
