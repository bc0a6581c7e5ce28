package kindtest

import (
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Holder is a user with rules in the namespace "ns" or everywhere.
type Holder struct {
	In, Everywhere []rbacv1.PolicyRule
	May            []string // "bind clusterroles/ns/a", "escalate"
	Unknown        error
}

// User implements kind.Rights.
func (h Holder) User() authenticationv1.UserInfo {
	return authenticationv1.UserInfo{Username: "u", Groups: []string{"g", "h"}}
}

// Allows implements kind.Rights.
func (h Holder) Allows(a authorizationv1.ResourceAttributes) bool {
	return a.Group == rbacv1.GroupName && slices.Contains(h.May, a.Verb+" "+a.Resource+"/"+a.Namespace+"/"+a.Name)
}

// Also implements kind.Rights.
func (h Holder) Also(verb string) bool { return slices.Contains(h.May, verb) }

// Rules implements kind.Rights.
func (h Holder) Rules(namespace string) ([]rbacv1.PolicyRule, error) {
	if namespace == "ns" {
		return append(slices.Clone(h.Everywhere), h.In...), h.Unknown
	}
	return h.Everywhere, h.Unknown
}

// RoleRules implements kind.Rights. Only roles named "reader" exist.
func (h Holder) RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool) {
	if ref.Name != "reader" {
		return nil, false
	}
	return []rbacv1.PolicyRule{RuleOf("get,list", "", "pods")}, true
}

// RuleOf returns a rule for resources of a group.
func RuleOf(verbs, group, resources string, names ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: strings.Split(verbs, ","), APIGroups: []string{group}, Resources: strings.Split(resources, ","), ResourceNames: names}
}
