package auth

import rbacv1 "k8s.io/api/rbac/v1"

// Viewers is the group that may read everything but Secrets: a ClusterRole and its binding say so,
// which every cluster begins with.
const Viewers = "rowlock:viewers"

// Authorizer says what users may do. It is safe for concurrent use.
type Authorizer interface {
	// Allows says whether the user may do it.
	Allows(u *User, a Attributes) bool
	// Decide is Allows with a reason for people to read, which may be empty.
	Decide(u *User, a Attributes) (allowed bool, reason string)
	// Rules are what the user may do in a namespace, and everywhere; "" is everywhere alone. They
	// are all that are known, even where there is an error, which says what is not known. They must
	// not be changed.
	Rules(u *User, namespace string) ([]rbacv1.PolicyRule, error)
	// RoleRules are the rules of the role that a binding in a namespace names, "" for a binding of
	// the whole cluster; false if there is no such role. They must not be changed.
	RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool)
}

// AllowAll lets everybody do everything.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, alwaysAllowAuthorizer
var AllowAll Authorizer = allowAll{}

type allowAll struct{}

// Allows is Authorizer's.
func (allowAll) Allows(*User, Attributes) bool { return true }

// Decide is Authorizer's.
func (allowAll) Decide(*User, Attributes) (bool, string) { return true, "" }

// Rules is Authorizer's.
func (allowAll) Rules(*User, string) ([]rbacv1.PolicyRule, error) { return everything, nil }

// RoleRules is Authorizer's.
func (allowAll) RoleRules(rbacv1.RoleRef, string) ([]rbacv1.PolicyRule, bool) { return nil, false }

// OnlyMasters lets masters do everything, and nobody else anything.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, NewPrivilegedGroups
var OnlyMasters Authorizer = onlyMasters{}

type onlyMasters struct{}

// Allows is Authorizer's.
func (onlyMasters) Allows(u *User, _ Attributes) bool { return u.In(Masters) }

// Decide is Authorizer's.
func (onlyMasters) Decide(u *User, _ Attributes) (bool, string) { return u.In(Masters), "" }

// Rules is Authorizer's.
func (onlyMasters) Rules(u *User, _ string) ([]rbacv1.PolicyRule, error) {
	if u.In(Masters) {
		return everything, nil
	}
	return nil, nil
}

// RoleRules is Authorizer's.
func (onlyMasters) RoleRules(rbacv1.RoleRef, string) ([]rbacv1.PolicyRule, bool) { return nil, false }

// Check is nil if the user may do it, else the refusal for the client.
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
