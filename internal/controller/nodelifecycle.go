package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func newNodeLifecycle(World) engine.Controller {
	return engine.Controller{
		Name: wakeup.NodeLifecycle, UserAgent: "node-controller", Primary: "nodes", Batch: 64, Reconcile: each(lookAtNode),
		Sources: []wakeup.Source{wakeup.For(&kind.Node.Type)},
	}
}
