// Package connect serves the paths of the Kubernetes API that reach what runs: exec, attach,
// port-forward and log of Pods, and proxy of Pods, Services and nodes.
//
// Begin with handler.go, which says what the room needs of the rest; each path is a method of
// Handler, in exec.go, portforward.go, log.go and proxy.go. connection.go, framebound.go and
// tunnel.go carry streams over connections that were taken over. node.go says what a client sees
// of a node that does not answer.
package connect
