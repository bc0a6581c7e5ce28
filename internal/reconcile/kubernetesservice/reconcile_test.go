package kubernetesservice_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
)

const (
	createAll    = "create ServiceCIDR kubernetes\ncreate Service default/kubernetes\ncreate Endpoints default/kubernetes\ncreate EndpointSlice default/kubernetes\n"
	updateObject = "update Endpoints default/kubernetes\n"
	updateSlice  = "update EndpointSlice default/kubernetes\n"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	now := metav1.Now()
	tests := []struct {
		name   string
		change func(*kubernetesservice.Snapshot)
		want   string
	}{
		{"all there", func(*kubernetesservice.Snapshot) {}, ""},
		{"all missing in default", func(s *kubernetesservice.Snapshot) {
			s.Exists, s.ServiceCIDR, s.Endpoints, s.Slice = false, false, nil, nil
		}, createAll},
		{"another namespace", func(s *kubernetesservice.Snapshot) {
			*s = kubernetesservice.Snapshot{Namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}}}
		}, ""},
		{"a namespace that is terminating", func(s *kubernetesservice.Snapshot) {
			s.Namespace.DeletionTimestamp, s.Exists, s.Endpoints, s.Slice = &now, false, nil, nil
		}, ""},
		{"other addresses", func(s *kubernetesservice.Snapshot) { s.Endpoints.Subsets[0].Addresses[0].IP = "10.0.0.2" }, updateObject},
		{"a label removed", func(s *kubernetesservice.Snapshot) { s.Endpoints.Labels = nil }, updateObject},
		{"a label more", func(s *kubernetesservice.Snapshot) { s.Endpoints.Labels["team"] = "web" }, ""},
		{"a slice with another port", func(s *kubernetesservice.Snapshot) { s.Slice.Ports[0].Port = new(int32(1)) }, updateSlice},
		{"a slice of another Service", func(s *kubernetesservice.Snapshot) { s.Slice.Labels[discoveryv1.LabelServiceName] = "web" }, updateSlice},
		{"a slice of another family", func(s *kubernetesservice.Snapshot) { s.Slice.AddressType = discoveryv1.AddressTypeIPv6 },
			"delete EndpointSlice default/kubernetes\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := kubernetesservice.Snapshot{
				Namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}},
				Exists:    true, ServiceCIDR: true, Endpoints: kubernetesservice.Endpoints(), Slice: kubernetesservice.EndpointSlice(),
			}
			test.change(&s)
			p := kubernetesservice.Reconcile(s)
			if got := p.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			settles(t, s, p)
		})
	}
}

// settles checks that a plan's updates leave nothing to do.
func settles(t *testing.T, s kubernetesservice.Snapshot, p plan.Plan) {
	t.Helper()
	for _, u := range p.Updates {
		switch o := u.Object.(type) {
		case *corev1.Endpoints:
			s.Endpoints = o
		case *discoveryv1.EndpointSlice:
			s.Slice = o
		}
	}
	if again := kubernetesservice.Reconcile(s); len(again.Updates) > 0 {
		t.Errorf("once applied, the plan is not empty: %s", again)
	}
}
