package scheduler

import (
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/device"
)

// MovesClaim reports whether the change of a ResourceClaim may let Pods fit that fit nowhere.
// Either may be nil. It may if the claim is new or gone, has released its devices, has room for one
// more Pod, or has devices that another Pod may share. It does not if a claim that only one Pod can
// use gets its devices, or if a claim is reserved for one more Pod.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, isSchedulableAfterClaimChange
func MovesClaim(old, claim *resourcev1.ResourceClaim) bool {
	if old == nil || claim == nil {
		return true
	}
	had, has := old.Status.Allocation != nil, claim.Status.Allocation != nil
	switch {
	case had && !has:
		return true
	case !had && has:
		owner := metav1.GetControllerOfNoCopy(claim)
		return owner == nil || owner.Kind != "Pod"
	}
	return device.Full(old) && !device.Full(claim)
}
