package coordination

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Lease is coordination.k8s.io/v1 Lease, with which operators elect leaders. Coordinated leader
// election is off, as by default upstream, and its fields are dropped.
//
// Source: kubernetes v1.36 pkg/registry/coordination/lease/strategy.go
var Lease = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "coordination.k8s.io", Version: "v1", Kind: "Lease", Plural: "leases", Namespaced: true,
		New: func() object.Object { return &coordinationv1.Lease{} },
	},
	Singular: "lease",
	NewList:  func() runtime.Object { return &coordinationv1.LeaseList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Holder", Type: "string", Description: coordinationv1.LeaseSpec{}.SwaggerDoc()["holderIdentity"]},
		kind.AgeColumn,
	},
	UpdateCreates: true,
}, kind.Functions[*coordinationv1.Lease]{
	Default:       func(*coordinationv1.Lease) {},
	PrepareCreate: dropCoordination,
	PrepareUpdate: func(next, _ *coordinationv1.Lease) { dropCoordination(next) },
	Validate: func(lease *coordinationv1.Lease) field.ErrorList {
		errs := validation.ValidateObjectMeta(&lease.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
		return append(errs, validateLeaseSpec(&lease.Spec)...)
	},
	ValidateUpdate: func(lease, was *coordinationv1.Lease) field.ErrorList {
		return append(validation.ValidateObjectMetaUpdate(&lease.ObjectMeta, &was.ObjectMeta, field.NewPath("metadata")), validateLeaseSpec(&lease.Spec)...)
	},
	Row: func(lease *coordinationv1.Lease, now time.Time) []any {
		holder := ""
		if lease.Spec.HolderIdentity != nil {
			holder = *lease.Spec.HolderIdentity
		}
		return []any{lease.Name, holder, kind.Age(lease.CreationTimestamp, now)}
	},
})

func dropCoordination(lease *coordinationv1.Lease) {
	lease.Spec.Strategy, lease.Spec.PreferredHolder = nil, nil
}

// Source: kubernetes v1.36 pkg/apis/coordination/validation/validation.go, ValidateLeaseSpec
func validateLeaseSpec(spec *coordinationv1.LeaseSpec) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("spec")
	if s := spec.LeaseDurationSeconds; s != nil && *s <= 0 {
		errs = append(errs, field.Invalid(path.Child("leaseDurationSeconds"), *s, "must be greater than 0"))
	}
	if n := spec.LeaseTransitions; n != nil && *n < 0 {
		errs = append(errs, field.Invalid(path.Child("leaseTransitions"), *n, "must be greater than or equal to 0"))
	}
	return errs
}
