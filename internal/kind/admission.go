package kind

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Cluster is what admission sees of other objects: the newest that are known. A mirror.View is one.
type Cluster interface {
	// Get returns an object, nil if there is none.
	Get(key object.Key) *object.Version
	// Each calls f with the objects of a resource, by namespace and name, until f returns false;
	// namespace "" means all.
	Each(resource, namespace string, f func(*object.Version) bool)
}

// Plugin is an admission plugin, as far as it concerns one kind. Its functions are given the
// cluster if it Waits, else nil. Their errors are answered as 403 Forbidden, unless they say their
// own Status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/interfaces.go
type Plugin struct {
	Name string // upstream's, "LimitRanger"
	// Waits says that the functions go by what else is in the cluster, for which their caller may
	// have to wait. Without it they are functions of the object alone.
	Waits bool
	// Mutate completes a new object, in place, or refuses it. It runs before the object is prepared
	// and validated. nil leaves it as it is.
	Mutate func(next object.Object, c Cluster) error
	// Validate judges a new object as it would be stored, once validation is content, and
	// ValidateUpdate an update of the main resource. nil admits everything.
	Validate       func(next object.Object, c Cluster) error
	ValidateUpdate func(next, old object.Object, c Cluster) error
	// Warn returns warnings for the client about an object that is admitted; old is nil for a new
	// object. It uses the state at hand and never waits. nil returns none.
	Warn func(next, old object.Object, c Cluster) []string

	// Grant refuses a write by what its user may do, after Mutate, and Authorize after validation;
	// old is nil at a creation. They are not asked about those who may do everything: controllers,
	// masters, and everybody where there is no login. nil admits everything.
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

// Rights are what the user may do who asks for a write, as far as they are limited.
type Rights interface {
	// User is who asks.
	User() authenticationv1.UserInfo
	// Allows says whether they may do something to a resource.
	Allows(a authorizationv1.ResourceAttributes) bool
	// Also says whether they may do something else to what their request is about, by the name in
	// its path.
	Also(verb string) bool
	// Rules are what they may do in a namespace, and everywhere; "" is everywhere alone. An error
	// says what is not known of them.
	Rules(namespace string) ([]rbacv1.PolicyRule, error)
	// RoleRules are the rules of the role that a binding in a namespace names, "" for one of the
	// whole cluster; false if there is none.
	RoleRules(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, bool)
}
