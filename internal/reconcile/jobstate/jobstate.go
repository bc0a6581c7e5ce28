// Package jobstate reads the parts of a Job's status that several reconcilers need.
package jobstate

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Finished is the condition, Complete or Failed, that marks the Job as ended; nil if it has not
// ended.
//
// Source: kubernetes v1.36 pkg/controller/job/util/utils.go, FinishedCondition
func Finished(j *batchv1.Job) *batchv1.JobCondition {
	for i := range j.Status.Conditions {
		c := &j.Status.Conditions[i]
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return c
		}
	}
	return nil
}
