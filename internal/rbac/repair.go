package rbac

import (
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/object"
)

// Repaired returns the replacement for a role or a binding that every cluster begins with: what
// users have removed comes back, what they have added stays. It is nil for one that is complete, or
// that must not be changed, as its annotation autoupdate says. A binding to another role cannot be
// repaired: recreate says that it must be deleted, and created again. there is not changed.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/auth/rbac/reconciliation/reconcile_role.go, computeReconciledRole, and
// reconcile_rolebindings.go, computeReconciledRoleBinding
func Repaired(there, want object.Object) (next object.Object, recreate bool) {
	if there.GetAnnotations()[rbacv1.AutoUpdateAnnotationKey] == "false" || there.GetDeletionTimestamp() != nil {
		return nil, false
	}
	next = there.DeepCopyObject().(object.Object)
	next.SetAnnotations(merged(want.GetAnnotations(), there.GetAnnotations()))
	next.SetLabels(merged(want.GetLabels(), there.GetLabels()))
	switch w := want.(type) {
	case *rbacv1.Role:
		r := next.(*rbacv1.Role)
		r.Rules = withRules(r.Rules, w.Rules)
	case *rbacv1.ClusterRole:
		repairClusterRole(next.(*rbacv1.ClusterRole), w)
	case *rbacv1.RoleBinding:
		b := next.(*rbacv1.RoleBinding)
		b.Subjects = withSubjects(b.Subjects, w.Subjects)
		recreate = b.RoleRef != w.RoleRef
	case *rbacv1.ClusterRoleBinding:
		b := next.(*rbacv1.ClusterRoleBinding)
		b.Subjects = withSubjects(b.Subjects, w.Subjects)
		recreate = b.RoleRef != w.RoleRef
	}
	if !recreate && equality.Semantic.DeepEqual(next, there) {
		return nil, false
	}
	return next, recreate
}

// repairClusterRole leaves the rules of an aggregated role to its controller.
func repairClusterRole(r, want *rbacv1.ClusterRole) {
	if want.AggregationRule == nil {
		r.AggregationRule = nil
		r.Rules = withRules(r.Rules, want.Rules)
		return
	}
	if r.AggregationRule == nil {
		r.AggregationRule = &rbacv1.AggregationRule{}
	}
	for _, s := range want.AggregationRule.ClusterRoleSelectors {
		if !slices.ContainsFunc(r.AggregationRule.ClusterRoleSelectors, func(has metav1.LabelSelector) bool { return equality.Semantic.DeepEqual(has, s) }) {
			r.AggregationRule.ClusterRoleSelectors = append(r.AggregationRule.ClusterRoleSelectors, s)
		}
	}
}

// merged returns what is wanted, overridden by what exists.
func merged(want, there map[string]string) map[string]string {
	all := maps.Clone(want)
	maps.Copy(all, there)
	return all
}

// withRules adds the missing rules, split into single ones.
func withRules(there, want []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if equality.Semantic.DeepEqual(there, want) {
		return there
	}
	missing, ok := rbac.Uncovered(there, want)
	if !ok {
		return there // too many to read
	}
	return append(there, missing...)
}

// withSubjects adds the missing subjects.
func withSubjects(there, want []rbacv1.Subject) []rbacv1.Subject {
	for _, s := range want {
		if !slices.Contains(there, s) {
			there = append(there, s)
		}
	}
	return there
}
