package scheduler

import (
	"slices"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// budget is a PodDisruptionBudget with a selector that is not empty.
type budget struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
}

// budgetsIn are the budgets of a namespace.
func (b *batch) budgetsIn(namespace string) []budget {
	if b.related == nil {
		return nil
	}
	return remembered(b.budgets, namespace, func(namespace string) (found []budget) {
		for _, each := range b.related.Budgets(namespace) {
			selector, err := metav1.LabelSelectorAsSelector(each.Spec.Selector)
			if err == nil && !selector.Empty() {
				found = append(found, budget{each, selector})
			}
		}
		return found
	})
}

// violating splits the Pods of a node, which are ordered by importance, into those whose deletion
// would violate a budget if all were deleted, and the others. Both keep the order; the others may
// be the argument itself. A Pod whose eviction its budget already counts does not count again.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, filterPodsWithPDBViolation
func (b *batch) violating(pods []*placed) (violating, others []*placed) {
	others = pods
	allowed := map[*policyv1.PodDisruptionBudget]int32{}
	var namespace string
	var budgets []budget
	for i, p := range pods {
		if in := p.group.party.namespace; i == 0 || in != namespace {
			namespace, budgets = in, b.budgetsIn(in)
		}
		switch over := len(budgets) > 0 && b.violates(p, budgets, allowed); {
		case over && violating == nil:
			violating, others = []*placed{p}, slices.Clone(pods[:i])
		case over:
			violating = append(violating, p)
		case violating != nil:
			others = append(others, p)
		}
	}
	return violating, others
}

// violates subtracts a Pod from what its budgets allow, and reports whether one of them does not
// allow it.
func (b *batch) violates(p *placed, budgets []budget, allowed map[*policyv1.PodDisruptionBudget]int32) (over bool) {
	for _, each := range budgets {
		if len(p.group.party.labels) == 0 || !each.selector.Matches(labels.Set(p.group.party.labels)) {
			continue
		}
		if pod := b.related.Pod(p.uid); pod != nil {
			if _, counted := each.Status.DisruptedPods[pod.Name]; counted {
				continue
			}
		}
		left, known := allowed[each.PodDisruptionBudget]
		if !known {
			left = each.Status.DisruptionsAllowed
		}
		left--
		allowed[each.PodDisruptionBudget] = left
		over = over || left < 0
	}
	return over
}
