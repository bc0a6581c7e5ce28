package persistentvolume

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// The components in events.
const (
	binder      = "persistentvolume-controller"
	provisioner = "rowlock.io/emulated"
	expander    = "volume_expand"
	resizer     = "external-resizer rowlock.io/emulated"
)

// claimSync is one sync of a claim.
type claimSync struct {
	ClaimSnapshot
	now  metav1.Time
	plan plan.Plan
}

// bindTo is the claim in its state when bound to a volume.
func (y *claimSync) bindTo(v *corev1.PersistentVolume) *corev1.PersistentVolumeClaim {
	claim := y.Claim.DeepCopy()
	if claim.Spec.VolumeName != v.Name {
		claim.Spec.VolumeName = v.Name
		metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volumestate.BoundByController, "yes")
	}
	if !hasAnnotation(claim, volumestate.BindCompleted) {
		metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volumestate.BindCompleted, "yes")
	}
	claim.Status.AccessModes = slices.Clone(v.Spec.AccessModes)
	if claim.Status.Phase != corev1.ClaimBound {
		claim.Status.Capacity = v.Spec.Capacity.DeepCopy()
		if claim.Status.Phase == corev1.ClaimPending {
			claim.Status.CurrentVolumeAttributesClassName = copied(v.Spec.VolumeAttributesClassName)
		}
	}
	claim.Status.Phase = corev1.ClaimBound
	return claim
}

// pending sets the phase of a claim without a volume.
func (y *claimSync) pending() {
	s := &y.Claim.Status
	if s.Phase == corev1.ClaimPending && s.AccessModes == nil && s.Capacity == nil && s.CurrentVolumeAttributesClassName == nil {
		return
	}
	next := y.Claim.DeepCopy()
	next.Status.Phase, next.Status.AccessModes, next.Status.Capacity, next.Status.CurrentVolumeAttributesClassName = corev1.ClaimPending, nil, nil, nil
	y.update(next, "status")
}

func (y *claimSync) update(next *corev1.PersistentVolumeClaim, subresource string) {
	y.plan.Updates = append(y.plan.Updates, plan.Update{Object: next, Subresource: subresource})
}

// tell emits an event about the claim, unless the last one was the same.
func (y *claimSync) tell(eventType, reason, message string) {
	if told := reason + " " + message; told != string(y.Memory) {
		y.plan.Memory = []byte(told)
		y.event(y.Claim, binder, eventType, reason, message)
	}
}

func (y *claimSync) event(claim *corev1.PersistentVolumeClaim, component, eventType, reason, message string) {
	y.plan.Events = append(y.plan.Events, plan.Event{Regarding: claim, Type: eventType, Reason: reason, Message: message, Component: component})
}

func hasAnnotation(o metav1.Object, key string) bool {
	_, has := o.GetAnnotations()[key]
	return has
}

func copied(s *string) *string {
	if s == nil {
		return nil
	}
	return new(*s)
}

// tellAs is tell for another component.
func (y *claimSync) tellAs(component, reason, message string) {
	if told := reason + " " + message; told != string(y.Memory) {
		y.plan.Memory = []byte(told)
		y.event(y.Claim, component, corev1.EventTypeNormal, reason, message)
	}
}
