package batch

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Limits of a Job's policies.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go
const (
	maxFailureRules     = 20
	maxExitCodes        = 255
	maxConditions       = 20
	maxSuccessRules     = 20
	maxSucceededIndexes = 64 * 1024 // bytes
)

// Values in a pod failure policy, in the order of upstream's messages.
var (
	failureActions = []batchv1.PodFailurePolicyAction{
		batchv1.PodFailurePolicyActionCount, batchv1.PodFailurePolicyActionFailIndex,
		batchv1.PodFailurePolicyActionFailJob, batchv1.PodFailurePolicyActionIgnore,
	}
	failureOperators = []batchv1.PodFailurePolicyOnExitCodesOperator{
		batchv1.PodFailurePolicyOnExitCodesOpIn, batchv1.PodFailurePolicyOnExitCodesOpNotIn,
	}
	conditionStatuses = []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionTrue, corev1.ConditionUnknown}
)

// validateOneOf checks that a value is set and valid.
func validateOneOf[T ~string](value T, valid []T, path *field.Path) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(path, fmt.Sprintf("valid values: %q", valid))}
	case !slices.Contains(valid, value):
		return field.ErrorList{field.NotSupported(path, value, valid)}
	}
	return nil
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodFailurePolicy
func validatePodFailurePolicy(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	rules, at := spec.PodFailurePolicy.Rules, path.Child("rules")
	if len(rules) > maxFailureRules {
		errs = append(errs, field.TooMany(at, len(rules), maxFailureRules))
	}
	containers := map[string]bool{}
	for _, c := range slices.Concat(spec.Template.Spec.Containers, spec.Template.Spec.InitContainers) {
		containers[c.Name] = true
	}
	for i := range rules {
		errs = append(errs, validateFailureRule(spec, &rules[i], containers, at.Index(i))...)
	}
	return errs
}

// validateFailureRule validates a rule: an action, and either exit codes or conditions.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodFailurePolicyRule
func validateFailureRule(spec *batchv1.JobSpec, rule *batchv1.PodFailurePolicyRule, containers map[string]bool, path *field.Path) field.ErrorList {
	at := path.Child("action")
	errs := validateOneOf(rule.Action, failureActions, at)
	if rule.Action == batchv1.PodFailurePolicyActionFailIndex && spec.BackoffLimitPerIndex == nil {
		errs = append(errs, field.Invalid(at, rule.Action, "requires the backoffLimitPerIndex to be set"))
	}
	codes, conditions := rule.OnExitCodes != nil, len(rule.OnPodConditions) > 0
	if codes {
		errs = append(errs, validateExitCodes(rule.OnExitCodes, containers, path.Child("onExitCodes"))...)
	}
	if conditions {
		errs = append(errs, validateConditionPatterns(rule.OnPodConditions, path.Child("onPodConditions"))...)
	}
	switch {
	case codes && conditions:
		errs = append(errs, field.Invalid(path, field.OmitValueType{}, "specifying both OnExitCodes and OnPodConditions is not supported"))
	case !codes && !conditions:
		errs = append(errs, field.Invalid(path, field.OmitValueType{}, "specifying one of OnExitCodes and OnPodConditions is required"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodFailurePolicyRuleOnExitCodes
func validateExitCodes(on *batchv1.PodFailurePolicyOnExitCodesRequirement, containers map[string]bool, path *field.Path) field.ErrorList {
	errs := validateOneOf(on.Operator, failureOperators, path.Child("operator"))
	if name := on.ContainerName; name != nil && !containers[*name] {
		const msg = "must be one of the container or initContainer names in the pod template"
		errs = append(errs, field.Invalid(path.Child("containerName"), *name, msg))
	}
	at := path.Child("values")
	switch n := len(on.Values); {
	case n == 0:
		errs = append(errs, field.Invalid(at, on.Values, "at least one value is required"))
	case n > maxExitCodes:
		errs = append(errs, field.TooMany(at, n, maxExitCodes))
	}
	seen := map[int32]bool{}
	for i, code := range on.Values {
		if code == 0 && on.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn {
			errs = append(errs, field.Invalid(at.Index(i), code, "must not be 0 for the In operator"))
		}
		if seen[code] {
			errs = append(errs, field.Duplicate(at.Index(i), code))
		}
		seen[code] = true
	}
	if !slices.IsSorted(on.Values) {
		errs = append(errs, field.Invalid(at, on.Values, "must be ordered"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodFailurePolicyRuleOnPodConditions
func validateConditionPatterns(patterns []batchv1.PodFailurePolicyOnPodConditionsPattern, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(patterns) > maxConditions {
		errs = append(errs, field.TooMany(path, len(patterns), maxConditions))
	}
	for i, p := range patterns {
		at := path.Index(i)
		errs = append(errs, check.QualifiedName(string(p.Type), at.Child("type"))...)
		errs = append(errs, validateOneOf(p.Status, conditionStatuses, at.Child("status"))...)
	}
	return errs
}

// validatePodReplacementPolicy validates when failing Pods are replaced. With a pod failure policy,
// that must be after they have failed, because only then the policy can be evaluated.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodReplacementPolicy
func validatePodReplacementPolicy(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	valid := []batchv1.PodReplacementPolicy{batchv1.Failed, batchv1.TerminatingOrFailed}
	if spec.PodFailurePolicy != nil {
		valid = valid[:1]
	}
	if spec.PodReplacementPolicy == nil || slices.Contains(valid, *spec.PodReplacementPolicy) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, *spec.PodReplacementPolicy, valid)}
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateSuccessPolicy
//
// Differs: for an Indexed Job without completions, upstream panics here and recovers in its
// handler. Here, the rules are not validated then; another check reports the missing completions.
func validateSuccessPolicy(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	if !isIndexed(spec) {
		return field.ErrorList{field.Invalid(path, check.Untagged(*spec.SuccessPolicy), "requires indexed completion mode")}
	}
	var errs field.ErrorList
	rules, at := spec.SuccessPolicy.Rules, path.Child("rules")
	if len(rules) == 0 {
		errs = append(errs, field.Required(at, "at least one rules must be specified when the successPolicy is specified"))
	}
	if len(rules) > maxSuccessRules {
		errs = append(errs, field.TooMany(at, len(rules), maxSuccessRules))
	}
	if spec.Completions == nil {
		return errs
	}
	for i := range rules {
		errs = append(errs, validateSuccessRule(&rules[i], *spec.Completions, at.Index(i))...)
	}
	return errs
}

// validateSuccessRule validates a rule: indexes, how many of them, or how many of all.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateSuccessPolicyRule
func validateSuccessRule(rule *batchv1.SuccessPolicyRule, completions int32, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if rule.SucceededCount == nil && rule.SucceededIndexes == nil {
		errs = append(errs, field.Required(path, "at least one of succeededCount or succeededIndexes must be specified"))
	}
	var total int32
	if indexes := rule.SucceededIndexes; indexes != nil {
		at := path.Child("succeededIndexes")
		if len(*indexes) > maxSucceededIndexes {
			errs = append(errs, field.TooLong(at, "", maxSucceededIndexes))
		}
		var err error
		if total, err = countIndexes(*indexes, completions); err != nil {
			errs = append(errs, field.Invalid(at, *indexes, "error parsing succeededIndexes: "+err.Error()))
		}
	}
	if n := rule.SucceededCount; n != nil {
		const msg = "must be less than or equal to %d (the number of %s)"
		at := path.Child("succeededCount")
		errs = append(errs, check.Counts(path, check.Count("succeededCount", int64(*n)))...)
		if *n > completions {
			errs = append(errs, field.Invalid(at, *n, fmt.Sprintf(msg, completions, "specified completions")))
		}
		if rule.SucceededIndexes != nil && *n > total {
			errs = append(errs, field.Invalid(at, *n, fmt.Sprintf(msg, total, "indexes in the specified succeededIndexes field")))
		}
	}
	return errs
}
