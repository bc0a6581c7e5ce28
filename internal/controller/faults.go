package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Fault brings faults to the nodes and Pods that they are for.
const Fault = "fault"

func newFault(World) engine.Controller {
	return engine.Controller{
		Name: Fault, UserAgent: "fault-injector", Primary: fault.Resource, Batch: 16, Gather: apart(lookAtFault), Remembers: true,
		Sources: []wakeup.Source{wakeup.For(&kind.Fault.Type, wakeup.NotBy(Fault))},
	}
}
