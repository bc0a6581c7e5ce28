// Package api is Rowlock's HTTP layer: New puts the router, the middleware and the operations
// together.
//
// The Kubernetes API is in api/kube, Rowlock's own operations in api/control. Here are what they
// share: the order of the middleware (new.go), the guards of a server without a login (guard.go),
// health (health.go), and the one place where an error becomes what a client is told (status.go).
package api
