package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// GarbageCollector deletes dependents, and lets go of owners that wait for theirs.
const GarbageCollector = "garbagecollector"

func newGarbageCollector(w World) engine.Controller {
	return engine.Controller{
		Name: GarbageCollector, UserAgent: "generic-garbage-collector", Primary: "*", Batch: 500, Reconcile: each(w.lookForGarbage),
		Sources: []wakeup.Source{wakeup.WatchesAll(wakeup.CollectGarbage)}, // and the dependents of what is deleted: see the SQL function apply_write
	}
}
