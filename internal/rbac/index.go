package rbac

import (
	"slices"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
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

// rulesOf returns the rules of a role.
func rulesOf(role *object.Version) []rbacv1.PolicyRule {
	switch o := role.Object().(type) {
	case *rbacv1.Role:
		return o.Rules
	case *rbacv1.ClusterRole:
		return o.Rules
	}
	return nil
}

// missing returns the error that a role does not exist.
func missing(ref rbacv1.RoleRef) error {
	return apierrors.NewNotFound(schema.GroupResource{Group: rbacv1.GroupName, Resource: strings.ToLower(ref.Kind)}, ref.Name)
}

// grantsOf returns those of a subject, compiled now if necessary, nil if nothing binds it. The lock
// must be held at least for reading.
func (x *Index) grantsOf(s subject) *grants {
	of := x.subjects[s]
	if of == nil {
		return nil
	}
	if g := of.compiled.Load(); g != nil {
		return g
	}
	g := x.compile(of.bindings)
	of.compiled.Store(g)
	return g
}

func (x *Index) compile(bindings []*binding) *grants {
	g := &grants{byResource: map[resource][]grant{}}
	for _, b := range bindings {
		role := x.roles[b.role()]
		if role == nil {
			g.missing = append(g.missing, missing(b.ref))
			continue
		}
		rules := rulesOf(role)
		for i := range rules {
			g.add(grant{&rules[i], b})
		}
	}
	return g
}
