package preview

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// Deletion is the effect of deleting an object on it and on everything related.
type Deletion struct {
	// Revision is the revision of the preview or, if more than 500 objects had to be read, that of
	// the first ones.
	Revision object.Revision
	// Propagation is the policy in effect: the requested one, or that of the object or its kind.
	Propagation metav1.DeletionPropagation
	// Deleted are the objects whose deletion begins, the object first, in the order in which they
	// begin. Held are those of them that are not removed, because something else must happen first.
	Deleted []*object.Version
	Held    []Held
	// Orphaned are the objects that lose their last owner and stay, Released those that lose an
	// owner and have others left.
	Orphaned, Released []*object.Version
}

// Held is an object under deletion that is not removed.
type Held struct {
	*object.Version
	Finalizers []string // that nothing removes automatically
	Node       string   // of a Pod: its node is silent
}

// Deletion returns the effect of a DELETE of the object, with a policy or "" for none. Errors:
// ErrNotFound, mirror.ErrUnavailable, mirror.ErrTooLarge, ctx's.
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

// propagation returns the policy of a deletion, from the finalizers that it leaves.
func propagation(root *member, policy metav1.DeletionPropagation) metav1.DeletionPropagation {
	if policy == "" {
		return registry.Propagation(root.kind, root.object)
	}
	return policy
}

// held returns what a member waits for.
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
