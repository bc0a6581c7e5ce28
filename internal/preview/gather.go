package preview

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/apimachinery"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

// piece is how many objects one Read of the mirror visits at most.
const piece = 500

// gathering finds a family piece by piece: the mirror is held for one piece, and released while its
// objects are decoded.
type gathering struct {
	*family
	kinds *kind.Catalogue
	at    int     // the next member, in order, whose relatives must be found
	lists []*list // what to read next, in order
}

// list is objects to read from a cursor.
type list struct {
	next  func(v mirror.View, after *object.Version, n int) []*object.Version
	take  func(*object.Version)
	found []*object.Version // of the piece being read
	after *object.Version
	ended bool
}

// gather finds the family of an object. If that is more than a piece, other changes may happen in
// between. Errors: ErrNotFound, ctx's.
//
// Cost: the family. The mirror is held for 500 of its objects at a time, and nothing of the family
// is decoded meanwhile.
func (s *Source) gather(ctx context.Context, key object.Key) (*family, error) {
	g := &gathering{kinds: s.Kinds, family: &family{
		members: map[types.UID]*member{}, outside: map[types.UID]object.Object{},
		silent: map[string]bool{}, nodes: map[string]*member{}, users: map[string][]types.UID{},
	}}
	var root *object.Version
	s.Mirror.Read(func(v mirror.View) { root, g.revision = v.Get(key), v.Revision() })
	if root == nil {
		return nil, ErrNotFound
	}
	g.add(g.kinds, root)
	for g.at < len(g.order) || len(g.lists) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err //nolint:wrapcheck // the caller's own
		}
		s.Mirror.Read(g.read)
		g.take()
	}
	g.connectClaims()
	return g.family, nil
}

// read reads one piece.
func (g *gathering) read(v mirror.View) {
	for left, i := piece, 0; left > 0; {
		switch {
		case i < len(g.lists):
			l := g.lists[i]
			l.found = l.next(v, l.after, left)
			l.ended = len(l.found) < left
			left -= 1 + len(l.found)
			i++
		case g.at < len(g.order):
			left -= g.connect(v, g.order[g.at])
			g.at++
		default:
			return
		}
	}
}

// take adds what has been read to the family.
func (g *gathering) take() {
	var left []*list
	for _, l := range g.lists {
		for _, o := range l.found {
			l.take(o)
			l.after = o
		}
		if l.found = nil; !l.ended {
			left = append(left, l)
		}
	}
	g.lists = left
}

// each has objects read, in pieces, and taken.
func (g *gathering) each(next func(v mirror.View, after *object.Version, n int) []*object.Version, take func(*object.Version)) {
	g.lists = append(g.lists, &list{next: next, take: take})
}

// eachIn is each for the objects that an index has under a value.
func (g *gathering) eachIn(index mirror.Index, value string, take func(*object.Version)) {
	g.each(func(v mirror.View, after *object.Version, n int) []*object.Version {
		return v.After(index, value, after, n)
	}, take)
}

// connect records what a member leads to by itself, and what must be read about others. It returns
// about how many objects it visits.
func (g *gathering) connect(v mirror.View, m *member) int {
	m.refs, m.owners = m.object.GetOwnerReferences(), apimachinery.Owners(v, g.kinds, m.object)
	if !m.kind.NeverOwner && v.EachIn(mirror.ByOwner, string(m.uid()), nil) > 0 {
		g.eachIn(mirror.ByOwner, string(m.uid()), func(below *object.Version) { m.below = append(m.below, g.add(g.kinds, below).uid()) })
	}
	switch o := m.object.(type) {
	case *corev1.Namespace:
		g.addContents(v, m)
	case *corev1.Node:
		g.nodes[o.Name] = m
		g.eachIn(mirror.PodsByNode, o.Name, func(pod *object.Version) { m.concerns = append(m.concerns, g.add(g.kinds, pod).uid()) })
	case *corev1.PersistentVolumeClaim:
		g.addVolume(m, o)
	case *corev1.PersistentVolume:
		g.addClaim(v, o)
	case *storagev1.VolumeAttributesClass:
		m.named = named(v, o.Name)
	case *corev1.Pod:
		g.addSurroundings(v, o)
	}
	return 2 + 2*len(m.refs)
}

func (g *gathering) addContents(v mirror.View, ns *member) {
	for _, resource := range v.Resources() {
		if v.Count(resource, ns.version.Name) == 0 {
			continue
		}
		g.each(func(v mirror.View, after *object.Version, n int) []*object.Version {
			return v.AfterIn(resource, ns.version.Name, after, n)
		}, func(inside *object.Version) {
			in := g.add(g.kinds, inside)
			ns.inside, in.concerns = append(ns.inside, in.uid()), append(in.concerns, ns.uid())
		})
	}
}

// addVolume adds the volume that is bound to a PersistentVolumeClaim, and records the users of the
// PersistentVolumeClaim.
func (g *gathering) addVolume(m *member, claim *corev1.PersistentVolumeClaim) {
	key := claim.Namespace + "/" + claim.Name
	g.eachIn(mirror.VolumesByClaim, key, func(pv *object.Version) {
		if volume := pv.Object().(*corev1.PersistentVolume); volume.Spec.ClaimRef.UID == claim.UID {
			m.concerns = append(m.concerns, g.add(g.kinds, pv).uid())
		}
	})
	g.addUsers(key)
}

func (g *gathering) addUsers(claim string) {
	if _, known := g.users[claim]; known {
		return
	}
	g.users[claim] = nil
	g.eachIn(mirror.PodsByClaim, claim, func(pod *object.Version) {
		g.users[claim] = append(g.users[claim], pod.UID)
		g.outside[pod.UID] = pod.Object()
	})
}

// addClaim records the PersistentVolumeClaim that a volume references.
func (g *gathering) addClaim(v mirror.View, volume *corev1.PersistentVolume) {
	ref := volume.Spec.ClaimRef
	if ref == nil || ref.UID == "" {
		return
	}
	key := object.Key{Resource: core.PersistentVolumeClaim.Resource(), Namespace: ref.Namespace, Name: ref.Name}
	if claim := v.Get(key); claim != nil && claim.UID == ref.UID {
		g.outside[claim.UID] = claim.Object()
	}
	g.addUsers(ref.Namespace + "/" + ref.Name)
}

// addSurroundings records what decides how long a Pod is held when it is deleted.
func (g *gathering) addSurroundings(v mirror.View, pod *corev1.Pod) {
	if ref := metav1.GetControllerOfNoCopy(pod); ref != nil && len(pod.Finalizers) > 0 && g.outside[ref.UID] == nil {
		if owner := v.UID(ref.UID); owner != nil {
			if job, ok := owner.Object().(*batchv1.Job); ok {
				g.outside[ref.UID] = job
			}
		}
	}
	if _, known := g.silent[pod.Spec.NodeName]; known || pod.Spec.NodeName == "" {
		return
	}
	node := v.Get(object.Key{Resource: core.Node.Resource(), Name: pod.Spec.NodeName})
	g.silent[pod.Spec.NodeName] = node != nil && outage.Silent(node.Object().(*corev1.Node))
}

// decode decodes, with the mirror released, the dependents of a workload and theirs: ranking Pods
// needs all of them.
func (s *Source) decode(ctx context.Context, owner types.UID) error {
	owners := []types.UID{owner}
	for len(owners) > 0 {
		var after *object.Version
		for {
			if err := ctx.Err(); err != nil {
				return err //nolint:wrapcheck // the caller's own
			}
			var found []*object.Version
			s.Mirror.Read(func(v mirror.View) { found = v.After(mirror.ByOwner, string(owners[0]), after, piece) })
			for _, o := range found {
				if k := s.Kinds.ByResource(o.Type.Resource()); k == apps.ReplicaSet {
					owners = append(owners, o.UID)
				}
				o.Object()
			}
			if len(found) < piece {
				break
			}
			after = found[len(found)-1]
		}
		owners = owners[1:]
	}
	return nil
}
