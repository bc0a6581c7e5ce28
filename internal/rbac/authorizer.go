package rbac

import (
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/rowlock/rowlock/api/auth"
)

var _ auth.Authorizer = (*Index)(nil)

// Allows implements auth.Authorizer. Masters may do everything, whatever roles exist.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac.go, RBACAuthorizer.Authorize, and
// staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go, NewPrivilegedGroups
func (x *Index) Allows(u *auth.User, a auth.Attributes) bool {
	if u.In(auth.Masters) {
		return true
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, ok := x.find(u, &a)
	return ok
}

// find returns a grant by which a user may do something.
func (x *Index) find(u *auth.User, a *auth.Attributes) (one grant, ok bool) {
	for _, in := range [...]string{"", a.Namespace} {
		if g := x.grantsOf(subject{in, false, u.Name}); g != nil {
			if one, ok = g.find(a); ok {
				return one, true
			}
		}
		for _, group := range u.Groups {
			if g := x.grantsOf(subject{in, true, group}); g != nil {
				if one, ok = g.find(a); ok {
					return one, true
				}
			}
		}
		if a.Namespace == "" {
			break
		}
	}
	return grant{}, false
}

// Decide implements auth.Authorizer.
func (x *Index) Decide(u *auth.User, a auth.Attributes) (allowed bool, reason string) {
	if u.In(auth.Masters) {
		return true, ""
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	if one, ok := x.find(u, &a); ok {
		return true, "RBAC: allowed by " + one.by.describe(u)
	}
	var errs []error
	for _, in := range places(a.Namespace) {
		x.each(u, in, func(_ *binding, _ []rbacv1.PolicyRule, err error) {
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	if err := utilerrors.NewAggregate(errs); err != nil {
		return false, "RBAC: " + err.Error()
	}
	return false, ""
}

// places returns where the bindings are that apply in a namespace.
func places(namespace string) []string {
	if namespace == "" {
		return []string{""}
	}
	return []string{"", namespace}
}

// each calls f with the bindings of a place that name a user, by name, and the rules of their roles
// or what is wrong with these.
func (x *Index) each(u *auth.User, in string, f func(*binding, []rbacv1.PolicyRule, error)) {
	var all []*binding
	take := func(s subject) {
		if of := x.subjects[s]; of != nil {
			all = append(all, of.bindings...)
		}
	}
	take(subject{in, false, u.Name})
	for _, group := range u.Groups {
		take(subject{in, true, group})
	}
	slices.SortFunc(all, compareBindings)
	for _, b := range slices.Compact(all) {
		if role := x.roles[b.role()]; role != nil {
			f(b, rulesOf(role), nil)
		} else {
			f(b, nil, missing(b.ref))
		}
	}
}

// Rules implements auth.Authorizer.
//
// Source: kubernetes v1.36 pkg/registry/rbac/validation/rule.go, DefaultRuleResolver.RulesFor
func (x *Index) Rules(u *auth.User, namespace string) (rules []rbacv1.PolicyRule, err error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var errs []error
	for _, in := range places(namespace) {
		x.each(u, in, func(_ *binding, its []rbacv1.PolicyRule, err error) {
			rules = append(rules, its...)
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	return rules, utilerrors.NewAggregate(errs)
}

// RoleRules implements auth.Authorizer.
func (x *Index) RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool) {
	b := binding{place: place{namespace: namespace}, ref: ref}
	x.mu.RLock()
	defer x.mu.RUnlock()
	role := x.roles[b.role()]
	if role == nil {
		return nil, false
	}
	return rulesOf(role), true
}

// describe returns what the binding gives the user, by the first of its subjects that matches.
//
// Source: kubernetes v1.36 pkg/registry/rbac/validation/rule.go, clusterRoleBindingDescriber and roleBindingDescriber
func (b *binding) describe(u *auth.User) string {
	var as string
	for i := range b.subjects {
		s, ok := b.subject(i)
		if !ok || s.group && !u.In(s.name) || !s.group && s.name != u.Name {
			continue
		}
		named := &b.subjects[i]
		as = named.Name
		if named.Kind == rbacv1.ServiceAccountKind {
			in := named.Namespace
			if in == "" {
				in = b.namespace
			}
			as += "/" + in
		}
		as = fmt.Sprintf("%s %q", named.Kind, as)
		break
	}
	if b.namespace == "" {
		return fmt.Sprintf("ClusterRoleBinding %q of %s %q to %s", b.name, b.ref.Kind, b.ref.Name, as)
	}
	return fmt.Sprintf("RoleBinding %q of %s %q to %s", b.name+"/"+b.namespace, b.ref.Kind, b.ref.Name, as)
}
