package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// Covers reports whether one rule allows a request.
//
// Source: kubernetes v1.36 pkg/apis/rbac/v1/evaluation_helpers.go, and plugin/pkg/auth/authorizer/rbac/rbac.go, RuleAllows
func Covers(r *rbacv1.PolicyRule, a *auth.Attributes) bool {
	if !named(r.Verbs, a.Verb) {
		return false
	}
	if a.Resource == "" {
		return slices.ContainsFunc(r.NonResourceURLs, func(rule string) bool { return coversPath(rule, a.Path) })
	}
	return named(r.APIGroups, a.Group) && (len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, a.Name)) &&
		slices.ContainsFunc(r.Resources, func(rule string) bool { return coversResource(rule, a) })
}

// named reports whether a list names something, or everything.
func named(list []string, what string) bool {
	for _, one := range list {
		if one == what || one == "*" {
			return true
		}
	}
	return false
}

// coversPath reports whether a rule's path is the requested one, or ends in a star and is its
// prefix.
func coversPath(rule, path string) bool {
	return rule == path || strings.HasSuffix(rule, "*") && strings.HasPrefix(path, strings.TrimRight(rule, "*"))
}

// coversResource reports whether a rule's resource is everything, the resource with its
// subresource, or the subresource of everything.
func coversResource(rule string, a *auth.Attributes) bool {
	if rule == "*" {
		return true
	}
	if a.Subresource == "" {
		return rule == a.Resource
	}
	if sub, of := strings.CutPrefix(rule, "*/"); of && sub == a.Subresource {
		return true
	}
	rest, is := strings.CutPrefix(rule, a.Resource)
	return is && len(rest) == len(a.Subresource)+1 && rest[0] == '/' && rest[1:] == a.Subresource
}
