package resource

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// deviceQuota measures ResourceClaims for quotas: the maximum number of devices of each class. For
// requests with alternatives, the largest counts; "All" counts as the maximum of a claim.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/resource_claims.go, Usage
//
// Differs: devices do not count as extended resources too.
var deviceQuota = &kind.Measure{
	Measures: func(name corev1.ResourceName) bool {
		return strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass)
	},
	Usage: func(o object.Object) corev1.ResourceList {
		counts := map[string]int64{}
		for i := range o.(*resourcev1.ResourceClaim).Spec.Devices.Requests {
			for class, count := range requestedDevices(&o.(*resourcev1.ResourceClaim).Spec.Devices.Requests[i]) {
				counts[class] += count
			}
		}
		usage := make(corev1.ResourceList, len(counts))
		for class, count := range counts {
			usage[corev1.ResourceName(class+corev1.ResourceClaimsPerClass)] = *resource.NewQuantity(count, resource.DecimalSI)
		}
		return usage
	},
}

// requestedDevices returns the maximum number of devices of each class for a request.
func requestedDevices(r *resourcev1.DeviceRequest) map[string]int64 {
	most := map[string]int64{}
	add := func(class string, mode resourcev1.DeviceAllocationMode, count int64) {
		if mode == resourcev1.DeviceAllocationModeAll {
			count = resourcev1.AllocationResultsMaxSize
		}
		most[class] = max(most[class], count)
	}
	for _, sub := range r.FirstAvailable {
		add(sub.DeviceClassName, sub.AllocationMode, sub.Count)
	}
	if e := r.Exactly; e != nil && len(r.FirstAvailable) == 0 {
		add(e.DeviceClassName, e.AllocationMode, e.Count)
	}
	return most
}
