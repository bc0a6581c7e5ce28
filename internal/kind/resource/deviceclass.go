package resource

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

const resourceGroup = "resource.k8s.io"

// DeviceClass is resource.k8s.io/v1 DeviceClass: which devices a request may get, and their
// configuration.
//
// Source: kubernetes v1.36 pkg/registry/resource/deviceclass/strategy.go
var DeviceClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: resourceGroup, Version: "v1", Kind: "DeviceClass", Plural: "deviceclasses",
		New: func() object.Object { return &resourcev1.DeviceClass{} },
	},
	Singular: "deviceclass",
	NewList:  func() runtime.Object { return &resourcev1.DeviceClassList{} },

	Columns:             []metav1.TableColumnDefinition{kind.NameColumn, kind.AgeColumn},
	Row:                 nameAndAge,
	UnconditionalUpdate: true,
}, kind.Functions[*resourcev1.DeviceClass]{
	Default:       func(*resourcev1.DeviceClass) {},
	PrepareCreate: func(o *resourcev1.DeviceClass) { o.SetGeneration(1) },
	PrepareUpdate: func(c, was *resourcev1.DeviceClass) {
		if !equality.Semantic.DeepEqual(c.Spec, was.Spec) {
			c.Generation = was.Generation + 1
		}
	},
	Validate: func(o *resourcev1.DeviceClass) field.ErrorList { return validateDeviceClass(o, nil) },
	ValidateUpdate: func(c, was *resourcev1.DeviceClass) field.ErrorList {
		return append(validateDeviceClass(c, &was.Spec), check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)...)
	},
})

// nameAndAge prints the row of kinds without further columns.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printDeviceClass
func nameAndAge(o object.Object, now time.Time) []any {
	return []any{o.GetName(), kind.Age(o.GetCreationTimestamp(), now)}
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateDeviceClass and validateDeviceClassSpec
func validateDeviceClass(c *resourcev1.DeviceClass, old *resourcev1.DeviceClassSpec) field.ErrorList {
	errs := check.Meta(&c.ObjectMeta, false, validation.NameIsDNSSubdomain)
	spec, path := &c.Spec, field.NewPath("spec")
	if old == nil || !equality.Semantic.DeepEqual(spec.Selectors, old.Selectors) {
		errs = append(errs, validateDeviceSelectors(spec.Selectors, path.Child("selectors"))...)
	}
	stored := old != nil && equality.Semantic.DeepEqual(spec.Config, old.Config)
	errs = append(errs, validateSome(spec.Config, resourcev1.DeviceConfigMaxSize, path.Child("config"),
		func(config *resourcev1.DeviceClassConfiguration, at *field.Path) field.ErrorList {
			return validateDeviceConfiguration(&config.DeviceConfiguration, stored, at)
		})...)
	if name := spec.ExtendedResourceName; name != nil && !check.IsExtendedResource(corev1.ResourceName(*name)) {
		errs = append(errs, field.Invalid(path.Child("extendedResourceName"), *name, "must be a valid extended resource name"))
	}
	return errs
}
