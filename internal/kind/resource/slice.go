package resource

import (
	"fmt"
	"strings"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// ResourceSlice is resource.k8s.io/v1 ResourceSlice: devices that a driver offers, and the nodes
// that have them.
//
// Source: kubernetes v1.36 pkg/registry/resource/resourceslice/strategy.go
var ResourceSlice = kind.Define(kind.Kind{
	Type: object.Type{
		Group: resourceGroup, Version: "v1", Kind: "ResourceSlice", Plural: "resourceslices",
		New: func() object.Object { return &resourcev1.ResourceSlice{} },
	},
	Singular: "resourceslice",
	NewList:  func() runtime.Object { return &resourcev1.ResourceSliceList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Node", Type: "string", Description: resourcev1.ResourceSliceSpec{}.SwaggerDoc()["nodeName"]},
		{Name: "Driver", Type: "string", Description: resourcev1.ResourceSliceSpec{}.SwaggerDoc()["driver"]},
		{Name: "Pool", Type: "string", Description: resourcev1.ResourcePool{}.SwaggerDoc()["name"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*resourcev1.ResourceSlice]{
	Default: func(*resourcev1.ResourceSlice) {},
	PrepareCreate: func(s *resourcev1.ResourceSlice) {
		s.Generation = 1
		dropGatedDevices(&s.Spec, &resourcev1.ResourceSliceSpec{})
	},
	PrepareUpdate: func(s, was *resourcev1.ResourceSlice) {
		if !equality.Semantic.DeepEqual(s.Spec, was.Spec) {
			s.Generation = was.Generation + 1
		}
		dropGatedDevices(&s.Spec, &was.Spec)
	},
	SetTimes:       setTaintTimes,
	Validate:       validateResourceSlice,
	ValidateUpdate: validateResourceSliceUpdate,
	Warnings: func(next, _ *resourcev1.ResourceSlice) []string {
		driver := next.Spec.Driver
		if driver == strings.ToLower(driver) {
			return nil
		}
		return []string{fmt.Sprintf("spec.driver: driver names should be lowercase; %q contains uppercase characters", driver)}
	},
	Row: func(s *resourcev1.ResourceSlice, now time.Time) []any {
		return []any{s.Name, sliceNode(s), s.Spec.Driver, s.Spec.Pool.Name, kind.Age(s.CreationTimestamp, now)}
	},
	SelectableFields: func(s *resourcev1.ResourceSlice) fields.Set {
		return fields.Set{resourcev1.ResourceSliceSelectorNodeName: sliceNode(s), resourcev1.ResourceSliceSelectorDriver: s.Spec.Driver}
	},
})

// sliceNode returns the single node that has a slice's devices, "" if there is none.
func sliceNode(s *resourcev1.ResourceSlice) string {
	if s.Spec.NodeName == nil {
		return ""
	}
	return *s.Spec.NodeName
}

// setTaintTimes sets missing times of device taints.
//
// Source: kubernetes v1.36 pkg/apis/resource/v1/defaults.go, SetDefaults_DeviceTaint
func setTaintTimes(o *resourcev1.ResourceSlice, now time.Time) {
	devices := o.Spec.Devices
	for i := range devices {
		for j := range devices[i].Taints {
			if t := &devices[i].Taints[j]; t.TimeAdded == nil {
				t.TimeAdded = &metav1.Time{Time: now.Truncate(time.Second)}
			}
		}
	}
}

// dropGatedDevices removes, in place, fields whose feature gates are off by default, unless the old
// slice has them.
//
// Source: kubernetes v1.36 pkg/registry/resource/resourceslice/strategy.go, dropDisabledDRANodeAllocatableResourcesFields and
// dropDisableDRAListTypeAttributesFields
func dropGatedDevices(next, old *resourcev1.ResourceSliceSpec) {
	mapped, listed := mapsNodeResources(old), listsAttributes(old)
	for i := range next.Devices {
		d := &next.Devices[i]
		if !mapped {
			d.NodeAllocatableResourceMappings = nil
		}
		if listed {
			continue
		}
		for name, a := range d.Attributes {
			a.BoolValues, a.IntValues, a.StringValues, a.VersionValues = nil, nil, nil, nil
			d.Attributes[name] = a
		}
	}
}

func mapsNodeResources(s *resourcev1.ResourceSliceSpec) bool {
	for i := range s.Devices {
		if len(s.Devices[i].NodeAllocatableResourceMappings) > 0 {
			return true
		}
	}
	return false
}
