// Package ttlafterfinished is the whole judgement of the controller that deletes finished Jobs: a Job that says how long
// it wants to stay is deleted when that time has passed since its end, with its Pods.
//
// The time counts from the end that the Job's condition states, on the cluster's clock. Before it deletes, upstream reads
// the Job once more, lest somebody has just changed the time; here the Job is locked.
package ttlafterfinished

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// Snapshot is what Reconcile looks at. The Job is shared and stays unchanged.
type Snapshot struct {
	Job *batchv1.Job
	Now time.Time
}

// Reconcile decides whether it is time to delete the Job, which takes its Pods along before it goes.
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

// Expiry is when the Job is to be deleted; zero while it has not ended, and for ever where it does not say.
//
// Source: kubernetes v1.36 pkg/controller/ttlafterfinished/ttlafterfinished_controller.go, getFinishAndExpireTime
func Expiry(j *batchv1.Job) time.Time {
	end := jobstate.Finished(j)
	if end == nil || end.LastTransitionTime.IsZero() || j.Spec.TTLSecondsAfterFinished == nil {
		return time.Time{}
	}
	return end.LastTransitionTime.Add(time.Duration(*j.Spec.TTLSecondsAfterFinished) * time.Second)
}
