package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ResourceQuota shows in the status of a ResourceQuota what is used, and counts that where nobody has.
//
// Cost: the quota, with which what is used is read. What counting costs, lookAtQuota says.
const ResourceQuota = "resourcequota"

func newResourceQuota(w World) engine.Controller {
	return engine.Controller{
		Name: ResourceQuota, UserAgent: "resourcequota-controller", Primary: "resourcequotas", Batch: 16,
		Gather: apart(w.lookAtQuota), Quotas: true, Remembers: true,
		Sources: []wakeup.Source{
			// A status that others have written is put right. A charge to a quota wakes for it too: see the SQL function
			// charge_quotas.
			wakeup.For(&kind.ResourceQuota.Type, wakeup.NotBy(ResourceQuota)),
		},
	}
}
