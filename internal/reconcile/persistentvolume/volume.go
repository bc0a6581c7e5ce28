package persistentvolume

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// ReconcileVolume updates a volume's phase, and reclaims the volume if its claim is gone.
func ReconcileVolume(s VolumeSnapshot) plan.Plan {
	v := s.Volume
	claim := s.Claim
	if ref := v.Spec.ClaimRef; ref == nil || ref.UID == "" {
		claim = nil
	} else if claim != nil && claim.UID != ref.UID {
		claim = nil
	}
	owned := v.Spec.ClaimRef != nil && v.Spec.ClaimRef.UID != ""
	if v.DeletionTimestamp != nil && claim == nil {
		return s.letGo()
	}
	switch {
	case !owned:
		return s.phase(v, corev1.VolumeAvailable, "")
	case claim == nil:
		return s.reclaim()
	case claim.Spec.VolumeName == v.Name:
		return s.phase(v, corev1.VolumeBound, "")
	case claim.Spec.VolumeName != "" && v.Annotations[volumestate.ProvisionedBy] != "" &&
		v.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete:
		return s.reclaim()
	case claim.Spec.VolumeName != "":
		return s.phase(unclaimed(v), corev1.VolumeAvailable, "")
	}
	var p plan.Plan
	if !volumestate.SameMode(claim, v) && v.Status.Phase == corev1.VolumePending {
		p = s.phase(v, corev1.VolumeAvailable, "")
		p.Events = append(p.Events, s.event(corev1.EventTypeWarning, "VolumeMismatch",
			fmt.Sprintf("Cannot bind PersistentVolume to requested PersistentVolumeClaim %q due to incompatible volumeMode.", claim.Name)))
	}
	return p
}

// letGo removes the finalizers of a volume that is being deleted and is not bound, and deletes its
// content.
//
// Source: kubernetes v1.36 pkg/controller/volume/pvprotection/pv_protection_controller.go, processPV; an external provisioner's finalizer
// goes when what the volume stands for is deleted
func (s VolumeSnapshot) letGo() plan.Plan {
	next := s.Volume.DeepCopy()
	next.Finalizers = slices.DeleteFunc(next.Finalizers, ours)
	if len(next.Finalizers) == len(s.Volume.Finalizers) {
		return plan.Plan{}
	}
	return plan.Plan{Updates: []plan.Update{{Object: next}}, Files: s.emptied()}
}

func ours(finalizer string) bool {
	return finalizer == core.VolumeProtection || finalizer == deletionFinalizer
}

// phase sets the phase of the volume, which may already be a changed copy.
func (s VolumeSnapshot) phase(v *corev1.PersistentVolume, phase corev1.PersistentVolumePhase, message string) plan.Plan {
	if v.Status.Phase != phase {
		v = v.DeepCopy()
		v.Status.Phase, v.Status.Message = phase, message
		v.Status.LastPhaseTransitionTime = &metav1.Time{Time: s.Now.Truncate(time.Second)}
	}
	if v == s.Volume || equality.Semantic.DeepEqual(v, s.Volume) {
		return plan.Plan{}
	}
	subresource := "status"
	if v.Spec.ClaimRef == nil != (s.Volume.Spec.ClaimRef == nil) {
		subresource = ""
	}
	return plan.Plan{Updates: []plan.Update{{Object: v, Subresource: subresource}}}
}

// unclaimed is the volume without its claim. A claim name that an administrator has set stays.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, unbindVolume
func unclaimed(v *corev1.PersistentVolume) *corev1.PersistentVolume {
	v = v.DeepCopy()
	if !hasAnnotation(v, volumestate.BoundByController) {
		v.Spec.ClaimRef.UID = ""
		return v
	}
	v.Spec.ClaimRef = nil
	if delete(v.Annotations, volumestate.BoundByController); len(v.Annotations) == 0 {
		v.Annotations = nil
	}
	return v
}

// reclaim applies the reclaim policy to a volume whose claim is gone.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, reclaimVolume, deleteVolumeOperation and
// recycleVolumeOperation
//
// Differs: a volume that is deleted or recycled at once is never shown as Released before.
func (s VolumeSnapshot) reclaim() plan.Plan {
	v := s.Volume
	if v.Status.Phase == corev1.VolumeFailed {
		return plan.Plan{}
	}
	switch v.Spec.PersistentVolumeReclaimPolicy {
	case corev1.PersistentVolumeReclaimRetain:
		return s.phase(v, corev1.VolumeReleased, "")
	case corev1.PersistentVolumeReclaimDelete:
		return s.remove()
	case corev1.PersistentVolumeReclaimRecycle:
		return s.recycle()
	}
	return s.failed("VolumeUnknownReclaimPolicy", "Volume has unrecognized PersistentVolumeReclaimPolicy")
}

// temporary matches the node directories that volumes may delete.
var temporary = regexp.MustCompile("/tmp/.+")

// remove deletes a volume with its content. Volumes of CSI drivers that no provisioner has made are
// not deleted.
func (s VolumeSnapshot) remove() plan.Plan {
	v := s.Volume
	switch {
	case v.Annotations[volumestate.ProvisionedBy] != "":
	case v.Spec.CSI != nil:
		return s.phase(v, corev1.VolumeReleased, "")
	case v.Spec.HostPath == nil:
		return s.failed("VolumeFailedDelete", fmt.Sprintf("error getting deleter volume plugin for volume %q: no deletable volume plugin matched", v.Name))
	case !temporary.MatchString(v.Spec.HostPath.Path):
		return s.failed("VolumeFailedDelete", "host_path deleter only supports /tmp/.+ but received provided "+v.Spec.HostPath.Path)
	}
	last := v.DeepCopy()
	last.Finalizers = slices.DeleteFunc(last.Finalizers, ours)
	return plan.Plan{Deletes: []plan.Delete{{Object: v, As: last}}, Files: s.emptied()}
}

// recycle empties a volume and makes it available again.
func (s VolumeSnapshot) recycle() plan.Plan {
	v := s.Volume
	if s.Claim == nil {
		for _, pod := range s.Pods {
			if !podstate.Terminal(pod) {
				return s.phase(v, corev1.VolumeReleased, "")
			}
		}
	}
	if v.Spec.HostPath == nil && v.Spec.NFS == nil {
		return s.failed("VolumeFailedRecycle", "No recycler plugin found for the volume!")
	}
	p := s.phase(unclaimed(v), corev1.VolumeAvailable, "")
	p.Events = append(p.Events, s.event(corev1.EventTypeNormal, "VolumeRecycled", "Volume recycled"))
	p.Files = s.emptied()
	return p
}

func (s VolumeSnapshot) emptied() []plan.File {
	files := make([]plan.File, len(s.Files))
	for i, f := range s.Files {
		files[i] = plan.File{Node: f.Node, Path: f.Path, Removed: true}
	}
	return files
}

func (s VolumeSnapshot) failed(reason, message string) plan.Plan {
	p := s.phase(s.Volume, corev1.VolumeFailed, message)
	p.Events = append(p.Events, s.event(corev1.EventTypeWarning, reason, message))
	return p
}

func (s VolumeSnapshot) event(eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: s.Volume, Type: eventType, Reason: reason, Message: message, Component: binder}
}

// ReleaseAttributes removes the finalizer of a VolumeAttributesClass that is being deleted and that
// no claim or volume names.
//
// Source: kubernetes v1.36 pkg/controller/volume/vacprotection/vac_protection_controller.go
func ReleaseAttributes(class *storagev1.VolumeAttributesClass, used bool) plan.Plan {
	if used || class.DeletionTimestamp == nil || !slices.Contains(class.Finalizers, storage.AttributesProtection) {
		return plan.Plan{}
	}
	next := class.DeepCopy()
	next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == storage.AttributesProtection })
	return plan.Plan{Updates: []plan.Update{{Object: next}}}
}
