package profile

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Usage is how much CPU and memory the Pod's container is said to use; nil where its profile says nothing.
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
