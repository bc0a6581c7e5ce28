package scheduler

import (
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/device"
)

// MovesClaim says whether Pods that fit nowhere may do so after the change of a ResourceClaim, either of which may be nil: it is new or
// gone, has given its devices back, has room for one more Pod, or has devices that another Pod may share. That a claim of one Pod alone has
// got its devices, or is reserved for one more Pod, helps nobody.
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
