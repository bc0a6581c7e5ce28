// Package network finds out where the connections of Pods lead, and what names mean: from a
// question of a Pod's programs through Services, nodes and endpoints to the Pods that may answer it.
//
// Look (look.go) reads what a Pod's questions refer to: the result is an Outside. Everything else is
// pure functions of that. Connect (route.go) determines where a connection goes, Resolve (name.go)
// answers name queries, and AnswerPeers (peers.go) lists the endpoints of a Service, and Passes
// (guard.go) applies NetworkPolicies. The kubelet asks the Pods.
package network
