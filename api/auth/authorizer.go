package auth

import rbacv1 "k8s.io/api/rbac/v1"

// Viewers is the group that may read everything except Secrets. Every new cluster has a ClusterRole
// and a ClusterRoleBinding for it.
const Viewers = "rowlock:viewers"

// Authorizer decides what users may do. It is safe for concurrent use.
type Authorizer interface {
	// Allows reports whether the user may do it.
	Allows(u *User, a Attributes) bool
	// Decide is Allows with a human-readable reason, which may be empty.
	Decide(u *User, a Attributes) (allowed bool, reason string)
	// Rules returns the rules of a user in a namespace, or, for "", the cluster-wide ones. With an
	// error, which says what could not be resolved, it returns the rules that it knows. The caller
	// must not change them.
	Rules(u *User, namespace string) ([]rbacv1.PolicyRule, error)
	// RoleRules returns the rules of the role that a binding references; namespace is "" for a
	// ClusterRoleBinding. It returns false if the role does not exist. The caller must not change
	// the rules.
	RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool)
}

// AllowAll allows everything to every user.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, alwaysAllowAuthorizer
var AllowAll Authorizer = allowAll{}

type allowAll struct{}

// Allows implements Authorizer.
func (allowAll) Allows(*User, Attributes) bool { return true }

// Decide implements Authorizer.
func (allowAll) Decide(*User, Attributes) (bool, string) { return true, "" }

// Rules implements Authorizer.
func (allowAll) Rules(*User, string) ([]rbacv1.PolicyRule, error) { return everything, nil }

// RoleRules implements Authorizer.
func (allowAll) RoleRules(rbacv1.RoleRef, string) ([]rbacv1.PolicyRule, bool) { return nil, false }

// OnlyMasters allows everything to masters and nothing to other users.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, NewPrivilegedGroups
var OnlyMasters Authorizer = onlyMasters{}

type onlyMasters struct{}

// Allows implements Authorizer.
func (onlyMasters) Allows(u *User, _ Attributes) bool { return u.In(Masters) }

// Decide implements Authorizer.
func (onlyMasters) Decide(u *User, _ Attributes) (bool, string) { return u.In(Masters), "" }

// Rules implements Authorizer.
func (onlyMasters) Rules(u *User, _ string) ([]rbacv1.PolicyRule, error) {
	if u.In(Masters) {
		return everything, nil
	}
	return nil, nil
}

// RoleRules implements Authorizer.
func (onlyMasters) RoleRules(rbacv1.RoleRef, string) ([]rbacv1.PolicyRule, bool) { return nil, false }

// Check returns nil if the user may do it, otherwise a Forbidden Status for the client.
func Check(by Authorizer, u *User, a Attributes) error {
	if by.Allows(u, a) {
		return nil
	}
	_, reason := by.Decide(u, a)
	return forbidden(u, a, reason)
}

var everything = []rbacv1.PolicyRule{
	{Verbs: all, APIGroups: all, Resources: all},
	{Verbs: all, NonResourceURLs: all},
}

var all = []string{"*"}
