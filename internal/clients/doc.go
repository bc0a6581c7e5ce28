// Package clients tries Rowlock with what others have written for Kubernetes: Helm, controllers made with controller-runtime, the
// clients of client-go and, in the folder javascript, the client for JavaScript. It is a module of its own, as these bring
// Kubernetes libraries of other versions than Rowlock's, which is part of what is tried.
package clients
