package batch

import (
	"regexp"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/schedule"
)

// maxCronJobName leaves room, in the 63 characters of a Job's name, for the suffix of a CronJob's
// Jobs: a dash and the minute.
const maxCronJobName = 52

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateCronJobCreate
func validateCronJob(cj *batchv1.CronJob) field.ErrorList {
	errs := check.NamespacedMeta(&cj.ObjectMeta)
	errs = append(errs, validateCronJobSpec(&cj.Spec, nil)...)
	if len(cj.Name) > maxCronJobName {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), cj.Name, "must be no more than 52 characters"))
	}
	return errs
}

func validateCronJobUpdate(cj, was *batchv1.CronJob) field.ErrorList {
	errs := check.MetaUpdate(&cj.ObjectMeta, &was.ObjectMeta)
	return append(errs, validateCronJobSpec(&cj.Spec, &was.Spec)...)
}

// validateCronJobSpec validates a spec; old is nil at creation.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateCronJobSpec
func validateCronJobSpec(spec, old *batchv1.CronJobSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := validateSchedule(spec.Schedule, path.Child("schedule"))
	if deadline := spec.StartingDeadlineSeconds; deadline != nil {
		errs = append(errs, check.Counts(path, check.Count("startingDeadlineSeconds", *deadline))...)
	}
	if old == nil || !equality.Semantic.DeepEqual(old.TimeZone, spec.TimeZone) {
		errs = append(errs, validateTimeZone(spec.TimeZone, path.Child("timeZone"))...)
	}
	errs = append(errs, validateConcurrencyPolicy(spec.ConcurrencyPolicy, path.Child("concurrencyPolicy"))...)
	errs = append(errs, validateJobTemplate(&spec.JobTemplate.Spec, path.Child("jobTemplate", "spec"))...)
	errs = append(errs, check.Counts(path, check.Optional("successfulJobsHistoryLimit", spec.SuccessfulJobsHistoryLimit)...)...)
	return append(errs, check.Counts(path, check.Optional("failedJobsHistoryLimit", spec.FailedJobsHistoryLimit)...)...)
}

// validateSchedule validates a schedule. It must not contain a time zone, because there is a field
// for that.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateScheduleFormat
func validateSchedule(text string, path *field.Path) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	if _, err := schedule.Parse(text, nil); err != nil {
		errs = append(errs, field.Invalid(path, text, err.Error()))
	}
	if strings.Contains(text, "TZ") {
		errs = append(errs, field.Invalid(path, text, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
	}
	return errs
}

// zoneComponent matches one component of a time zone's name.
var zoneComponent = regexp.MustCompile(`^[A-Za-z\.\-_0-9+]{1,14}$`)

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateTimeZone
func validateTimeZone(zone *string, path *field.Path) field.ErrorList {
	switch {
	case zone == nil:
		return nil
	case *zone == "":
		return field.ErrorList{field.Invalid(path, zone, "timeZone must be nil or non-empty string")}
	}
	for part := range strings.SplitSeq(*zone, "/") {
		if part == "." || part == ".." || strings.HasPrefix(part, "-") || !zoneComponent.MatchString(part) {
			return field.ErrorList{field.Invalid(path, zone, "unknown time zone "+*zone)}
		}
	}
	var errs field.ErrorList
	if strings.EqualFold(*zone, "Local") {
		errs = append(errs, field.Invalid(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"))
	}
	if _, err := schedule.Zone(*zone); err != nil {
		errs = append(errs, field.Invalid(path, zone, err.Error()))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateConcurrencyPolicy
func validateConcurrencyPolicy(policy batchv1.ConcurrencyPolicy, path *field.Path) field.ErrorList {
	switch policy {
	case batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent:
		return nil
	case "":
		return field.ErrorList{field.Required(path, "")}
	}
	return field.ErrorList{field.NotSupported(path, policy, []batchv1.ConcurrencyPolicy{
		batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent,
	})}
}

// validateJobTemplate validates the spec of future Jobs, whose selectors are always generated.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobTemplateSpec
func validateJobTemplate(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	errs := validateJobSpec(spec, path)
	if spec.Selector != nil {
		errs = append(errs, field.Invalid(path.Child("selector"), spec.Selector, "`selector` will be auto-generated"))
	}
	if kind.IsTrue(spec.ManualSelector) {
		errs = append(errs, field.NotSupported(path.Child("manualSelector"), spec.ManualSelector, []string{"nil", "false"}))
	}
	return errs
}
