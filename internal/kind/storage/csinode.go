package storage

import (
	"fmt"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// CSINode is storage.k8s.io/v1 CSINode: the volume drivers of a node.
//
// Source: kubernetes v1.36 pkg/registry/storage/csinode/strategy.go
var CSINode = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "CSINode", Plural: "csinodes",
		New: func() object.Object { return &storagev1.CSINode{} },
	},
	Singular: "csinode",
	NewList:  func() runtime.Object { return &storagev1.CSINodeList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Drivers", Type: "integer", Description: "Drivers indicates the number of CSI drivers registered on the node"},
		kind.AgeColumn,
	},
}, kind.Functions[*storagev1.CSINode]{
	Default:  func(*storagev1.CSINode) {},
	Validate: validateCSINode,
	ValidateUpdate: func(n, was *storagev1.CSINode) field.ErrorList {
		errs := validateCSINode(n)
		drivers := map[string]storagev1.CSINodeDriver{}
		for _, d := range n.Spec.Drivers {
			drivers[d.Name] = d
		}
		for _, d := range was.Spec.Drivers { // the limit of volumes of a driver may change
			if is, ok := drivers[d.Name]; ok {
				d.Allocatable, is.Allocatable = nil, nil
				errs = append(errs, check.Same(is, d, field.NewPath("spec", "drivers"))...)
			}
		}
		return errs
	},
	Row: func(n *storagev1.CSINode, now time.Time) []any {
		return []any{n.Name, int64(len(n.Spec.Drivers)), kind.Age(n.CreationTimestamp, now)}
	},
})

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateCSINode
func validateCSINode(n *storagev1.CSINode) field.ErrorList {
	errs := check.Meta(&n.ObjectMeta, false, validation.NameIsDNSSubdomain)
	seen := map[string]bool{}
	for i, d := range n.Spec.Drivers {
		path := field.NewPath("spec", "drivers").Index(i)
		errs = append(errs, check.DriverName(d.Name, path.Child("name"))...)
		errs = append(errs, validateNodeID(d.NodeID, path.Child("nodeID"))...)
		if a := d.Allocatable; a != nil && a.Count != nil && *a.Count < 0 {
			errs = append(errs, field.Invalid(path.Child("allocatable", "count"), int64(*a.Count), validation.IsNegativeErrorMsg))
		}
		if seen[d.Name] {
			errs = append(errs, field.Duplicate(path.Child("name"), d.Name))
		}
		seen[d.Name] = true
		errs = append(errs, validateTopologyKeys(d.TopologyKeys, path)...)
	}
	return errs
}

const maxNodeIDBytes = 256

func validateNodeID(id string, path *field.Path) field.ErrorList {
	switch {
	case id == "":
		return field.ErrorList{field.Required(path, "")}
	case len(id) > maxNodeIDBytes:
		return field.ErrorList{field.Invalid(path, id, fmt.Sprintf("must be %d characters or less", maxNodeIDBytes))}
	}
	return nil
}

func validateTopologyKeys(keys []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for _, key := range keys {
		if key == "" {
			errs = append(errs, field.Required(path, ""))
		}
		if seen[key] {
			errs = append(errs, field.Duplicate(path, key))
		}
		seen[key] = true
		errs = append(errs, check.Invalid(path, key, utilvalidation.IsQualifiedName(key))...)
	}
	return errs
}
