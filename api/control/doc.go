// Package control serves Rowlock's own operations under /rowlock/v1/: the clock, faults, time travel, snapshots.
// They are plain typed huma operations, unlike the Kubernetes API beside them in api/kube.
package control
