package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Namespace deletes what is in a namespace that is being deleted.
const Namespace = "namespace"

func newNamespace(w World) engine.Controller {
	return engine.Controller{
		Name: Namespace, UserAgent: "namespace-controller", Primary: "namespaces", Batch: 16, Reconcile: each(w.lookAtNamespace),
		Sources: []wakeup.Source{
			wakeup.For(&kind.Namespace.Type, wakeup.NotBy(Namespace)), // what it deletes wakes it when it is gone
			wakeup.WatchesAll(wakeup.LeavesNamespace),
		},
	}
}
