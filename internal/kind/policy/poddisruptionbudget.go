package policy

import (
	"time"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// PodDisruptionBudget is policy/v1 PodDisruptionBudget: how many of the selected Pods may be
// evicted at once.
//
// Source: kubernetes v1.36 pkg/registry/policy/poddisruptionbudget/strategy.go and storage/storage.go
var PodDisruptionBudget = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "policy", Version: "v1", Kind: "PodDisruptionBudget", Plural: "poddisruptionbudgets", Namespaced: true,
		New: func() object.Object { return &policyv1.PodDisruptionBudget{} },
	},
	Singular:   "poddisruptionbudget",
	ShortNames: []string{"pdb"},
	NewList:    func() runtime.Object { return &policyv1.PodDisruptionBudgetList{} },

	Status: kind.Through(kind.Write[*policyv1.PodDisruptionBudget]{
		Prepare: func(next, old *policyv1.PodDisruptionBudget) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateBudgetStatus,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Min Available", Type: "string", Description: "The minimum number of pods that must be available."},
		{Name: "Max Unavailable", Type: "string", Description: "The maximum number of pods that may be unavailable."},
		{Name: "Allowed Disruptions", Type: "integer", Description: "Calculated number of pods that may be disrupted at this time."},
		kind.AgeColumn,
	},
}, kind.Functions[*policyv1.PodDisruptionBudget]{
	Default: func(*policyv1.PodDisruptionBudget) {},
	PrepareCreate: func(b *policyv1.PodDisruptionBudget) {
		b.Status = policyv1.PodDisruptionBudgetStatus{}
		b.Generation = 1
	},
	PrepareUpdate: func(b, was *policyv1.PodDisruptionBudget) {
		b.Status = *was.Status.DeepCopy()
		b.Generation = was.Generation
		if !equality.Semantic.DeepEqual(b.Spec, was.Spec) {
			b.Generation++
		}
	},
	Validate: func(b *policyv1.PodDisruptionBudget) field.ErrorList {
		errs := validation.ValidateObjectMeta(&b.ObjectMeta, true, check.AnyPathSegment, field.NewPath("metadata"))
		return append(errs, validateBudgetSpec(&b.Spec, false)...)
	},
	ValidateUpdate: func(b, was *policyv1.PodDisruptionBudget) field.ErrorList {
		return validateBudgetSpec(&b.Spec, hasInvalidSelector(was.Spec.Selector))
	},
	Row: func(b *policyv1.PodDisruptionBudget, now time.Time) []any {
		return []any{b.Name, boundCell(b.Spec.MinAvailable), boundCell(b.Spec.MaxUnavailable), int64(b.Status.DisruptionsAllowed), kind.Age(b.CreationTimestamp, now)}
	},
	Selector: func(o *policyv1.PodDisruptionBudget) *metav1.LabelSelector { return o.Spec.Selector },
})

// boundCell prints a bound of a budget.
func boundCell(v *intstr.IntOrString) string {
	if v == nil {
		return "N/A"
	}
	return v.String()
}

// budgetValue prints a budget's spec as errors do: with Go's field names, and null for unset
// fields.
type budgetValue struct {
	MinAvailable               *intstr.IntOrString
	Selector                   *metav1.LabelSelector
	MaxUnavailable             *intstr.IntOrString
	UnhealthyPodEvictionPolicy *policyv1.UnhealthyPodEvictionPolicyType
}

// validateBudgetSpec validates a spec. A selector may have values that are not valid labels if the
// stored one has.
//
// Source: kubernetes v1.36 pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetSpec
func validateBudgetSpec(spec *policyv1.PodDisruptionBudgetSpec, anyValue bool) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	if spec.MinAvailable != nil && spec.MaxUnavailable != nil {
		value := budgetValue{spec.MinAvailable, spec.Selector, spec.MaxUnavailable, spec.UnhealthyPodEvictionPolicy}
		errs = append(errs, field.Invalid(path, value, "minAvailable and maxUnavailable cannot be both set"))
	}
	for _, b := range []struct {
		name  string
		value *intstr.IntOrString
	}{{"minAvailable", spec.MinAvailable}, {"maxUnavailable", spec.MaxUnavailable}} {
		if b.value != nil {
			errs = append(errs, check.IntOrPercent(*b.value, path.Child(b.name))...)
			errs = append(errs, check.AtMostAll(*b.value, path.Child(b.name))...)
		}
	}
	options := metav1validation.LabelSelectorValidationOptions{AllowInvalidLabelValueInSelector: anyValue}
	errs = append(errs, metav1validation.ValidateLabelSelector(spec.Selector, options, path.Child("selector"))...)
	if p := spec.UnhealthyPodEvictionPolicy; p != nil && *p != policyv1.IfHealthyBudget && *p != policyv1.AlwaysAllow {
		errs = append(errs, field.NotSupported(path.Child("unhealthyPodEvictionPolicy"), *p,
			[]policyv1.UnhealthyPodEvictionPolicyType{policyv1.AlwaysAllow, policyv1.IfHealthyBudget}))
	}
	return errs
}

func hasInvalidSelector(s *metav1.LabelSelector) bool {
	return s != nil && len(metav1validation.ValidateLabelSelector(s, metav1validation.LabelSelectorValidationOptions{}, nil)) > 0
}

// Source: kubernetes v1.36 pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetStatusUpdate
func validateBudgetStatus(b, was *policyv1.PodDisruptionBudget) field.ErrorList {
	errs := validation.ValidateObjectMetaUpdate(&b.ObjectMeta, &was.ObjectMeta, field.NewPath("metadata"))
	path, s := field.NewPath("status"), b.Status
	errs = append(errs, metav1validation.ValidateConditions(s.Conditions, path.Child("conditions"))...)
	return append(errs, check.Counts(path,
		check.Count("disruptionsAllowed", int64(s.DisruptionsAllowed)),
		check.Count("currentHealthy", int64(s.CurrentHealthy)),
		check.Count("desiredHealthy", int64(s.DesiredHealthy)),
		check.Count("expectedPods", int64(s.ExpectedPods)),
	)...)
}
