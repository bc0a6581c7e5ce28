package preview

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
)

// family is an object with everything that its deletion may concern: its dependents and theirs; the
// contents of a namespace; the Pods on a node; the volume of a PersistentVolumeClaim. It begins as
// the state at one revision.
type family struct {
	revision object.Revision
	members  map[types.UID]*member
	order    []*member // in the order found, the root first
	// outside are objects that affect members without being one: Pods that use
	// PersistentVolumeClaims, Jobs of Pods, PersistentVolumeClaims of volumes.
	outside map[types.UID]object.Object
	silent  map[string]bool // nodes that are silent, false for others
	nodes   map[string]*member
	users   map[string][]types.UID // the Pods that reference a PersistentVolumeClaim, by its namespace and name
}

// member is one object of a family.
type member struct {
	kind    *kind.Kind
	version *object.Version
	object  object.Object // its current state
	refs    []metav1.OwnerReference
	owners  []garbagecollector.Owner // of each of refs, as it was
	below   []types.UID              // whose ownerReferences name it
	inside  []types.UID              // of a namespace: its contents
	// concerns are the objects to sync when it is changed or removed, besides owners and
	// dependents.
	concerns []types.UID
	named    bool // of a VolumeAttributesClass: an object names it

	asked bool // its deletion has begun
	gone  bool
}

func (m *member) uid() types.UID { return m.version.UID }

func (f *family) add(kinds *kind.Catalogue, v *object.Version) *member {
	m := f.members[v.UID]
	if m == nil {
		k := kinds.ByResource(v.Type.Resource())
		if k == nil { // a custom resource whose definition is gone
			k = &kind.Kind{Type: *v.Type}
		}
		m = &member{kind: k, version: v, object: v.Object()}
		f.members[v.UID], f.order = m, append(f.order, m)
	}
	return m
}

// named reports whether a PersistentVolumeClaim or a volume names a VolumeAttributesClass.
func named(v mirror.View, class string) bool {
	return v.EachIn(mirror.ClaimsByAttributes, class, nil)+v.EachIn(mirror.VolumesByAttributes, class, nil) > 0
}

// connectClaims makes PersistentVolumeClaims be synced when Pods that use them are removed.
func (f *family) connectClaims() {
	for _, m := range f.order {
		claim, ok := m.object.(*corev1.PersistentVolumeClaim)
		if !ok {
			continue
		}
		for _, uid := range f.users[claim.Namespace+"/"+claim.Name] {
			if pod := f.members[uid]; pod != nil {
				pod.concerns = append(pod.concerns, m.uid())
			}
		}
	}
}

// living returns an object of the family, or one that affects it, in its current state; nil if it
// is gone.
func (f *family) living(uid types.UID) object.Object {
	switch m := f.members[uid]; {
	case m == nil:
		return f.outside[uid]
	case m.gone:
		return nil
	default:
		return m.object
	}
}

// podsOf returns the Pods that reference a PersistentVolumeClaim.
func (f *family) podsOf(claim string) (pods []*corev1.Pod) {
	for _, uid := range f.users[claim] {
		if pod, ok := f.living(uid).(*corev1.Pod); ok {
			pods = append(pods, pod)
		}
	}
	return pods
}

// ownersOf returns a member's owners in their current state.
func (f *family) ownersOf(m *member) []garbagecollector.Owner {
	refs := m.object.GetOwnerReferences()
	owners := make([]garbagecollector.Owner, len(refs))
	for i, ref := range refs {
		for j, was := range m.refs {
			if was.UID == ref.UID && was.Name == ref.Name && was.Kind == ref.Kind && was.APIVersion == ref.APIVersion {
				owners[i] = m.owners[j]
				break
			}
		}
		if owner := f.members[owners[i].UID]; owners[i].Found && owner != nil {
			owners[i].Found = !owner.gone
			owners[i].DeletingDependents = !owner.gone && garbagecollector.DeletingDependents(owner.object)
		}
	}
	return owners
}
