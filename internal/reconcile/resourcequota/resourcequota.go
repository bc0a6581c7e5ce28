// Package resourcequota keeps the status of ResourceQuotas: what they allow, and what is used of it. Usage itself is kept by the
// store, in the transactions of the changes that it is about; this shows it, and counts what was there before the quota.
//
// Source: kubernetes v1.36 pkg/controller/resourcequota/resource_quota_controller.go, syncResourceQuota
package resourcequota

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is what is known of one ResourceQuota.
type Snapshot struct {
	Quota *corev1.ResourceQuota
	// Usage is what is allowed and used, as it is enforced.
	Usage []plan.QuotaUsage
	// Count, when not nil, says that what there is has to be counted first.
	Count *Count
}

// Count is what is in a quota's namespace at a revision. Since is from which revision on the quota has had its spec.
type Count struct {
	Since, Revision object.Revision
	Kinds           *kind.Catalogue
	Contents        []Content
}

// Content is all objects of one kind.
type Content struct {
	Kind    *kind.Kind
	Objects []*object.Version
}

// Reconcile counts what is used, or shows it.
func Reconcile(s Snapshot) plan.Plan {
	if s.Count != nil {
		return plan.Plan{Recount: count(kind.NewQuota(s.Quota), *s.Count)}
	}
	status := corev1.ResourceQuotaStatus{Hard: s.Quota.Spec.Hard, Used: corev1.ResourceList{}}
	for _, u := range s.Usage {
		status.Used[u.Resource] = u.Used
	}
	if equal(status.Hard, s.Quota.Status.Hard) && equal(status.Used, s.Quota.Status.Used) && s.Quota.Status.Used != nil {
		return plan.Plan{}
	}
	next := s.Quota.DeepCopy()
	next.Status = *status.DeepCopy()
	return plan.Plan{Updates: []plan.Update{{Object: next, Subresource: "status"}}}
}

func equal(a, b corev1.ResourceList) bool {
	return maps.EqualFunc(a, b, func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 })
}

// count adds up what each object uses.
func count(q *kind.Quota, c Count) *plan.Recount {
	limits := q.Limits(c.Kinds)
	used := corev1.ResourceList{}
	for _, content := range c.Contents {
		for _, o := range content.Objects {
			for name, quantity := range q.Usage(content.Kind, o.Object()) {
				sum := used[name].DeepCopy()
				sum.Add(quantity)
				used[name] = sum
			}
		}
	}
	r := &plan.Recount{Since: c.Since, Revision: c.Revision}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		r.Usage = append(r.Usage, plan.QuotaUsage{Resource: name, Hard: limits[name], Used: used[name]})
	}
	return r
}
