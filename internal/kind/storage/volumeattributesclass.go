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
var VolumeAttributesClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "VolumeAttributesClass", Plural: "volumeattributesclasses",
		New: func() object.Object { return &storagev1.VolumeAttributesClass{} },
	},
	Singular:   "volumeattributesclass",
	ShortNames: []string{"vac"},
	NewList:    func() runtime.Object { return &storagev1.VolumeAttributesClassList{} },

	Admission: []kind.Plugin{volume.InUseProtection(AttributesProtection)},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "DriverName", Type: "string", Description: storagev1.VolumeAttributesClass{}.SwaggerDoc()["driverName"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*storagev1.VolumeAttributesClass]{
	Default:  func(*storagev1.VolumeAttributesClass) {},
	Validate: validateAttributesClass,
	ValidateUpdate: func(c, was *storagev1.VolumeAttributesClass) field.ErrorList {
		errs := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
		if c.DriverName != was.DriverName {
			errs = append(errs, field.Forbidden(field.NewPath("driverName"), "updates to driverName are forbidden."))
		}
		if !maps.Equal(c.Parameters, was.Parameters) {
			errs = append(errs, field.Forbidden(field.NewPath("parameters"), "updates to parameters are forbidden."))
		}
		return append(errs, validateAttributesClass(c)...)
	},
	Row: func(c *storagev1.VolumeAttributesClass, now time.Time) []any {
		return []any{c.Name, c.DriverName, kind.Age(c.CreationTimestamp, now)}
	},
})

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateVolumeAttributesClass
func validateAttributesClass(c *storagev1.VolumeAttributesClass) field.ErrorList {
	errs := check.Meta(&c.ObjectMeta, false, validation.NameIsDNSSubdomain)
	errs = append(errs, validateProvisioner(c.DriverName, field.NewPath("driverName"))...)
	return append(errs, validateParameters(c.Parameters, false, field.NewPath("parameters"))...)
}
