package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewNodeDisruption makes the controller that judges all nodes together: it taints those that are
// lost, unless too many are.
//
// Cost: all nodes, from memory; it writes those whose taints change.
func NewNodeDisruption(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.NodeDisruption, UserAgent: "node-controller", Batch: 500, Lock: wakeup.HousekeepingLock, Reconcile: controllers(w).syncNodes,
		Sources: []wakeup.Source{wakeup.Watches(&core.Node.Type, wakeup.OfLock(wakeup.HousekeepingLock, standingChanged))},
	}
}

// standing is what matters about a node for judging all nodes.
type standing struct {
	ready                     corev1.ConditionStatus
	region, zone, excluded    string
	hasNotReady, hasUnreached bool
}

func standingChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return standingOf(old) != standingOf(node)
}

func standingOf(n *corev1.Node) (s standing) {
	if n == nil {
		return s
	}
	s.ready = readiness(n)
	s.region, s.zone = n.Labels[corev1.LabelTopologyRegion], n.Labels[corev1.LabelTopologyZone]
	if _, is := n.Labels["node.kubernetes.io/exclude-disruption"]; is {
		s.excluded = "excluded"
	}
	for _, taint := range n.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoExecute {
			s.hasNotReady = s.hasNotReady || taint.Key == corev1.TaintNodeNotReady
			s.hasUnreached = s.hasUnreached || taint.Key == corev1.TaintNodeUnreachable
		}
	}
	return s
}

// syncNodes judges all nodes together, in name order.
func (w controllers) syncNodes(_ mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
	c := nodelifecycle.Cluster{Now: now}
	w.Nodes.Use(func(s *scheduler.Cluster) { c.Nodes = s.Nodes() })
	return []engine.Planned{{UID: requests[0].UID, Plan: nodelifecycle.TaintUnready(c)}}
}
