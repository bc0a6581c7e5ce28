package preview

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// Deletion is what becomes of an object and all around it if it is deleted.
type Deletion struct {
	// Revision is at which this is so or, where more than 500 objects had to be read, at which the first were.
	Revision object.Revision
	// Propagation is the policy that holds: the one asked for, or that of the object or its kind.
	Propagation metav1.DeletionPropagation
	// Deleted are those whose deletion begins, the object first, in the order in which they begin. Held are those of them that do not
	// go, because something else must happen first.
	Deleted []*object.Version
	Held    []Held
	// Orphaned are those that lose their last owner and stay, Released those that lose an owner and have others left.
	Orphaned, Released []*object.Version
}

// Held is an object that is being deleted and does not go.
type Held struct {
	*object.Version
	Finalizers []string // that nobody takes off by themselves
	Node       string   // of a Pod: nothing is heard of it
}

// Deletion says what a DELETE of the object comes to, with a policy or "" for none. Errors: ErrNotFound, mirror.ErrUnavailable,
// mirror.ErrTooLarge, ctx's.
func (s *Source) Deletion(ctx context.Context, key object.Key, policy metav1.DeletionPropagation) (Deletion, error) {
	if err := s.Mirror.Fresh(ctx); err != nil {
		return Deletion{}, err
	}
	f, err := s.gather(ctx, key)
	if err != nil {
		return Deletion{}, err
	}
	out := Deletion{Revision: f.revision, Propagation: propagation(f.order[0], policy)}
	settled, err := settle(f, policy, s.Now())
	if err != nil {
		return Deletion{}, err
	}
	for _, m := range settled.deleted {
		out.Deleted = append(out.Deleted, m.version)
		if !m.gone {
			out.Held = append(out.Held, settled.held(m))
		}
	}
	for _, m := range f.order {
		switch left := len(m.object.GetOwnerReferences()); {
		case m.asked || left == len(m.refs):
		case left == 0:
			out.Orphaned = append(out.Orphaned, m.version)
		default:
			out.Released = append(out.Released, m.version)
		}
	}
	return out, nil
}

// propagation is the policy of a deletion as the finalizers tell that it leaves.
func propagation(root *member, policy metav1.DeletionPropagation) metav1.DeletionPropagation {
	if policy == "" {
		return registry.Propagation(root.kind, root.object)
	}
	return policy
}

// held says what a member waits for.
func (s *settling) held(m *member) Held {
	h := Held{Version: m.version, Finalizers: slices.Clone(m.object.GetFinalizers())}
	switch o := m.object.(type) {
	case *corev1.Namespace:
		for _, f := range o.Spec.Finalizers {
			h.Finalizers = append(h.Finalizers, string(f))
		}
	case *corev1.Pod:
		if s.unheard(m) {
			h.Node = o.Spec.NodeName
		}
	}
	return h
}
