package rbac

import (
	"cmp"
	"slices"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Index is the roles and bindings of a cluster, by subject. It observes a mirror, and is an
// auth.Authorizer. The zero Index is empty. It is safe for concurrent use.
type Index struct {
	// mu is taken below the mirror's lock.
	mu       sync.RWMutex
	roles    map[place]*object.Version
	bindings map[place]*binding
	subjects map[subject]*bound
	byRole   map[place]map[*binding]struct{}
}

var _ mirror.Observer = (*Index)(nil)

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

// bound is the bindings of a subject.
type bound struct {
	bindings []*binding // by name
	compiled compiled
}

// Reset implements mirror.Observer.
func (x *Index) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.roles, x.bindings, x.subjects, x.byRole = nil, nil, nil, nil
}

// Observe implements mirror.Observer.
func (x *Index) Observe(e mirror.Event) {
	if e.New.Type.Group != rbacv1.GroupName {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	at := place{e.New.Namespace, e.New.Name}
	switch e.New.Type.Kind {
	case rbac.Role.Kind, rbac.ClusterRole.Kind:
		x.setRole(at, e.New)
	case rbac.RoleBinding.Kind, rbac.ClusterRoleBinding.Kind:
		x.unbind(at)
		if e.New.Verb != object.Deleted {
			x.bind(newBinding(at, e.New.Object()))
		}
	}
}

func (x *Index) setRole(at place, v *object.Version) {
	if x.roles == nil {
		x.roles = map[place]*object.Version{}
	}
	if x.roles[at] = v; v.Verb == object.Deleted {
		delete(x.roles, at)
	}
	for b := range x.byRole[at] {
		for i := range b.subjects {
			if s, is := b.subject(i); is {
				x.subjects[s].compiled.Store(nil)
			}
		}
	}
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

// bind adds a binding to its subjects.
func (x *Index) bind(b *binding) {
	if x.bindings == nil {
		x.bindings, x.subjects, x.byRole = map[place]*binding{}, map[subject]*bound{}, map[place]map[*binding]struct{}{}
	}
	x.bindings[b.place] = b
	if x.byRole[b.role()] == nil {
		x.byRole[b.role()] = map[*binding]struct{}{}
	}
	x.byRole[b.role()][b] = struct{}{}
	for i := range b.subjects {
		s, is := b.subject(i)
		if !is {
			continue
		}
		of := x.subjects[s]
		if of == nil {
			of = &bound{}
			x.subjects[s] = of
		}
		if i, found := slices.BinarySearchFunc(of.bindings, b, compareBindings); !found {
			of.bindings = slices.Insert(of.bindings, i, b)
			of.compiled.Store(nil)
		}
	}
}

// unbind removes a binding from its subjects.
func (x *Index) unbind(at place) {
	b := x.bindings[at]
	if b == nil {
		return
	}
	delete(x.bindings, at)
	if of := x.byRole[b.role()]; len(of) > 1 {
		delete(of, b)
	} else {
		delete(x.byRole, b.role())
	}
	for i := range b.subjects {
		s, is := b.subject(i)
		if of := x.subjects[s]; is && of != nil {
			if i, found := slices.BinarySearchFunc(of.bindings, b, compareBindings); found {
				of.bindings = slices.Delete(of.bindings, i, i+1)
				of.compiled.Store(nil)
			}
			if len(of.bindings) == 0 {
				delete(x.subjects, s)
			}
		}
	}
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

// IndexOf makes an Index of roles and bindings that do not change.
func IndexOf(objects ...object.Object) (*Index, error) {
	x := &Index{}
	for _, o := range objects {
		k := KindOf(o)
		body, err := object.Encode(&k.Type, o)
		if err != nil {
			return nil, err
		}
		v := &object.Version{Type: &k.Type, Namespace: o.GetNamespace(), Name: o.GetName(), Verb: object.Created}
		v.SetBody(body)
		x.Observe(mirror.Event{New: v})
	}
	return x, nil
}

// KindOf returns the kind of a role or a binding.
func KindOf(o object.Object) *kind.Kind {
	switch o.(type) {
	case *rbacv1.Role:
		return rbac.Role
	case *rbacv1.RoleBinding:
		return rbac.RoleBinding
	case *rbacv1.ClusterRole:
		return rbac.ClusterRole
	}
	return rbac.ClusterRoleBinding
}
