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

// family is an object with all that its deletion may concern: what it owns, and what that owns; what is in a namespace; the Pods on a
// node; the volume of a claim. It begins as all that was at one revision.
type family struct {
	revision object.Revision
	members  map[types.UID]*member
	order    []*member // as they were found, the root first
	// outside is what decides about members without being one: Pods that use claims, Jobs of Pods, claims of volumes.
	outside map[types.UID]object.Object
	silent  map[string]bool // nodes of which nothing is heard, false for others
	nodes   map[string]*member
	users   map[string][]types.UID // the Pods that refer to a claim, by its namespace and name
}

// member is one object of a family.
type member struct {
	kind    *kind.Kind
	version *object.Version
	object  object.Object // as it has become
	refs    []metav1.OwnerReference
	owners  []garbagecollector.Owner // of each of refs, as it was
	below   []types.UID              // of which an ownerReference names it
	inside  []types.UID              // of a namespace, what is in it
	// concerns are those who are to be looked at when it is changed or removed, besides owners and dependents.
	concerns []types.UID
	named    bool // of a VolumeAttributesClass: somebody names it

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

// named says whether a claim or a volume names a VolumeAttributesClass.
func named(v mirror.View, class string) bool {
	return v.EachIn(mirror.ClaimsByAttributes, class, nil)+v.EachIn(mirror.VolumesByAttributes, class, nil) > 0
}

// connectClaims has claims looked at when Pods that use them go.
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

// living is an object of the family, or one that decides about it, as it is by now; nil if it is gone.
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

// podsOf are the Pods that refer to a claim.
func (f *family) podsOf(claim string) (pods []*corev1.Pod) {
	for _, uid := range f.users[claim] {
		if pod, ok := f.living(uid).(*corev1.Pod); ok {
			pods = append(pods, pod)
		}
	}
	return pods
}

// ownersOf are a member's owners as they are by now.
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
