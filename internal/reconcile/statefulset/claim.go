package statefulset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// claimName is "www-web-0" (STS-011).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaimName
func claimName(set *appsv1.StatefulSet, template *corev1.PersistentVolumeClaim, ordinal int) string {
	return template.Name + "-" + set.Name + "-" + strconv.Itoa(ordinal)
}

// newClaim is the claim of a template for a Pod, with the owners that it shall have. It has the labels of the selector besides
// its own.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaims
// Differs: upstream makes it without an owner, and adds that in a later sync; here it is never without.
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

// createClaims plans the claims that a Pod lacks. It is false if one is about to go or was refused: then the Pod has to wait.
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

// repeats says whether a template of a claim has the name of one before it, which makes the claim.
func (s *syncing) repeats(i int) bool {
	templates := s.set.Spec.VolumeClaimTemplates
	return slices.ContainsFunc(templates[:i], func(c corev1.PersistentVolumeClaim) bool { return c.Name == templates[i].Name })
}

// claimIsStale says whether a claim of a Pod to be made is still that of a Pod before it, and goes with that one. It is
// made anew when it is gone.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, PodClaimIsStale
func (s *syncing) claimIsStale(pod *corev1.Pod, ordinal int) bool {
	if s.policy().WhenScaled == appsv1.RetainPersistentVolumeClaimRetentionPolicyType {
		return false
	}
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *corev1.PersistentVolumeClaim) bool { return ownedByNamesake(c, pod, podKind) })
}

// ownClaims gives the claims of a condemned Pod their owner. It says whether there was anything to do.
func (s *syncing) ownClaims(pod *corev1.Pod) bool {
	return s.updateClaims(pod, s.ordinal(pod)) != ""
}

// updateClaims gives the claims of a Pod the owners that the retention policy wants, and returns the uid of one that changes;
// empty for none.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, UpdatePodClaimForRetentionPolicy
func (s *syncing) updateClaims(pod *corev1.Pod, ordinal int) (changed types.UID) {
	for _, c := range s.claimsOf(ordinal) {
		if ownedByNamesake(c, s.set, setKind) || ownedByNamesake(c, pod, podKind) {
			continue // it is another's, who is gone: the garbage collector decides
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

// ownersOf are the owners that a claim shall have. One that somebody else controls is left to them: there is a conflict, and the
// policy does not apply to it.
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

// claimOwner is the owner with which a Pod's claims go: the StatefulSet, the Pod where it is scaled away, or nil for
// none (STS-035 to STS-037).
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

// policy is what becomes of claims; without one they stay.
func (s *syncing) policy() appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	if p := s.set.Spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		return *p
	}
	const stays = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	return appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: stays, WhenScaled: stays}
}

// deletes says whether the policy has claims go at all.
func (s *syncing) deletes() bool {
	const stays = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
	policy := s.policy()
	return policy.WhenDeleted != stays || policy.WhenScaled != stays
}

// claimsOf are the claims of an ordinal that exist, as this plan leaves them.
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

// ownedByNamesake says whether an object has an owner of that kind and name which is another: one that was there before.
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
