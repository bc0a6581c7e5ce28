// Package podclient executes the requests that programs in Pods send to the API server.
//
// The caller's kubelet posts such a request as a call, and picks its answer up as another Pod's. In
// between a replica takes it, executes it in its own process by the handler that serves everybody,
// with the rights of the token that the request shows, and writes the answer. A request is executed
// once at most: if the replica dies before the answer is written, the program finds its connection
// reset, and cannot know what has come of the request.
package podclient
