package resource

import (
	"strings"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/object"
)

// ResourceClaim is resource.k8s.io/v1 ResourceClaim: the devices that Pods request, the allocated
// devices, and the Pods that use them.
//
// Source: kubernetes v1.36 pkg/registry/resource/resourceclaim/strategy.go
//
// Differs: a user who may write the status may write all of it; there are no rights for parts of
// it.
var ResourceClaim = kind.Define(kind.Kind{
	Type: object.Type{
		Group: resourceGroup, Version: "v1", Kind: "ResourceClaim", Plural: "resourceclaims", Namespaced: true,
		New: func() object.Object { return &resourcev1.ResourceClaim{} },
	},
	Singular: "resourceclaim",
	NewList:  func() runtime.Object { return &resourcev1.ResourceClaimList{} },

	Admission: []kind.Plugin{adminAccess(
		func(o object.Object) *resourcev1.ResourceClaimSpec { return &o.(*resourcev1.ResourceClaim).Spec },
		field.NewPath("spec"),
	)},

	Status: kind.Through(kind.Write[*resourcev1.ResourceClaim]{
		Prepare: func(c, was *resourcev1.ResourceClaim) {
			kind.KeepMetadata(&c.ObjectMeta, &was.ObjectMeta)
			c.Spec = *was.Spec.DeepCopy()
			dropFreedDevices(&c.Status, &was.Status)
		},
		Admission: []kind.Plugin{adminAllocation},
		Validate:  validateClaimOfDevicesStatus,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "State", Type: "string", Description: "A summary of the current state (allocated, pending, reserved, etc.)."},
		kind.AgeColumn,
	},
	Quota:               deviceQuota,
	UnconditionalUpdate: true,
}, kind.Functions[*resourcev1.ResourceClaim]{
	Default:       func(o *resourcev1.ResourceClaim) { defaultDeviceRequests(&o.Spec) },
	PrepareCreate: func(o *resourcev1.ResourceClaim) { o.Status = resourcev1.ResourceClaimStatus{} },
	PrepareUpdate: func(next, old *resourcev1.ResourceClaim) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate: func(c *resourcev1.ResourceClaim) field.ErrorList {
		errs := check.Meta(&c.ObjectMeta, true, validation.NameIsDNSSubdomain)
		return append(errs, validateDeviceClaim(&c.Spec.Devices, field.NewPath("spec", "devices"))...)
	},
	ValidateUpdate: func(c, was *resourcev1.ResourceClaim) field.ErrorList {
		errs := check.Meta(&c.ObjectMeta, true, validation.NameIsDNSSubdomain)
		errs = append(errs, check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)...)
		return append(errs, check.Same(c.Spec, was.Spec, field.NewPath("spec"))...)
	},
	Row: func(c *resourcev1.ResourceClaim, now time.Time) []any {
		return []any{c.Name, claimState(c), kind.Age(c.CreationTimestamp, now)}
	},
})

// ResourceClaimTemplate is resource.k8s.io/v1 ResourceClaimTemplate: the template of claims created
// for Pods.
//
// Source: kubernetes v1.36 pkg/registry/resource/resourceclaimtemplate/strategy.go
var ResourceClaimTemplate = kind.Define(kind.Kind{
	Type: object.Type{
		Group: resourceGroup, Version: "v1", Kind: "ResourceClaimTemplate", Plural: "resourceclaimtemplates", Namespaced: true,
		New: func() object.Object { return &resourcev1.ResourceClaimTemplate{} },
	},
	Singular: "resourceclaimtemplate",
	NewList:  func() runtime.Object { return &resourcev1.ResourceClaimTemplateList{} },

	// As upstream, the path is that of a claim.
	Admission: []kind.Plugin{adminAccess(func(o object.Object) *resourcev1.ResourceClaimSpec {
		return &o.(*resourcev1.ResourceClaimTemplate).Spec.Spec
	}, field.NewPath("spec"))},

	Columns:             []metav1.TableColumnDefinition{kind.NameColumn, kind.AgeColumn},
	Row:                 nameAndAge,
	UnconditionalUpdate: true,
}, kind.Functions[*resourcev1.ResourceClaimTemplate]{
	Default:       func(o *resourcev1.ResourceClaimTemplate) { defaultDeviceRequests(&o.Spec.Spec) },
	PrepareCreate: func(*resourcev1.ResourceClaimTemplate) {},
	Validate:      validateClaimTemplate,
	ValidateUpdate: func(t, was *resourcev1.ResourceClaimTemplate) field.ErrorList {
		errs := append(validateClaimTemplate(t), check.MetaUpdate(&t.ObjectMeta, &was.ObjectMeta)...)
		return append(errs, check.Same(t.Spec, was.Spec, field.NewPath("spec"))...)
	},
})

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceClaimTemplate
func validateClaimTemplate(t *resourcev1.ResourceClaimTemplate) field.ErrorList {
	path := field.NewPath("spec")
	meta := path.Child("metadata")
	errs := check.Meta(&t.ObjectMeta, true, validation.NameIsDNSSubdomain)
	errs = append(errs, validation.ValidateAnnotations(t.Spec.Annotations, meta.Child("annotations"))...)
	errs = append(errs, check.Labels(t.Spec.Labels, meta.Child("labels"))...)
	errs = append(errs, volume.ValidateTemplateMeta(&t.Spec.ObjectMeta, meta)...)
	return append(errs, validateDeviceClaim(&t.Spec.Spec.Devices, path.Child("spec", "devices"))...)
}

// defaultDeviceRequests sets the default of one device per request.
//
// Source: kubernetes v1.36 pkg/apis/resource/v1/defaults.go, SetDefaults_ExactDeviceRequest and SetDefaults_DeviceSubRequest
func defaultDeviceRequests(s *resourcev1.ResourceClaimSpec) {
	complete := func(mode *resourcev1.DeviceAllocationMode, count *int64) {
		if *mode == "" {
			*mode = resourcev1.DeviceAllocationModeExactCount
		}
		if *mode == resourcev1.DeviceAllocationModeExactCount && *count == 0 {
			*count = 1
		}
	}
	for i := range s.Devices.Requests {
		r := &s.Devices.Requests[i]
		if r.Exactly != nil {
			complete(&r.Exactly.AllocationMode, &r.Exactly.Count)
		}
		for j := range r.FirstAvailable {
			complete(&r.FirstAvailable[j].AllocationMode, &r.FirstAvailable[j].Count)
		}
	}
}

// claimState prints the state of a claim.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, resourceClaimState
func claimState(c *resourcev1.ResourceClaim) string {
	var states []string
	if c.DeletionTimestamp != nil {
		states = append(states, "deleted")
	}
	switch {
	case c.Status.Allocation == nil && c.DeletionTimestamp == nil:
		states = append(states, "pending")
	case c.Status.Allocation != nil && len(c.Status.ReservedFor) > 0:
		states = append(states, "allocated", "reserved")
	case c.Status.Allocation != nil:
		states = append(states, "allocated")
	}
	return strings.Join(states, ",")
}

// dropFreedDevices removes, in place, the status of devices that are no longer allocated to the
// claim.
//
// Source: kubernetes v1.36 pkg/registry/resource/resourceclaim/strategy.go, dropDeallocatedStatusDevices
func dropFreedDevices(next, old *resourcev1.ResourceClaimStatus) {
	freed := allocatedDevices(old.Allocation)
	for id := range allocatedDevices(next.Allocation) {
		delete(freed, id)
	}
	var kept []resourcev1.AllocatedDeviceStatus
	for _, d := range next.Devices {
		if !freed[statusDevice(&d)] {
			kept = append(kept, d)
		}
	}
	next.Devices = kept
}
