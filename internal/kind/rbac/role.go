package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Role is rbac.authorization.k8s.io/v1 Role: rights in its namespace for the subjects of a
// RoleBinding.
//
// Source: kubernetes v1.36 pkg/registry/rbac/role/strategy.go
var Role = kind.Define(kind.Kind{
	Type: object.Type{
		Group: rbacv1.GroupName, Version: "v1", Kind: "Role", Plural: "roles", Namespaced: true,
		New: func() object.Object { return &rbacv1.Role{} },
	},
	Singular: "role",
	NewList:  func() runtime.Object { return &rbacv1.RoleList{} },

	Columns:             kind.CreatedColumns,
	Row:                 kind.CreatedRow,
	Admission:           roleEscalation,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*rbacv1.Role]{
	Default:       func(*rbacv1.Role) {},
	PrepareCreate: func(*rbacv1.Role) {},
	Validate:      validateRole,
	ValidateUpdate: func(r, was *rbacv1.Role) field.ErrorList {
		return append(validateRole(r), check.MetaUpdate(&r.ObjectMeta, &was.ObjectMeta)...)
	},
})

// ClusterRole is rbac.authorization.k8s.io/v1 ClusterRole: cluster-wide rights, or rights in the
// namespace of a RoleBinding. Its rules may be aggregated from other ClusterRoles: see package
// clusterroleaggregation.
//
// Source: kubernetes v1.36 pkg/registry/rbac/clusterrole/strategy.go
var ClusterRole = kind.Define(kind.Kind{
	Type: object.Type{
		Group: rbacv1.GroupName, Version: "v1", Kind: "ClusterRole", Plural: "clusterroles",
		New: func() object.Object { return &rbacv1.ClusterRole{} },
	},
	Singular: "clusterrole",
	NewList:  func() runtime.Object { return &rbacv1.ClusterRoleList{} },

	Columns:             kind.CreatedColumns,
	Row:                 kind.CreatedRow,
	Admission:           roleEscalation,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*rbacv1.ClusterRole]{
	Default:       func(*rbacv1.ClusterRole) {},
	PrepareCreate: func(*rbacv1.ClusterRole) {},
	Validate: func(o *rbacv1.ClusterRole) field.ErrorList {
		return validateClusterRole(o, metav1validation.LabelSelectorValidationOptions{})
	},
	ValidateUpdate: func(r, was *rbacv1.ClusterRole) field.ErrorList {
		selectors := metav1validation.LabelSelectorValidationOptions{AllowInvalidLabelValueInSelector: selectsInvalid(was)}
		return append(validateClusterRole(r, selectors), check.MetaUpdate(&r.ObjectMeta, &was.ObjectMeta)...)
	},
})

// roleName validates the name of a role or binding: any path segment.
//
// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRBACName
func roleName(name string, _ bool) []string { return content.IsPathSegmentName(name) }

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRole
func validateRole(r *rbacv1.Role) field.ErrorList {
	errs := check.Meta(&r.ObjectMeta, true, roleName)
	return append(errs, validatePolicyRules(r.Rules, true)...)
}

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateClusterRole
func validateClusterRole(r *rbacv1.ClusterRole, selectors metav1validation.LabelSelectorValidationOptions) field.ErrorList {
	errs := check.Meta(&r.ObjectMeta, false, roleName)
	errs = append(errs, validatePolicyRules(r.Rules, false)...)
	if r.AggregationRule == nil {
		return errs
	}
	path := field.NewPath("aggregationRule", "clusterRoleSelectors")
	if len(r.AggregationRule.ClusterRoleSelectors) == 0 {
		errs = append(errs, field.Required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"))
	}
	for i := range r.AggregationRule.ClusterRoleSelectors {
		errs = append(errs, validateRoleSelector(&r.AggregationRule.ClusterRoleSelectors[i], selectors, path.Index(i))...)
	}
	return errs
}

func validateRoleSelector(s *metav1.LabelSelector, options metav1validation.LabelSelectorValidationOptions, path *field.Path) field.ErrorList {
	errs := metav1validation.ValidateLabelSelector(s, options, path)
	if selector, err := metav1.LabelSelectorAsSelector(s); err != nil {
		errs = append(errs, field.Invalid(path, selector, "invalid label selector."))
	}
	return errs
}

// selectsInvalid reports whether a role has a selector that a new role must not have.
//
// Source: kubernetes v1.36 pkg/registry/rbac/clusterrole/strategy.go, hasInvalidLabelValueInLabelSelector
func selectsInvalid(r *rbacv1.ClusterRole) bool {
	if r.AggregationRule == nil {
		return false
	}
	for i := range r.AggregationRule.ClusterRoleSelectors {
		if len(metav1validation.ValidateLabelSelector(&r.AggregationRule.ClusterRoleSelectors[i], metav1validation.LabelSelectorValidationOptions{}, nil)) > 0 {
			return true
		}
	}
	return false
}

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidatePolicyRule
func validatePolicyRules(rules []rbacv1.PolicyRule, namespaced bool) (errs field.ErrorList) {
	for i := range rules {
		r, path := &rules[i], field.NewPath("rules").Index(i)
		if len(r.Verbs) == 0 {
			errs = append(errs, field.Required(path.Child("verbs"), "verbs must contain at least one value"))
		}
		if len(r.NonResourceURLs) > 0 {
			if namespaced {
				errs = append(errs, field.Invalid(path.Child("nonResourceURLs"), r.NonResourceURLs, "namespaced rules cannot apply to non-resource URLs"))
			}
			if len(r.APIGroups) > 0 || len(r.Resources) > 0 || len(r.ResourceNames) > 0 {
				errs = append(errs, field.Invalid(path.Child("nonResourceURLs"), r.NonResourceURLs,
					"rules cannot apply to both regular resources and non-resource URLs"))
			}
			continue
		}
		if len(r.APIGroups) == 0 {
			errs = append(errs, field.Required(path.Child("apiGroups"), "resource rules must supply at least one api group"))
		}
		if len(r.Resources) == 0 {
			errs = append(errs, field.Required(path.Child("resources"), "resource rules must supply at least one resource"))
		}
	}
	return errs
}
