package core

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// byStorageClass separates the name of a storage class from a resource that a quota limits for
// claims of that class.
const byStorageClass = ".storageclass.storage.k8s.io/"

// claimMeasure measures PersistentVolumeClaims for quotas: their number and requested storage, in
// total and by storage class.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/persistent_volume_claims.go
var claimMeasure = &kind.Measure{
	Measures: func(name corev1.ResourceName) bool {
		if i := strings.LastIndex(string(name), byStorageClass); i >= 0 {
			name = name[i+len(byStorageClass):]
		}
		return claimQuotaResources.Has(name)
	},
	Usage: func(o object.Object) corev1.ResourceList { return claimUsage(o.(*corev1.PersistentVolumeClaim)) },
	InScope: func(o object.Object, r corev1.ScopedResourceSelectorRequirement) bool {
		return r.ScopeName == corev1.ResourceQuotaScopeVolumeAttributesClass && claimInScope(o.(*corev1.PersistentVolumeClaim), r)
	},
}

// claimUsage returns the usage of a claim. A claim that is being expanded counts with its allocated
// storage if that exceeds its request.
func claimUsage(c *corev1.PersistentVolumeClaim) corev1.ResourceList {
	usage := corev1.ResourceList{corev1.ResourcePersistentVolumeClaims: kind.One}
	if storage, asks := c.Spec.Resources.Requests[corev1.ResourceStorage]; asks {
		if allocated := c.Status.AllocatedResources[corev1.ResourceStorage]; allocated.Cmp(storage) > 0 {
			storage = allocated
		}
		storage = storage.DeepCopy()
		storage.RoundUp(0)
		usage[corev1.ResourceRequestsStorage] = storage
	}
	if class := ClassOfClaim(c); class != "" {
		for _, name := range []corev1.ResourceName{corev1.ResourcePersistentVolumeClaims, corev1.ResourceRequestsStorage} {
			if quantity, has := usage[name]; has {
				usage[corev1.ResourceName(class+byStorageClass)+name] = quantity
			}
		}
	}
	return usage
}

// claimInScope considers every VolumeAttributesClass that a claim has, had, or requests.
func claimInScope(c *corev1.PersistentVolumeClaim, r corev1.ScopedResourceSelectorRequirement) bool {
	var classes []string
	add := func(class *string) {
		if class != nil && *class != "" {
			classes = append(classes, *class)
		}
	}
	add(c.Spec.VolumeAttributesClassName)
	add(c.Status.CurrentVolumeAttributesClassName)
	if modify := c.Status.ModifyVolumeStatus; modify != nil {
		add(&modify.TargetVolumeAttributesClassName)
	}
	if len(classes) == 0 {
		return kind.OneOf(r, "")
	}
	return slices.ContainsFunc(classes, func(class string) bool { return kind.OneOf(r, class) })
}
