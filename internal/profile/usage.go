package profile

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Usage returns the declared CPU and memory usage of the Pod's container; nil if its profile does
// not state it.
func Usage(pod *corev1.Pod, container string) (cpu, memory *resource.Quantity) {
	if !Has(pod.Annotations) {
		return nil, nil
	}
	named := isNamed(pod, container)
	get := func(name string) *resource.Quantity {
		value, ok := pod.Annotations[Prefix+container+"."+name]
		if !ok && !named {
			value, ok = pod.Annotations[Prefix+name]
		}
		q, err := parseQuantity(value)
		if !ok || err != nil {
			return nil
		}
		return &q
	}
	return get(CPUUsage), get(MemoryUsage)
}
