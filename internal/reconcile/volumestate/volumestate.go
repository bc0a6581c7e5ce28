// Package volumestate relates volumes and PersistentVolumeClaims: which claims a Pod uses, which
// volume belongs to a claim, which would suit one, and where the content of a volume is kept. The
// binder, the scheduler and the kubelet share it.
package volumestate

import (
	"fmt"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"

	"github.com/rowlock/rowlock/internal/kind/core"
)

// Annotations by which the binder, the scheduler and provisioners inform each other of their
// progress.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go
const (
	BindCompleted     = "pv.kubernetes.io/bind-completed"
	BoundByController = "pv.kubernetes.io/bound-by-controller"
	ProvisionedBy     = "pv.kubernetes.io/provisioned-by"
	Provisioner       = "volume.kubernetes.io/storage-provisioner"
	BetaProvisioner   = "volume.beta.kubernetes.io/storage-provisioner"
	SelectedNode      = "volume.kubernetes.io/selected-node"
)

// Use is a Pod's use of a claim.
type Use struct {
	Volume    string // the volume's name in the Pod
	Claim     string
	Ephemeral bool // the claim is made for the Pod
	ReadOnly  bool
}

// UsesClaims reports whether a Pod uses any claims.
func UsesClaims(spec *corev1.PodSpec) bool {
	for i := range spec.Volumes {
		if v := &spec.Volumes[i]; v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			return true
		}
	}
	return false
}

// Uses are the claims that a Pod uses, in the order of its volumes; nil for none.
func Uses(pod *corev1.Pod) (uses []Use) {
	for i := range pod.Spec.Volumes {
		switch v := &pod.Spec.Volumes[i]; {
		case v.PersistentVolumeClaim != nil:
			uses = append(uses, Use{Volume: v.Name, Claim: v.PersistentVolumeClaim.ClaimName, ReadOnly: v.PersistentVolumeClaim.ReadOnly})
		case v.Ephemeral != nil:
			uses = append(uses, Use{Volume: v.Name, Claim: pod.Name + "-" + v.Name, Ephemeral: true})
		}
	}
	return uses
}

// MadeFor says why a claim was not made for the Pod that uses it as an ephemeral volume; nil if it
// was.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/ephemeral/ephemeral.go, VolumeIsForPod
func MadeFor(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) error {
	if claim.Namespace != pod.Namespace || !metav1.IsControlledBy(claim, pod) {
		return fmt.Errorf("PVC %s/%s was not created for pod %s/%s (pod is not owner)", claim.Namespace, claim.Name, pod.Namespace, pod.Name)
	}
	return nil
}

// FullyBound reports whether a claim has its volume, according to the claim itself.
func FullyBound(claim *corev1.PersistentVolumeClaim) bool {
	_, completed := claim.Annotations[BindCompleted]
	return completed && claim.Spec.VolumeName != ""
}

// IsFor reports whether a volume is bound to a claim, or reserved for it.
func IsFor(v *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) bool {
	ref := v.Spec.ClaimRef
	return ref != nil && ref.Namespace == claim.Namespace && ref.Name == claim.Name && (ref.UID == "" || ref.UID == claim.UID)
}

// Reference is a volume's reference to its claim.
func Reference(claim *corev1.PersistentVolumeClaim) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		Kind: "PersistentVolumeClaim", APIVersion: "v1", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
		ResourceVersion: claim.ResourceVersion,
	}
}

// Claimed is the volume bound to the claim: a copy, or the volume itself if it is already bound.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go, GetBindVolumeToClaim
func Claimed(v *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	if IsFor(v, claim) && v.Spec.ClaimRef.UID != "" {
		return v
	}
	chosen := !IsFor(v, claim)
	v = v.DeepCopy()
	v.Spec.ClaimRef = Reference(claim)
	if chosen {
		metav1.SetMetaDataAnnotation(&v.ObjectMeta, BoundByController, "yes")
	}
	return v
}

// OnNode reports whether a node with these labels reaches the volume.
func OnNode(v *corev1.PersistentVolume, nodeLabels map[string]string) bool {
	if v.Spec.NodeAffinity == nil || v.Spec.NodeAffinity.Required == nil {
		return true
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: nodeLabels}}
	matches, err := corev1helpers.MatchNodeSelectorTerms(node, v.Spec.NodeAffinity.Required)
	return err == nil && matches
}

// SameMode reports whether claim and volume are both a file system or both a block device.
func SameMode(claim *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) bool {
	mode := func(m *corev1.PersistentVolumeMode) corev1.PersistentVolumeMode {
		if m == nil {
			return corev1.PersistentVolumeFilesystem
		}
		return *m
	}
	return mode(claim.Spec.VolumeMode) == mode(v.Spec.VolumeMode)
}

// Size is how much a claim requests.
func Size(claim *corev1.PersistentVolumeClaim) resource.Quantity {
	return claim.Spec.Resources.Requests[corev1.ResourceStorage]
}

// Capacity is how much a volume has.
func Capacity(v *corev1.PersistentVolume) resource.Quantity {
	return v.Spec.Capacity[corev1.ResourceStorage]
}

// SameAttributes reports whether claim and volume name the same VolumeAttributesClass; none and ""
// are the same.
func SameAttributes(claim *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) bool {
	return Deref(claim.Spec.VolumeAttributesClassName) == Deref(v.Spec.VolumeAttributesClassName)
}

// Deref is *s, "" for nil.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Offers reports whether a volume has all the access modes that a claim requests.
func Offers(v *corev1.PersistentVolume, modes []corev1.PersistentVolumeAccessMode) bool {
	return !slices.ContainsFunc(modes, func(m corev1.PersistentVolumeAccessMode) bool { return !slices.Contains(v.Spec.AccessModes, m) })
}

// Search is the criteria of Find.
type Search struct {
	Claim *corev1.PersistentVolumeClaim
	// Node is the node that must reach the volume; nil for any. Delayed claims get free volumes
	// only for a node.
	Node    *corev1.Node
	Delayed bool
	// Taken are the names of volumes that are no longer free.
	Taken map[string]bool
}

// Find is the volume for a claim among those given. The one reserved for the claim comes first.
// Otherwise it is, among the free volumes that have what the claim requests, the one with the
// fewest other access modes, then the smallest, then the first by name; nil if none is suitable.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go, FindMatchingVolume, and
// pkg/controller/volume/persistentvolume/index.go, findByClaim
//
// Differs: a volume that is reserved for the claim takes precedence over all others, even those
// with fewer access modes.
func Find(s Search, volumes []*corev1.PersistentVolume) *corev1.PersistentVolume {
	selector := labels.Everything()
	if s.Claim.Spec.Selector != nil {
		var err error
		if selector, err = metav1.LabelSelectorAsSelector(s.Claim.Spec.Selector); err != nil {
			return nil
		}
	}
	var best *corev1.PersistentVolume
	for _, v := range volumes {
		if s.Taken[v.Name] || !s.fits(v) {
			continue
		}
		reached := s.Node == nil || OnNode(v, s.Node.Labels)
		if IsFor(v, s.Claim) {
			if !reached {
				return nil
			}
			return v
		}
		switch {
		case s.Node == nil && s.Delayed, v.Status.Phase != corev1.VolumeAvailable, !selector.Matches(labels.Set(v.Labels)),
			core.ClassOfVolume(v) != core.ClassOfClaim(s.Claim), !reached:
		case best == nil || better(v, best):
			best = v
		}
	}
	return best
}

// fits reports whether a volume has what the claim requests, and may belong to the claim.
func (s Search) fits(v *corev1.PersistentVolume) bool {
	has := Capacity(v)
	return (v.Spec.ClaimRef == nil || IsFor(v, s.Claim)) && has.Cmp(Size(s.Claim)) >= 0 && SameMode(s.Claim, v) && SameAttributes(s.Claim, v) &&
		v.DeletionTimestamp == nil && Offers(v, s.Claim.Spec.AccessModes)
}

func better(v, than *corev1.PersistentVolume) bool {
	if a, b := len(v.Spec.AccessModes), len(than.Spec.AccessModes); a != b {
		return a < b
	}
	size := Capacity(v)
	if c := size.Cmp(Capacity(than)); c != 0 {
		return c < 0
	}
	return v.Name < than.Name
}

// Place says where the content of a volume is kept, as a node and a path on it: on the Pod's node
// for volumes that show one of its directories, otherwise at a place of its own, which all nodes
// reach.
func Place(v *corev1.PersistentVolume, node string) (on, at string) {
	switch {
	case v.Spec.HostPath != nil:
		return node, path.Clean("/" + v.Spec.HostPath.Path)
	case v.Spec.Local != nil:
		return node, path.Clean("/" + v.Spec.Local.Path)
	}
	return core.VolumePlace + string(v.UID), "/volume"
}

// Reaches reports whether a node with these labels is in one of the places that a class allows; an
// empty list allows all.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go, MatchTopologySelectorTerms
func Reaches(allowed []corev1.TopologySelectorTerm, nodeLabels map[string]string) bool {
	return len(allowed) == 0 || slices.ContainsFunc(allowed, func(t corev1.TopologySelectorTerm) bool { return Within(&t, nodeLabels) })
}

// Within reports whether a node with these labels matches a term; an empty term matches no node.
func Within(t *corev1.TopologySelectorTerm, nodeLabels map[string]string) bool {
	for _, e := range t.MatchLabelExpressions {
		if value, has := nodeLabels[e.Key]; !has || !slices.Contains(e.Values, value) {
			return false
		}
	}
	return len(t.MatchLabelExpressions) > 0
}
