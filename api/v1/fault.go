package v1

import "time"

// FaultsPath is where faults are listed and made; each has a path of its own behind it, by its
// name.
const FaultsPath = Root + "/faults"

// Fault is a fault on purpose. Exactly one of Pod, Node, Image and API is there.
type Fault struct {
	Name    string      `json:"name"`
	Created time.Time   `json:"created" doc:"When it was made, by the cluster's clock."`
	Until   *time.Time  `json:"until,omitempty" doc:"When it ends by itself: by the cluster's clock or, for a fault of the API, in real time."`
	Summary string      `json:"summary" doc:"What it does, for people."`
	Pod     *PodFault   `json:"pod,omitempty"`
	Node    *NodeFault  `json:"node,omitempty"`
	Image   *ImageFault `json:"image,omitempty"`
	API     *APIFault   `json:"api,omitempty"`
	Seen    int64       `json:"seen" doc:"Of a fault of the API: how many requests it has concerned, across all replicas."`
	Hits    int64       `json:"hits" doc:"To how many of them it has happened."`
}

// FaultList is all faults, in the order in which they were made.
type FaultList struct {
	Items []Fault `json:"items"`
}

// FaultRequest is the body of POST: a fault to make. Exactly one of Pod, Node, Image and API is
// given.
type FaultRequest struct {
	Name  string      `json:"name,omitempty" doc:"What it is to be called; without one it gets a name."`
	For   string      `json:"for,omitempty" doc:"How long it is to last, such as 90s, 5m or 1d: by the cluster's clock or, for a fault of the API, in real time. Without it, until it is deleted or has nothing left to do."`
	Pod   *PodFault   `json:"pod,omitempty"`
	Node  *NodeFault  `json:"node,omitempty"`
	Image *ImageFault `json:"image,omitempty"`
	API   *APIFault   `json:"api,omitempty"`
}

// PodFault is a fault of Pods: of one by its name, or of all that a selector matches, also those to
// come.
type PodFault struct {
	Namespace string `json:"namespace,omitempty" doc:"The Pods' namespace; default if not given."`
	Name      string `json:"name,omitempty" doc:"The Pod's name."`
	Selector  string `json:"selector,omitempty" doc:"Instead of a name, a label selector such as app=web. While the fault lasts it concerns Pods that come later, too."`
	Container string `json:"container,omitempty" doc:"The container; all regular ones if not given."`
	Action    string `json:"action" enum:"exit,oom,crashloop,unready,stuck,evict" doc:"exit: containers that run end now. oom: they end now, as if they had taken too much memory. crashloop: they end now and after each start. unready: they are not ready. stuck: a Pod that is being deleted does not go. evict: the Pod fails, as if its node were short of something. exit, oom and evict end when they have been carried out, the others when the fault is deleted or its time is over."`
	ExitCode  *int32 `json:"exitCode,omitempty" doc:"For exit and crashloop, what containers end with, 0 to 255; 1 if not given."`
	Signal    string `json:"signal,omitempty" doc:"For exit and crashloop, instead of a code: end as if by this signal, KILL, TERM, SEGV and so on."`
	After     string `json:"after,omitempty" doc:"For crashloop, how long each run lasts, such as 5s; 0s if not given."`
}

// NodeFault is a fault of a node.
type NodeFault struct {
	Name  string `json:"name" doc:"The Node's name."`
	State string `json:"state" enum:"unreachable,failed" doc:"unreachable: it is cut off, and its containers go on. failed: it has crashed, and its containers with it."`
}

// ImageFault is a fault of an image: it cannot be pulled. Containers that have it already go on.
type ImageFault struct {
	Image   string `json:"image" doc:"The image as Pods name it, nginx:1.29, or without a tag for all tags; * stands for any text."`
	Reason  string `json:"reason,omitempty" enum:"ErrImagePull,RegistryUnavailable,SignatureValidationFailed" doc:"Why a container that wants it waits; ErrImagePull if not given."`
	Message string `json:"message,omitempty" doc:"What the error says."`
}

// APIFault is a fault of the API, as its clients see it: which requests it concerns, what becomes
// of them, and how many. A list that is empty concerns all; an entry may have * for any text.
type APIFault struct {
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
