package limitrange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Kind is core/v1 LimitRange: default requests and limits of Pods in its namespace, and bounds for
// them (see admission.go).
//
// Source: kubernetes v1.36 pkg/registry/core/limitrange/strategy.go
var Kind = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "LimitRange", Plural: "limitranges", Namespaced: true,
		New: func() object.Object { return &corev1.LimitRange{} },
	},
	Singular:   "limitrange",
	ShortNames: []string{"limits"},
	NewList:    func() runtime.Object { return &corev1.LimitRangeList{} },

	Columns:             kind.CreatedColumns,
	Row:                 kind.CreatedRow,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.LimitRange]{
	Default: func(o *corev1.LimitRange) {
		for i := range o.Spec.Limits {
			defaultLimit(&o.Spec.Limits[i])
		}
	},
	PrepareCreate: func(o *corev1.LimitRange) {
		if o.GetName() == "" { // Differs: upstream generates a random name of the same form
			o.SetName(string(o.GetUID()))
		}
	},
	Validate:       validateLimitRange,
	ValidateUpdate: func(next, _ *corev1.LimitRange) field.ErrorList { return validateLimitRange(next) },
})

// defaultLimit sets the defaults for containers, in place: a limit from the maximum, a request from
// the limit or else from the minimum.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem
func defaultLimit(l *corev1.LimitRangeItem) {
	kind.RoundUp(l.Max, l.Min, l.Default, l.DefaultRequest, l.MaxLimitRequestRatio)
	if l.Type != corev1.LimitTypeContainer {
		return
	}
	for name, most := range l.Max {
		l.Default = kind.WithDefault(l.Default, name, most)
	}
	for _, from := range []corev1.ResourceList{l.Default, l.Min} {
		for name, quantity := range from {
			l.DefaultRequest = kind.WithDefault(l.DefaultRequest, name, quantity)
		}
	}
}

var limitTypes = []corev1.LimitType{corev1.LimitTypePod, corev1.LimitTypeContainer, corev1.LimitTypePersistentVolumeClaim}

// validateLimitRange validates each limit, and that there is at most one for each type.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLimitRange
func validateLimitRange(r *corev1.LimitRange) field.ErrorList {
	errs := check.NamespacedMeta(&r.ObjectMeta)
	seen := map[corev1.LimitType]bool{}
	for i := range r.Spec.Limits {
		l, path := &r.Spec.Limits[i], field.NewPath("spec", "limits").Index(i)
		errs = append(errs, validateLimitType(l.Type, path.Child("type"))...)
		if seen[l.Type] {
			errs = append(errs, field.Duplicate(path.Child("type"), l.Type))
		}
		seen[l.Type] = true
		errs = append(errs, validateLimitNames(l, path)...)
		for _, name := range limitedResources(l) {
			errs = append(errs, validateLimit(l, name, path)...)
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateLimitRangeTypeName
func validateLimitType(t corev1.LimitType, path *field.Path) field.ErrorList {
	if errs := check.Invalid(path, t, utilvalidation.IsQualifiedName(string(t))); len(errs) > 0 {
		return errs
	}
	if strings.Contains(string(t), "/") || slices.Contains(limitTypes, t) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, t, "must be a standard limit type or fully qualified")}
}

// validateLimitNames validates the resources and the fields that a limit of this type may have.
func validateLimitNames(l *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	validate := check.ResourceName
	if l.Type == corev1.LimitTypePod || l.Type == corev1.LimitTypeContainer {
		validate = check.ContainerResourceName
	}
	var errs field.ErrorList
	judge := func(child string, list corev1.ResourceList) {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			errs = append(errs, validate(name, path.Child(child).Key(string(name)))...)
		}
	}
	judge("max", l.Max)
	judge("min", l.Min)
	if l.Type == corev1.LimitTypePod {
		const notForPods = "may not be specified when `type` is 'Pod'"
		if len(l.Default) > 0 {
			errs = append(errs, field.Forbidden(path.Child("default"), notForPods))
		}
		if len(l.DefaultRequest) > 0 {
			errs = append(errs, field.Forbidden(path.Child("defaultRequest"), notForPods))
		}
	} else {
		judge("default", l.Default)
		judge("defaultRequest", l.DefaultRequest)
	}
	if l.Type == corev1.LimitTypePersistentVolumeClaim {
		_, least := l.Min[corev1.ResourceStorage]
		_, most := l.Max[corev1.ResourceStorage]
		if !least && !most {
			errs = append(errs, field.Required(path.Child("limits"), "either minimum or maximum storage value is required, but neither was provided"))
		}
	}
	judge("maxLimitRequestRatio", l.MaxLimitRequestRatio)
	return errs
}

// limitedResources returns the resources that a limit names, sorted.
func limitedResources(l *corev1.LimitRangeItem) []corev1.ResourceName {
	names := map[corev1.ResourceName]bool{}
	lists := []corev1.ResourceList{l.Max, l.Min, l.MaxLimitRequestRatio}
	if l.Type != corev1.LimitTypePod {
		lists = append(lists, l.Default, l.DefaultRequest)
	}
	for _, list := range lists {
		for name := range list {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// validateLimit checks that the bounds and defaults of one resource are consistent.
func validateLimit(l *corev1.LimitRangeItem, name corev1.ResourceName, path *field.Path) field.ErrorList {
	least, hasLeast := l.Min[name]
	most, hasMost := l.Max[name]
	limit, hasLimit := l.Default[name]
	request, hasRequest := l.DefaultRequest[name]
	if l.Type == corev1.LimitTypePod {
		hasLimit, hasRequest = false, false
	}
	var errs field.ErrorList
	greater := func(child string, of resource.Quantity, what string, a resource.Quantity, than string, b resource.Quantity) {
		if a.Cmp(b) > 0 {
			errs = append(errs, field.Invalid(path.Child(child).Key(string(name)), of,
				fmt.Sprintf("%s value %s is greater than %s value %s", what, a.String(), than, b.String())))
		}
	}
	if hasLeast && hasMost {
		greater("min", least, "min", least, "max", most)
	}
	if hasRequest && hasLeast {
		greater("defaultRequest", request, "min", least, "default request", request)
	}
	if hasRequest && hasMost {
		greater("defaultRequest", request, "default request", request, "max", most)
	}
	if hasRequest && hasLimit {
		greater("defaultRequest", request, "default request", request, "default limit", limit)
	}
	if hasLimit && hasLeast {
		greater("default", least, "min", least, "default", limit)
	}
	if hasLimit && hasMost {
		greater("default", most, "default", limit, "max", most)
	}
	errs = append(errs, validateRatio(l, name, path)...)
	overcommit := check.IsNativeResource(name) && !check.IsHugePages(name)
	if !overcommit && hasLimit && hasRequest && limit.Cmp(request) != 0 {
		errs = append(errs, field.Invalid(path.Child("defaultRequest").Key(string(name)), request,
			fmt.Sprintf("default value %s must equal to defaultRequest value %s in %s", limit.String(), request.String(), name)))
	}
	return errs
}

// validateRatio validates the ratio of limit to request, which must be possible within the bounds.
func validateRatio(l *corev1.LimitRangeItem, name corev1.ResourceName, path *field.Path) field.ErrorList {
	ratio, ok := l.MaxLimitRequestRatio[name]
	if !ok {
		return nil
	}
	var errs field.ErrorList
	at := path.Child("maxLimitRequestRatio").Key(string(name))
	if ratio.Cmp(resource.MustParse("1")) < 0 {
		errs = append(errs, field.Invalid(at, ratio, fmt.Sprintf("ratio %s is less than 1", ratio.String())))
	}
	least, hasLeast := l.Min[name]
	most, hasMost := l.Max[name]
	if !hasLeast || !hasMost {
		return errs
	}
	asked, low, high := float64(ratio.Value()), least.Value(), most.Value()
	if max(ratio.Value(), low, high) < resource.MaxMilliValue {
		asked, low, high = float64(ratio.MilliValue())/1000, least.MilliValue(), most.MilliValue()
	}
	if possible := float64(high) / float64(low); asked > possible {
		errs = append(errs, field.Invalid(at, ratio, fmt.Sprintf("ratio %s is greater than max/min = %f", ratio.String(), possible)))
	}
	return errs
}
