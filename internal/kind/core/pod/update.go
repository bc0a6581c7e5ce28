package pod

import (
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/diff"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// podMayChange is the error for changing any other field of a spec.
const podMayChange = "pod updates may not change fields other than " +
	"`spec.containers[*].image`," +
	"`spec.initContainers[*].image`," +
	"`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// validatePodUpdate validates an updated Pod and its changes. Few fields of a spec may change,
// because it describes running containers.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodUpdate
func validatePodUpdate(next, old *corev1.Pod) field.ErrorList {
	errs := check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
	errs = append(errs, validatePod(next)...)
	errs = append(errs, podspec.ValidateAnnotationUpdate(next, old, field.NewPath("metadata", "annotations"))...)
	for _, c := range []struct {
		name      string
		next, old []corev1.Container
	}{
		{"containers", next.Spec.Containers, old.Spec.Containers},
		{"initContainers", next.Spec.InitContainers, old.Spec.InitContainers},
	} {
		at := specPath.Child(c.name)
		if len(c.next) != len(c.old) {
			return append(errs, field.Forbidden(at, "pod updates may not add or remove containers"))
		}
		for i := range c.next {
			errs = append(errs, check.Required(at.Index(i), check.Need("image", c.next[i].Image))...)
			errs = append(errs, podspec.ValidateImageSpace(&c.next[i], at.Index(i))...)
		}
	}
	deadlineErrs, stop := validateDeadlineUpdate(next.Spec.ActiveDeadlineSeconds, old.Spec.ActiveDeadlineSeconds)
	errs = append(errs, deadlineErrs...)
	if stop {
		return errs
	}
	errs = append(errs, validateTolerationUpdate(next.Spec.Tolerations, old.Spec.Tolerations, specPath.Child("tolerations"))...)
	errs = append(errs, validateGateUpdate(next.Spec.SchedulingGates, old.Spec.SchedulingGates, specPath.Child("schedulingGates"))...)
	if equality.Semantic.DeepEqual(next.Spec, old.Spec) {
		return errs
	}

	rest := withoutMutable(&next.Spec, &old.Spec)
	if len(old.Spec.SchedulingGates) > 0 {
		errs = append(errs, validateGatedUpdate(rest, &old.Spec)...)
	}
	if !equality.Semantic.DeepEqual(*rest, old.Spec) {
		errs = append(errs, field.Forbidden(specPath, podMayChange+"\n"+specDiff(&old.Spec, rest)))
	}
	return errs
}

// specDiff shows the differences in next as upstream does.
//
// Differs: it is empty for very large specs, because the comparison may take quadratic time.
func specDiff(old, next *corev1.PodSpec) string {
	if old.Size()+next.Size() > check.MaxDiffBytes {
		return ""
	}
	return diff.Diff(check.Untagged(old), check.Untagged(next))
}

// validateDeadlineUpdate checks that a deadline is only shortened. stop means that validation ends.
func validateDeadlineUpdate(next, old *int64) (errs field.ErrorList, stop bool) {
	at := specPath.Child("activeDeadlineSeconds")
	switch {
	case next == nil && old != nil:
		return field.ErrorList{field.Invalid(at, next, "must not update from a positive integer to nil value")}, false
	case next == nil:
		return nil, false
	case *next < 0 || *next > math.MaxInt32:
		return field.ErrorList{field.Invalid(at, *next, utilvalidation.InclusiveRangeError(0, math.MaxInt32))}, true
	case old != nil && *old < *next:
		return field.ErrorList{field.Invalid(at, *next, "must be less than or equal to previous value")}, true
	}
	return nil, false
}

// tolerationKey is a toleration without its seconds, which may change.
type tolerationKey struct {
	key, value string
	operator   corev1.TolerationOperator
	effect     corev1.TaintEffect
}

func keyOf(t corev1.Toleration) tolerationKey {
	return tolerationKey{t.Key, t.Value, t.Operator, t.Effect}
}

// validateTolerationUpdate checks that no toleration is removed.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateOnlyAddedTolerations
func validateTolerationUpdate(next, old []corev1.Toleration, path *field.Path) field.ErrorList {
	kept := make(map[tolerationKey]bool, len(next))
	for _, t := range next {
		kept[keyOf(t)] = true
	}
	if slices.ContainsFunc(old, func(t corev1.Toleration) bool { return !kept[keyOf(t)] }) {
		return field.ErrorList{field.Forbidden(path, "existing toleration can not be modified except its tolerationSeconds")}
	}
	return podspec.ValidateTolerations(next, path)
}

// validateGateUpdate checks that gates are only removed.
func validateGateUpdate(next, old []corev1.PodSchedulingGate, path *field.Path) field.ErrorList {
	had := make(map[string]bool, len(old))
	for _, gate := range old {
		had[gate.Name] = true
	}
	last := make(map[string]int, len(next)) // upstream reports a gate once, with its last index
	for i, gate := range next {
		last[gate.Name] = i
	}
	var errs field.ErrorList
	for i, gate := range next {
		if !had[gate.Name] && last[gate.Name] == i {
			msg := fmt.Sprintf("only deletion is allowed, but found new scheduling gate '%s'", gate.Name)
			errs = append(errs, field.Forbidden(path.Index(i).Child("name"), msg))
		}
	}
	return errs
}

// withoutMutable returns a copy of next in which mutable fields have their old values. The number
// of containers must be the same.
func withoutMutable(next, old *corev1.PodSpec) *corev1.PodSpec {
	s := next.DeepCopy()
	for i := range s.Containers {
		s.Containers[i].Image = old.Containers[i].Image
	}
	for i := range s.InitContainers {
		s.InitContainers[i].Image = old.InitContainers[i].Image
	}
	s.ActiveDeadlineSeconds = old.ActiveDeadlineSeconds
	s.SchedulingGates = old.SchedulingGates
	s.Tolerations = old.Tolerations
	was, is := old.TerminationGracePeriodSeconds, s.TerminationGracePeriodSeconds
	if was != nil && *was < 0 && is != nil && *is == 1 {
		s.TerminationGracePeriodSeconds = was
	}
	return s
}
