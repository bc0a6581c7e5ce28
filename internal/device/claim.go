package device

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Use is an entry of a Pod's spec.resourceClaims.
type Use struct {
	// Entry is its name, and Claim the name of the ResourceClaim; "" for none, which is not needed or has yet to be made.
	Entry, Claim string
	// Template is the template of a claim that is made for the Pod; "" for a claim of somebody else's.
	Template string
	// Pending says that the claim has yet to be made.
	Pending bool
}

// Uses are the claims that a Pod uses, by its spec and its status.
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

// Made says whether all claims that are made for a Pod are there, so that it may be scheduled.
func Made(pod *corev1.Pod) bool {
	return !slices.ContainsFunc(Uses(pod), func(u Use) bool { return u.Pending })
}

// ReservedFor says whether a claim is reserved for a Pod.
func ReservedFor(claim *resourcev1.ResourceClaim, pod *corev1.Pod) bool {
	return slices.ContainsFunc(claim.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool { return r.UID == pod.UID })
}

// Reserve reserves a claim for a Pod, in place.
func Reserve(claim *resourcev1.ResourceClaim, pod *corev1.Pod) {
	claim.Status.ReservedFor = append(claim.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: pod.Name, UID: pod.UID})
}

// Full says that no more Pods may use a claim.
func Full(claim *resourcev1.ResourceClaim) bool {
	return len(claim.Status.ReservedFor) >= resourcev1.ResourceClaimReservedForMaxSize
}

// Belongs says whether a claim may be used for an entry: one that is made for a Pod must have been made for this one.
//
// Source: kubernetes v1.36 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go, IsForPod
func (u Use) Belongs(claim *resourcev1.ResourceClaim, pod *corev1.Pod) bool {
	return u.Template == "" || metav1.IsControlledBy(claim, pod)
}
