package v1

import "time"

// FaultsPath lists and creates faults; a fault is at FaultsPath/NAME.
const FaultsPath = Root + "/faults"

// Fault is an injected fault. Exactly one of Pod, Node, Image and API is set.
type Fault struct {
	Name    string      `json:"name"`
	Created time.Time   `json:"created" doc:"When it was created, in cluster time."`
	Until   *time.Time  `json:"until,omitempty" doc:"When it expires, in cluster time; for an API fault, in real time."`
	Summary string      `json:"summary" doc:"A human-readable description."`
	Pod     *PodFault   `json:"pod,omitempty"`
	Node    *NodeFault  `json:"node,omitempty"`
	Image   *ImageFault `json:"image,omitempty"`
	API     *APIFault   `json:"api,omitempty"`
	Seen    int64       `json:"seen" doc:"For an API fault, how many requests it has matched, across all replicas."`
	Hits    int64       `json:"hits" doc:"How many of them it has affected."`
}

// FaultList is all faults, in order of creation.
type FaultList struct {
	Items []Fault `json:"items"`
}

// FaultRequest is the body of POST. Exactly one of Pod, Node, Image and API must be set.
type FaultRequest struct {
	Name  string      `json:"name,omitempty" doc:"Its name; generated if empty."`
	For   string      `json:"for,omitempty" doc:"How long it lasts, such as 90s, 5m or 1d, in cluster time; for an API fault, in real time. By default, it lasts until it is deleted or has nothing left to do."`
	Pod   *PodFault   `json:"pod,omitempty"`
	Node  *NodeFault  `json:"node,omitempty"`
	Image *ImageFault `json:"image,omitempty"`
	API   *APIFault   `json:"api,omitempty"`
}

// PodFault is a fault of one Pod, or of all Pods that a selector matches, including future ones.
type PodFault struct {
	Namespace string `json:"namespace,omitempty" doc:"The Pods' namespace; default is default."`
	Name      string `json:"name,omitempty" doc:"The Pod's name."`
	Selector  string `json:"selector,omitempty" doc:"Instead of a name, a label selector such as app=web. While the fault lasts, it also affects Pods created later."`
	Container string `json:"container,omitempty" doc:"The container; default is all regular containers."`
	Action    string `json:"action" enum:"exit,oom,crashloop,unready,stuck,evict" doc:"exit: running containers exit now. oom: they exit now, as if out of memory. crashloop: they exit now and after each start. unready: they are not ready. stuck: a Pod that is being deleted remains. evict: the Pod fails, as if its node were short of a resource. exit, oom and evict are over once carried out, the others when the fault is deleted or expires."`
	ExitCode  *int32 `json:"exitCode,omitempty" doc:"For exit and crashloop, the exit code, 0 to 255; default 1."`
	Signal    string `json:"signal,omitempty" doc:"For exit and crashloop, instead of a code, the signal that ends the containers: KILL, TERM, SEGV and so on."`
	After     string `json:"after,omitempty" doc:"For crashloop, how long each run lasts, such as 5s; default 0s."`
}

// NodeFault is a fault of a node.
type NodeFault struct {
	Name  string `json:"name" doc:"The Node's name."`
	State string `json:"state" enum:"unreachable,failed" doc:"unreachable: the node is cut off, and its containers keep running. failed: the node and its containers have crashed."`
}

// ImageFault makes an image impossible to pull. Containers that have pulled it keep running.
type ImageFault struct {
	Image   string `json:"image" doc:"The image as Pods name it, such as nginx:1.29; without a tag, all tags; * matches any text."`
	Reason  string `json:"reason,omitempty" enum:"ErrImagePull,RegistryUnavailable,SignatureValidationFailed" doc:"Why a container that needs it waits; default ErrImagePull."`
	Message string `json:"message,omitempty" doc:"The text of the error."`
}

// APIFault is a fault of the API as clients see it: which requests it matches, what happens to
// them, and to how many. An empty list matches all requests; in an entry, * matches any text.
type APIFault struct {
	Verbs      []string `json:"verbs,omitempty" doc:"get, list, watch, create, update, patch, delete, deletecollection."`
	Resources  []string `json:"resources,omitempty" doc:"Resources such as pods or deployments.apps; pods/log is a subresource, pods/* matches all subresources, * everything."`
	Namespaces []string `json:"namespaces,omitempty" doc:"The namespaces of requests."`
	Names      []string `json:"names,omitempty" doc:"The objects' names."`
	UserAgents []string `json:"userAgents,omitempty" doc:"Text that the User-Agent contains or, with a *, a pattern for all of it."`
	Users      []string `json:"users,omitempty" doc:"The names of the users who send the requests."`

	Delay      string `json:"delay,omitempty" doc:"How long each request, and each event of a watch, is delayed, such as 2s; at most 5m."`
	Status     int    `json:"status,omitempty" doc:"The status code of the error, 400 to 599; the request has no effect."`
	Conflict   bool   `json:"conflict,omitempty" doc:"Answer 409 Conflict, as if another client had modified the object in the meantime."`
	Message    string `json:"message,omitempty" doc:"The text of the error."`
	RetryAfter string `json:"retryAfter,omitempty" doc:"The error's Retry-After, in whole seconds, such as 1s."`
	Drop       string `json:"drop,omitempty" enum:"before,after" doc:"Close the connection. before: the request has no effect. after: the request takes effect, and the answer is cut off in the middle."`
	Watch      string `json:"watch,omitempty" enum:"drop,expire" doc:"How watches end, open ones included. drop: the connection is closed. expire: the watch ends with 410 Expired."`
	After      string `json:"after,omitempty" doc:"How long a watch lasts before it ends, counted from its start or that of the fault, such as 30s; default 0s."`

	Count       int64    `json:"count,omitempty" doc:"How many requests the fault affects before it ends, across all replicas; 0 means no limit."`
	Probability *float64 `json:"probability,omitempty" doc:"The probability that it affects a matching request, 0 to 1; default 1."`
	Seed        int64    `json:"seed,omitempty" doc:"The seed for the probability. With the same seed, the n-th matching request always has the same outcome."`
}
