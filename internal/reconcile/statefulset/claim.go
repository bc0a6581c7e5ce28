package statefulset

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// newClaim is the PersistentVolumeClaim of a template for a Pod, with its owners already set. It
// has the labels of the selector besides its own.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaims
// Differs: upstream creates it without an owner and adds the owner in a later sync; here it always
// has its owner.
func (s *syncing) newClaim(template *corev1.PersistentVolumeClaim, pod *corev1.Pod, ordinal int) *corev1.PersistentVolumeClaim {
	c := template.DeepCopy()
	c.Name, c.Namespace = claimName(s.set, template, ordinal), s.set.Namespace
	c.UID, c.ResourceVersion, c.CreationTimestamp, c.Generation = "", "", metav1.Time{}, 0
	if c.Labels == nil {
		c.Labels = map[string]string{}
	}
	maps.Copy(c.Labels, s.set.Spec.Selector.MatchLabels)
	if owner := s.claimOwner(pod, ordinal); owner != nil {
		c.OwnerReferences = append(c.OwnerReferences, *owner)
	}
	return c
}

// createClaims plans the PersistentVolumeClaims that a Pod lacks. It returns false if one of them
// is being deleted or was refused: then the Pod must wait.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, createPersistentVolumeClaims
func (s *syncing) createClaims(pod *corev1.Pod, ordinal int) bool {
	for i := range s.set.Spec.VolumeClaimTemplates {
		template := &s.set.Spec.VolumeClaimTemplates[i]
		name := claimName(s.set, template, ordinal)
		if c := s.Claims[name]; c != nil {
			if c.DeletionTimestamp != nil {
				return false
			}
			continue
		}
		if s.repeats(i) {
			continue
		}
		if !s.create(s.newClaim(template, pod, ordinal)) {
			s.failed("FailedCreate", fmt.Sprintf("Create Claim %s for Pod %s in StatefulSet %s failed error: %s",
				name, pod.Name, s.set.Name, s.Refused.Message))
			s.failed("FailedCreate", fmt.Sprintf("Create Pod %s in StatefulSet %s failed error: failed to create PVC %s: %s",
				pod.Name, s.set.Name, name, s.Refused.Message))
			s.plan.Retry = true
			return false
		}
		s.created(fmt.Sprintf("Create Claim %%s Pod %s in StatefulSet %s success", pod.Name, s.set.Name))
	}
	return true
}

// repeats reports whether a template has the name of an earlier template, which already makes the
// PersistentVolumeClaim.
func (s *syncing) repeats(i int) bool {
	templates := s.set.Spec.VolumeClaimTemplates
	return slices.ContainsFunc(templates[:i], func(c corev1.PersistentVolumeClaim) bool { return c.Name == templates[i].Name })
}

// claimIsStale reports whether a PersistentVolumeClaim of a new Pod still belongs to the previous
// Pod, and will be deleted with it. It is created again once it is gone.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, PodClaimIsStale
func (s *syncing) claimIsStale(pod *corev1.Pod, ordinal int) bool {
	if s.policy().WhenScaled == appsv1.RetainPersistentVolumeClaimRetentionPolicyType {
		return false
	}
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *corev1.PersistentVolumeClaim) bool { return ownedByNamesake(c, pod, podKind) })
}

// ownClaims sets the owner of a condemned Pod's PersistentVolumeClaims. It reports whether anything
// changed.
func (s *syncing) ownClaims(pod *corev1.Pod) bool {
	return s.updateClaims(pod, s.ordinal(pod)) != ""
}

// updateClaims gives the PersistentVolumeClaims of a Pod the owners that the retention policy
// requires, and returns the uid of one that changes; empty if none does.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, UpdatePodClaimForRetentionPolicy
func (s *syncing) updateClaims(pod *corev1.Pod, ordinal int) (changed types.UID) {
	for _, c := range s.claimsOf(ordinal) {
		if ownedByNamesake(c, s.set, setKind) || ownedByNamesake(c, pod, podKind) {
			continue // it belongs to an earlier owner that is gone: the garbage collector decides
		}
		refs, conflict := s.ownersOf(c, pod, ordinal)
		same := slices.EqualFunc(refs, c.OwnerReferences, func(a, b metav1.OwnerReference) bool {
			return a.UID == b.UID && controls(a) == controls(b)
		})
		if conflict && (!same || pod.UID == "") {
			s.event(corev1.EventTypeWarning, "ConflictingController", fmt.Sprintf("PersistentVolumeClaim %s has a conflicting OwnerReference "+
				"that acts as a manging controller, the retention policy is ignored for this claim", c.Name))
		}
		if same {
			continue
		}
		edited := s.edited(c).(*corev1.PersistentVolumeClaim)
		edited.OwnerReferences = refs
		s.owned[c.Name], changed = edited, c.UID
	}
	return changed
}

// ownersOf are the owners that a PersistentVolumeClaim must have. If another object controls it,
// that is a conflict, and the policy does not apply to it.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, isClaimOwnerUpToDate,
// hasUnexpectedController and updateClaimOwnerRefForSetAndPod
func (s *syncing) ownersOf(c *corev1.PersistentVolumeClaim, pod *corev1.Pod, ordinal int) (refs []metav1.OwnerReference, conflict bool) {
	owner, ours := s.claimOwner(pod, ordinal), false
	for _, ref := range c.OwnerReferences {
		switch {
		case ref.UID == s.set.UID || ref.UID == pod.UID && pod.UID != "":
			if owner != nil && ref.UID == owner.UID && controls(ref) {
				refs, ours = append(refs, ref), true
			}
			continue
		case controls(ref) && s.deletes():
			return slices.DeleteFunc(slices.Clone(c.OwnerReferences), func(r metav1.OwnerReference) bool {
				return r.UID == s.set.UID || r.UID == pod.UID
			}), true
		}
		refs = append(refs, ref)
	}
	if owner != nil && !ours {
		refs = append(refs, *owner)
	}
	return refs, false
}

// claimOwner is the owner with which a Pod's PersistentVolumeClaims are deleted: the StatefulSet,
// the Pod if it is scaled away, or nil if they stay (STS-035 to STS-037).
func (s *syncing) claimOwner(pod *corev1.Pod, ordinal int) *metav1.OwnerReference {
	const goes = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	policy := s.policy()
	switch {
	case policy.WhenScaled == goes && !s.inRange(ordinal):
		return metav1.NewControllerRef(pod, podKind)
	case policy.WhenDeleted == goes:
		return metav1.NewControllerRef(s.set, setKind)
	}
	return nil
}

// policy is the retention policy of PersistentVolumeClaims; without one they are retained.
func (s *syncing) policy() appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	if p := s.set.Spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		return *p
	}
	const stays = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	return appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: stays, WhenScaled: stays}
}

// deletes reports whether the policy ever deletes PersistentVolumeClaims.
func (s *syncing) deletes() bool {
	const stays = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	policy := s.policy()
	return policy.WhenDeleted != stays || policy.WhenScaled != stays
}

// claimsOf are the existing PersistentVolumeClaims of an ordinal, with this plan's changes.
func (s *syncing) claimsOf(ordinal int) (claims []*corev1.PersistentVolumeClaim) {
	for i := range s.set.Spec.VolumeClaimTemplates {
		name := claimName(s.set, &s.set.Spec.VolumeClaimTemplates[i], ordinal)
		switch {
		case s.repeats(i):
		case s.owned[name] != nil:
			claims = append(claims, s.owned[name])
		case s.Claims[name] != nil:
			claims = append(claims, s.Claims[name])
		}
	}
	return claims
}

// ownedByNamesake reports whether an object has an owner of that kind and name but with another
// uid: an earlier owner.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, hasStaleOwnerRef
func ownedByNamesake(c *corev1.PersistentVolumeClaim, owner metav1.Object, kind schema.GroupVersionKind) bool {
	for _, ref := range c.OwnerReferences {
		if ref.APIVersion == kind.GroupVersion().String() && ref.Kind == kind.Kind && ref.Name == owner.GetName() {
			return ref.UID != owner.GetUID()
		}
	}
	return false
}

func controls(ref metav1.OwnerReference) bool { return ref.Controller != nil && *ref.Controller }
