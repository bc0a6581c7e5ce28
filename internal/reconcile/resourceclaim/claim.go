package resourceclaim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// ClaimSnapshot is a ResourceClaim, the Pods that it names, by name, and the Pods on nodes that use
// it. It is not modified.
type ClaimSnapshot struct {
	Claim *resourcev1.ResourceClaim
	Pods  map[string]*corev1.Pod
	Users []*corev1.Pod
}

// ReconcileClaim drops reservations for Pods that have ended or are gone, and reserves an allocated
// claim for Pods that were not put on their nodes by the scheduler. When the last reservation is
// dropped, the devices become free. A claim that was made for a Pod is deleted once the Pod has
// ended.
//
// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go, syncClaim and syncPod
func ReconcileClaim(s ClaimSnapshot) (p plan.Plan) {
	next := s.Claim.DeepCopy()
	next.Status.ReservedFor = slices.DeleteFunc(next.Status.ReservedFor, s.over)
	held := slices.Contains(next.Finalizers, resourcev1.Finalizer)
	dropped := len(next.Status.ReservedFor) < len(s.Claim.Status.ReservedFor)
	changed := dropped
	for _, pod := range s.Users {
		if s.mayUse(pod) && !device.ReservedFor(next, pod) && !device.Full(next) {
			device.Reserve(next, pod)
			changed = true
		}
	}
	unused := len(next.Status.ReservedFor) == 0
	if unused && held && (dropped || next.DeletionTimestamp != nil) {
		next.Status.Allocation, next.Status.Devices = nil, nil
		next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == resourcev1.Finalizer })
		changed = true
	}
	if unused {
		next.Status.ReservedFor = nil
	}
	switch {
	case unused && next.DeletionTimestamp == nil && s.ownerEnded():
		d := plan.Delete{Object: s.Claim}
		if changed {
			d.As = next
		}
		p.Deletes = append(p.Deletes, d)
	case changed:
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
	return p
}

// mayUse reports whether the claim must be reserved for a Pod on a node.
func (s *ClaimSnapshot) mayUse(pod *corev1.Pod) bool {
	if s.Claim.Status.Allocation == nil || s.Claim.DeletionTimestamp != nil || pod.DeletionTimestamp != nil || podstate.Terminal(pod) {
		return false
	}
	return slices.ContainsFunc(device.Uses(pod), func(u device.Use) bool { return u.Claim == s.Claim.Name && u.Belongs(s.Claim, pod) })
}

// over reports whether a reservation is for a Pod that has ended or is gone.
func (s *ClaimSnapshot) over(r resourcev1.ResourceClaimConsumerReference) bool {
	return r.APIGroup == "" && r.Resource == "pods" && s.ended(r.Name, r.UID)
}

func (s *ClaimSnapshot) ended(name string, uid types.UID) bool {
	pod := s.Pods[name]
	return pod == nil || pod.UID != uid || podstate.Terminal(pod) || pod.DeletionTimestamp != nil && pod.Spec.NodeName == ""
}

// ownerEnded reports whether the claim was made for a Pod that has ended or was replaced by another
// of its name. If there is no Pod of that name, the garbage collector deletes the claim.
func (s *ClaimSnapshot) ownerEnded() bool {
	owner := metav1.GetControllerOfNoCopy(s.Claim)
	return owner != nil && owner.Kind == "Pod" && owner.APIVersion == "v1" && s.Pods[owner.Name] != nil && s.ended(owner.Name, owner.UID)
}

// PodsOf are the names of the Pods that a claim names.
func PodsOf(claim *resourcev1.ResourceClaim) []string {
	var names []string
	for _, r := range claim.Status.ReservedFor {
		if r.APIGroup == "" && r.Resource == "pods" {
			names = append(names, r.Name)
		}
	}
	if owner := metav1.GetControllerOfNoCopy(claim); owner != nil && owner.Kind == "Pod" && owner.APIVersion == "v1" {
		names = append(names, owner.Name)
	}
	return names
}
