package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NodeLifecycle keeps the conditions and taints of a node.
const NodeLifecycle = "nodelifecycle"

func newNodeLifecycle(World) engine.Controller {
	return engine.Controller{
		Name: NodeLifecycle, UserAgent: "node-controller", Primary: "nodes", Batch: 64, Reconcile: each(lookAtNode),
		Sources: []wakeup.Source{wakeup.For(&kind.Node.Type)},
	}
}
