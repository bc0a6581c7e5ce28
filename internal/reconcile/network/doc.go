// Package network finds out where the connections of Pods lead, and what names mean: from a
// question of a Pod's programs through Services, nodes and endpoints to the Pods that may answer it.
//
// Look reads what a Pod's questions refer to. All else is pure functions of that. The kubelet asks
// the Pods, and applies NetworkPolicies.
package network
