package batch

import (
	"fmt"
	"maps"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// validateJob validates a new Job. Labels that it has only because they were generated for its Pods
// are validated there.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJob
func validateJob(job *batchv1.Job) field.ErrorList {
	meta := job.ObjectMeta
	if maps.Equal(meta.Labels, generatedLabels(job)) {
		meta.Labels = nil
	}
	return append(check.NamespacedMeta(&meta), validateJobAsStored(job, true)...)
}

// validateJobAsStored validates a Job with its selector, without its metadata. prefixed says
// whether its Pods must have the labels with Kubernetes' prefix; Jobs of older releases need not.
func validateJobAsStored(job *batchv1.Job, prefixed bool) field.ErrorList {
	path := field.NewPath("spec")
	errs := validateGeneratedSelector(job, prefixed)
	errs = append(errs, validateJobSpec(&job.Spec, path)...)
	errs = append(errs, validateJobSelector(&job.Spec, path)...)
	return append(errs, validateIndexedHostname(job)...)
}

// validateGeneratedSelector checks that a Job with a generated selector has that selector and its
// labels.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateGeneratedSelector
func validateGeneratedSelector(job *batchv1.Job, prefixed bool) field.ErrorList {
	if kind.IsTrue(job.Spec.ManualSelector) || job.Spec.Selector == nil {
		return nil
	}
	var errs field.ErrorList
	if job.UID == "" {
		errs = append(errs, field.Required(field.NewPath("metadata", "uid"), ""))
	}
	want := generatedLabels(job)
	keys := []string{legacyControllerUIDLabel, legacyJobNameLabel, batchv1.ControllerUidLabel, batchv1.JobNameLabel}
	if !prefixed {
		delete(want, batchv1.ControllerUidLabel)
		delete(want, batchv1.JobNameLabel)
		keys = keys[:2]
	}
	for _, key := range keys {
		errs = append(errs, validateHasLabel(job.Spec.Template.Labels, key, want[key])...)
	}
	selector, err := metav1.LabelSelectorAsSelector(job.Spec.Selector)
	if err == nil && !selector.Matches(labels.Set(want)) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "selector"), job.Spec.Selector, "`selector` not auto-generated"))
	}
	return errs
}

// validateHasLabel checks that the template has a label.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateHasLabel
func validateHasLabel(has map[string]string, key, want string) field.ErrorList {
	path := field.NewPath("spec", "template", "metadata", "labels").Key(key)
	msg := fmt.Sprintf("must be '%s'", want)
	switch value, ok := has[key]; {
	case !ok:
		return field.ErrorList{field.Required(path, msg)}
	case value != want:
		return field.ErrorList{field.Invalid(path, has, msg)}
	}
	return nil
}

// validateIndexedHostname checks that the Pod with the highest index has a valid hostname.
func validateIndexedHostname(job *batchv1.Job) field.ErrorList {
	if !isIndexed(&job.Spec) || job.Spec.Completions == nil || *job.Spec.Completions <= 0 {
		return nil
	}
	hostname := job.Name + "-" + strconv.Itoa(int(*job.Spec.Completions-1))
	if len(utilvalidation.IsDNS1123Label(hostname)) == 0 {
		return nil
	}
	at := field.NewPath("metadata", "name")
	return field.ErrorList{field.Invalid(at, job.Name, "will not able to create pod with invalid DNS label: "+hostname)}
}

// validateJobSelector validates the selector, generated or not.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobSpec
func validateJobSelector(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("selector")
	if spec.Selector == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = append(errs, metav1validation.ValidateLabelSelector(spec.Selector, metav1validation.LabelSelectorValidationOptions{}, at)...)
	}
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	if err == nil && !selector.Matches(labels.Set(spec.Template.Labels)) {
		at := path.Child("template", "metadata", "labels")
		errs = append(errs, field.Invalid(at, spec.Template.Labels, "`selector` does not match template `labels`"))
	}
	return errs
}

// validateJobSpec validates the spec of a Job or of a CronJob's template, except its selector.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateJobSpec
func validateJobSpec(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	errs := validateJobCounts(spec, path)
	if spec.ManagedBy != nil {
		at := path.Child("managedBy")
		errs = append(errs, utilvalidation.IsDomainPrefixedPath(at, *spec.ManagedBy)...)
		if len(*spec.ManagedBy) > maxManagedByLength {
			errs = append(errs, field.TooLong(at, "", maxManagedByLength))
		}
	}
	errs = append(errs, validateCompletionMode(spec, path)...)
	if spec.PodFailurePolicy != nil {
		errs = append(errs, validatePodFailurePolicy(spec, path.Child("podFailurePolicy"))...)
	}
	if spec.SuccessPolicy != nil {
		errs = append(errs, validateSuccessPolicy(spec, path.Child("successPolicy"))...)
	}
	errs = append(errs, validatePodReplacementPolicy(spec, path.Child("podReplacementPolicy"))...)
	errs = append(errs, podspec.ValidateTemplate(&spec.Template, path.Child("template"))...)
	return append(errs, validateJobRestartPolicy(spec, path.Child("template", "spec", "restartPolicy"))...)
}

// validateJobCounts validates the numbers in the spec, each on its own.
func validateJobCounts(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	errs := check.Counts(path, check.Optional("parallelism", spec.Parallelism)...)
	errs = append(errs, check.Counts(path, check.Optional("completions", spec.Completions)...)...)
	if deadline := spec.ActiveDeadlineSeconds; deadline != nil {
		errs = append(errs, check.Counts(path, check.Count("activeDeadlineSeconds", *deadline))...)
	}
	errs = append(errs, check.Counts(path, check.Optional("backoffLimit", spec.BackoffLimit)...)...)
	errs = append(errs, check.Counts(path, check.Optional("ttlSecondsAfterFinished", spec.TTLSecondsAfterFinished)...)...)
	errs = append(errs, check.Counts(path, check.Optional("backoffLimitPerIndex", spec.BackoffLimitPerIndex)...)...)
	errs = append(errs, check.Counts(path, check.Optional("maxFailedIndexes", spec.MaxFailedIndexes)...)...)
	if spec.MaxFailedIndexes != nil && spec.BackoffLimitPerIndex == nil {
		errs = append(errs, field.Required(path.Child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"))
	}
	return errs
}

// validateCompletionMode validates the completion mode and the fields that depend on it.
func validateCompletionMode(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	mode := batchv1.NonIndexedCompletion
	if spec.CompletionMode != nil {
		mode = *spec.CompletionMode
	}
	var errs field.ErrorList
	switch mode {
	case batchv1.IndexedCompletion:
		return validateIndexed(spec, path)
	case batchv1.NonIndexedCompletion:
		const msg = "requires indexed completion mode"
		if limit := spec.BackoffLimitPerIndex; limit != nil {
			errs = append(errs, field.Invalid(path.Child("backoffLimitPerIndex"), *limit, msg))
		}
		if most := spec.MaxFailedIndexes; most != nil {
			errs = append(errs, field.Invalid(path.Child("maxFailedIndexes"), *most, msg))
		}
		return errs
	}
	modes := []batchv1.CompletionMode{batchv1.NonIndexedCompletion, batchv1.IndexedCompletion}
	return append(errs, field.NotSupported(path.Child("completionMode"), mode, modes))
}

// validateIndexed validates what an Indexed Job needs and may have.
func validateIndexed(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	atParallelism, atMost := path.Child("parallelism"), path.Child("maxFailedIndexes")
	if spec.Completions == nil {
		errs = append(errs, field.Required(path.Child("completions"), "when completion mode is Indexed"))
	}
	if p := spec.Parallelism; p != nil && *p > maxIndexedParallelism {
		msg := fmt.Sprintf("must be less than or equal to %d when completion mode is Indexed", maxIndexedParallelism)
		errs = append(errs, field.Invalid(atParallelism, *p, msg))
	}
	if most := spec.MaxFailedIndexes; most != nil {
		if spec.Completions != nil && *most > *spec.Completions {
			errs = append(errs, field.Invalid(atMost, *most, "must be less than or equal to completions"))
		}
		if *most > maxFailedIndexes {
			errs = append(errs, field.Invalid(atMost, *most, fmt.Sprintf("must be less than or equal to %d", maxFailedIndexes)))
		}
	}
	if spec.Completions == nil || *spec.Completions <= manyCompletions || spec.BackoffLimitPerIndex == nil {
		return errs
	}

	const tooMuch = "must be less than or equal to %d when completions are above %d and used with backoff limit per index"
	if spec.MaxFailedIndexes == nil {
		errs = append(errs, field.Required(atMost, fmt.Sprintf("must be specified when completions is above %d", manyCompletions)))
	}
	if p := spec.Parallelism; p != nil && *p > parallelismOfMany {
		errs = append(errs, field.Invalid(atParallelism, *p, fmt.Sprintf(tooMuch, parallelismOfMany, manyCompletions)))
	}
	if most := spec.MaxFailedIndexes; most != nil && *most > failedIndexesOfMany {
		errs = append(errs, field.Invalid(atMost, *most, fmt.Sprintf(tooMuch, failedIndexesOfMany, manyCompletions)))
	}
	return errs
}

// validateJobRestartPolicy checks that containers do not restart for ever. Always is the default of
// a Pod template, so it is treated as if the policy were missing.
func validateJobRestartPolicy(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	valid := []corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}
	switch policy := spec.Template.Spec.RestartPolicy; {
	case policy == corev1.RestartPolicyAlways || policy == "":
		return field.ErrorList{field.Required(path, fmt.Sprintf("valid values: %q, %q", valid[0], valid[1]))}
	case policy != valid[0] && policy != valid[1]:
		return field.ErrorList{field.NotSupported(path, policy, valid)}
	case spec.PodFailurePolicy != nil && policy != corev1.RestartPolicyNever:
		return field.ErrorList{field.Invalid(path, policy, `only "Never" is supported when podFailurePolicy is specified`)}
	}
	return nil
}
