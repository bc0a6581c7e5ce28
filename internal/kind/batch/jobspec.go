package batch

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// isIndexed reports whether each of a Job's Pods has an index.
func isIndexed(spec *batchv1.JobSpec) bool {
	return spec.CompletionMode != nil && *spec.CompletionMode == batchv1.IndexedCompletion
}

// hasCondition reports whether a Job has a condition with this status.
func hasCondition(job *batchv1.Job, t batchv1.JobConditionType, status corev1.ConditionStatus) bool {
	for _, c := range job.Status.Conditions {
		if c.Type == t && c.Status == status {
			return true
		}
	}
	return false
}

// Limits that keep the index lists in a Job's status short.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go
const (
	maxIndexedParallelism = 100_000
	maxFailedIndexes      = 100_000

	manyCompletions     = 100_000 // the next two limits apply above this number
	parallelismOfMany   = 10_000
	failedIndexesOfMany = 10_000

	maxManagedByLength = 63
)
