package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var (
	// TaintEffects are the effects that a taint may have.
	TaintEffects = []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	}
	// The gate of numeric comparisons, TaintTolerationComparisonOperators, is off.
	tolerationOperators = []corev1.TolerationOperator{
		corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt,
	}
)

// ValidateTolerations validates the tolerations of a Pod.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateTolerations
func ValidateTolerations(tolerations []corev1.Toleration, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range tolerations {
		t, at := &tolerations[i], path.Index(i)
		if t.Key != "" {
			errs = append(errs, metav1validation.ValidateLabelName(t.Key, at.Child("key"))...)
		} else if t.Operator != corev1.TolerationOpExists {
			errs = append(errs, field.Invalid(at.Child("operator"), t.Operator,
				"operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
		}
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			errs = append(errs, field.Invalid(at.Child("effect"), t.Effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
		}
		errs = append(errs, validateTolerationOperator(t, at.Child("operator"))...)
		if t.Effect != "" {
			errs = append(errs, check.Enum(t.Effect, TaintEffects, at.Child("effect"))...)
		}
	}
	return errs
}

// validateTolerationOperator validates the operator. Upstream also reports errors of the value with
// the operator's path.
func validateTolerationOperator(t *corev1.Toleration, path *field.Path) field.ErrorList {
	switch t.Operator {
	case corev1.TolerationOpEqual, "":
		if msgs := utilvalidation.IsValidLabelValue(t.Value); len(msgs) > 0 {
			return field.ErrorList{field.Invalid(path, t.Value, strings.Join(msgs, ";"))}
		}
		return nil
	case corev1.TolerationOpExists:
		if t.Value != "" {
			return field.ErrorList{field.Invalid(path, t.Value, "value must be empty when `operator` is 'Exists'")}
		}
		return nil
	case corev1.TolerationOpLt, corev1.TolerationOpGt:
		return field.ErrorList{field.NotSupported(path, t.Operator, tolerationOperators)}
	}
	return field.ErrorList{field.NotSupported(path, t.Operator, tolerationOperators[:2])}
}

// Enum values of a constraint, sorted as messages list them.
var (
	unsatisfiableActions  = []corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}
	nodeInclusionPolicies = []corev1.NodeInclusionPolicy{corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore}
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateTopologySpreadConstraints
func validateSpreadConstraints(constraints []corev1.TopologySpreadConstraint, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	type pair struct {
		key    string
		action corev1.UnsatisfiableConstraintAction
	}
	later := map[pair]int{}
	for _, c := range constraints {
		later[pair{c.TopologyKey, c.WhenUnsatisfiable}]++
	}
	for i := range constraints {
		c, at := &constraints[i], path.Index(i)
		errs = append(errs, validatePositive(c.MaxSkew, at.Child("maxSkew"))...)
		if c.TopologyKey == "" {
			errs = append(errs, field.Required(at.Child("topologyKey"), "can not be empty"))
		}
		errs = append(errs, check.Enum(c.WhenUnsatisfiable, unsatisfiableActions, at.Child("whenUnsatisfiable"))...)
		key := pair{c.TopologyKey, c.WhenUnsatisfiable}
		if later[key]--; later[key] > 0 {
			value := fmt.Sprintf("{%v, %v}", c.TopologyKey, c.WhenUnsatisfiable)
			errs = append(errs, field.Duplicate(at.Child("{topologyKey, whenUnsatisfiable}"), value))
		}
		errs = append(errs, validateSpreadOptions(c, at)...)
		errs = append(errs, validateMatchLabelKeys(c.MatchLabelKeys, nil, c.LabelSelector, at)...)
		errs = append(errs, check.LabelSelector(c.LabelSelector, at.Child("labelSelector"))...)
	}
	return errs
}

func validateSpreadOptions(c *corev1.TopologySpreadConstraint, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if c.MinDomains != nil {
		at := path.Child("minDomains")
		errs = append(errs, validatePositive(*c.MinDomains, at)...)
		if c.WhenUnsatisfiable != corev1.DoNotSchedule {
			msg := fmt.Sprintf("can only use minDomains if whenUnsatisfiable=%s, not %s", corev1.DoNotSchedule, c.WhenUnsatisfiable)
			errs = append(errs, field.Invalid(at, c.MinDomains, msg))
		}
	}
	if c.NodeAffinityPolicy != nil {
		errs = append(errs, check.Enum(*c.NodeAffinityPolicy, nodeInclusionPolicies, path.Child("nodeAffinityPolicy"))...)
	}
	if c.NodeTaintsPolicy != nil {
		errs = append(errs, check.Enum(*c.NodeTaintsPolicy, nodeInclusionPolicies, path.Child("nodeTaintsPolicy"))...)
	}
	return errs
}

func validatePositive(value int32, path *field.Path) field.ErrorList {
	if value > 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, int64(value), "must be greater than zero")}
}

// validateMatchLabelKeys validates the keys whose values a Pod copies from its own labels into a
// selector. A key that the selector has twice was in it before.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateMatchLabelKeysAndMismatchLabelKeys
func validateMatchLabelKeys(match, mismatch []string, s *metav1.LabelSelector, path *field.Path) field.ErrorList {
	errs := validateLabelKeys(match, s, path.Child("matchLabelKeys"))
	errs = append(errs, validateLabelKeys(mismatch, s, path.Child("mismatchLabelKeys"))...)
	if s != nil {
		index := make(map[string]int, len(match))
		for i, key := range match {
			index[key] = i
		}
		seen := sets.New(slices.Collect(maps.Keys(s.MatchLabels))...)
		for _, expression := range s.MatchExpressions {
			key := expression.Key
			if i, taken := index[key]; taken && seen.Has(key) {
				errs = append(errs, field.Invalid(path.Index(i), key, "exists in both matchLabelKeys and labelSelector"))
			}
			seen.Insert(key)
		}
	}
	both := sets.New(mismatch...)
	for i, key := range match {
		if both.Has(key) {
			at := path.Child("matchLabelKeys").Index(i)
			errs = append(errs, field.Invalid(at, key, "exists in both matchLabelKeys and mismatchLabelKeys"))
		}
	}
	return errs
}

func validateLabelKeys(keys []string, s *metav1.LabelSelector, path *field.Path) field.ErrorList {
	if len(keys) > 0 && s == nil {
		return field.ErrorList{field.Forbidden(path, "must not be specified when labelSelector is not set")}
	}
	var errs field.ErrorList
	for i, key := range keys {
		errs = append(errs, metav1validation.ValidateLabelName(key, path.Index(i))...)
	}
	return errs
}
