package scheduler

import (
	"time"

	corev1 "k8s.io/api/core/v1"
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

// result is the outcome of trying a Pod.
type result int

const (
	undecided result = iota // Pods placed later may help it
	refused                 // it fits nowhere, and its condition says so
	settled                 // it has a node, or will get one
)

// priority is the Pod's priority; 0 if it has none.
func priority(pod *corev1.Pod) int64 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return int64(*pod.Spec.Priority)
}
