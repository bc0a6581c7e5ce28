package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// ResourceQuota is core/v1 ResourceQuota: limits on the total usage of the objects in its namespace
// (see quota.go).
//
// Source: kubernetes v1.36 pkg/registry/core/resourcequota/strategy.go
var ResourceQuota = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "ResourceQuota", Plural: "resourcequotas", Namespaced: true,
		New: func() object.Object { return &corev1.ResourceQuota{} },
	},
	Singular:   "resourcequota",
	ShortNames: []string{"quota"},
	NewList:    func() runtime.Object { return &corev1.ResourceQuotaList{} },

	Status: kind.Through(kind.Write[*corev1.ResourceQuota]{
		Prepare: func(next, old *corev1.ResourceQuota) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: func(next, old *corev1.ResourceQuota) field.ErrorList {
			q, path := next, field.NewPath("status")
			errs := check.MetaUpdate(&q.ObjectMeta, &old.ObjectMeta)
			errs = append(errs, validateQuotaList(q.Status.Hard, path.Child("hard"))...)
			return append(errs, validateQuotaList(q.Status.Used, path.Child("used"))...)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Request", Type: "string", Description: "Request represents a minimum amount of cpu/memory that a container may consume."},
		{
			Name: "Limit", Type: "string",
			Description: "Limits control the maximum amount of cpu/memory that a container may use independent of " +
				"contention on the node.",
		},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
	Quota:               kind.CountedAs(corev1.ResourceQuotas),
}, kind.Functions[*corev1.ResourceQuota]{
	Default: func(q *corev1.ResourceQuota) {
		kind.RoundUp(q.Spec.Hard, q.Status.Hard, q.Status.Used)
	},
	PrepareCreate: func(o *corev1.ResourceQuota) { o.Status = corev1.ResourceQuotaStatus{} },
	PrepareUpdate: func(next, old *corev1.ResourceQuota) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate: func(q *corev1.ResourceQuota) field.ErrorList {
		return append(check.NamespacedMeta(&q.ObjectMeta), validateQuotaSpec(&q.Spec)...)
	},
	ValidateUpdate: validateQuotaUpdate,
	Warnings:       warnOfQuota,
	Row:            quotaRow,
})

// quotaRow prints usage and hard limits, with limits in a column of their own.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printResourceQuota
func quotaRow(q *corev1.ResourceQuota, now time.Time) []any {
	var requests, limits []string
	for _, name := range slices.Sorted(maps.Keys(q.Status.Hard)) {
		used, hard := q.Status.Used[name], q.Status.Hard[name]
		cell := fmt.Sprintf("%s: %s/%s", name, used.String(), hard.String())
		if strings.HasPrefix(string(name), "limits.") {
			limits = append(limits, cell)
		} else {
			requests = append(requests, cell)
		}
	}
	return []any{q.Name, strings.Join(requests, ", "), strings.Join(limits, ", "), kind.Age(q.CreationTimestamp, now)}
}

// warnOfQuota warns, at creation, if the quota of requests exceeds that of limits.
//
// Source: kubernetes v1.36 pkg/registry/core/resourcequota/strategy.go, WarningsOnCreate
func warnOfQuota(next, old *corev1.ResourceQuota) []string {
	if old != nil {
		return nil
	}
	hard := next.Spec.Hard
	var warnings []string
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceStorage, corev1.ResourceEphemeralStorage} {
		requested := corev1.DefaultResourceRequestsPrefix + name
		request, has := hard[requested]
		if !has && (name == corev1.ResourceCPU || name == corev1.ResourceMemory) {
			requested = name
			request, has = hard[requested]
		}
		limit, limited := hard["limits."+name]
		if has && limited && request.Cmp(limit) > 0 {
			warnings = append(warnings, fmt.Sprintf("ResourceQuota %s (%s) should be less than limits.%s (%s)", requested, request.String(), name, limit.String()))
		}
	}
	return warnings
}

// validateQuotaUpdate checks that the scopes do not change.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuotaUpdate
func validateQuotaUpdate(next, old *corev1.ResourceQuota) field.ErrorList {
	errs := append(check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta), validateQuotaSpec(&next.Spec)...)
	if !sets.New(next.Spec.Scopes...).Equal(sets.New(old.Spec.Scopes...)) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "scopes"), next.Spec.Scopes, "field is immutable"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuotaSpec
func validateQuotaSpec(s *corev1.ResourceQuotaSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := validateQuotaList(s.Hard, path.Child("hard"))
	errs = append(errs, validateQuotaScopes(s, path.Child("scopes"))...)
	if s.ScopeSelector != nil {
		errs = append(errs, validateScopeSelector(s, path.Child("scopeSelector", "matchExpressions"))...)
	}
	return errs
}

// validateQuotaList validates resource names and quantities.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuotaResourceName and
// ValidateResourceQuantityValue
func validateQuotaList(list corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(list)) {
		quantity, at := list[name], path.Key(string(name))
		errs = append(errs, check.ResourceName(name, at)...)
		if !strings.Contains(string(name), "/") && !check.IsQuotaResource(name) {
			errs = append(errs, field.Invalid(at, name, "must be a standard resource for quota"))
		}
		errs = append(errs, check.Quantity(name, quantity, at)...)
	}
	return errs
}

var (
	podQuotaResources = sets.New(corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceLimitsCPU,
		corev1.ResourceLimitsMemory, corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory)
	claimQuotaResources = sets.New(corev1.ResourcePersistentVolumeClaims, corev1.ResourceRequestsStorage)

	// scopedResources lists the quotaResources that each scope may limit.
	scopedResources = map[corev1.ResourceQuotaScope]sets.Set[corev1.ResourceName]{
		corev1.ResourceQuotaScopeTerminating:               podQuotaResources,
		corev1.ResourceQuotaScopeNotTerminating:            podQuotaResources,
		corev1.ResourceQuotaScopeNotBestEffort:             podQuotaResources,
		corev1.ResourceQuotaScopePriorityClass:             podQuotaResources,
		corev1.ResourceQuotaScopeCrossNamespacePodAffinity: podQuotaResources,
		corev1.ResourceQuotaScopeBestEffort:                sets.New(corev1.ResourcePods),
		corev1.ResourceQuotaScopeVolumeAttributesClass:     claimQuotaResources,
	}
	// scopesAtOdds lists pairs of scopes that exclude each other.
	scopesAtOdds = [][]corev1.ResourceQuotaScope{
		{corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort},
		{corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating},
	}
)

// misfits counts the limited resources that a scope cannot limit.
func misfits(hard corev1.ResourceList, scope corev1.ResourceQuotaScope) (n int) {
	fitting, known := scopedResources[scope]
	for name := range hard {
		if known && check.IsQuotaResource(name) && !fitting.Has(name) {
			n++
		}
	}
	return n
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceQuotaScopes
func validateQuotaScopes(s *corev1.ResourceQuotaSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, scope := range s.Scopes {
		if scopedResources[scope] == nil {
			errs = append(errs, field.Invalid(path, s.Scopes, "unsupported scope"))
		}
		for range misfits(s.Hard, scope) {
			errs = append(errs, field.Invalid(path, s.Scopes, "unsupported scope applied to resource"))
		}
	}
	return append(errs, validateScopesAtOdds(s, sets.New(s.Scopes...), path)...)
}

func validateScopesAtOdds(s *corev1.ResourceQuotaSpec, scopes sets.Set[corev1.ResourceQuotaScope], path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, pair := range scopesAtOdds {
		if scopes.HasAll(pair...) {
			errs = append(errs, field.Invalid(path, s.Scopes, "conflicting scopes"))
		}
	}
	return errs
}

// validateScopeSelector validates the requirement of each scope.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateScopedResourceSelectorRequirement
func validateScopeSelector(s *corev1.ResourceQuotaSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	scopes := sets.New[corev1.ResourceQuotaScope]()
	for _, r := range s.ScopeSelector.MatchExpressions {
		if scopedResources[r.ScopeName] == nil {
			errs = append(errs, field.Invalid(path.Child("scopeName"), r.ScopeName, "unsupported scope"))
		}
		for range misfits(s.Hard, r.ScopeName) {
			errs = append(errs, field.Invalid(path, check.Untagged(s.ScopeSelector), "unsupported scope applied to resource"))
		}
		errs = append(errs, validateScopeOperator(r, path)...)
		scopes.Insert(r.ScopeName)
	}
	return append(errs, validateScopesAtOdds(s, scopes, path)...)
}

func validateScopeOperator(r corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	valued := r.ScopeName == corev1.ResourceQuotaScopePriorityClass || r.ScopeName == corev1.ResourceQuotaScopeVolumeAttributesClass
	if !valued && scopedResources[r.ScopeName] != nil && r.Operator != corev1.ScopeSelectorOpExists {
		errs = append(errs, field.Invalid(path.Child("operator"), r.Operator, "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "+
			"ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"))
	}
	switch r.Operator {
	case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
		if len(r.Values) == 0 {
			errs = append(errs, field.Required(path.Child("values"), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
		}
	case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
		if len(r.Values) != 0 {
			errs = append(errs, field.Invalid(path.Child("values"), r.Values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	return errs
}
