package storage

import (
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// CSIStorageCapacity is storage.k8s.io/v1 CSIStorageCapacity: a driver's free capacity for volumes
// of a class on some nodes.
//
// Source: kubernetes v1.36 pkg/registry/storage/csistoragecapacity/strategy.go
var CSIStorageCapacity = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "CSIStorageCapacity", Plural: "csistoragecapacities", Namespaced: true,
		New: func() object.Object { return &storagev1.CSIStorageCapacity{} },
	},
	Singular: "csistoragecapacity",
	NewList:  func() runtime.Object { return &storagev1.CSIStorageCapacityList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "StorageClassName", Type: "string", Description: storagev1.CSIStorageCapacity{}.SwaggerDoc()["storageClassName"]},
		{Name: "Capacity", Type: "string", Description: storagev1.CSIStorageCapacity{}.SwaggerDoc()["capacity"]},
	},
}, kind.Functions[*storagev1.CSIStorageCapacity]{
	Default:  func(*storagev1.CSIStorageCapacity) {},
	Validate: validateStorageCapacity,
	ValidateUpdate: func(c, was *storagev1.CSIStorageCapacity) field.ErrorList {
		errs := append(validateStorageCapacity(c), check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)...)
		if !equality.Semantic.DeepEqual(c.NodeTopology, was.NodeTopology) {
			errs = append(errs, field.Invalid(field.NewPath("nodeTopology"), c.NodeTopology, validation.FieldImmutableErrorMsg))
		}
		if c.StorageClassName != was.StorageClassName {
			errs = append(errs, field.Invalid(field.NewPath("storageClassName"), c.StorageClassName, validation.FieldImmutableErrorMsg))
		}
		return errs
	},
	Warnings: func(next, _ *storagev1.CSIStorageCapacity) []string {
		return check.WarnOfNodeSelector(next.NodeTopology, field.NewPath("nodeTopology"))
	},
	Row: func(o *storagev1.CSIStorageCapacity, _ time.Time) []any {
		c, capacity := o, "<unset>"
		if c.Capacity != nil {
			capacity = c.Capacity.String()
		}
		return []any{c.Name, c.StorageClassName, capacity}
	},
})

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateCSIStorageCapacity
func validateStorageCapacity(c *storagev1.CSIStorageCapacity) field.ErrorList {
	errs := check.NamespacedMeta(&c.ObjectMeta)
	errs = append(errs, check.LabelSelector(c.NodeTopology, field.NewPath("nodeTopology"))...)
	errs = append(errs, check.Invalid(field.NewPath("storageClassName"), c.StorageClassName, validation.NameIsDNSSubdomain(c.StorageClassName, false))...)
	if c.Capacity != nil && c.Capacity.Sign() < 0 {
		errs = append(errs, field.Invalid(field.NewPath("capacity"), c.Capacity.String(), validation.IsNegativeErrorMsg))
	}
	return errs
}
