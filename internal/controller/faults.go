package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func newFault(World) engine.Controller {
	return engine.Controller{
		Name: wakeup.Fault, UserAgent: "fault-injector", Primary: fault.Resource, Batch: 16, Gather: apart(lookAtFault), Remembers: true,
		Sources: []wakeup.Source{wakeup.For(&kind.Fault.Type, wakeup.NotBy(wakeup.Fault))},
	}
}
