package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// EventExpiry deletes Events that have not been written for an hour.
const EventExpiry = "eventexpiry"

func newEventExpiry(w World) engine.Controller {
	return engine.Controller{ // woken by itself alone
		Name: EventExpiry, UserAgent: "event-expiry", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.Expiry.look,
	}
}
