package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func newEventExpiry(w World) engine.Controller {
	return engine.Controller{ // woken by itself alone
		Name: wakeup.EventExpiry, UserAgent: "event-expiry", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.Expiry.look,
	}
}
