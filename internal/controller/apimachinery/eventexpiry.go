package apimachinery

import (
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewEventExpiry makes the controller that deletes Events that have not been written for an hour.
//
// Cost: the Events that it deletes, at most 500, found in the order in which they expire.
func NewEventExpiry(w world.World) engine.Controller {
	return engine.Controller{ // only it wakes itself
		Name: names.EventExpiry, UserAgent: "event-expiry", Batch: 500, Lock: wakeup.HousekeepingLock, Reconcile: w.Expiry.Sync,
	}
}
