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
// is gone. A volume must be synced when it or its claim changes. claim.go reconciles claims
// with the helpers in claimsync.go, provision.go makes volumes, expand.go changes bound ones,
// volume.go reconciles volumes.
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

// ReconcileClaim advances a claim. Events that a real cluster repeats are emitted once, until there
// is something else to report.
func ReconcileClaim(s ClaimSnapshot) plan.Plan {
	y := claimSync{ClaimSnapshot: s, now: metav1.Time{Time: s.Now.Truncate(time.Second)}}
	switch {
	case s.Claim.DeletionTimestamp != nil && slices.Contains(s.Claim.Finalizers, core.ClaimProtection) && !InUse(s.Claim, s.Pods):
		next := s.Claim.DeepCopy()
		next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == core.ClaimProtection })
		y.update(next, "")
		return y.plan
	case hasAnnotation(s.Claim, volumestate.BindCompleted):
		y.bound()
	case s.Claim.Spec.VolumeName != "":
		y.named()
	default:
		y.unbound()
	}
	return y.plan
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
func (y *claimSync) unbound() {
	delayed := y.Class != nil && y.Class.VolumeBindingMode != nil && *y.Class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	if v := volumestate.Find(volumestate.Search{Claim: y.Claim, Delayed: delayed}, y.Volumes); v != nil {
		y.bind(v)
		return
	}
	class := core.ClassOfClaim(y.Claim)
	switch {
	case !core.HasClass(y.Claim) && y.Default != nil:
		next := y.Claim.DeepCopy()
		next.Spec.StorageClassName = new(y.Default.Name)
		y.update(next, "")
		return
	case y.mismatched():
	case delayed && y.Claim.Annotations[volumestate.SelectedNode] == "":
		reason, message := y.waits()
		y.tell(corev1.EventTypeNormal, reason, message)
	case class != "":
		y.provision()
		return
	default:
		y.tell(corev1.EventTypeNormal, "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
	}
	y.pending()
}

// mismatched reports a volume that is reserved for the claim but has another mode.
func (y *claimSync) mismatched() bool {
	for _, v := range y.Volumes {
		if volumestate.IsFor(v, y.Claim) && v.Spec.ClaimRef.UID != "" && !volumestate.SameMode(y.Claim, v) {
			y.tell(corev1.EventTypeWarning, "VolumeMismatch",
				fmt.Sprintf("Cannot bind PersistentVolume %q to requested PersistentVolumeClaim due to incompatible volumeMode.", v.Name))
			return true
		}
	}
	return false
}

// waits says what a claim is waiting for if its volume depends on where its first Pod runs.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, emitEventForUnboundDelayBindingClaim
func (y *claimSync) waits() (reason, message string) {
	var names []string
	for _, pod := range y.Pods {
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
func (y *claimSync) named() {
	v := y.Volume
	switch {
	case v == nil:
	case v.Spec.ClaimRef == nil:
		if why := unsuitable(v, y.Claim); why != "" {
			y.tell(corev1.EventTypeWarning, "VolumeMismatch", fmt.Sprintf("Cannot bind to requested volume %q: %s", v.Name, why))
			break
		}
		y.bind(v)
		return
	case volumestate.IsFor(v, y.Claim):
		y.bind(v)
		return
	default:
		y.tell(corev1.EventTypeWarning, "FailedBinding", fmt.Sprintf("volume %q already bound to a different claim.", v.Name))
	}
	y.pending()
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
func (y *claimSync) bound() {
	v := y.Volume
	switch {
	case y.Claim.Spec.VolumeName == "":
		y.lose("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!")
	case v == nil:
		y.lose("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!")
	case v.Spec.ClaimRef != nil && v.Spec.ClaimRef.UID != y.Claim.UID:
		y.lose("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly")
	default:
		y.bind(v)
	}
}

func (y *claimSync) lose(reason, message string) {
	if y.Claim.Status.Phase == corev1.ClaimLost {
		return
	}
	next := y.Claim.DeepCopy()
	next.Status.Phase, next.Status.AccessModes, next.Status.Capacity, next.Status.CurrentVolumeAttributesClassName = corev1.ClaimLost, nil, nil, nil
	y.update(next, "status")
	y.event(y.Claim, binder, corev1.EventTypeWarning, reason, message)
}

// bind binds claim and volume to each other where necessary, and gives a bound claim what else it
// requests.
func (y *claimSync) bind(v *corev1.PersistentVolume) {
	volume := volumestate.Claimed(v, y.Claim)
	if volume.Status.Phase != corev1.VolumeBound {
		volume = volume.DeepCopy()
		volume.Status.Phase, volume.Status.Message, volume.Status.LastPhaseTransitionTime = corev1.VolumeBound, "", &y.now
	}
	claim := y.bindTo(v)
	if volume == v && claim.Status.Phase == y.Claim.Status.Phase && y.Claim.DeletionTimestamp == nil {
		claim, volume = y.expand(claim, volume)
		claim, volume = y.modify(claim, volume)
	}
	needs := plan.Update{Object: claim}
	if volume != v {
		y.plan.Updates = append(y.plan.Updates, plan.Update{Object: volume})
		needs.NeedsUpdate = volume.UID
	}
	if !equality.Semantic.DeepEqual(claim, y.Claim) {
		y.plan.Updates = append(y.plan.Updates, needs)
	}
}
