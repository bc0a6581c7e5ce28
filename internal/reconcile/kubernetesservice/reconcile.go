// Package kubernetesservice keeps the Service under which Pods find the API, default/kubernetes: who deletes it, as
// `kubectl delete all --all` does, gets it back.
//
// The Namespace "default" must be looked at when it was created, and when the Service was removed from it.
//
// Source: kubernetes v1.36 pkg/controlplane/controller/kubernetesservice/controller.go.
// Differs: the Service is put back when it is removed, not at the next of passes every ten seconds; one that was only changed
// is left as it is.
// Differs: no Endpoints and no EndpointSlice "kubernetes" are kept. Replicas listen on loopback by default, which may not be an
// endpoint's address, and do not tell one another at which address and port they are reached.
package kubernetesservice

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/plan"
)

const (
	// Name is the Service's, in the namespace "default".
	Name = "kubernetes"
	// address is the first of the range of Services, which is kept for this one.
	address = "10.96.0.1"
)

// Snapshot is a Namespace, and whether the Service is in it.
type Snapshot struct {
	Namespace *corev1.Namespace
	Exists    bool
}

// Reconcile creates the Service if it is missing in the namespace "default".
func Reconcile(s Snapshot) plan.Plan {
	if s.Exists || s.Namespace.Name != metav1.NamespaceDefault || s.Namespace.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	return plan.Plan{Creates: []plan.Create{{Object: Service()}}}
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
			Ports:     []corev1.ServicePort{{Name: "https", Protocol: corev1.ProtocolTCP, Port: 443, TargetPort: intstr.FromInt32(6443)}},
			ClusterIP: address, ClusterIPs: []string{address},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, IPFamilyPolicy: &policy,
		},
	}
}
