package service

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// serviceMeasure measures Services for quotas: by type, and by node ports.
//
// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/services.go
var serviceMeasure = &kind.Measure{
	Measures: func(name corev1.ResourceName) bool {
		return name == corev1.ResourceServices || name == corev1.ResourceServicesNodePorts || name == corev1.ResourceServicesLoadBalancers
	},
	Usage: func(o object.Object) corev1.ResourceList {
		s := &o.(*corev1.Service).Spec
		usage := corev1.ResourceList{corev1.ResourceServices: kind.One}
		ports := 0
		switch s.Type {
		case corev1.ServiceTypeNodePort:
			ports = len(s.Ports)
		case corev1.ServiceTypeLoadBalancer:
			usage[corev1.ResourceServicesLoadBalancers] = kind.One
			for _, p := range s.Ports {
				if s.AllocateLoadBalancerNodePorts == nil || *s.AllocateLoadBalancerNodePorts || p.NodePort != 0 {
					ports++
				}
			}
		}
		if ports > 0 {
			usage[corev1.ResourceServicesNodePorts] = *resource.NewQuantity(int64(ports), resource.DecimalSI)
		}
		return usage
	},
}
