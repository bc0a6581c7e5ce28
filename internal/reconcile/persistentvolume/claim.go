// Package persistentvolume binds PersistentVolumeClaims to volumes: it binds a claim to an existing
// volume or provisions one for it, expands it, and reclaims a volume when its claim is gone.
//
// A claim and its volume are bound by one plan, in which the claim's change depends on that of the
// volume: either both are made or neither, whatever else wants the volume or the claim at that
// moment, and whenever a process dies. Provisioning is emulated: every class has a provisioner,
// except those that say they have none, and what it would do outside the cluster happens at once.
//
// A claim must be synced when it or the volume it names changes, when a volume that may suit it
// becomes free, when its class changes, or any class if it names none, and when a Pod that uses it
// is gone. A volume must be synced when it or its claim changes. claim.go reconciles claims,
// provision.go makes volumes, expand.go changes bound ones, volume.go reconciles volumes.
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

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// The components in events.
const (
	binder      = "persistentvolume-controller"
	provisioner = "rowlock.io/emulated"
	expander    = "volume_expand"
	resizer     = "external-resizer rowlock.io/emulated"
)

// ClaimSnapshot is a claim and its related objects. It is not modified, and plans share parts of
// it.
type ClaimSnapshot struct {
	Claim *corev1.PersistentVolumeClaim
	// Class is the class that the claim names, Default the class of claims that name none,
	// Attributes the VolumeAttributesClass that it names; nil if it does not exist.
	Class, Default *storagev1.StorageClass
	Attributes     *storagev1.VolumeAttributesClass
	// Volume is the volume that the claim names; nil if it does not exist. Volumes are, for a claim
	// that names none, those reserved for it and the free ones of its class.
	Volume  *corev1.PersistentVolume
	Volumes []*corev1.PersistentVolume
	// Pods are the Pods that use the claim.
	Pods []*corev1.Pod
	// Node is the node that the scheduler has chosen for the first of them; nil if none exists.
	Node *corev1.Node
	// Refused is not nil if the volume that the last plan would have made is refused.
	Refused *plan.Refusal
	// Memory is what the last plan reported.
	Memory []byte
	Now    time.Time
}

// look is one sync of a claim.
type look struct {
	ClaimSnapshot
	now  metav1.Time
	plan plan.Plan
}

// ReconcileClaim advances a claim. Events that a real cluster repeats are emitted once, until there
// is something else to report.
func ReconcileClaim(s ClaimSnapshot) plan.Plan {
	l := look{ClaimSnapshot: s, now: metav1.Time{Time: s.Now.Truncate(time.Second)}}
	switch {
	case s.Claim.DeletionTimestamp != nil && slices.Contains(s.Claim.Finalizers, core.ClaimProtection) && !InUse(s.Claim, s.Pods):
		next := s.Claim.DeepCopy()
		next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == core.ClaimProtection })
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

// InUse reports whether a Pod on a node uses a claim. A Pod that has shut down no longer uses a
// claim that was made for it, so that neither waits for the other to be deleted.
//
// Source: kubernetes v1.36 pkg/controller/volume/pvcprotection/pvc_protection_controller.go, podUsesPVC and podIsShutDown
func InUse(claim *corev1.PersistentVolumeClaim, pods []*corev1.Pod) bool {
	for _, pod := range pods {
		if pod.Spec.NodeName == "" {
			continue
		}
		for _, use := range volumestate.Uses(pod) {
			if use.Claim == claim.Name && (!use.Ephemeral || !podstate.Collected(pod) && volumestate.MadeFor(pod, claim) == nil) {
				return true
			}
		}
	}
	return false
}

// unbound finds a volume, or provisions one if none exists.
func (l *look) unbound() {
	delayed := l.Class != nil && l.Class.VolumeBindingMode != nil && *l.Class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	if v := volumestate.Find(volumestate.Search{Claim: l.Claim, Delayed: delayed}, l.Volumes); v != nil {
		l.bind(v)
		return
	}
	class := core.ClassOfClaim(l.Claim)
	switch {
	case !core.HasClass(l.Claim) && l.Default != nil:
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

// mismatched reports a volume that is reserved for the claim but has another mode.
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

// waits says what a claim is waiting for if its volume depends on where its first Pod runs.
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

// named takes the volume that the claim names.
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

// unsuitable says why the volume that a claim names does not suit it; empty if it does.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, checkVolumeSatisfyClaim
func unsuitable(v *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) string {
	has := volumestate.Capacity(v)
	switch {
	case v.DeletionTimestamp != nil:
		return "the volume is marked for deletion " + fmt.Sprintf("%q", v.Name)
	case has.Cmp(volumestate.Size(claim)) < 0:
		return "requested PV is too small"
	case core.ClassOfVolume(v) != core.ClassOfClaim(claim):
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

// bound keeps a bound claim bound, or reports that it has lost its volume.
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

// bind binds claim and volume to each other where necessary, and gives a bound claim what else it
// requests.
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

// bindTo is the claim in its state when bound to a volume.
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

// pending sets the phase of a claim without a volume.
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

// tell emits an event about the claim, unless the last one was the same.
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
