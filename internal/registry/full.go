package registry

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DefaultMostObjects is how many objects a cluster may hold unless its operator says otherwise:
// 150,000 Pods, which is upstream's limit, with the Events of their first hour. A process takes
// about 5 KiB of memory for each.
//
// Source: https://kubernetes.io/docs/setup/best-practices/cluster-large/
const DefaultMostObjects = 1_000_000

// CheckRoom returns a *Full if a cluster with this many objects may get no more. most is how many
// it may hold; 0 means no limit. Concurrent writers may exceed it by as many objects as they create
// at once.
func CheckRoom(objects, most int) error {
	if most > 0 && objects >= most {
		return &Full{Most: most}
	}
	return nil
}

// Full says that a cluster holds as many objects as it may. Objects must be deleted before others
// can be created.
type Full struct{ Most int }

// Status is 507 Insufficient Storage. After 429, Kubernetes clients repeat requests by themselves,
// which would not help here.
//
// Differs: upstream has no such limit of its own; etcd refuses all writes, deletions too, when its
// file is full.
func (e *Full) Status() metav1.Status {
	return metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInsufficientStorage, Reason: "InsufficientStorage",
		Message: fmt.Sprintf("the cluster holds %d objects, which is as many as it may: delete some, or have the server started with a larger --max-objects", e.Most),
	}
}

func (e *Full) Error() string { return e.Status().Message }
