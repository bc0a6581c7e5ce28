package mirror

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Index says under which values an object is found, like the Indexers of client-go. An object may
// have no value.
type Index struct {
	Name     string
	Resource string // "" for all resources
	Values   func(v *object.Version) []string
	// Less orders the objects under a value; nil orders them by resource, namespace and name. It
	// must distinguish any two objects.
	Less func(a, b *object.Version) bool
	// News reports whether a change of an object that stays under a value is news to readers that
	// page through the value's objects. An object that newly comes under the value always is. nil
	// records no news: see View.News.
	News func(old, new *object.Version) bool
}

// The indexes that reconcilers need.
var (
	// ByOwner finds the dependents of an object by its uid.
	ByOwner = Index{Name: "owner", Values: func(v *object.Version) []string {
		if !v.Is(object.HasOwners) {
			return nil // avoids decoding most objects of most kinds
		}
		refs := v.Object().GetOwnerReferences()
		values := make([]string, len(refs))
		for i := range refs {
			values[i] = string(refs[i].UID)
		}
		return values
	}}
	// TerminatingByOwner finds, by an owner's uid, the dependents that are being deleted.
	// BlockersByOwner finds those of them that block the owner's deletion, and CascadesByOwner
	// those that wait for their own dependents.
	TerminatingByOwner = Index{Name: "terminating-by-owner", Values: func(v *object.Version) []string {
		return terminatingOwners(v, func(metav1.OwnerReference) bool { return true })
	}}
	BlockersByOwner = Index{Name: "blockers-by-owner", Values: func(v *object.Version) []string {
		return terminatingOwners(v, func(ref metav1.OwnerReference) bool { return ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion })
	}}
	CascadesByOwner = Index{Name: "cascades-by-owner", Values: func(v *object.Version) []string {
		return terminatingOwners(v, func(metav1.OwnerReference) bool {
			return slices.Contains(v.Object().GetFinalizers(), metav1.FinalizerDeleteDependents)
		})
	}}
	// OrphanPods finds Pods without a controller by namespace, and by namespace and each label: see
	// Label. OrphanReplicaSets and OrphanRevisions find such ReplicaSets and ControllerRevisions.
	OrphanPods        = Index{Name: "orphan-pods", Resource: "pods", Values: orphanValues}
	OrphanReplicaSets = Index{Name: "orphan-replicasets", Resource: "replicasets.apps", Values: orphanValues}
	OrphanRevisions   = Index{Name: "orphan-revisions", Resource: "controllerrevisions.apps", Values: orphanValues}
	// DaemonSets finds all DaemonSets, under "". DaemonPods finds their Pods by the node that each
	// is for, whether or not it is bound to it.
	DaemonSets = Index{Name: "daemonsets", Resource: "daemonsets.apps", Values: func(*object.Version) []string { return []string{""} }}
	DaemonPods = Index{Name: "daemon-pods", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if ref := metav1.GetControllerOfNoCopy(pod); ref == nil || ref.Kind != apps.DaemonSet.Kind {
			return nil
		}
		return unlessEmpty(podstate.TargetNode(pod))
	}}
	// PodsByNode finds the Pods bound to a node by its name. A change of tolerations is news.
	PodsByNode = Index{Name: "node", Resource: "pods", News: toleratesOtherwise, Values: func(v *object.Version) []string {
		return unlessEmpty(v.Object().(*corev1.Pod).Spec.NodeName)
	}}
	// ReadyPodsByNode finds those of them that are, or may be, ready. LeavingPodsByNode finds those
	// that are being deleted and that the kubelet has not released; usually there are none. They
	// cost about 16 bytes for each Pod that they hold.
	ReadyPodsByNode = Index{Name: "ready-by-node", Resource: "pods", Values: func(v *object.Version) []string {
		if pod := v.Object().(*corev1.Pod); podstate.MayBeReady(pod) {
			return unlessEmpty(pod.Spec.NodeName)
		}
		return nil
	}}
	LeavingPodsByNode = Index{Name: "leaving-by-node", Resource: "pods", Values: func(v *object.Version) []string {
		if pod := v.Object().(*corev1.Pod); pod.DeletionTimestamp != nil && !podstate.Released(pod) {
			return unlessEmpty(pod.Spec.NodeName)
		}
		return nil
	}}
	// CapacitiesByClass finds the CSIStorageCapacities of drivers by StorageClass.
	CapacitiesByClass = Index{Name: "capacities", Resource: "csistoragecapacities.storage.k8s.io", Values: func(v *object.Version) []string {
		return []string{v.Object().(*storagev1.CSIStorageCapacity).StorageClassName}
	}}
	// PodsByAddress finds Pods by their address, except those on their node's network.
	PodsByAddress = Index{Name: "address", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Status.PodIP == "" || pod.Spec.HostNetwork {
			return nil
		}
		return []string{pod.Status.PodIP}
	}}
	// Reserved finds the object that holds an address or a port, by its key (see kind.Pool).
	// Services are the only kind that holds any.
	Reserved = Index{Name: "reserved", Resource: "services", Values: func(v *object.Version) []string {
		return service.Kind.Reservations(v.Object())
	}}
	// EndedPods finds, under "", the Pods that are finished and not collected yet, in the order of
	// collection.
	EndedPods = Index{Name: "ended", Resource: "pods", Less: collectedBefore, Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed || podstate.Collected(pod) {
			return nil
		}
		return []string{""}
	}}
	// PodsByReference finds the unfinished Pods on nodes by the ConfigMaps and Secrets that they
	// reference anywhere, whether or not these exist: see Reference.
	PodsByReference = Index{Name: "reference", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			return nil
		}
		configMaps, secrets := podsetup.References(&pod.Spec)
		values := make([]string, 0, len(configMaps)+len(secrets))
		for _, name := range configMaps {
			values = append(values, Reference(object.Key{Resource: "configmaps", Namespace: pod.Namespace, Name: name}))
		}
		for _, name := range secrets {
			values = append(values, Reference(object.Key{Resource: "secrets", Namespace: pod.Namespace, Name: name}))
		}
		return values
	}}
	// PodsByLabel finds Pods by namespace and one of their labels: see Label.
	PodsByLabel = Index{Name: "label", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		values := make([]string, 0, len(pod.Labels))
		for key, value := range pod.Labels {
			values = append(values, Label(pod.Namespace, key, value))
		}
		return values
	}}
	// SlicesByService finds EndpointSlices by the namespace and name of their Service, joined by a
	// slash.
	SlicesByService = Index{Name: "service", Resource: "endpointslices.discovery.k8s.io", Values: func(v *object.Version) []string {
		if name := v.Object().GetLabels()[discoveryv1.LabelServiceName]; name != "" {
			return []string{v.Namespace + "/" + name}
		}
		return nil
	}}
	// PodsByClaim finds the Pods that use a PersistentVolumeClaim by its namespace and name, joined
	// by a slash.
	PodsByClaim = Index{Name: "claim", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if !volumestate.UsesClaims(&pod.Spec) {
			return nil
		}
		var values []string
		for _, use := range volumestate.Uses(pod) {
			values = append(values, pod.Namespace+"/"+use.Claim)
		}
		return values
	}}
	// PodsByResourceClaim finds the Pods on nodes that use a ResourceClaim and have not ended, by
	// its namespace and name, joined by a slash.
	PodsByResourceClaim = Index{Name: "resourceclaim", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Spec.NodeName == "" || podstate.Terminal(pod) {
			return nil
		}
		var values []string
		for _, use := range device.Uses(pod) {
			if value := pod.Namespace + "/" + use.Claim; use.Claim != "" && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		return values
	}}
	// AllocatedClaims finds the ResourceClaims that have devices, all under the empty string.
	AllocatedClaims = Index{Name: "allocated-claims", Resource: "resourceclaims.resource.k8s.io", Values: func(v *object.Version) []string {
		if v.Object().(*resourcev1.ResourceClaim).Status.Allocation == nil {
			return nil
		}
		return []string{""}
	}}
	// FreeVolumes finds, by class, the PersistentVolumes that reference no PersistentVolumeClaim.
	// VolumesByClaim finds the others by the namespace and name of the PersistentVolumeClaim,
	// joined by a slash.
	FreeVolumes = Index{Name: "free-volumes", Resource: "persistentvolumes", Values: func(v *object.Version) []string {
		if pv := v.Object().(*corev1.PersistentVolume); pv.Spec.ClaimRef == nil {
			return []string{core.ClassOfVolume(pv)}
		}
		return nil
	}}
	VolumesByClaim = Index{Name: "volumes-by-claim", Resource: "persistentvolumes", Values: func(v *object.Version) []string {
		if ref := v.Object().(*corev1.PersistentVolume).Spec.ClaimRef; ref != nil {
			return []string{ref.Namespace + "/" + ref.Name}
		}
		return nil
	}}
	// UnboundClaims finds, by class, the PersistentVolumeClaims without a volume.
	UnboundClaims = Index{Name: "unbound-claims", Resource: "persistentvolumeclaims", Values: func(v *object.Version) []string {
		if claim := v.Object().(*corev1.PersistentVolumeClaim); !volumestate.FullyBound(claim) {
			return []string{core.ClassOfClaim(claim)}
		}
		return nil
	}}
	// ClaimsByAttributes finds PersistentVolumeClaims, and VolumesByAttributes volumes, by the
	// VolumeAttributesClass that they name.
	ClaimsByAttributes = Index{Name: "claims-by-attributes", Resource: "persistentvolumeclaims", Values: func(v *object.Version) []string {
		return unlessEmpty(volumestate.Deref(v.Object().(*corev1.PersistentVolumeClaim).Spec.VolumeAttributesClassName))
	}}
	VolumesByAttributes = Index{Name: "volumes-by-attributes", Resource: "persistentvolumes", Values: func(v *object.Version) []string {
		return unlessEmpty(volumestate.Deref(v.Object().(*corev1.PersistentVolume).Spec.VolumeAttributesClassName))
	}}
	// PodsByHostPath finds, by node name, the unfinished Pods on it that see its files.
	PodsByHostPath = Index{Name: "hostpath", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed ||
			!slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil }) {
			return nil
		}
		return []string{pod.Spec.NodeName}
	}}
	// UnadmittedPods finds, by node name, the Pods that its kubelet has yet to admit, in the order
	// of admission.
	UnadmittedPods = Index{Name: "unadmitted", Resource: "pods", Less: admittedBefore, Values: func(v *object.Version) []string {
		if pod := v.Object().(*corev1.Pod); podstate.Unadmitted(pod) {
			return []string{pod.Spec.NodeName}
		}
		return nil
	}}
	// DeferredResizes finds, by node name, the Pods on it that wait for room for their resize.
	DeferredResizes = Index{Name: "deferred-resizes", Resource: "pods", Values: func(v *object.Version) []string {
		pod := v.Object().(*corev1.Pod)
		if pod.Generation <= 1 || !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodResizePending }) {
			return nil
		}
		return []string{pod.Spec.NodeName}
	}}
)

// Reference returns the value under which PodsByReference has the Pods that reference an object.
func Reference(key object.Key) string { return key.Resource + "/" + key.Namespace + "/" + key.Name }

// Label returns the value under which PodsByLabel has the Pods of a namespace that have a label.
func Label(namespace, key, value string) string { return namespace + "/" + key + "=" + value }

// toleratesOtherwise reports whether a Pod's tolerations have changed.
func toleratesOtherwise(old, new *object.Version) bool {
	was, is := old.Object().(*corev1.Pod).Spec.Tolerations, new.Object().(*corev1.Pod).Spec.Tolerations
	return !slices.EqualFunc(was, is, func(a, b corev1.Toleration) bool {
		if a.TolerationSeconds == nil || b.TolerationSeconds == nil {
			return a.MatchToleration(&b) && a.TolerationSeconds == b.TolerationSeconds
		}
		return a.MatchToleration(&b) && *a.TolerationSeconds == *b.TolerationSeconds
	})
}

func unlessEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func orphanValues(v *object.Version) []string {
	o := v.Object()
	if metav1.GetControllerOfNoCopy(o) != nil {
		return nil
	}
	values := make([]string, 0, 1+len(o.GetLabels()))
	values = append(values, v.Namespace)
	for key, value := range o.GetLabels() {
		values = append(values, Label(v.Namespace, key, value))
	}
	return values
}

// terminatingOwners returns the uids of the owners of an object that is being deleted, for the
// wanted references.
func terminatingOwners(v *object.Version, wanted func(metav1.OwnerReference) bool) (values []string) {
	if !v.Is(object.Terminating) || !v.Is(object.HasOwners) {
		return nil
	}
	for _, ref := range v.Object().GetOwnerReferences() {
		if wanted(ref) {
			values = append(values, string(ref.UID))
		}
	}
	return values
}

// collectedBefore orders ended Pods by when they are collected.
func collectedBefore(a, b *object.Version) bool {
	return podstate.CompareEnded(a.Object().(*corev1.Pod), b.Object().(*corev1.Pod)) < 0
}

// admittedBefore orders Pods by when kubelets admit them.
func admittedBefore(a, b *object.Version) bool {
	return podstate.CompareUnadmitted(a.Object().(*corev1.Pod), b.Object().(*corev1.Pod)) < 0
}
