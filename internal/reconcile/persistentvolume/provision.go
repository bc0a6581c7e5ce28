package persistentvolume

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// deletionFinalizer keeps a volume until the storage behind it is deleted.
//
// Source: sig-storage-lib-external-provisioner v11 controller/controller.go, finalizerPV
const deletionFinalizer = "external-provisioner.volume.kubernetes.io/finalizer"

// provision makes a volume for the claim, and binds them.
//
// Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, provisionClaim and
// provisionClaimOperationExternal; what the volume has is what the external provisioner of CSI drivers gives it
func (y *claimSync) provision() {
	class := y.Class
	switch {
	case class == nil:
		y.fail(binder, fmt.Sprintf("storageclass.storage.k8s.io %q not found", core.ClassOfClaim(y.Claim)))
		return
	case class.Provisioner == storage.NoProvisioner:
		y.fail(binder, "no volume plugin matched name: "+class.Provisioner)
		return
	case y.Claim.DeletionTimestamp != nil:
		return
	}
	if why := y.cannotProvision(); why != "" {
		y.fail(provisioner, fmt.Sprintf("failed to provision volume with StorageClass %q: %s", class.Name, why))
		return
	}
	v := y.provisioned()
	claim := y.bindTo(v)
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volumestate.Provisioner, class.Provisioner)
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volumestate.BetaProvisioner, class.Provisioner)
	y.plan.Creates = []plan.Create{{Object: v}}
	y.plan.Updates = []plan.Update{{Object: claim, NeedsCreate: 1}}
	told := func(component, reason, message string) {
		y.plan.Events = append(y.plan.Events, plan.Event{
			Regarding: y.Claim, Type: corev1.EventTypeNormal, Reason: reason, Message: message, Component: component,
		})
	}
	told(binder, "ExternalProvisioning", fmt.Sprintf("Waiting for a volume to be created either by the external provisioner '%s' "+
		"or manually by the system administrator. If volume creation is delayed, please verify that "+
		"the provisioner is running and correctly registered.", class.Provisioner))
	told(class.Provisioner, "Provisioning", fmt.Sprintf("External provisioner is provisioning volume for claim %q", y.Claim.Namespace+"/"+y.Claim.Name))
	told(class.Provisioner, "ProvisioningSucceeded", "Successfully provisioned volume "+v.Name)
}

// cannotProvision says why the emulated provisioner makes no volume; empty if it does.
func (y *claimSync) cannotProvision() string {
	node := y.Claim.Annotations[volumestate.SelectedNode]
	switch {
	case y.Refused != nil:
		return y.Refused.Message
	case y.Claim.Spec.Selector != nil:
		return "claim Selector is not supported"
	case y.Claim.Spec.DataSourceRef != nil:
		return "volumes are not filled from a " + y.Claim.Spec.DataSourceRef.Kind + " by the emulated provisioner"
	case volumestate.Deref(y.Claim.Spec.VolumeAttributesClassName) != "" && y.Attributes == nil:
		return fmt.Sprintf("volumeattributesclass.storage.k8s.io %q not found", *y.Claim.Spec.VolumeAttributesClassName)
	case node != "" && y.Node == nil:
		return fmt.Sprintf("node %q not found", node)
	}
	return ""
}

func (y *claimSync) fail(component, message string) {
	if told := "ProvisioningFailed " + message; told != string(y.Memory) {
		y.plan.Memory = []byte(told)
		y.event(y.Claim, component, corev1.EventTypeWarning, "ProvisioningFailed", message)
	}
	y.plan.Retry = y.Refused != nil
	y.pending()
}

// provisioned is the volume that is made for the claim, bound to it.
func (y *claimSync) provisioned() *corev1.PersistentVolume {
	class, claim := y.Class, y.Claim
	v := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{
			Name: "pvc-" + string(claim.UID),
			Annotations: map[string]string{
				volumestate.ProvisionedBy:                                    class.Provisioner,
				"volume.kubernetes.io/provisioner-deletion-secret-name":      "",
				"volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
			},
		},
		Spec: corev1.PersistentVolumeSpec{
			AccessModes: slices.Clone(claim.Spec.AccessModes), Capacity: corev1.ResourceList{corev1.ResourceStorage: volumestate.Size(claim)},
			ClaimRef: volumestate.Reference(claim), MountOptions: slices.Clone(class.MountOptions), StorageClassName: class.Name,
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimDelete, VolumeMode: claim.Spec.VolumeMode,
			NodeAffinity:              affinity(class.AllowedTopologies, y.Node),
			VolumeAttributesClassName: orNil(claim.Spec.VolumeAttributesClassName),
			PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{
				Driver: driver(class.Provisioner), VolumeHandle: "pvc-" + string(claim.UID), FSType: fsType(class, claim),
			}},
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeBound, LastPhaseTransitionTime: &y.now},
	}
	if class.ReclaimPolicy != nil {
		v.Spec.PersistentVolumeReclaimPolicy = *class.ReclaimPolicy
	}
	if v.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
		v.Finalizers = []string{deletionFinalizer}
	}
	return v
}

func orNil(s *string) *string {
	if volumestate.Deref(s) == "" {
		return nil
	}
	return new(*s)
}

// driver is the CSI driver of a provisioner's volumes: the provisioner itself if its name is valid
// as a driver's, as it is for all CSI drivers.
func driver(provisioner string) string {
	if len(provisioner) <= 63 && len(validation.IsDNS1123Subdomain(strings.ToLower(provisioner))) == 0 {
		return provisioner
	}
	return "emulated.rowlock.io"
}

func fsType(class *storagev1.StorageClass, claim *corev1.PersistentVolumeClaim) string {
	if mode := claim.Spec.VolumeMode; mode != nil && *mode == corev1.PersistentVolumeBlock {
		return ""
	}
	if t := class.Parameters["csi.storage.k8s.io/fstype"]; t != "" {
		return t
	}
	return "ext4"
}

// affinity says which nodes reach a volume: those that the class allows or, if the volume is made
// for a node, those in the same place by the labels that the class uses. nil means all nodes.
func affinity(allowed []corev1.TopologySelectorTerm, node *corev1.Node) *corev1.VolumeNodeAffinity {
	var terms []corev1.NodeSelectorTerm
	for _, term := range allowed {
		if len(term.MatchLabelExpressions) == 0 {
			continue
		}
		here := node != nil && volumestate.Within(&term, node.Labels)
		if node != nil && !here {
			continue
		}
		var t corev1.NodeSelectorTerm
		for _, e := range term.MatchLabelExpressions {
			values := slices.Clone(e.Values)
			if here {
				values = []string{node.Labels[e.Key]}
			}
			t.MatchExpressions = append(t.MatchExpressions, corev1.NodeSelectorRequirement{Key: e.Key, Operator: corev1.NodeSelectorOpIn, Values: values})
		}
		if terms = append(terms, t); here {
			break
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: terms}}
}
