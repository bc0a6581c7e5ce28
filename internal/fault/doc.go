// Package fault defines deliberate faults: their targets, what they apply to and what they decide.
// A fault is an object of one of Rowlock's own kinds, stored in the log like every other, so that
// all replicas know the same faults and a restart forgets none; it is served only under
// /rowlock/v1/.
//
//   - A fault of a Pod is applied by the kubelet that syncs the Pod, one of an image by the kubelet
//     that pulls it. Both find it beside the Pod, in the same view of the mirror, so that a Pod
//     younger than its fault never runs without it.
//   - A fault of a node is an annotation on the Node (see package outage), which the fault's
//     controller adds and removes.
//   - A fault of the API is decided request by request (see Rule), in the middleware of package
//     api.
//
// Faults of the cluster begin and end by the cluster's clock, those of the API by real time, like
// clients. Everything here is a function of its arguments.
package fault

// The names of the kind.
const (
	Group    = "rowlock.io"
	Version  = "v1"
	Kind     = "Fault"
	Plural   = "faults"
	Resource = Plural + "." + Group
)

// Finalizer keeps a fault that is being deleted until its effects are undone.
const Finalizer = "rowlock.io/fault"

// The reasons of events.
const (
	ReasonInjected = "FaultInjected"
	ReasonEnded    = "FaultEnded"
)

// Component is the source of the events.
const Component = "fault-injector"
