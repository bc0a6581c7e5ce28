package preview

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/worker"
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

// gather finds the family of an object. The mirror is held meanwhile.
func gather(v mirror.View, kinds *kind.Catalogue, root *object.Version) *family {
	f := &family{
		revision: v.Revision(), members: map[types.UID]*member{}, outside: map[types.UID]object.Object{},
		silent: map[string]bool{}, nodes: map[string]*member{}, users: map[string][]types.UID{},
	}
	f.add(kinds, root)
	for i := 0; i < len(f.order); i++ { //nolint:intrange // it grows meanwhile
		m := f.order[i]
		m.refs, m.owners = m.object.GetOwnerReferences(), worker.Owners(v, kinds, m.object)
		if !m.kind.NeverOwner {
			v.EachIn(mirror.ByOwner, string(m.uid()), func(below *object.Version) { m.below = append(m.below, f.add(kinds, below).uid()) })
		}
		switch o := m.object.(type) {
		case *corev1.Namespace:
			f.addContents(v, kinds, m)
		case *corev1.Node:
			f.nodes[o.Name] = m
			v.EachIn(mirror.PodsByNode, o.Name, func(pod *object.Version) { m.concerns = append(m.concerns, f.add(kinds, pod).uid()) })
		case *corev1.PersistentVolumeClaim:
			f.addVolume(v, kinds, m, o)
		case *corev1.PersistentVolume:
			f.addClaim(v, o)
		case *storagev1.VolumeAttributesClass:
			m.named = named(v, o.Name)
		case *corev1.Pod:
			f.addSurroundings(v, o)
		}
	}
	f.connectClaims()
	return f
}

func (f *family) add(kinds *kind.Catalogue, v *object.Version) *member {
	m := f.members[v.UID]
	if m == nil {
		m = &member{kind: kinds.ByResource(v.Type.Resource()), version: v, object: v.Object()}
		f.members[v.UID], f.order = m, append(f.order, m)
	}
	return m
}

func (f *family) addContents(v mirror.View, kinds *kind.Catalogue, ns *member) {
	for _, resource := range v.Resources() {
		if !kinds.ByResource(resource).Namespaced {
			continue
		}
		v.Each(resource, ns.version.Name, func(inside *object.Version) bool {
			in := f.add(kinds, inside)
			ns.inside, in.concerns = append(ns.inside, in.uid()), append(in.concerns, ns.uid())
			return true
		})
	}
}

// addVolume adds the volume that is bound to a claim, and notes who uses the claim.
func (f *family) addVolume(v mirror.View, kinds *kind.Catalogue, m *member, claim *corev1.PersistentVolumeClaim) {
	key := claim.Namespace + "/" + claim.Name
	v.EachIn(mirror.VolumesByClaim, key, func(pv *object.Version) {
		if volume := pv.Object().(*corev1.PersistentVolume); volume.Spec.ClaimRef.UID == claim.UID {
			m.concerns = append(m.concerns, f.add(kinds, pv).uid())
		}
	})
	f.addUsers(v, key)
}

func (f *family) addUsers(v mirror.View, claim string) {
	if f.users[claim] != nil {
		return
	}
	v.EachIn(mirror.PodsByClaim, claim, func(pod *object.Version) {
		f.users[claim] = append(f.users[claim], pod.UID)
		f.outside[pod.UID] = pod.Object()
	})
}

// addClaim notes the claim that a volume refers to.
func (f *family) addClaim(v mirror.View, volume *corev1.PersistentVolume) {
	ref := volume.Spec.ClaimRef
	if ref == nil || ref.UID == "" {
		return
	}
	if claim := v.Get(object.Key{Resource: kind.PersistentVolumeClaim.Resource(), Namespace: ref.Namespace, Name: ref.Name}); claim != nil && claim.UID == ref.UID {
		f.outside[claim.UID] = claim.Object()
	}
	f.addUsers(v, ref.Namespace+"/"+ref.Name)
}

// addSurroundings notes what decides how long a Pod is held when it is deleted.
func (f *family) addSurroundings(v mirror.View, pod *corev1.Pod) {
	if ref := metav1.GetControllerOfNoCopy(pod); ref != nil && len(pod.Finalizers) > 0 && f.outside[ref.UID] == nil {
		if owner := v.UID(ref.UID); owner != nil {
			if job, ok := owner.Object().(*batchv1.Job); ok {
				f.outside[ref.UID] = job
			}
		}
	}
	if _, known := f.silent[pod.Spec.NodeName]; known || pod.Spec.NodeName == "" {
		return
	}
	node := v.Get(object.Key{Resource: kind.Node.Resource(), Name: pod.Spec.NodeName})
	f.silent[pod.Spec.NodeName] = node != nil && outage.Silent(node.Object().(*corev1.Node))
}

// named says whether a claim or a volume names a VolumeAttributesClass.
func named(v mirror.View, class string) (found bool) {
	v.Each(kind.PersistentVolumeClaim.Resource(), "", func(o *object.Version) bool {
		found = volumestate.Deref(o.Object().(*corev1.PersistentVolumeClaim).Spec.VolumeAttributesClassName) == class
		return !found
	})
	if found {
		return true
	}
	v.Each(kind.PersistentVolume.Resource(), "", func(o *object.Version) bool {
		found = volumestate.Deref(o.Object().(*corev1.PersistentVolume).Spec.VolumeAttributesClassName) == class
		return !found
	})
	return found
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
