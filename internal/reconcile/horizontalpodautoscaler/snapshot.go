package horizontalpodautoscaler

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	Autoscaler *autoscalingv2.HorizontalPodAutoscaler
	Target     Target

	// Pods are those in the namespace that the target's selector selects, by name.
	Pods []*corev1.Pod
	// Readings are the readings of the metrics in spec.metrics, in the same order.
	Readings []Reading
	// Selecting are the names of the namespace's autoscalers whose targets select some of the Pods,
	// in order: this one and, if the configuration is wrong, others.
	Selecting []string

	// Memory is what the last sync stored, see Plan.Memory; nil if nothing.
	Memory []byte
	Now    time.Time
}

// Target is the scale of the object to scale.
type Target struct {
	Object   object.Object // nil if it does not exist
	Err      string        // why it does not exist
	Replicas int32         // spec.replicas of the scale
	Current  int32         // status.replicas of the scale
	Selector string        // status.selector of the scale
	Resizer  Resizer
}

// Resizer copies objects of one kind with another number of replicas.
type Resizer interface {
	Resize(o object.Object, replicas int32) object.Object
}

// Reading is what was read for a metric.
type Reading struct {
	// Samples are values of Pods by name, for metrics of type Resource, ContainerResource and Pods.
	Samples map[string]Sample
	// Values are, in thousandths, the single value of a metric of type Object, or all values of one
	// of type External.
	Values []int64
	// Err is why nothing was read; empty if something was.
	Err string
}

// Sample is the value of a metric of one Pod.
type Sample struct {
	Value  int64 // in thousandths
	At     time.Time
	Window time.Duration // that it is averaged over
}
