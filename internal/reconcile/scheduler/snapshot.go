package scheduler

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Name is the scheduler of Pods that do not name another, and the component of its events.
const Name = corev1.DefaultSchedulerName

// Snapshot is a batch of Pods and the state of the cluster. It is not modified, and plans share
// parts of it.
type Snapshot struct {
	// Pods are tried by descending priority, then by age, and among equals in the given order.
	// Those that are bound, gated, being deleted or another scheduler's are skipped. A Pod that did
	// not fit before brings in all Pods with the same requirements.
	Pods []*corev1.Pod

	// Freed is true if room may have become free for any pending Pod of the cluster, so that these
	// are tried as well.
	Freed bool

	// Cluster is the nodes and the Pods on them.
	Cluster *Cluster

	// Related finds what Pods are related to; nil for a cluster without namespace labels, Services,
	// workloads, and Pods that could be preempted.
	Related Related

	// Storage finds the Pods' PersistentVolumeClaims; nil for a cluster in which Pods have none.
	Storage Storage

	// Devices finds the Pods' ResourceClaims; nil for a cluster in which they are ignored.
	Devices Devices

	// Limit is the maximum number of Pods that one plan changes; zero means no limit. If it is
	// reached with Pods left, or if there are more cohorts than are tried at once, the plan wakes
	// at Now. Pods whose condition is already up to date do not count, so that they do not delay
	// others. A plan may exceed the limit by the victims of its last preemption.
	Limit int

	Now time.Time
}

// Related finds what Pods are related to, as of the snapshot's revision.
type Related interface {
	// NamespaceLabels are a namespace's labels.
	NamespaceLabels(namespace string) map[string]string
	// ServiceSelectors are the selectors of the namespace's Services that have one.
	ServiceSelectors(namespace string) []map[string]string
	// OwnerSelector is the selector of the ReplicaSet, ReplicationController or StatefulSet that
	// controls the Pod; nil if no such controller exists.
	OwnerSelector(pod *corev1.Pod) *metav1.LabelSelector
	// Budgets are a namespace's PodDisruptionBudgets.
	Budgets(namespace string) []*policyv1.PodDisruptionBudget
	// Pod is a Pod by its uid; nil if it does not exist.
	Pod(uid types.UID) *corev1.Pod
}

// Storage finds PersistentVolumeClaims and the objects they refer to, as of the snapshot's
// revision.
type Storage interface {
	// Claim is a PersistentVolumeClaim and the Pods that use it; nil if it does not exist.
	Claim(namespace, name string) (*corev1.PersistentVolumeClaim, []*corev1.Pod)
	// Volume is a volume by its name, Class a StorageClass; nil if it does not exist.
	Volume(name string) *corev1.PersistentVolume
	Class(name string) *storagev1.StorageClass
	// Volumes are those that are reserved for a claim and the free ones of its class.
	Volumes(claim *corev1.PersistentVolumeClaim) []*corev1.PersistentVolume
	// HasRoom reports whether there is room near a node for a volume that a class would provision
	// for a claim.
	HasRoom(class *storagev1.StorageClass, claim *corev1.PersistentVolumeClaim, node *corev1.Node) bool
}

// Devices finds ResourceClaims and what they request, as of the snapshot's revision.
type Devices interface {
	// DeviceClaim is a ResourceClaim, DeviceClass a class; nil if it does not exist.
	DeviceClaim(namespace, name string) *resourcev1.ResourceClaim
	DeviceClass(name string) *resourcev1.DeviceClass
	// AllocatedClaims are all ResourceClaims that have devices.
	AllocatedClaims() []*resourcev1.ResourceClaim
	// DeviceSlices are all slices.
	DeviceSlices() []*resourcev1.ResourceSlice
}
