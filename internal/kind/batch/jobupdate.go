package batch

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateJobUpdate validates an updated Job and its changes: in the spec, only parallelism,
// suspend, the limits and the deadlines may change freely.
//
// Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, ValidateUpdate, and
// pkg/apis/batch/validation/validation.go, ValidateJobUpdate
//
// Differs: upstream validates the spec twice and lists its errors twice; here each is listed once.
func validateJobUpdate(job, was *batchv1.Job) field.ErrorList {
	_, hadName := was.Spec.Template.Labels[batchv1.JobNameLabel]
	_, hadUID := was.Spec.Template.Labels[batchv1.ControllerUidLabel]
	errs := check.NamespacedMeta(&job.ObjectMeta)
	errs = append(errs, validateJobAsStored(job, hadName && hadUID)...)
	errs = append(errs, check.MetaUpdate(&job.ObjectMeta, &was.ObjectMeta)...)

	path := field.NewPath("spec")
	fixed := func(name string, next, old any, shown any) {
		if !equality.Semantic.DeepEqual(next, old) {
			errs = append(errs, field.Invalid(path.Child(name), shown, validation.FieldImmutableErrorMsg))
		}
	}
	is, had := &job.Spec, &was.Spec
	errs = append(errs, validateCompletionsUpdate(is, had, path)...)
	fixed("selector", is.Selector, had.Selector, is.Selector)
	errs = append(errs, validateJobTemplateUpdate(job, was, path)...)
	fixed("completionMode", is.CompletionMode, had.CompletionMode, is.CompletionMode)
	fixed("podFailurePolicy", is.PodFailurePolicy, had.PodFailurePolicy, check.Untagged(is.PodFailurePolicy))
	fixed("backoffLimitPerIndex", is.BackoffLimitPerIndex, had.BackoffLimitPerIndex, is.BackoffLimitPerIndex)
	fixed("managedBy", is.ManagedBy, had.ManagedBy, is.ManagedBy)
	fixed("successPolicy", is.SuccessPolicy, had.SuccessPolicy, check.Untagged(is.SuccessPolicy))
	return errs
}

// validateCompletionsUpdate validates a change of completions: only an Indexed Job may change them,
// and only to equal its parallelism.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateCompletions
func validateCompletionsUpdate(next, old *batchv1.JobSpec, path *field.Path) field.ErrorList {
	at := path.Child("completions")
	switch {
	case !isIndexed(next):
		return validation.ValidateImmutableField(next.Completions, old.Completions, at)
	case equality.Semantic.DeepEqual(next.Completions, old.Completions) || next.Completions == nil:
		return nil
	case *next.Completions != *next.Parallelism:
		msg := fmt.Sprintf("can only be modified in tandem with %s", path.Root().Child("parallelism"))
		return field.ErrorList{field.Invalid(at, next.Completions, msg)}
	}
	return nil
}

// validateJobTemplateUpdate validates a change of the template. If a Job is suspended and has no
// Pods, the scheduling directives and resources of its future Pods may change.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodTemplateUpdate and
// validatePodResourceUpdatesOnly, with the gates MutableSchedulingDirectivesForSuspendedJobs and
// MutablePodResourcesForSuspendedJobs, which are on by default
func validateJobTemplateUpdate(job, old *batchv1.Job, path *field.Path) field.ErrorList {
	next, was := &job.Spec.Template, &old.Spec.Template
	if !mayChangeTemplate(old) {
		if equality.Semantic.DeepEqual(next, was) {
			return nil
		}
		return field.ErrorList{field.Invalid(path.Child("template"), check.Untagged(next), validation.FieldImmutableErrorMsg)}
	}
	spec := was.Spec.DeepCopy()
	spec.Affinity = withNodeAffinity(spec.Affinity, next.Spec.Affinity)
	spec.NodeSelector = next.Spec.NodeSelector
	spec.Tolerations = next.Spec.Tolerations
	spec.SchedulingGates = next.Spec.SchedulingGates
	takeResources(spec.Containers, next.Spec.Containers)
	takeResources(spec.InitContainers, next.Spec.InitContainers)
	if equality.Semantic.DeepEqual(&next.Spec, spec) {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("template.spec"), check.Untagged(next.Spec), validation.FieldImmutableErrorMsg)}
}

// mayChangeTemplate reports whether a Job is suspended and has no Pods left.
//
// Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, shouldAllowMutablePodTemplate
func mayChangeTemplate(old *batchv1.Job) bool {
	started := old.Status.StartTime != nil && !hasCondition(old, batchv1.JobSuspended, corev1.ConditionTrue)
	return kind.IsTrue(old.Spec.Suspend) && !started && old.Status.Active == 0
}

// withNodeAffinity returns the old affinity with the new node affinity.
func withNodeAffinity(old, next *corev1.Affinity) *corev1.Affinity {
	switch {
	case next == nil && old == nil:
		return nil
	case next == nil && old.PodAffinity == nil && old.PodAntiAffinity == nil:
		return nil
	case next == nil:
		return &corev1.Affinity{PodAffinity: old.PodAffinity, PodAntiAffinity: old.PodAntiAffinity}
	case old == nil:
		return &corev1.Affinity{NodeAffinity: next.NodeAffinity}
	}
	return &corev1.Affinity{NodeAffinity: next.NodeAffinity, PodAffinity: old.PodAffinity, PodAntiAffinity: old.PodAntiAffinity}
}

// takeResources copies the resources of next into old, in place, by container name, if both have
// the same number of containers.
func takeResources(old, next []corev1.Container) {
	if len(old) != len(next) {
		return
	}
	for i := range old {
		if old[i].Name == next[i].Name {
			old[i].Resources = next[i].Resources
		}
	}
}
