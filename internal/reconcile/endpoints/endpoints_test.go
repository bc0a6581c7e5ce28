package endpoints_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/endpoints"
)

func service() *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "svc"}, Spec: corev1.ServiceSpec{
		Selector: map[string]string{"app": "web"}, ClusterIP: "10.96.0.9", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
		Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromString("http")}},
	}}
}

func pods(n, ready int) (out []*corev1.Pod) {
	for i := range n {
		ip := fmt.Sprintf("10.0.%d.%d", i/200, i%200+1)
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("p%04d", i), Namespace: "default", UID: types.UID(fmt.Sprint(i))},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}}}},
			Status:     corev1.PodStatus{PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}}},
		}
		if i < ready {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		out = append(out, p)
	}
	return out
}

// Source: kubernetes v1.36 pkg/controller/endpoint/endpoints_controller_test.go, TestSyncEndpointsItems,
// TestEndpointsControllerPublishNotReadyAddresses, TestMultipleServiceChanges and TestTruncateEndpoints
func TestReconcile(t *testing.T) {
	t.Parallel()
	leaving := pods(2, 2)
	leaving[0].DeletionTimestamp = &metav1.Time{}
	tests := []struct {
		name            string
		pods            []*corev1.Pod
		ready, notReady int
		over            string
	}{
		{"none", nil, 0, 0, ""},
		{"some are ready", pods(3, 2), 2, 1, ""},
		{"POD-009 one is leaving", leaving, 1, 0, ""},
		{"as many as fit", pods(1000, 400), 400, 600, ""},
		{"too many, of which those stay that are ready", pods(1100, 400), 400, 600, "truncated"},
		{"too many that are ready", pods(1100, 1050), 1000, 0, "truncated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := endpoints.Snapshot{Service: service(), Pods: tt.pods}
			p := endpoints.Reconcile(s)
			if len(p.Creates) != 1 {
				t.Fatalf("planned %s", p)
			}
			e := p.Creates[0].Object.(*corev1.Endpoints)
			ready, notReady := 0, 0
			for _, subset := range e.Subsets {
				ready, notReady = ready+len(subset.Addresses), notReady+len(subset.NotReadyAddresses)
				if diff := cmp.Diff([]corev1.EndpointPort{{Name: "http", Port: 8080, Protocol: corev1.ProtocolTCP}}, subset.Ports); diff != "" {
					t.Errorf("ports (-want +got):\n%s", diff)
				}
			}
			if ready != tt.ready || notReady != tt.notReady || e.Annotations[corev1.EndpointsOverCapacity] != tt.over {
				t.Errorf("%d ready and %d not, %q", ready, notReady, e.Annotations[corev1.EndpointsOverCapacity])
			}
			s.Endpoints = e
			if again := endpoints.Reconcile(s); !again.Empty() {
				t.Errorf("a second look plans %s", again)
			}
		})
	}
}

func TestReconcile_WhatIsNotKept(t *testing.T) {
	t.Parallel()
	there := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "ep"}}
	if got := endpoints.Reconcile(endpoints.Snapshot{Endpoints: there}).String(); got != "delete Endpoints default/web\n" {
		t.Errorf("when the Service is gone: %q", got)
	}
	external, manual := service(), service()
	external.Spec.Type, manual.Spec.Selector = corev1.ServiceTypeExternalName, nil
	for _, s := range []*corev1.Service{external, manual} {
		if p := endpoints.Reconcile(endpoints.Snapshot{Service: s, Endpoints: there}); !p.Empty() {
			t.Errorf("a Service that selects nothing is not left alone: %s", p)
		}
	}
}
