// Package ttlafterfinished holds the decisions of the controller that deletes finished Jobs: a Job
// with a TTL is deleted, with its Pods, when that time has passed since its end.
//
// The time counts from the end in the Job's condition, on the cluster's clock. Before it deletes a
// Job, upstream reads it again, in case the TTL has just changed; here the Job is locked.
package ttlafterfinished

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// Snapshot is the input of Reconcile. The Job is shared and never modified.
type Snapshot struct {
	Job *batchv1.Job
	Now time.Time
}

// Reconcile decides whether to delete the Job now. Its Pods are deleted before it is.
//
// Source: kubernetes v1.36 pkg/controller/ttlafterfinished/ttlafterfinished_controller.go, processJob
func Reconcile(s Snapshot) plan.Plan {
	if s.Job.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	expiry := Expiry(s.Job)
	switch {
	case expiry.IsZero():
		return plan.Plan{}
	case expiry.After(s.Now):
		return plan.Plan{WakeAt: expiry}
	}
	return plan.Plan{Deletes: []plan.Delete{{Object: s.Job, Propagation: metav1.DeletePropagationForeground}}}
}

// Expiry is when the Job must be deleted; zero if it has not ended or has no TTL.
//
// Source: kubernetes v1.36 pkg/controller/ttlafterfinished/ttlafterfinished_controller.go, getFinishAndExpireTime
func Expiry(j *batchv1.Job) time.Time {
	end := jobstate.Finished(j)
	if end == nil || end.LastTransitionTime.IsZero() || j.Spec.TTLSecondsAfterFinished == nil {
		return time.Time{}
	}
	return end.LastTransitionTime.Add(time.Duration(*j.Spec.TTLSecondsAfterFinished) * time.Second)
}
