// Package connect serves the paths of the Kubernetes API that reach running programs: exec, attach,
// port-forward and log of Pods, and proxy of Pods, Services and nodes.
//
// Start with handler.go, which has the package's dependencies. Each path is a method of Handler, in
// exec.go, portforward.go, log.go and proxy.go. connection.go, framebound.go and tunnel.go carry
// streams over hijacked connections. node.go defines what a client sees of a node that does not
// respond.
package connect
