package storage

import (
	"maps"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/object"
)

// AttributesProtection is the finalizer that keeps a VolumeAttributesClass while claims or volumes
// use it.
const AttributesProtection = "kubernetes.io/vac-protection"

// VolumeAttributesClass is storage.k8s.io/v1 VolumeAttributesClass: attributes of a volume that can
// change while it is in use.
//
// Source: kubernetes v1.36 pkg/registry/storage/volumeattributesclass/strategy.go
var VolumeAttributesClass = &kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "VolumeAttributesClass", Plural: "volumeattributesclasses",
		New: func() object.Object { return &storagev1.VolumeAttributesClass{} },
	},
	Singular:   "volumeattributesclass",
	ShortNames: []string{"vac"},
	NewList:    func() runtime.Object { return &storagev1.VolumeAttributesClassList{} },

	Default:   func(object.Object) {},
	Admission: []kind.Plugin{volume.InUseProtection(AttributesProtection)},
	Validate: func(o object.Object) field.ErrorList {
		return validateAttributesClass(o.(*storagev1.VolumeAttributesClass))
	},
	ValidateUpdate: func(next, old object.Object) field.ErrorList {
		c, was := next.(*storagev1.VolumeAttributesClass), old.(*storagev1.VolumeAttributesClass)
		errs := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
		if c.DriverName != was.DriverName {
			errs = append(errs, field.Forbidden(field.NewPath("driverName"), "updates to driverName are forbidden."))
		}
		if !maps.Equal(c.Parameters, was.Parameters) {
			errs = append(errs, field.Forbidden(field.NewPath("parameters"), "updates to parameters are forbidden."))
		}
		return append(errs, validateAttributesClass(c)...)
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "DriverName", Type: "string", Description: storagev1.VolumeAttributesClass{}.SwaggerDoc()["driverName"]},
		kind.AgeColumn,
	},
	Row: func(o object.Object, now time.Time) []any {
		c := o.(*storagev1.VolumeAttributesClass)
		return []any{c.Name, c.DriverName, kind.Age(c.CreationTimestamp, now)}
	},
	UnconditionalUpdate: true,
}

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateVolumeAttributesClass
func validateAttributesClass(c *storagev1.VolumeAttributesClass) field.ErrorList {
	errs := check.Meta(&c.ObjectMeta, false, validation.NameIsDNSSubdomain)
	errs = append(errs, validateProvisioner(c.DriverName, field.NewPath("driverName"))...)
	return append(errs, validateParameters(c.Parameters, false, field.NewPath("parameters"))...)
}
