// Package resourcequota keeps the status of ResourceQuotas: what they allow, and what is used of it. Usage itself is kept by the
// store, in the transactions of the changes that it is about; this shows it, and counts what was there before the quota.
//
// Source: kubernetes v1.36 pkg/controller/resourcequota/resource_quota_controller.go, syncResourceQuota
package resourcequota

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is what is known of one ResourceQuota.
type Snapshot struct {
	Quota *corev1.ResourceQuota
	// Usage is what is allowed and used, as it is enforced.
	Usage []plan.QuotaUsage
	// Count, when not nil, says that what there is has to be counted first.
	Count *Count
	// Memory is what the last plan left to be remembered; nil for nothing.
	Memory []byte
}

// Reconcile counts what is used, or shows it.
func Reconcile(s Snapshot) plan.Plan {
	if s.Count != nil {
		return s.Count.plan(kind.NewQuota(s.Quota), s.Memory)
	}
	status := corev1.ResourceQuotaStatus{Hard: s.Quota.Spec.Hard, Used: corev1.ResourceList{}}
	for _, u := range s.Usage {
		status.Used[u.Resource] = u.Used
	}
	var p plan.Plan
	if len(s.Memory) > 0 { // of a count that is over
		p.Memory = []byte{}
	}
	if equal(status.Hard, s.Quota.Status.Hard) && equal(status.Used, s.Quota.Status.Used) && s.Quota.Status.Used != nil {
		return p
	}
	next := s.Quota.DeepCopy()
	next.Status = *status.DeepCopy()
	p.Updates = []plan.Update{{Object: next, Subresource: "status"}}
	return p
}

func equal(a, b corev1.ResourceList) bool {
	return maps.EqualFunc(a, b, func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 })
}
