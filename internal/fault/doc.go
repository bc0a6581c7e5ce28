// Package fault says what faults on purpose are: what one is about, whom it concerns and what it decides. A fault is an object of a
// kind of Rowlock's own, stored in the log like every other, so that all replicas know the same faults and a restart forgets none; it
// is served under /rowlock/v1/ only.
//
//   - A fault of a Pod is carried out by the kubelet that looks at the Pod, one of an image by the kubelet that pulls it. Both find it
//     beside the Pod, in the same view of the mirror, so that a Pod which is younger than its fault never runs without it.
//   - A fault of a node is an annotation on the Node (see package outage), which the fault's controller writes and takes off again.
//   - A fault of the API is decided request by request (see Rule), in the middleware of package api.
//
// Faults of the cluster begin and end by the cluster's clock, those of the API by real time, as clients do. Everything here is a
// function of its arguments.
package fault

// What names the kind.
const (
	Group    = "rowlock.io"
	Version  = "v1"
	Kind     = "Fault"
	Plural   = "faults"
	Resource = Plural + "." + Group
)

// Finalizer keeps a fault that is being deleted until what it has done is undone.
const Finalizer = "rowlock.io/fault"

// The reasons of events.
const (
	ReasonInjected = "FaultInjected"
	ReasonEnded    = "FaultEnded"
)

// Component is the source of the events.
const Component = "fault-injector"
