package fault

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// Pod is a fault of Pods: of one by its name, or of all that a selector matches, including future
// ones.
type Pod struct {
	Namespace string `json:"namespace,omitempty" doc:"The Pods' namespace; default if not given."`
	Name      string `json:"name,omitempty" doc:"The Pod's name."`
	Selector  string `json:"selector,omitempty" doc:"Instead of a name, a label selector such as app=web. While the fault lasts it concerns Pods that come later, too."`
	Container string `json:"container,omitempty" doc:"The container; all regular ones if not given."`
	Action    string `json:"action" enum:"exit,oom,crashloop,unready,stuck,evict" doc:"exit: containers that run end now. oom: they end now, as if they had taken too much memory. crashloop: they end now and after each start. unready: they are not ready. stuck: a Pod that is being deleted does not go. evict: the Pod fails, as if its node were short of something. exit, oom and evict end when they have been carried out, the others when the fault is deleted or its time is over."`
	ExitCode  *int32 `json:"exitCode,omitempty" doc:"For exit and crashloop, what containers end with, 0 to 255; 1 if not given."`
	Signal    string `json:"signal,omitempty" doc:"For exit and crashloop, instead of a code: end as if by this signal, KILL, TERM, SEGV and so on."`
	After     string `json:"after,omitempty" doc:"For crashloop, how long each run lasts, such as 5s; 0s if not given."`
}

// OpenAPIModelName names the schema.
func (Pod) OpenAPIModelName() string { return "rowlock.v1.PodFault" }

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
type Node struct {
	Name  string `json:"name" doc:"The Node's name."`
	State string `json:"state" enum:"unreachable,failed" doc:"unreachable: it is cut off, and its containers go on. failed: it has crashed, and its containers with it."`
}

// OpenAPIModelName names the schema.
func (Node) OpenAPIModelName() string { return "rowlock.v1.NodeFault" }

// NodeStates lists the states of a node's fault.
var NodeStates = []string{"failed", "unreachable"}

// Image is a fault of an image: it cannot be pulled. Containers that already have it continue.
type Image struct {
	Image   string `json:"image" doc:"The image as Pods name it, nginx:1.29, or without a tag for all tags; * stands for any text."`
	Reason  string `json:"reason,omitempty" enum:"ErrImagePull,RegistryUnavailable,SignatureValidationFailed" doc:"Why a container that wants it waits; ErrImagePull if not given."`
	Message string `json:"message,omitempty" doc:"What the error says."`
}

// OpenAPIModelName names the schema.
func (Image) OpenAPIModelName() string { return "rowlock.v1.ImageFault" }

// ImageReasons lists the reasons for which an image can be refused.
// Source: kubernetes v1.36 pkg/kubelet/images/types.go.
var ImageReasons = []string{"ErrImagePull", "RegistryUnavailable", "SignatureValidationFailed"}

// API is a fault of the API, as its clients see it: which requests it applies to, what happens to
// them, and how many. An empty list matches all; in an entry, * matches any text.
type API struct {
	Verbs      []string `json:"verbs,omitempty" doc:"get, list, watch, create, update, patch, delete, deletecollection."`
	Resources  []string `json:"resources,omitempty" doc:"Resources such as pods or deployments.apps; pods/log is a subresource, pods/* are all of them, and * is everything."`
	Namespaces []string `json:"namespaces,omitempty" doc:"The namespaces that requests name."`
	Names      []string `json:"names,omitempty" doc:"The objects' names."`
	UserAgents []string `json:"userAgents,omitempty" doc:"What the User-Agent header contains or, with a *, is like."`
	Users      []string `json:"users,omitempty" doc:"The names of the users who ask."`

	Delay      string `json:"delay,omitempty" doc:"How long a request waits before anything else becomes of it, and each piece of a watch, such as 2s; up to 5m."`
	Status     int    `json:"status,omitempty" doc:"The error that is answered, 400 to 599, and nothing is done."`
	Conflict   bool   `json:"conflict,omitempty" doc:"The answer is that the object has been modified, as if another had been faster."`
	Message    string `json:"message,omitempty" doc:"What the error says."`
	RetryAfter string `json:"retryAfter,omitempty" doc:"When the error asks the client to come back, in whole seconds, such as 1s."`
	Drop       string `json:"drop,omitempty" enum:"before,after" doc:"The connection is closed. before: nothing has been done. after: everything has been done, and the answer ends in its middle."`
	Watch      string `json:"watch,omitempty" enum:"drop,expire" doc:"What becomes of watches, those that are open among them. drop: the connection is closed. expire: the watch ends with 410 Expired."`
	After      string `json:"after,omitempty" doc:"How long a watch lasts before that, counted from its beginning or that of the fault, such as 30s; 0s if not given."`

	Count       int64    `json:"count,omitempty" doc:"How often the fault happens before it ends, across all replicas; 0 is without end."`
	Probability *float64 `json:"probability,omitempty" doc:"How likely it is to happen to a request that it concerns, 0 to 1; 1 if not given."`
	Seed        int64    `json:"seed,omitempty" doc:"The seed of the probability: the n-th request that the fault concerns always has the same outcome."`
}

// OpenAPIModelName names the schema.
func (API) OpenAPIModelName() string { return "rowlock.v1.APIFault" }

// The effects on connections and watches.
const (
	Before = "before"
	After  = "after"
	Drop   = "drop"
	Expire = "expire"
)
