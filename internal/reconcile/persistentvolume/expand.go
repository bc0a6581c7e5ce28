package persistentvolume

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// emulated reports whether the volume was made by the emulated provisioner, which then also
// modifies it.
func emulated(v *corev1.PersistentVolume) bool {
	return v.Spec.CSI != nil && v.Annotations[volumestate.ProvisionedBy] != ""
}

// expand gives a bound claim the capacity that it requests, and returns both as they are then.
// Nodes need not do anything, so the volume and the claim grow at once.
//
// Source: kubernetes v1.36 pkg/controller/volume/expand/expand_controller.go, syncHandler; the rest is what the external resizer of CSI
// drivers does
func (y *claimSync) expand(claim *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
	size, has, volumeHas := volumestate.Size(claim), claim.Status.Capacity[corev1.ResourceStorage], volumestate.Capacity(v)
	if size.Cmp(has) <= 0 {
		return claim, v
	}
	if !emulated(v) {
		y.tellAs(expander, "ExternalExpanding", "waiting for an external controller to expand this PVC")
		return claim, v
	}
	if volumeHas.Cmp(size) < 0 {
		v = v.DeepCopy()
		v.Spec.Capacity[corev1.ResourceStorage] = size
		volumeHas = size
	}
	claim = claim.DeepCopy()
	claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: volumeHas}
	claim.Status.AllocatedResources = corev1.ResourceList{corev1.ResourceStorage: size}
	claim.Status.AllocatedResourceStatuses = nil
	y.event(y.Claim, expander, corev1.EventTypeNormal, "ExternalExpanding", "waiting for an external controller to expand this PVC")
	y.event(y.Claim, resizer, corev1.EventTypeNormal, "Resizing", "External resizer is resizing volume "+v.Name)
	y.event(y.Claim, resizer, corev1.EventTypeNormal, "VolumeResizeSuccessful", "Resize volume succeeded")
	return claim, v
}

// modify gives a bound claim the attributes that it requests, and returns both as they are then.
//
// Source: what the external resizer of CSI drivers does, as https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/ says
func (y *claimSync) modify(claim *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
	class := volumestate.Deref(claim.Spec.VolumeAttributesClassName)
	if class == "" || class == volumestate.Deref(claim.Status.CurrentVolumeAttributesClassName) || !emulated(v) {
		return claim, v
	}
	claim = claim.DeepCopy()
	if y.Attributes == nil || y.Attributes.DriverName != v.Spec.CSI.Driver && y.Attributes.DriverName != v.Annotations[volumestate.ProvisionedBy] {
		claim.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{
			TargetVolumeAttributesClassName: class, Status: corev1.PersistentVolumeClaimModifyVolumePending,
		}
		if y.Attributes == nil {
			y.tellAs(resizer, "VolumeModifyFailed", fmt.Sprintf("VAC %s does not exist", class))
		}
		return claim, v
	}
	v = v.DeepCopy()
	v.Spec.VolumeAttributesClassName = new(class)
	claim.Status.CurrentVolumeAttributesClassName, claim.Status.ModifyVolumeStatus = new(class), nil
	y.event(y.Claim, resizer, corev1.EventTypeNormal, "VolumeModify", "external resizer is modifying volume "+y.Claim.Name+" with vac "+class)
	y.event(y.Claim, resizer, corev1.EventTypeNormal, "VolumeModifySuccessful",
		"external resizer modified volume "+y.Claim.Name+" with vac "+class+" successfully")
	return claim, v
}
