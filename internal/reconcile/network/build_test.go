package network

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// service is a Service with the port 8080.
func service(namespace, name, ip string, change func(*corev1.Service)) *corev1.Service {
	s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ServiceSpec{
		ClusterIP: ip, ClusterIPs: []string{ip}, Ports: []corev1.ServicePort{{Name: "http", Port: 8080, Protocol: corev1.ProtocolTCP}},
	}}
	if change != nil {
		change(s)
	}
	return s
}

// sliceOf has ready endpoints of Pods of these names.
func sliceOf(pods ...string) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(80))}}}
	for i, pod := range pods {
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{fmt.Sprintf("10.244.%d.%d", i/250, i%250)}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod},
		})
	}
	return slice
}

// behindServices is what was looked up of a Service.
func behindServices(s *corev1.Service, behind ...*discoveryv1.EndpointSlice) *Outside {
	return &Outside{Services: map[Subject]*corev1.Service{{Address: s.Spec.ClusterIP}: s}, Slices: map[string][]*discoveryv1.EndpointSlice{key(s): behind}}
}
