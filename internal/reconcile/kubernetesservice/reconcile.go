// Package kubernetesservice maintains the Service at which Pods reach the API, default/kubernetes,
// with its Endpoints and its EndpointSlice, and the ServiceCIDR of its address. If they are
// deleted, for example by `kubectl delete all --all`, they are created again.
//
// The Namespace "default" must be synced when it is created, when one of the four is removed, and
// when another writer changes the endpoints.
//
// Source: kubernetes v1.36 pkg/controlplane/controller/kubernetesservice/controller.go;
// pkg/controlplane/reconcilers/instancecount.go, ReconcileEndpoints, and endpointsadapter.go;
// pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go, sync
// Differs: a missing object is created again as soon as it is removed, not by a pass every ten
// seconds. A Service that was only changed stays as it is.
// Differs: one address in the Pods' network stands for all replicas. Pods reach nothing outside
// that network, so the addresses at which replicas listen, loopback by default, would be useless to
// them.
package kubernetesservice

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/servicecidr"
)

const (
	// Name is the name of the Service in the namespace "default", of its Endpoints and of its
	// EndpointSlice.
	Name = "kubernetes"
	// serviceAddress is the first address in the range of Services, which is reserved for this one.
	serviceAddress = "10.96.0.1"
	portName       = "https"
)

// Snapshot is a Namespace, and the objects with the Service's name in it. Reconcile does not modify
// it.
type Snapshot struct {
	Namespace *corev1.Namespace
	Exists    bool // whether the Service exists
	Endpoints *corev1.Endpoints
	Slice     *discoveryv1.EndpointSlice
	// ServiceCIDR is true if the default one exists.
	ServiceCIDR bool
	Now         time.Time
}

// Reconcile creates missing objects in the namespace "default", and corrects the endpoints.
func Reconcile(s Snapshot) (p plan.Plan) {
	if s.Namespace.Name != metav1.NamespaceDefault || s.Namespace.DeletionTimestamp != nil {
		return p
	}
	if !s.ServiceCIDR {
		p.Creates = append(p.Creates, plan.Create{Object: servicecidr.NewReady(service.DefaultCIDRName, service.DefaultCIDR, s.Now)})
	}
	if !s.Exists {
		p.Creates = append(p.Creates, plan.Create{Object: Service()})
	}
	want := Endpoints()
	switch e := s.Endpoints; {
	case e == nil:
		p.Creates = append(p.Creates, plan.Create{Object: want})
	case e.DeletionTimestamp == nil && (e.Labels[discoveryv1.LabelSkipMirror] != "true" || !equality.Semantic.DeepEqual(e.Subsets, want.Subsets)):
		next := e.DeepCopy()
		metav1.SetMetaDataLabel(&next.ObjectMeta, discoveryv1.LabelSkipMirror, "true")
		next.Subsets = want.Subsets
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
	reconcileSlice(&p, s.Slice)
	return p
}

func reconcileSlice(p *plan.Plan, slice *discoveryv1.EndpointSlice) {
	want := EndpointSlice()
	switch {
	case slice == nil:
		p.Creates = append(p.Creates, plan.Create{Object: want})
	case slice.DeletionTimestamp != nil:
	case slice.AddressType != want.AddressType: // it is immutable; the deletion causes another sync
		p.Deletes = append(p.Deletes, plan.Delete{Object: slice})
	case !equality.Semantic.DeepEqual(slice.Labels, want.Labels) || !equality.Semantic.DeepEqual(slice.Endpoints, want.Endpoints) ||
		!equality.Semantic.DeepEqual(slice.Ports, want.Ports):
		next := slice.DeepCopy()
		next.Labels, next.Endpoints, next.Ports = want.Labels, want.Endpoints, want.Ports
		next.Generation++
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
}

// Service is the Service of the API before defaulting; each call makes a new one.
func Service() *corev1.Service {
	policy := corev1.IPFamilyPolicySingleStack
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceDefault, Name: Name,
			Labels: map[string]string{"component": "apiserver", "provider": "kubernetes"},
		},
		Spec: corev1.ServiceSpec{
			Ports:     []corev1.ServicePort{{Name: portName, Protocol: corev1.ProtocolTCP, Port: 443, TargetPort: intstr.FromInt32(endpoint.APIPort)}},
			ClusterIP: serviceAddress, ClusterIPs: []string{serviceAddress},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, IPFamilyPolicy: &policy,
		},
	}
}

// Endpoints are the Endpoints of the API; each call makes new ones. A label excludes them from
// mirroring.
func Endpoints() *corev1.Endpoints {
	return &corev1.Endpoints{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceDefault, Name: Name, Labels: map[string]string{discoveryv1.LabelSkipMirror: "true"},
		},
		Subsets: []corev1.EndpointSubset{{
			Addresses: []corev1.EndpointAddress{{IP: endpoint.APIAddress}},
			Ports:     []corev1.EndpointPort{{Name: portName, Port: endpoint.APIPort, Protocol: corev1.ProtocolTCP}},
		}},
	}
}

// EndpointSlice is the EndpointSlice of the API; each call makes a new one.
func EndpointSlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceDefault, Name: Name, Generation: 1, Labels: map[string]string{discoveryv1.LabelServiceName: Name},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{endpoint.APIAddress}, Conditions: discoveryv1.EndpointConditions{Ready: new(true)}}},
		Ports:       []discoveryv1.EndpointPort{{Name: new(portName), Port: new(int32(endpoint.APIPort)), Protocol: new(corev1.ProtocolTCP)}},
	}
}
