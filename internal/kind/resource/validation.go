package resource

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateSome validates each item of a list, unless there are too many.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateSlice
func validateSome[T any](items []T, most int, path *field.Path, judge func(*T, *field.Path) field.ErrorList) field.ErrorList {
	if len(items) > most {
		return field.ErrorList{field.TooMany(path, len(items), most)}
	}
	var errs field.ErrorList
	for i := range items {
		errs = append(errs, judge(&items[i], path.Index(i))...)
	}
	return errs
}

// validateDistinct validates each item of a list like validateSome, and that no two have the same
// key.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateSet
func validateDistinct[T any, K comparable](items []T, most int, key func(*T) K, path *field.Path, judge func(*T, *field.Path) field.ErrorList) field.ErrorList {
	errs := validateSome(items, most, path, judge)
	if len(items) > most {
		return errs
	}
	seen := make(sets.Set[K], len(items))
	for i := range items {
		k := key(&items[i])
		if seen.Has(k) {
			errs = append(errs, field.Duplicate(path.Index(i), k))
		}
		seen.Insert(k)
	}
	return errs
}

func itself(s *string) string { return *s }

// requestNames holds the names of a claim's requests, each with those of its alternatives.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, gatherRequestNames
type requestNames map[string]sets.Set[string]

func namesOfRequests(c *resourcev1.DeviceClaim) requestNames {
	names := make(requestNames, len(c.Requests))
	for i := range c.Requests {
		subs := sets.New[string]()
		for _, sub := range c.Requests[i].FirstAvailable {
			subs.Insert(sub.Name)
		}
		names[c.Requests[i].Name] = subs
	}
	return names
}

const requestReference = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

// validate validates a reference to a request.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateRequestNameRef
func (n requestNames) validate(name *string, path *field.Path) field.ErrorList {
	segments := strings.Split(*name, "/")
	if len(segments) > 2 {
		return field.ErrorList{field.Invalid(path, *name, requestReference)}
	}
	var errs field.ErrorList
	for _, s := range segments {
		errs = append(errs, check.DNSLabel(s, path)...)
	}
	if subs, has := n[segments[0]]; !has || len(segments) == 2 && !subs.Has(segments[1]) {
		errs = append(errs, field.Invalid(path, *name, requestReference))
	}
	return errs
}

// validateReferences validates references to requests.
func (n requestNames) validateReferences(names []string, path *field.Path) field.ErrorList {
	return validateDistinct(names, resourcev1.DeviceRequestsMaxSize, itself, path, n.validate)
}

// validateDeviceClaim validates the devices that a claim requests.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceClaim
func validateDeviceClaim(c *resourcev1.DeviceClaim, path *field.Path) field.ErrorList {
	names := namesOfRequests(c)
	errs := validateDistinct(c.Requests, resourcev1.DeviceRequestsMaxSize, func(r *resourcev1.DeviceRequest) string { return r.Name },
		path.Child("requests"), validateDeviceRequest)
	errs = append(errs, validateSome(c.Constraints, resourcev1.DeviceConstraintsMaxSize, path.Child("constraints"),
		func(c *resourcev1.DeviceConstraint, at *field.Path) field.ErrorList {
			errs := names.validateReferences(c.Requests, at.Child("requests"))
			switch {
			case c.MatchAttribute != nil:
				errs = append(errs, validateFullName(string(*c.MatchAttribute), at.Child("matchAttribute"))...)
			case c.DistinctAttribute != nil:
				errs = append(errs, validateFullName(string(*c.DistinctAttribute), at.Child("distinctAttribute"))...)
			default:
				errs = append(errs, field.Required(at, `exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`))
			}
			return errs
		})...)
	return append(errs, validateSome(c.Config, resourcev1.DeviceConfigMaxSize, path.Child("config"),
		func(c *resourcev1.DeviceClaimConfiguration, at *field.Path) field.ErrorList {
			return append(names.validateReferences(c.Requests, at.Child("requests")), validateDeviceConfiguration(&c.DeviceConfiguration, false, at)...)
		})...)
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceRequest and validateExactDeviceRequest
func validateDeviceRequest(r *resourcev1.DeviceRequest, path *field.Path) field.ErrorList {
	errs := check.DNSLabel(r.Name, path.Child("name"))
	switch e, alternatives := r.Exactly, len(r.FirstAvailable) > 0; {
	case e == nil && !alternatives:
		errs = append(errs, field.Required(path, "exactly one of `exactly` or `firstAvailable` is required"))
	case e != nil && alternatives:
		errs = append(errs, field.Invalid(path, nil, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"))
	case alternatives:
		errs = append(errs, validateDistinct(r.FirstAvailable, resourcev1.FirstAvailableDeviceRequestMaxSize,
			func(s *resourcev1.DeviceSubRequest) string { return s.Name }, path.Child("firstAvailable"), validateSubRequest)...)
	default:
		at := path.Child("exactly")
		errs = append(errs, validateClassName(e.DeviceClassName, at.Child("deviceClassName"))...)
		errs = append(errs, validateDeviceSelectors(e.Selectors, at.Child("selectors"))...)
		errs = append(errs, validateAllocationMode(e.AllocationMode, e.Count, at)...)
		errs = append(errs, validateDeviceTolerations(e.Tolerations, at.Child("tolerations"))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceSubRequest
func validateSubRequest(s *resourcev1.DeviceSubRequest, path *field.Path) field.ErrorList {
	errs := check.DNSLabel(s.Name, path.Child("name"))
	errs = append(errs, validateClassName(s.DeviceClassName, path.Child("deviceClassName"))...)
	errs = append(errs, validateDeviceSelectors(s.Selectors, path.Child("selectors"))...)
	errs = append(errs, validateAllocationMode(s.AllocationMode, s.Count, path)...)
	return append(errs, validateDeviceTolerations(s.Tolerations, path.Child("tolerations"))...)
}

func validateClassName(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return check.Invalid(path, name, utilvalidation.IsDNS1123Subdomain(name))
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceAllocationMode
func validateAllocationMode(mode resourcev1.DeviceAllocationMode, count int64, path *field.Path) field.ErrorList {
	switch {
	case mode == resourcev1.DeviceAllocationModeAll && count != 0:
		return field.ErrorList{field.Invalid(path.Child("count"), count, fmt.Sprintf("must not be specified when allocationMode is '%s'", mode))}
	case mode == resourcev1.DeviceAllocationModeExactCount && count <= 0:
		return field.ErrorList{field.Invalid(path.Child("count"), count, "must be greater than zero")}
	}
	modes := []resourcev1.DeviceAllocationMode{resourcev1.DeviceAllocationModeAll, resourcev1.DeviceAllocationModeExactCount}
	return check.Enum(mode, modes, path.Child("allocationMode"))
}

// validateDeviceSelectors validates the expressions that select devices.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateSelector and validateCELSelector
func validateDeviceSelectors(selectors []resourcev1.DeviceSelector, path *field.Path) field.ErrorList {
	return validateSome(selectors, resourcev1.DeviceSelectorsMaxSize, path, func(s *resourcev1.DeviceSelector, at *field.Path) field.ErrorList {
		if at = at.Child("cel"); s.CEL == nil {
			return field.ErrorList{field.Required(at, "")}
		}
		at = at.Child("expression")
		if len(s.CEL.Expression) > resourcev1.CELSelectorExpressionMaxLength {
			return field.ErrorList{field.TooLong(at, "", resourcev1.CELSelectorExpressionMaxLength)}
		}
		err := device.CheckSelector(s.CEL.Expression)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, device.ErrCost):
			return field.ErrorList{field.Forbidden(at, err.Error())}
		case errors.Is(err, device.ErrSelector):
			return field.ErrorList{field.Invalid(at, s.CEL.Expression, err.Error())}
		}
		return field.ErrorList{field.InternalError(at, err)}
	})
}

// validateDeviceConfiguration validates parameters for a driver. Stored parameters may be larger
// than new ones.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceConfiguration
func validateDeviceConfiguration(c *resourcev1.DeviceConfiguration, stored bool, path *field.Path) field.ErrorList {
	path = path.Child("opaque")
	if c.Opaque == nil {
		return field.ErrorList{field.Required(path, "")}
	}
	most := resourcev1.OpaqueParametersMaxLength
	if stored {
		most = len(c.Opaque.Parameters.Raw)
	}
	return append(check.DriverName(c.Opaque.Driver, path.Child("driver")), validateRawObject(c.Opaque.Parameters.Raw, most, path.Child("parameters"))...)
}

// validateRawObject checks that bytes are a JSON object.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateRawExtension
func validateRawObject(raw []byte, most int, path *field.Path) field.ErrorList {
	if len(raw) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	if len(raw) > most {
		return field.ErrorList{field.TooLong(path, "", most)}
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return field.ErrorList{field.Invalid(path, "<value omitted>", fmt.Sprintf("error parsing data as JSON: %v", err))}
	}
	if value == nil {
		return field.ErrorList{field.Required(path, "")}
	}
	if _, is := value.(map[string]any); !is {
		return field.ErrorList{field.Invalid(path, "<value omitted>", "must be a valid JSON object")}
	}
	return nil
}

var (
	deviceTolerationOperators = []resourcev1.DeviceTolerationOperator{resourcev1.DeviceTolerationOpEqual, resourcev1.DeviceTolerationOpExists}
	deviceTaintEffects        = []resourcev1.DeviceTaintEffect{
		resourcev1.DeviceTaintEffectNoExecute, resourcev1.DeviceTaintEffectNoSchedule, resourcev1.DeviceTaintEffectNone,
	}
)

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceToleration
func validateDeviceTolerations(tolerations []resourcev1.DeviceToleration, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, t := range tolerations {
		at := path.Index(i)
		if t.Key != "" {
			errs = append(errs, metav1validation.ValidateLabelName(t.Key, at.Child("key"))...)
		}
		switch t.Operator {
		case "":
			errs = append(errs, field.Required(at.Child("operator"), ""))
		case resourcev1.DeviceTolerationOpExists:
			if t.Value != "" {
				errs = append(errs, field.Invalid(at.Child("value"), t.Value, "must be empty for operator `Exists`"))
			}
		case resourcev1.DeviceTolerationOpEqual:
			errs = append(errs, check.Invalid(at.Child("value"), t.Value, utilvalidation.IsValidLabelValue(t.Value))...)
		default:
			errs = append(errs, field.NotSupported(at.Child("operator"), t.Operator, deviceTolerationOperators))
		}
		if t.Effect != "" {
			errs = append(errs, check.Enum(t.Effect, deviceTaintEffects, at.Child("effect"))...)
		}
	}
	return errs
}

// validateFullName validates the name of an attribute, which must have a domain.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateFullyQualifiedName
func validateFullName(name string, path *field.Path) field.ErrorList {
	errs := validateAttributeName(name, path)
	if !strings.Contains(name, "/") {
		errs = append(errs, field.Invalid(path, name, "a fully qualified name must be a domain and a name separated by a slash"))
	}
	return errs
}
