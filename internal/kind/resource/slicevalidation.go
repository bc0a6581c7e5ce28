package resource

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validatePoolName
func validatePoolName(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	if len(name) > resourcev1.PoolNameMaxLength {
		errs = append(errs, field.TooLong(path, "", resourcev1.PoolNameMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		errs = append(errs, check.Invalid(path, part, utilvalidation.IsDNS1123Subdomain(part))...)
	}
	return errs
}

// validateBindingConditions validates the names of the conditions that a device must have before a
// Pod is bound.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceBindingParameters
func validateBindingConditions(good, bad []string, path *field.Path) field.ErrorList {
	label := func(name *string, at *field.Path) field.ErrorList {
		return metav1validation.ValidateLabelName(*name, at)
	}
	goodPath, badPath := path.Child("bindingConditions"), path.Child("bindingFailureConditions")
	errs := validateSome(good, resourcev1.BindingConditionsMaxSize, goodPath, label)
	errs = append(errs, validateSome(bad, resourcev1.BindingFailureConditionsMaxSize, badPath, label)...)
	goods, bads := sets.New[string](), sets.New[string]()
	for i, name := range good {
		if goods.Has(name) {
			errs = append(errs, field.Duplicate(goodPath.Index(i), name))
		}
		goods.Insert(name)
	}
	for i, name := range bad {
		if bads.Has(name) {
			errs = append(errs, field.Duplicate(badPath.Index(i), name))
		}
		bads.Insert(name)
		if goods.Has(name) {
			errs = append(errs, field.Invalid(badPath.Index(i), name, "bindingFailureConditions must not overlap with bindingConditions"))
		}
	}
	if len(good) == 0 && len(bad) > 0 {
		errs = append(errs, field.Invalid(goodPath, good, "bindingConditions are required to use bindingFailureConditions"))
	}
	if len(bad) == 0 && len(good) > 0 {
		errs = append(errs, field.Invalid(badPath, bad, "bindingFailureConditions are required to use bindingConditions"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceSlice
func validateResourceSlice(s *resourcev1.ResourceSlice) field.ErrorList {
	return append(check.Meta(&s.ObjectMeta, false, validation.NameIsDNSSubdomain), validateSliceSpec(&s.Spec, nil)...)
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceSliceUpdate
func validateResourceSliceUpdate(s, was *resourcev1.ResourceSlice) field.ErrorList {
	return append(check.MetaUpdate(&s.ObjectMeta, &was.ObjectMeta), validateSliceSpec(&s.Spec, &was.Spec)...)
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateResourceSliceSpec
func validateSliceSpec(s, old *resourcev1.ResourceSliceSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := check.DriverName(s.Driver, path.Child("driver"))
	errs = append(errs, validatePool(&s.Pool, path.Child("pool"))...)
	if old != nil {
		errs = append(errs, validation.ValidateImmutableField(s.Pool.Name, old.Pool.Name, path.Child("pool", "name"))...)
		errs = append(errs, validation.ValidateImmutableField(s.Driver, old.Driver, path.Child("driver"))...)
		errs = append(errs, validation.ValidateImmutableField(s.NodeName, old.NodeName, path.Child("nodeName"))...)
	}
	errs = append(errs, validateSliceNodes(s, path)...)
	if s.SharedCounters != nil && s.Devices != nil {
		errs = append(errs, field.Invalid(path, "", "only one of `sharedCounters` or `devices` is allowed"))
	}
	most := resourcev1.ResourceSliceMaxDevices
	if advanced(s) {
		most = resourcev1.ResourceSliceMaxDevicesWithAdvancedFeatures
	}
	errs = append(errs, validateDistinct(s.Devices, most, func(d *resourcev1.Device) string { return d.Name }, path.Child("devices"),
		func(d *resourcev1.Device, at *field.Path) field.ErrorList {
			return validateDevice(d, deviceNamed(old, d.Name), kind.IsTrue(s.PerDeviceNodeSelection), at)
		})...)
	return append(errs, validateDistinct(s.SharedCounters, resourcev1.ResourceSliceMaxCounterSets, func(c *resourcev1.CounterSet) string { return c.Name },
		path.Child("sharedCounters"), func(c *resourcev1.CounterSet, at *field.Path) field.ErrorList {
			return validateCounters(c.Name, c.Counters, resourcev1.ResourceSliceMaxCountersPerCounterSet, at.Child("name"), at.Child("counters"))
		})...)
}

// advanced reports whether a slice uses features that make its devices costly to allocate.
func advanced(s *resourcev1.ResourceSliceSpec) bool {
	return listsAttributes(s) || slices.ContainsFunc(s.Devices, func(d resourcev1.Device) bool { return len(d.Taints) > 0 || len(d.ConsumesCounters) > 0 })
}

func deviceNamed(s *resourcev1.ResourceSliceSpec, name string) *resourcev1.Device {
	if s != nil {
		for i := range s.Devices {
			if s.Devices[i].Name == name {
				return &s.Devices[i]
			}
		}
	}
	return nil
}

func validatePool(p *resourcev1.ResourcePool, path *field.Path) field.ErrorList {
	errs := validatePoolName(p.Name, path.Child("name"))
	if p.ResourceSliceCount <= 0 {
		errs = append(errs, field.Invalid(path.Child("resourceSliceCount"), p.ResourceSliceCount, "must be greater than zero"))
	}
	if p.Generation < 0 {
		errs = append(errs, field.Invalid(path.Child("generation"), p.Generation, "must be greater than or equal to zero"))
	}
	return errs
}

// validateRequiredNodes validates a node selector, which must have terms.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeSelector
func validateRequiredNodes(s *corev1.NodeSelector, path *field.Path) field.ErrorList {
	path = path.Child("nodeSelectorTerms")
	if len(s.NodeSelectorTerms) == 0 {
		return field.ErrorList{field.Required(path, "must have at least one node selector term")}
	}
	var errs field.ErrorList
	for i := range s.NodeSelectorTerms {
		errs = append(errs, check.NodeSelectorTerm(&s.NodeSelectorTerms[i], true, path.Index(i))...)
	}
	return errs
}

// validateSliceNodes validates which nodes have a slice's devices.
func validateSliceNodes(s *resourcev1.ResourceSliceSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	var set []string
	if s.NodeName != nil {
		if at := path.Child("nodeName"); *s.NodeName == "" {
			errs = append(errs, field.Invalid(at, *s.NodeName, "must be either unset or set to a non-empty string"))
		} else {
			set = append(set, "`nodeName`")
			errs = append(errs, check.Invalid(at, *s.NodeName, validation.NameIsDNSSubdomain(*s.NodeName, false))...)
		}
	}
	if s.NodeSelector != nil {
		set = append(set, "`nodeSelector`")
		at := path.Child("nodeSelector")
		errs = append(errs, validateRequiredNodes(s.NodeSelector, at)...)
		if terms := s.NodeSelector.NodeSelectorTerms; len(terms) != 1 {
			errs = append(errs, field.Invalid(at.Child("nodeSelectorTerms"), check.Untagged(terms), "must have exactly one node selector term"))
		}
	}
	onlyTrue := func(name string, value *bool) {
		switch {
		case kind.IsTrue(value):
			set = append(set, "`"+name+"`")
		case value != nil:
			errs = append(errs, field.Invalid(path.Child(name), *value, "must be either unset or set to true"))
		}
	}
	onlyTrue("allNodes", s.AllNodes)
	onlyTrue("perDeviceNodeSelection", s.PerDeviceNodeSelection)
	const one = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
	switch {
	case len(set) == 0:
		errs = append(errs, field.Required(path, one))
	case len(set) > 1:
		errs = append(errs, field.Invalid(path, fmt.Sprintf("{%s}", strings.Join(set, ", ")), one+", but multiple fields are set"))
	}
	return errs
}

// validateCounters validates a set of counters.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateCounterSet and validateDeviceCounterConsumption
func validateCounters(set string, counters map[string]resourcev1.Counter, most int, setPath, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if set == "" {
		errs = append(errs, field.Required(setPath, ""))
	} else {
		errs = append(errs, check.DNSLabel(set, setPath)...)
	}
	switch {
	case len(counters) == 0:
		errs = append(errs, field.Required(path, ""))
	case len(counters) > most:
		errs = append(errs, field.TooMany(path, len(counters), most))
	default:
		for _, name := range slices.Sorted(maps.Keys(counters)) {
			errs = append(errs, check.DNSLabel(name, path)...)
		}
	}
	return errs
}

// validateDevice validates a device; old is the old device with this name, or nil.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDevice
func validateDevice(d, old *resourcev1.Device, byDevice bool, path *field.Path) field.ErrorList {
	errs := check.DNSLabel(d.Name, path.Child("name"))
	if n := len(d.Attributes) + len(d.Capacity); n > resourcev1.ResourceSliceMaxAttributesAndCapacitiesPerDevice {
		errs = append(errs, field.Invalid(path, n, fmt.Sprintf("the total number of attributes and capacities must not exceed %d",
			resourcev1.ResourceSliceMaxAttributesAndCapacitiesPerDevice)))
	}
	if n := attributeValues(d); n > resourcev1.ResourceSliceMaxAttributeValuesPerDevice {
		errs = append(errs, field.Invalid(path, n, fmt.Sprintf("the total number of attribute values must not exceed %d",
			resourcev1.ResourceSliceMaxAttributeValuesPerDevice)))
	}
	at := path.Child("attributes")
	for _, name := range slices.Sorted(maps.Keys(d.Attributes)) {
		errs = append(errs, validateAttributeName(string(name), at)...)
		errs = append(errs, validateAttribute(d.Attributes[name], at.Key(shortKey(string(name))))...)
	}
	at = path.Child("capacity")
	for _, name := range slices.Sorted(maps.Keys(d.Capacity)) {
		errs = append(errs, validateAttributeName(string(name), at)...)
		errs = append(errs, validateDeviceCapacity(d.Capacity[name], kind.IsTrue(d.AllowMultipleAllocations), at.Key(shortKey(string(name))))...)
	}
	if old == nil || !equality.Semantic.DeepEqual(old.Taints, d.Taints) {
		errs = append(errs, validateSome(d.Taints, resourcev1.DeviceTaintsMaxLength, path.Child("taints"), validateDeviceTaint)...)
	}
	errs = append(errs, validateDistinct(d.ConsumesCounters, resourcev1.ResourceSliceMaxDeviceCounterConsumptionsPerDevice,
		func(c *resourcev1.DeviceCounterConsumption) string { return c.CounterSet }, path.Child("consumesCounters"),
		func(c *resourcev1.DeviceCounterConsumption, at *field.Path) field.ErrorList {
			return validateCounters(c.CounterSet, c.Counters, resourcev1.ResourceSliceMaxCountersPerDeviceCounterConsumption,
				at.Child("counterSet"), at.Child("counters"))
		})...)
	errs = append(errs, validateDeviceNodes(d, byDevice, path)...)
	errs = append(errs, validateBindingConditions(d.BindingConditions, d.BindingFailureConditions, path)...)
	return append(errs, validateNodeMappings(d, path.Child("nodeAllocatableResourceMappings"))...)
}

// validateDeviceNodes validates the nodes of a device, if each device has its own.
func validateDeviceNodes(d *resourcev1.Device, byDevice bool, path *field.Path) field.ErrorList {
	if !byDevice {
		if d.NodeName != nil || d.NodeSelector != nil || d.AllNodes != nil {
			return field.ErrorList{field.Invalid(path, nil,
				"`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec")}
		}
		return nil
	}
	var errs field.ErrorList
	var set []string
	if d.NodeName != nil {
		if at := path.Child("nodeName"); *d.NodeName == "" {
			errs = append(errs, field.Invalid(at, *d.NodeName, "must not be empty"))
		} else {
			set = append(set, "`nodeName`")
			errs = append(errs, check.Invalid(at, *d.NodeName, validation.NameIsDNSSubdomain(*d.NodeName, false))...)
		}
	}
	if d.NodeSelector != nil {
		set = append(set, "`nodeSelector`")
		errs = append(errs, validateRequiredNodes(d.NodeSelector, path.Child("nodeSelector"))...)
	}
	switch {
	case kind.IsTrue(d.AllNodes):
		set = append(set, "`allNodes`")
	case d.AllNodes != nil:
		errs = append(errs, field.Invalid(path.Child("allNodes"), *d.AllNodes, "must be either unset or set to true"))
	}
	const one = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
	switch {
	case len(set) == 0:
		errs = append(errs, field.Required(path, one))
	case len(set) > 1:
		errs = append(errs, field.Invalid(path, fmt.Sprintf("{%s}", strings.Join(set, ", ")), one))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateNodeAllocatableResourceMappings
func validateNodeMappings(d *resourcev1.Device, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(d.NodeAllocatableResourceMappings)) {
		m, at := d.NodeAllocatableResourceMappings[name], path.Key(string(name))
		if !check.IsNativeResource(name) {
			errs = append(errs, field.Invalid(at, name, "must be a node allocatable resource name"))
		}
		if m.AllocationMultiplier == nil && m.CapacityKey == nil {
			errs = append(errs, field.Invalid(at, "", "at least one of allocationMultiplier or capacityKey must be set"))
		}
		if by := m.AllocationMultiplier; by != nil && by.Sign() <= 0 {
			errs = append(errs, field.Invalid(at.Child("allocationMultiplier"), by.String(), "must be positive"))
		}
		if key := m.CapacityKey; key != nil {
			if _, has := d.Capacity[*key]; *key == "" {
				errs = append(errs, field.Invalid(at.Child("capacityKey"), "", "capacityKey must not be an empty string"))
			} else if !has {
				errs = append(errs, field.NotFound(at.Child("capacityKey"), *key))
			}
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceTaint
func validateDeviceTaint(t *resourcev1.DeviceTaint, path *field.Path) field.ErrorList {
	errs := metav1validation.ValidateLabelName(t.Key, path.Child("key"))
	if t.Value != "" {
		errs = append(errs, check.Invalid(path.Child("value"), t.Value, utilvalidation.IsValidLabelValue(t.Value))...)
	}
	return append(errs, check.RequiredEnum(t.Effect, deviceTaintEffects, path.Child("effect"))...)
}

// shortKey shortens a name that is too long for a path in the middle.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, truncateIfTooLong
func shortKey(name string) string {
	const most, dots = resourcev1.DeviceMaxDomainLength + 1 + resourcev1.DeviceMaxIDLength, "..."
	if len(name) <= most {
		return name
	}
	rest := most - len(dots)
	return name[:(rest+1)/2] + dots + name[len(name)-rest/2:]
}
