package batch

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// jobStatusChange is an update of a Job's status. Most rules apply only if the fields that they
// concern change, because a changed spec may have invalidated an older status.
type jobStatusChange struct {
	job, was *batchv1.Job
	path     *field.Path
	errs     field.ErrorList
}

// validateJobStatusUpdate validates a status, which controllers other than Rowlock's own may write
// (see managedBy).
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobUpdateStatus, and
// pkg/registry/batch/job/strategy.go, getStatusValidationOptions
func validateJobStatusUpdate(next, old *batchv1.Job) field.ErrorList {
	c := &jobStatusChange{job: next, was: old, path: field.NewPath("status")}
	c.errs = check.MetaUpdate(&c.job.ObjectMeta, &c.was.ObjectMeta)
	c.counts()
	c.uncounted()
	c.completion()
	c.finished()
	c.indexes()
	c.success()
	c.course()
	return c.errs
}

// is and had report whether a condition is, or was, true.
func (c *jobStatusChange) is(t batchv1.JobConditionType) bool {
	return hasCondition(c.job, t, corev1.ConditionTrue)
}

func (c *jobStatusChange) had(t batchv1.JobConditionType) bool {
	return hasCondition(c.was, t, corev1.ConditionTrue)
}

// turned reports whether the truth of a condition changes.
func (c *jobStatusChange) turned(t batchv1.JobConditionType) bool { return c.is(t) != c.had(t) }

// isFinished reports whether the Job has finished, turnedFinished whether that changes.
func (c *jobStatusChange) isFinished() bool {
	return c.is(batchv1.JobComplete) || c.is(batchv1.JobFailed)
}

func (c *jobStatusChange) turnedFinished() bool {
	return c.isFinished() != (c.had(batchv1.JobComplete) || c.had(batchv1.JobFailed))
}

func (c *jobStatusChange) invalid(name string, value any, msg string) {
	c.errs = append(c.errs, field.Invalid(c.path.Child(name), value, msg))
}

// refuse reports an invalid combination of conditions.
func (c *jobStatusChange) refuse(when bool, msg string) {
	if when {
		c.invalid("conditions", field.OmitValueType{}, msg)
	}
}

func (c *jobStatusChange) counts() {
	s := &c.job.Status
	c.errs = append(c.errs, check.Counts(c.path,
		check.Count("active", int64(s.Active)), check.Count("succeeded", int64(s.Succeeded)), check.Count("failed", int64(s.Failed)))...)
	c.errs = append(c.errs, check.Counts(c.path, check.Optional("ready", s.Ready)...)...)
	c.errs = append(c.errs, check.Counts(c.path, check.Optional("terminating", s.Terminating)...)...)
}

// uncounted validates uncountedTerminatedPods: each Pod may occur only once in both lists together.
func (c *jobStatusChange) uncounted() {
	u := c.job.Status.UncountedTerminatedPods
	if u == nil {
		return
	}
	seen := map[types.UID]bool{}
	judge := func(name string, uids []types.UID) {
		for i, uid := range uids {
			switch at := c.path.Child("uncountedTerminatedPods", name).Index(i); {
			case uid == "":
				c.errs = append(c.errs, field.Invalid(at, uid, "must not be empty"))
			case seen[uid]:
				c.errs = append(c.errs, field.Duplicate(at, uid))
			}
			seen[uid] = true
		}
	}
	judge("succeeded", u.Succeeded)
	judge("failed", u.Failed)
}

// completion validates the condition Complete and the completion time.
func (c *jobStatusChange) completion() {
	s, was := &c.job.Status, &c.was.Status
	complete, turned := c.is(batchv1.JobComplete), c.turned(batchv1.JobComplete)
	c.refuse((turned || c.turned(batchv1.JobFailed)) && complete && c.is(batchv1.JobFailed),
		"cannot set Complete=True and Failed=true conditions")
	c.refuse((turned || c.turned(batchv1.JobFailureTarget)) && complete && c.is(batchv1.JobFailureTarget),
		"cannot set Complete=True and FailureTarget=true conditions")

	moved := !sameTime(s.CompletionTime, was.CompletionTime)
	if turned || moved {
		switch {
		case s.CompletionTime != nil && !complete:
			c.invalid("completionTime", s.CompletionTime, "cannot set completionTime when there is no Complete=True condition")
		case s.CompletionTime == nil && complete:
			c.errs = append(c.errs, field.Required(c.path.Child("completionTime"), "completionTime is required for Complete jobs"))
		}
	}
	if (moved || !sameTime(s.StartTime, was.StartTime)) && s.StartTime != nil && s.CompletionTime != nil && s.CompletionTime.Before(s.StartTime) {
		c.invalid("completionTime", s.CompletionTime, "must be equal to or after `startTime`")
	}
	failed, target := c.is(batchv1.JobFailed), c.is(batchv1.JobFailureTarget)
	c.refuse((c.turned(batchv1.JobFailed) || c.turnedFailedIndexes()) && failed && !target,
		"cannot set Failed=True condition without the FailureTarget=true condition")
	c.refuse((turned || c.turned(batchv1.JobSuccessCriteriaMet)) && complete && !c.is(batchv1.JobSuccessCriteriaMet),
		"cannot set Complete=True condition without the SuccessCriteriaMet=true condition")
}

// finished validates what a finished Job must not have.
func (c *jobStatusChange) finished() {
	s, was, spec := &c.job.Status, &c.was.Status, &c.job.Spec
	finished, turned := c.isFinished(), c.turnedFinished()
	if finished && s.Active > 0 && (turned || s.Active != was.Active) {
		c.invalid("active", s.Active, "active>0 is invalid for finished job")
	}
	emptySuspended := kind.IsTrue(spec.Suspend) && spec.Completions != nil && *spec.Completions == 0
	if finished && s.StartTime == nil && (turned || !sameTime(s.StartTime, was.StartTime)) && !emptySuspended {
		c.errs = append(c.errs, field.Required(c.path.Child("startTime"), "startTime is required for finished job"))
	}
	u := s.UncountedTerminatedPods
	if finished && u != nil && len(u.Failed)+len(u.Succeeded) > 0 &&
		(turned || !equality.Semantic.DeepEqual(u, was.UncountedTerminatedPods)) {
		c.invalid("uncountedTerminatedPods", check.Untagged(u), "must be empty for finished job")
	}
}

func (c *jobStatusChange) turnedFailedIndexes() bool {
	return !equality.Semantic.DeepEqual(c.job.Status.FailedIndexes, c.was.Status.FailedIndexes)
}

// indexes validates the lists of completed and failed indexes against each other and the counts.
func (c *jobStatusChange) indexes() {
	s, was, spec := &c.job.Status, &c.was.Status, &c.job.Spec
	turnedCompleted, turnedFailed := s.CompletedIndexes != was.CompletedIndexes, c.turnedFailedIndexes()
	if turnedCompleted && spec.Completions != nil {
		if _, err := countIndexes(s.CompletedIndexes, *spec.Completions); err != nil {
			c.invalid("completedIndexes", s.CompletedIndexes, "error parsing completedIndexes: "+err.Error())
		}
	}
	if turnedFailed && spec.Completions != nil && spec.BackoffLimitPerIndex != nil && s.FailedIndexes != nil {
		if _, err := countIndexes(*s.FailedIndexes, *spec.Completions); err != nil {
			c.invalid("failedIndexes", s.FailedIndexes, "error parsing failedIndexes: "+err.Error())
		}
	}
	if turnedCompleted && s.CompletedIndexes != "" && !isIndexed(spec) {
		c.invalid("completedIndexes", s.CompletedIndexes, "cannot set non-empty completedIndexes when non-indexed completion mode")
	}
	if turnedFailed && spec.BackoffLimitPerIndex == nil && s.FailedIndexes != nil {
		c.invalid("failedIndexes", *s.FailedIndexes, "cannot set non-null failedIndexes when backoffLimitPerIndex is null")
	}
	if (turnedFailed || turnedCompleted) && spec.Completions != nil && s.FailedIndexes != nil {
		if index, ok := overlap(s.CompletedIndexes, *s.FailedIndexes, *spec.Completions); ok {
			c.invalid("failedIndexes", *s.FailedIndexes, "failedIndexes and completedIndexes overlap at index: "+strconv.Itoa(index))
		}
	}
	if s.Terminating != nil && *s.Terminating > 0 && c.isFinished() &&
		(c.turnedFinished() || !equality.Semantic.DeepEqual(s.Terminating, was.Terminating)) {
		c.invalid("terminating", s.Terminating, "terminating>0 is invalid for finished job")
	}
	if s.Ready != nil && *s.Ready > s.Active &&
		(s.Active != was.Active || !equality.Semantic.DeepEqual(s.Ready, was.Ready)) {
		c.invalid("ready", *s.Ready, "cannot set more ready pods than active")
	}
}

// success validates the condition SuccessCriteriaMet together with the others.
func (c *jobStatusChange) success() {
	met := c.is(batchv1.JobSuccessCriteriaMet)
	c.refuse(met && c.is(batchv1.JobFailed), "cannot set SuccessCriteriaMet=True and Failed=true conditions")
	c.refuse(met && c.is(batchv1.JobFailureTarget), "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")
	c.refuse(!met && c.job.Spec.SuccessPolicy != nil && c.is(batchv1.JobComplete),
		"cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")
}

// course checks that nothing changes in a direction that it must not.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobStatusUpdate
func (c *jobStatusChange) course() {
	s, was, spec := &c.job.Status, &c.was.Status, &c.job.Spec
	for _, t := range []batchv1.JobConditionType{batchv1.JobFailed, batchv1.JobComplete, batchv1.JobFailureTarget} {
		c.refuse(c.had(t) && !c.is(t), "cannot disable the terminal "+string(t)+"=True condition")
	}
	if s.Failed < was.Failed {
		c.invalid("failed", s.Failed, "cannot decrease the failed counter")
	}
	elastic := isIndexed(spec) && equality.Semantic.DeepEqual(spec.Completions, spec.Parallelism)
	if s.Succeeded < was.Succeeded && !elastic {
		c.invalid("succeeded", s.Succeeded, "cannot decrease the succeeded counter")
	}
	if s.CompletionTime != nil && was.CompletionTime != nil && !sameTime(s.CompletionTime, was.CompletionTime) {
		c.invalid("completionTime", s.CompletionTime, "field is immutable")
	}
	resuming := c.had(batchv1.JobSuspended) && hasCondition(c.job, batchv1.JobSuspended, corev1.ConditionFalse)
	if was.StartTime != nil && !sameTime(s.StartTime, was.StartTime) && !kind.IsTrue(spec.Suspend) && !resuming {
		c.invalid("startTime", s.StartTime, "field is immutable for unsuspended job once set")
	}
	met, had := c.is(batchv1.JobSuccessCriteriaMet), c.had(batchv1.JobSuccessCriteriaMet)
	c.refuse(had && !met, "cannot disable the SuccessCriteriaMet=True condition")
	c.refuse(!had && met && c.had(batchv1.JobComplete),
		"cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")
}

// sameTime compares times, which may be nil.
func sameTime(a, b *metav1.Time) bool { return a.Equal(b) }
