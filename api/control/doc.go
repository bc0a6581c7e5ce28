// Package control serves Rowlock's own operations under /rowlock/v1/: the clock now, faults, time travel and snapshots later.
// They are plain typed operations, unlike the Kubernetes API beside them in api/kube, but fail as that does, with a Status.
package control
