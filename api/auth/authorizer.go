package auth

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Authorizer says what users may do. It is safe for concurrent use.
type Authorizer interface {
	// Allows says whether the user may do it.
	Allows(u *User, a Attributes) bool
	// Rules are what the user may do, in any namespace.
	Rules(u *User) []rbacv1.PolicyRule
}

// AllowAll lets everybody do everything.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, alwaysAllowAuthorizer
var AllowAll Authorizer = allowAll{}

type allowAll struct{}

// Allows is Authorizer's.
func (allowAll) Allows(*User, Attributes) bool { return true }

// Rules is Authorizer's.
func (allowAll) Rules(*User) []rbacv1.PolicyRule { return everything }

// Groups grants rules to groups, everywhere. A user may do what any of their groups may.
type Groups map[string][]rbacv1.PolicyRule

// Allows is Authorizer's.
func (g Groups) Allows(u *User, a Attributes) bool {
	for _, group := range u.Groups {
		if slices.ContainsFunc(g[group], func(r rbacv1.PolicyRule) bool { return allows(&r, a) }) {
			return true
		}
	}
	return false
}

// Rules is Authorizer's.
func (g Groups) Rules(u *User) (out []rbacv1.PolicyRule) {
	for _, group := range u.Groups {
		out = append(out, g[group]...)
	}
	return out
}

// allows says whether one rule covers a request.
//
// Source: kubernetes v1.36 pkg/apis/rbac/v1/evaluation_helpers.go, and plugin/pkg/auth/authorizer/rbac/rbac.go, RuleAllows
func allows(r *rbacv1.PolicyRule, a Attributes) bool {
	if !named(r.Verbs, a.Verb) {
		return false
	}
	if a.Resource == "" {
		return slices.ContainsFunc(r.NonResourceURLs, func(rule string) bool {
			prefix, open := strings.CutSuffix(rule, "*")
			return rule == a.Path || open && strings.HasPrefix(a.Path, prefix)
		})
	}
	if !named(r.APIGroups, a.Group) {
		return false
	}
	if a.Subresource == "" {
		return named(r.Resources, a.Resource)
	}
	return named(r.Resources, a.Resource+"/"+a.Subresource) || slices.Contains(r.Resources, "*/"+a.Subresource)
}

// named says whether a list names something, or everything.
func named(list []string, what string) bool {
	return slices.Contains(list, what) || slices.Contains(list, "*")
}
