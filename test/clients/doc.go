// Package clients tests Rowlock with programs written for Kubernetes: Helm, controllers made with
// controller-runtime, the clients of client-go and, in the javascript directory, the client for
// JavaScript. It is a module of its own, because these use other versions of the Kubernetes
// libraries than Rowlock, which is part of the test.
package clients
