package kind

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Cluster gives admission the newest known version of other objects. A mirror.View implements it.
type Cluster interface {
	// Get returns an object, or nil.
	Get(key object.Key) *object.Version
	// Each calls f with the objects of a resource, in order of namespace and name, until f returns
	// false; namespace "" means all namespaces.
	Each(resource, namespace string, f func(*object.Version) bool)
}

// Plugin is the part of an admission plugin that concerns one kind. Its functions get the cluster
// if Waits is set, otherwise nil. Their errors become 403 Forbidden, unless they carry a Status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/interfaces.go
type Plugin struct {
	Name string // upstream's, "LimitRanger"
	// Waits is true if the functions depend on other objects, so that their caller may have to wait
	// for the mirror. Otherwise they are functions of the object alone.
	Waits bool
	// Mutate completes a new object, in place, or rejects it. It runs before the object is prepared
	// and validated. nil does nothing.
	Mutate func(next object.Object, c Cluster) error
	// Validate checks a new object in the form in which it would be stored, after validation;
	// ValidateUpdate checks an update of the main resource. nil admits everything.
	Validate       func(next object.Object, c Cluster) error
	ValidateUpdate func(next, old object.Object, c Cluster) error
	// Warn returns warnings for the client about an admitted object; old is nil for a new object.
	// It uses the current state of the mirror and never waits. nil returns none.
	Warn func(next, old object.Object, c Cluster) []string

	// Grant checks the rights of the writing user after Mutate, Authorize after validation; old is
	// nil at creation. They are skipped for users who may do everything: controllers, masters, and
	// all users of a server without a login. nil admits everything.
	Grant     func(next, old object.Object, by Rights) error
	Authorize func(next, old object.Object, by Rights) error
}

// Found returns an object of a resource, and false if there is none.
func Found[T object.Object](c Cluster, resource, namespace, name string) (o T, ok bool) {
	v := c.Get(object.Key{Resource: resource, Namespace: namespace, Name: name})
	if v == nil {
		return o, false
	}
	o, ok = v.Object().(T)
	return o, ok
}

// Rights are the rights of the user who sends a write.
type Rights interface {
	// User returns the user.
	User() authenticationv1.UserInfo
	// Allows reports whether the user may do something to a resource.
	Allows(a authorizationv1.ResourceAttributes) bool
	// Also reports whether the user may apply another verb to the object of the request, as named
	// in its path.
	Also(verb string) bool
	// Rules returns the user's rules in a namespace, or, for "", the cluster-wide ones. An error
	// says which rules could not be resolved.
	Rules(namespace string) ([]rbacv1.PolicyRule, error)
	// RoleRules returns the rules of the role that a binding references; namespace is "" for a
	// ClusterRoleBinding. It returns false if there is none.
	RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool)
}
