package fault

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/v1"
)

// Fault is a fault as it is stored. Its Spec never changes, so that copies share it.
type Fault struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   Spec   `json:"spec"`
	Status Status `json:"status"`
}

// DeepCopyObject copies everything except the Spec.
func (f *Fault) DeepCopyObject() runtime.Object {
	next := *f
	f.ObjectMeta.DeepCopyInto(&next.ObjectMeta)
	return &next
}

// Spec is the target of a fault, exactly one of the four, and when it ends.
type Spec struct {
	Pod   *Pod   `json:"pod,omitempty"`
	Node  *Node  `json:"node,omitempty"`
	Image *Image `json:"image,omitempty"`
	API   *API   `json:"api,omitempty"`
	// Until is when the fault ends by itself: by the cluster's clock or, for a fault of the API, in
	// real time. nil means never.
	Until *time.Time `json:"until,omitempty"`
}

// Status is what has been done for a fault.
type Status struct {
	Injected bool `json:"injected,omitempty"` // its beginning has been reported
}

// The targets of faults.
const (
	TargetPod   = "pod"
	TargetNode  = "node"
	TargetImage = "image"
	TargetAPI   = "api"
)

// Targets lists all of them.
var Targets = []string{TargetAPI, TargetImage, TargetNode, TargetPod}

// Target returns the fault's target.
func (s *Spec) Target() string {
	switch {
	case s.Pod != nil:
		return TargetPod
	case s.Node != nil:
		return TargetNode
	case s.Image != nil:
		return TargetImage
	}
	return TargetAPI
}

// Ended reports whether a fault is over at a cluster time: it is being deleted or, for one of the
// cluster, it has expired.
func (f *Fault) Ended(now time.Time) bool {
	return f.DeletionTimestamp != nil || f.Spec.API == nil && f.Spec.Until != nil && !now.Before(*f.Spec.Until)
}

// Pod is a fault of Pods: of one by its name, or of all that a selector matches, also those to
// come.
type Pod v1.PodFault

// The actions of a Pod's fault.
const (
	Exit      = "exit"
	OOM       = "oom"
	CrashLoop = "crashloop"
	Unready   = "unready"
	Stuck     = "stuck"
	Evict     = "evict"
)

// PodActions lists all of them.
var PodActions = []string{CrashLoop, Evict, Exit, OOM, Stuck, Unready}

// Node is a fault of a node.
type Node v1.NodeFault

// NodeStates lists the states of a node's fault.
var NodeStates = []string{"failed", "unreachable"}

// Image is a fault of an image: it cannot be pulled. Containers that have it already go on.
type Image v1.ImageFault

// ImageReasons lists the reasons for which an image can be refused.
// Source: kubernetes v1.36 pkg/kubelet/images/types.go.
var ImageReasons = []string{"ErrImagePull", "RegistryUnavailable", "SignatureValidationFailed"}

// API is a fault of the API, as its clients see it: which requests it concerns, what happens to
// them, and how many. A list that is empty concerns all; an entry may have * for any text.
type API v1.APIFault

// The effects on connections and watches.
const (
	Before = "before"
	After  = "after"
	Drop   = "drop"
	Expire = "expire"
)
