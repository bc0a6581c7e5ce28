// Package persistentvolume brings claims and volumes together: it binds a claim to a volume that is there or makes one for it, lets it
// grow, and takes a volume back when its claim is gone.
//
// A claim and its volume are bound by one plan, in which the claim's change needs that of the volume: either both are made or
// neither, whoever else wants the volume or the claim at that moment, and whenever a process dies. Provisioning is emulated: every class
// has a provisioner but those that say they have none, and what it would do outside of the cluster happens at once.
//
// A claim must be looked at when it or the volume it names has changed, when a volume that may do for it has become free, when its
// class, or any if it names none, has changed, and when a Pod that uses it has gone; a volume when it or its claim has changed.
// claim.go has the claims, provision.go makes volumes, expand.go changes bound ones, volume.go has the volumes.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, pkg/controller/volume/pvcprotection and
// pvprotection
package persistentvolume

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Components that events name.
const (
	binder      = "persistentvolume-controller"
	provisioner = "rowlock.io/emulated"
	expander    = "volume_expand"
	resizer     = "external-resizer rowlock.io/emulated"
)

// ClaimSnapshot is a claim with what it has to do with. Nothing in it is changed, and plans share parts of it.
type ClaimSnapshot struct {
	Claim *corev1.PersistentVolumeClaim
	// Class is the one that the claim names, Default the one of claims that name none, Attributes the VolumeAttributesClass that it
	// names; nil where there is none.
	Class, Default *storagev1.StorageClass
	Attributes     *storagev1.VolumeAttributesClass
	// Volume is the one that the claim names, nil if there is none. Volumes are, for a claim that names none, those that are set
	// aside for it and the free ones of its class.
	Volume  *corev1.PersistentVolume
	Volumes []*corev1.PersistentVolume
	// Pods are those that use the claim.
	Pods []*corev1.Pod
	// Node is the one that the scheduler has chosen for the first of them, nil if there is none.
	Node *corev1.Node
	// Refused says that the volume which the last plan would have made is refused.
	Refused *plan.Refusal
	// Memory is what the last plan has told.
	Memory []byte
	Now    time.Time
}

// look is one look at a claim.
type look struct {
	ClaimSnapshot
	now  metav1.Time
	plan plan.Plan
}

// ReconcileClaim brings a claim forward. What it tells again and again on a real cluster it tells once, until it has something else to
// tell.
func ReconcileClaim(s ClaimSnapshot) plan.Plan {
	l := look{ClaimSnapshot: s, now: metav1.Time{Time: s.Now.Truncate(time.Second)}}
	switch {
	case s.Claim.DeletionTimestamp != nil && slices.Contains(s.Claim.Finalizers, kind.ClaimProtection) && !InUse(s.Claim, s.Pods):
		next := s.Claim.DeepCopy()
		next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == kind.ClaimProtection })
		l.update(next, "")
		return l.plan
	case hasAnnotation(s.Claim, volumestate.BindCompleted):
		l.bound()
	case s.Claim.Spec.VolumeName != "":
		l.named()
	default:
		l.unbound()
	}
	return l.plan
}

// InUse says whether a Pod on a node uses a claim: one that has been shut down no more uses what was made for it alone, so that neither
// waits for the other to go.
//
// Source: kubernetes v1.36 pkg/controller/volume/pvcprotection/pvc_protection_controller.go, podUsesPVC and podIsShutDown
func InUse(claim *corev1.PersistentVolumeClaim, pods []*corev1.Pod) bool {
	for _, pod := range pods {
		if pod.Spec.NodeName == "" {
			continue
		}
		for _, use := range volumestate.Uses(pod) {
			if use.Claim == claim.Name && (!use.Ephemeral || !podstate.ShutDown(pod) && volumestate.MadeFor(pod, claim) == nil) {
				return true
			}
		}
	}
	return false
}

// unbound looks for a volume, and has one made if there is none.
func (l *look) unbound() {
	delayed := l.Class != nil && l.Class.VolumeBindingMode != nil && *l.Class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	if v := volumestate.Find(volumestate.Search{Claim: l.Claim, Delayed: delayed}, l.Volumes); v != nil {
		l.bind(v)
		return
	}
	class := kind.ClassOfClaim(l.Claim)
	switch {
	case !kind.HasClass(l.Claim) && l.Default != nil:
		next := l.Claim.DeepCopy()
		next.Spec.StorageClassName = new(l.Default.Name)
		l.update(next, "")
		return
	case l.mismatched():
	case delayed && l.Claim.Annotations[volumestate.SelectedNode] == "":
		reason, message := l.waits()
		l.tell(corev1.EventTypeNormal, reason, message)
	case class != "":
		l.provision()
		return
	default:
		l.tell(corev1.EventTypeNormal, "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
	}
	l.pending()
}

// mismatched tells of a volume that is set aside for the claim and is not of its mode.
func (l *look) mismatched() bool {
	for _, v := range l.Volumes {
		if volumestate.IsFor(v, l.Claim) && v.Spec.ClaimRef.UID != "" && !volumestate.SameMode(l.Claim, v) {
			l.tell(corev1.EventTypeWarning, "VolumeMismatch",
				fmt.Sprintf("Cannot bind PersistentVolume %q to requested PersistentVolumeClaim due to incompatible volumeMode.", v.Name))
			return true
		}
	}
	return false
}

// waits says what a claim waits for whose volume depends on where its first Pod runs.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, emitEventForUnboundDelayBindingClaim
func (l *look) waits() (reason, message string) {
	var names []string
	for _, pod := range l.Pods {
		if pod.Spec.NodeName == "" && !podstate.Terminal(pod) {
			names = append(names, pod.Name)
		}
	}
	switch len(names) {
	case 0:
		return "WaitForFirstConsumer", "waiting for first consumer to be created before binding"
	case 1:
		return "WaitForPodScheduled", "waiting for pod " + names[0] + " to be scheduled"
	}
	return "WaitForPodScheduled", "waiting for pods " + strings.Join(names, ",") + " to be scheduled"
}

// named takes the volume that the claim asks for.
func (l *look) named() {
	v := l.Volume
	switch {
	case v == nil:
	case v.Spec.ClaimRef == nil:
		if why := unsuitable(v, l.Claim); why != "" {
			l.tell(corev1.EventTypeWarning, "VolumeMismatch", fmt.Sprintf("Cannot bind to requested volume %q: %s", v.Name, why))
			break
		}
		l.bind(v)
		return
	case volumestate.IsFor(v, l.Claim):
		l.bind(v)
		return
	default:
		l.tell(corev1.EventTypeWarning, "FailedBinding", fmt.Sprintf("volume %q already bound to a different claim.", v.Name))
	}
	l.pending()
}

// unsuitable says why a volume that a claim asks for by name is not for it; empty if it is.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, checkVolumeSatisfyClaim
func unsuitable(v *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) string {
	has := volumestate.Capacity(v)
	switch {
	case v.DeletionTimestamp != nil:
		return "the volume is marked for deletion " + fmt.Sprintf("%q", v.Name)
	case has.Cmp(volumestate.Size(claim)) < 0:
		return "requested PV is too small"
	case kind.ClassOfVolume(v) != kind.ClassOfClaim(claim):
		return "storageClassName does not match"
	case !volumestate.SameAttributes(claim, v):
		return "volumeAttributesClassName does not match"
	case !volumestate.SameMode(claim, v):
		return "incompatible volumeMode"
	case !volumestate.Offers(v, claim.Spec.AccessModes):
		return "incompatible accessMode"
	}
	return ""
}

// bound keeps a bound claim bound, or tells that it has lost its volume.
func (l *look) bound() {
	v := l.Volume
	switch {
	case l.Claim.Spec.VolumeName == "":
		l.lose("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!")
	case v == nil:
		l.lose("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!")
	case v.Spec.ClaimRef != nil && v.Spec.ClaimRef.UID != l.Claim.UID:
		l.lose("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly")
	default:
		l.bind(v)
	}
}

func (l *look) lose(reason, message string) {
	if l.Claim.Status.Phase == corev1.ClaimLost {
		return
	}
	next := l.Claim.DeepCopy()
	next.Status.Phase, next.Status.AccessModes, next.Status.Capacity, next.Status.CurrentVolumeAttributesClassName = corev1.ClaimLost, nil, nil, nil
	l.update(next, "status")
	l.event(l.Claim, binder, corev1.EventTypeWarning, reason, message)
}

// bind makes claim and volume each other's, as far as they are not, and gives a claim that is bound what else it asks for.
func (l *look) bind(v *corev1.PersistentVolume) {
	volume := volumestate.Claimed(v, l.Claim)
	if volume.Status.Phase != corev1.VolumeBound {
		volume = volume.DeepCopy()
		volume.Status.Phase, volume.Status.Message, volume.Status.LastPhaseTransitionTime = corev1.VolumeBound, "", &l.now
	}
	claim := l.bindTo(v)
	if volume == v && claim.Status.Phase == l.Claim.Status.Phase && l.Claim.DeletionTimestamp == nil {
		claim, volume = l.expand(claim, volume)
		claim, volume = l.modify(claim, volume)
	}
	needs := plan.Update{Object: claim}
	if volume != v {
		l.plan.Updates = append(l.plan.Updates, plan.Update{Object: volume})
		needs.NeedsUpdate = volume.UID
	}
	if !equality.Semantic.DeepEqual(claim, l.Claim) {
		l.plan.Updates = append(l.plan.Updates, needs)
	}
}

// bindTo is the claim as it is when it is bound to a volume.
func (l *look) bindTo(v *corev1.PersistentVolume) *corev1.PersistentVolumeClaim {
	claim := l.Claim.DeepCopy()
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

// pending is the phase of a claim without a volume.
func (l *look) pending() {
	s := &l.Claim.Status
	if s.Phase == corev1.ClaimPending && s.AccessModes == nil && s.Capacity == nil && s.CurrentVolumeAttributesClassName == nil {
		return
	}
	next := l.Claim.DeepCopy()
	next.Status.Phase, next.Status.AccessModes, next.Status.Capacity, next.Status.CurrentVolumeAttributesClassName = corev1.ClaimPending, nil, nil, nil
	l.update(next, "status")
}

func (l *look) update(next *corev1.PersistentVolumeClaim, subresource string) {
	l.plan.Updates = append(l.plan.Updates, plan.Update{Object: next, Subresource: subresource})
}

// tell writes an event about the claim unless it is what was told last.
func (l *look) tell(eventType, reason, message string) {
	if told := reason + " " + message; told != string(l.Memory) {
		l.plan.Memory = []byte(told)
		l.event(l.Claim, binder, eventType, reason, message)
	}
}

func (l *look) event(claim *corev1.PersistentVolumeClaim, component, eventType, reason, message string) {
	l.plan.Events = append(l.plan.Events, plan.Event{Regarding: claim, Type: eventType, Reason: reason, Message: message, Component: component})
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
