package rbac

import (
	"cmp"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// place is a name in a namespace, "" for cluster-scoped objects: ClusterRoles and
// ClusterRoleBindings.
type place struct{ namespace, name string }

// subject is a subject that bindings of a namespace name. A service account is represented by the
// user that it makes requests as.
type subject struct {
	namespace string
	group     bool
	name      string
}

// binding is a RoleBinding or a ClusterRoleBinding. It never changes.
type binding struct {
	place
	ref      rbacv1.RoleRef
	subjects []rbacv1.Subject
}

// role returns where the binding's role is.
func (b *binding) role() place {
	if b.ref.Kind == rbac.Role.Kind {
		return place{b.namespace, b.ref.Name}
	}
	return place{"", b.ref.Name}
}

func newBinding(at place, o object.Object) *binding {
	b := &binding{place: at}
	switch o := o.(type) {
	case *rbacv1.RoleBinding:
		b.ref, b.subjects = o.RoleRef, o.Subjects
	case *rbacv1.ClusterRoleBinding:
		b.ref, b.subjects = o.RoleRef, o.Subjects
	}
	return b
}

func compareBindings(a, b *binding) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
}

// subject returns the i-th subject of the binding; false for an invalid one: a service account
// without a namespace. A service account that names none has the binding's.
//
// Source: kubernetes v1.36 pkg/registry/rbac/validation/rule.go, appliesToUser
func (b *binding) subject(i int) (subject, bool) {
	s := &b.subjects[i]
	switch s.Kind {
	case rbacv1.UserKind:
		return subject{b.namespace, false, s.Name}, true
	case rbacv1.GroupKind:
		return subject{b.namespace, true, s.Name}, true
	case rbacv1.ServiceAccountKind:
		if in := cmp.Or(s.Namespace, b.namespace); in != "" {
			return subject{b.namespace, false, serviceaccount.Subject(in, s.Name)}, true
		}
	}
	return subject{}, false
}
