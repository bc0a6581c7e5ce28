package device

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Use is an entry of a Pod's spec.resourceClaims.
type Use struct {
	// Entry is the name of the entry, and Claim that of the ResourceClaim; "" if the claim is not
	// needed or does not exist yet.
	Entry, Claim string
	// Template is the template of a claim that is created for the Pod; "" for a claim that was
	// created independently.
	Template string
	// Pending says that the claim does not exist yet.
	Pending bool
}

// Uses returns the claims that a Pod uses, by its spec and its status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go, Name
func Uses(pod *corev1.Pod) []Use {
	if len(pod.Spec.ResourceClaims) == 0 {
		return nil
	}
	uses := make([]Use, len(pod.Spec.ResourceClaims))
	for i, c := range pod.Spec.ResourceClaims {
		u := &uses[i]
		switch u.Entry = c.Name; {
		case c.ResourceClaimName != nil:
			u.Claim = *c.ResourceClaimName
		case c.ResourceClaimTemplateName != nil:
			u.Template, u.Pending = *c.ResourceClaimTemplateName, true
			for _, s := range pod.Status.ResourceClaimStatuses {
				if s.Name != c.Name {
					continue
				}
				if u.Pending = false; s.ResourceClaimName != nil {
					u.Claim = *s.ResourceClaimName
				}
				break
			}
		}
	}
	return uses
}

// Made reports whether all claims that are created for a Pod exist, so that it may be scheduled.
func Made(pod *corev1.Pod) bool {
	return !slices.ContainsFunc(Uses(pod), func(u Use) bool { return u.Pending })
}

// ReservedFor reports whether a claim is reserved for a Pod.
func ReservedFor(claim *resourcev1.ResourceClaim, pod *corev1.Pod) bool {
	return slices.ContainsFunc(claim.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool { return r.UID == pod.UID })
}

// Reserve reserves a claim for a Pod, in place.
func Reserve(claim *resourcev1.ResourceClaim, pod *corev1.Pod) {
	claim.Status.ReservedFor = append(claim.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: pod.Name, UID: pod.UID})
}

// Full reports whether a claim has as many Pods as it can.
func Full(claim *resourcev1.ResourceClaim) bool {
	return len(claim.Status.ReservedFor) >= resourcev1.ResourceClaimReservedForMaxSize
}

// Belongs reports whether an entry may use a claim: a claim created for a Pod must have been
// created for this one.
//
// Source: kubernetes v1.36 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go, IsForPod
func (u Use) Belongs(claim *resourcev1.ResourceClaim, pod *corev1.Pod) bool {
	return u.Template == "" || metav1.IsControlledBy(claim, pod)
}
