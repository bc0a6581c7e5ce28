// Package resourcequota maintains the status of ResourceQuotas: what they allow, and what is used.
// The store maintains the usage itself, in the transactions that change it; this package shows it,
// and counts what existed before the quota.
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

// Snapshot is the state of one ResourceQuota.
type Snapshot struct {
	Quota *corev1.ResourceQuota
	// Usage is what is allowed and used, as it is enforced.
	Usage []plan.QuotaUsage
	// Count is not nil if the existing objects must be counted first.
	Count *Count
	// Memory is what the last plan stored; nil if nothing.
	Memory []byte
}

// Reconcile counts the usage, or shows it.
func Reconcile(s Snapshot) plan.Plan {
	if s.Count != nil {
		return s.Count.plan(kind.NewQuota(s.Quota), s.Memory)
	}
	status := corev1.ResourceQuotaStatus{Hard: s.Quota.Spec.Hard, Used: corev1.ResourceList{}}
	for _, u := range s.Usage {
		status.Used[u.Resource] = u.Used
	}
	var p plan.Plan
	if len(s.Memory) > 0 { // of a completed count
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
