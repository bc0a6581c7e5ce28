// Package api is Rowlock's HTTP layer: New assembles the router, the middleware and the operations.
//
// The Kubernetes API is in api/kube, Rowlock's own operations in api/control. This package holds
// what they share: the order of the middleware (new.go), the guards of a server without a login
// (guard.go), health (health.go), and the one place where an error becomes a Status (status.go).
package api
