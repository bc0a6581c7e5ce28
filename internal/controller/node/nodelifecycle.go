package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewNodeLifecycle makes the controller that maintains the conditions and taints of a node.
//
// Cost: the node.
func NewNodeLifecycle(world.World) engine.Controller {
	return engine.Controller{
		Name: names.NodeLifecycle, UserAgent: "node-controller", Primary: "nodes", Batch: 64, Reconcile: gather.Each(syncNode),
		Sources: []wakeup.Source{wakeup.For(&core.Node.Type)},
	}
}

func syncNode(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	return nodelifecycle.Reconcile(nodelifecycle.Snapshot{Node: o.Object().(*corev1.Node), Now: now})
}
