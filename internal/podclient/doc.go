// Package podclient executes the requests that programs in Pods send to the API server.
//
// The caller's kubelet posts such a request as a call, and collects its answer like another Pod's.
// In between, a replica takes it, executes it in its own process through the common handler, with
// the rights of the request's token, and writes the answer. A request is executed at most once: if
// the replica dies before the answer is written, the program's connection is reset, and it cannot
// know the outcome of the request.
package podclient
