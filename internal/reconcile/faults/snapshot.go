package faults

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
)

// Snapshot is one fault and the objects it affects. It is not modified.
type Snapshot struct {
	Fault *fault.Fault
	Node  *corev1.Node // the node that the fault names; nil if none
	// Pods are those that the fault affects: for a fault with a selector, those in one batch of the
	// Pods of its namespace. The batch begins after the place that After returns. Last is the
	// batch's last Pod, and More is true if there may be others after it.
	Pods []*corev1.Pod
	Last object.Key
	More bool
	Now  time.Time
	// Memory is what the last plan stored; nil if nothing.
	Memory []byte
}
