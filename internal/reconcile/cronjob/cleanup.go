package cronjob

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
)

// cleanUp deletes the oldest successful Jobs and the oldest failed Jobs beyond their limits.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, cleanupFinishedJobs and removeOldestJobs
func (y *sync) cleanUp() {
	ended := map[batchv1.JobConditionType][]*batchv1.Job{}
	for _, j := range y.jobs {
		if end := jobstate.Finished(j); end != nil {
			ended[end.Type] = append(ended[end.Type], j)
		}
	}
	y.keep(ended[batchv1.JobComplete], y.CronJob.Spec.SuccessfulJobsHistoryLimit)
	y.keep(ended[batchv1.JobFailed], y.CronJob.Spec.FailedJobsHistoryLimit)
}

// keep deletes all but the youngest; without a limit, it deletes none.
func (y *sync) keep(jobs []*batchv1.Job, limit *int32) {
	if limit == nil || len(jobs) <= int(*limit) {
		return
	}
	slices.SortStableFunc(jobs, olderFirst)
	for _, j := range jobs[:len(jobs)-int(*limit)] {
		y.delete(j)
	}
}

// olderFirst orders Jobs by when they started; those that never started are the youngest.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, byJobStartTime
func olderFirst(a, b *batchv1.Job) int {
	switch at, bt := a.Status.StartTime, b.Status.StartTime; {
	case at == nil && bt == nil:
		return 0
	case at == nil:
		return 1
	case bt == nil:
		return -1
	default:
		return at.Compare(bt.Time)
	}
}
