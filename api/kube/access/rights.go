package access

import (
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/kind"
)

// Rights returns the rights of the user of a request; nil for a user who may do everything: a
// master, or anyone on a server without a login.
func Rights(by auth.Authorizer, req *http.Request) kind.Rights {
	u := auth.FromContext(req.Context())
	if by == auth.AllowAll || u.In(auth.Masters) {
		return nil
	}
	return rights{u, by, req}
}

// rights implements kind.Rights.
type rights struct {
	user *auth.User
	by   auth.Authorizer
	req  *http.Request
}

// User implements kind.Rights.
func (r rights) User() authenticationv1.UserInfo { return UserInfo(r.user) }

// Allows implements kind.Rights.
func (r rights) Allows(a authorizationv1.ResourceAttributes) bool {
	return r.by.Allows(r.user, auth.Attributes{
		Verb: a.Verb, Group: a.Group, Version: a.Version, Resource: a.Resource, Subresource: a.Subresource, Namespace: a.Namespace, Name: a.Name,
	})
}

// Also implements kind.Rights.
func (r rights) Also(verb string) bool {
	about := auth.Describe(r.req)
	about.Verb, about.Subresource = verb, ""
	return r.by.Allows(r.user, about)
}

// Rules implements kind.Rights.
func (r rights) Rules(namespace string) ([]rbacv1.PolicyRule, error) {
	return r.by.Rules(r.user, namespace)
}

// RoleRules implements kind.Rights.
func (r rights) RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool) {
	return r.by.RoleRules(ref, namespace)
}
