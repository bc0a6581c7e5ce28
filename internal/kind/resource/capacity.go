package resource

import (
	"fmt"
	"regexp"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// attributeValues counts a device's attributes, with each value of a list.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, numEntriesDeviceAttribute
func attributeValues(d *resourcev1.Device) (n int) {
	for _, a := range d.Attributes {
		n += max(1, len(a.BoolValues)+len(a.IntValues)+len(a.StringValues)+len(a.VersionValues))
	}
	return n
}

// validateAttribute checks that an attribute has one value, or one list of values.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceAttribute
func validateAttribute(a resourcev1.DeviceAttribute, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	set := 0
	one := func(has bool) {
		if has {
			set++
		}
	}
	list := func(name string, values any, has bool, length int) {
		one(has)
		if has && length == 0 {
			errs = append(errs, field.Invalid(path.Child(name), values, "must not be empty if specified"))
		}
	}
	one(a.BoolValue != nil)
	one(a.IntValue != nil)
	one(a.StringValue != nil)
	one(a.VersionValue != nil)
	if a.StringValue != nil {
		errs = append(errs, validateAttributeText(*a.StringValue, path.Child("string"))...)
	}
	if a.VersionValue != nil {
		errs = append(errs, validateAttributeVersion(*a.VersionValue, path.Child("version"))...)
	}
	list("bools", a.BoolValues, a.BoolValues != nil, len(a.BoolValues))
	list("ints", a.IntValues, a.IntValues != nil, len(a.IntValues))
	list("strings", a.StringValues, a.StringValues != nil, len(a.StringValues))
	for i, text := range a.StringValues {
		errs = append(errs, validateAttributeText(text, path.Child("strings").Index(i))...)
	}
	list("versions", a.VersionValues, a.VersionValues != nil, len(a.VersionValues))
	for i, version := range a.VersionValues {
		errs = append(errs, validateAttributeVersion(version, path.Child("versions").Index(i))...)
	}
	switch {
	case set == 0:
		errs = append(errs, field.Invalid(path, "", "exactly one value must be specified"))
	case set > 1:
		errs = append(errs, field.Invalid(path, check.Untagged(a), "exactly one value must be specified"))
	}
	return errs
}

func validateAttributeText(text string, path *field.Path) field.ErrorList {
	if len(text) > resourcev1.DeviceAttributeMaxValueLength {
		return field.ErrorList{field.TooLong(path, "", resourcev1.DeviceAttributeMaxValueLength)}
	}
	return nil
}

func validateAttributeVersion(version string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !semanticVersion.MatchString(version) {
		errs = append(errs, field.Invalid(path, version, "must be a string compatible with semver.org spec 2.0.0"))
	}
	return append(errs, validateAttributeText(version, path)...)
}

// validateDeviceCapacity validates how much of a device a request may consume. Only shared devices
// may have such a policy.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateMultiAllocatableDeviceCapacity
func validateDeviceCapacity(c resourcev1.DeviceCapacity, shared bool, path *field.Path) field.ErrorList {
	p := c.RequestPolicy
	if p == nil {
		return nil
	}
	path = path.Child("requestPolicy")
	switch {
	case !shared:
		return field.ErrorList{field.Forbidden(path, "allowMultipleAllocations must be true")}
	case len(p.ValidValues) > 0 && p.ValidRange != nil:
		return field.ErrorList{field.Forbidden(path, `exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time`)}
	case len(p.ValidValues) > 0 && p.Default == nil:
		return field.ErrorList{field.Required(path.Child("default"), "required when validValues is defined")}
	case len(p.ValidValues) > 0:
		return validateCapacityValues(p, c.Value, path.Child("validValues"))
	case p.ValidRange != nil && p.Default == nil:
		return field.ErrorList{field.Required(path.Child("default"), "required when validRange is defined")}
	case p.ValidRange != nil:
		return validateCapacityRange(p, c.Value, path.Child("validRange"))
	}
	return nil
}

// maxCapacityValues is the maximum number of values that a request may choose from.
//
// Source: kubernetes v1.36 pkg/apis/resource/types.go, CapacityRequestPolicyDiscreteMaxOptions
const maxCapacityValues = 10

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateRequestPolicyValidValues
func validateCapacityValues(p *resourcev1.CapacityRequestPolicy, most resource.Quantity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	values := p.ValidValues
	for i := 1; i < len(values); i++ {
		if values[i-1].Cmp(values[i]) > 0 {
			errs = append(errs, field.Invalid(path.Index(i), values[i].String(), "values must be sorted in ascending order"))
		}
	}
	if len(values) > maxCapacityValues {
		return append(errs, field.TooMany(path, len(values), maxCapacityValues),
			field.Invalid(path, p.Default.String(), "default value is not valid according to the requestPolicy"))
	}
	found := false
	for i := range values {
		if values[i].Cmp(most) > 0 {
			errs = append(errs, field.Invalid(path.Index(i), values[i].String(), "option is larger than capacity value: "+most.String()))
		}
		found = found || values[i].Cmp(*p.Default) == 0
	}
	seen := sets.New[int64]()
	for i := range values {
		if seen.Has(values[i].Value()) {
			errs = append(errs, field.Duplicate(path.Index(i), fmt.Sprint(values[i].Value())))
		}
		seen.Insert(values[i].Value())
	}
	if !found {
		errs = append(errs, field.Invalid(path, p.Default.String(), "default value is not valid according to the requestPolicy"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateRequestPolicyRange
//
// Differs: a step of zero or less is rejected; upstream's server crashes with a division by zero.
func validateCapacityRange(p *resourcev1.CapacityRequestPolicy, most resource.Quantity, path *field.Path) field.ErrorList {
	r := p.ValidRange
	if r.Min == nil {
		return field.ErrorList{field.Required(path.Child("min"), "required when validRange is defined")}
	}
	var errs field.ErrorList
	judge := func(bad bool, name string, value *resource.Quantity, text string) {
		if bad {
			errs = append(errs, field.Invalid(path.Child(name), value.String(), text))
		}
	}
	judge(r.Min.Cmp(most) > 0, "min", r.Min, "min is larger than capacity value: "+most.String())
	judge(p.Default.Cmp(*r.Min) < 0, "min", p.Default, "default is less than min: "+r.Min.String())
	if r.Max != nil {
		judge(r.Min.Cmp(*r.Max) > 0, "max", r.Min, "min is larger than max: "+r.Max.String())
		judge(r.Max.Cmp(most) > 0, "max", r.Max, "max is larger than capacity value: "+most.String())
		judge(p.Default.Cmp(*r.Max) > 0, "max", p.Default, "default is more than max: "+r.Max.String())
	}
	if r.Step == nil {
		return errs
	}
	if r.Step.Value() <= 0 {
		return append(errs, field.Invalid(path.Child("step"), r.Step.String(), "must be greater than zero"))
	}
	next := r.Min.DeepCopy()
	next.Add(*r.Step)
	judge(next.Cmp(most) > 0, "step", r.Step, fmt.Sprintf("one step %s is larger than capacity value: %s", next.String(), most.String()))
	stepped := func(value *resource.Quantity) {
		judge((value.Value()-r.Min.Value())%r.Step.Value() != 0, "step", value,
			fmt.Sprintf("value is not a multiple of a given step (%s) from (%s)", r.Step.String(), r.Min.String()))
	}
	stepped(p.Default)
	if r.Max != nil {
		stepped(r.Max)
	}
	return errs
}

// validateAttributeName validates the name of an attribute or capacity, with or without a domain.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateQualifiedName
func validateAttributeName(name string, path *field.Path) field.ErrorList {
	switch parts := strings.Split(name, "/"); len(parts) {
	case 1:
		return validateIdentifier(name, path)
	case 2:
		var errs field.ErrorList
		if parts[0] == "" {
			errs = append(errs, field.Invalid(path, "", "the domain must not be empty"))
		} else {
			errs = append(errs, check.DriverName(parts[0], path)...)
		}
		if parts[1] == "" {
			return append(errs, field.Invalid(path, "", "the name must not be empty"))
		}
		return append(errs, validateIdentifier(parts[1], path)...)
	}
	return nil
}

// semanticVersion matches semantic versions (semver.org 2.0.0).
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, semverRe
var semanticVersion = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`)

func listsAttributes(s *resourcev1.ResourceSliceSpec) bool {
	for i := range s.Devices {
		for _, a := range s.Devices[i].Attributes {
			if a.BoolValues != nil || a.IntValues != nil || a.StringValues != nil || a.VersionValues != nil {
				return true
			}
		}
	}
	return false
}

func validateIdentifier(id string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(id) > resourcev1.DeviceMaxIDLength {
		errs = append(errs, field.TooLong(path, "", resourcev1.DeviceMaxIDLength))
	}
	return append(errs, check.Invalid(path, id, content.IsCIdentifier(id))...)
}
