package core_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation_test.go, TestValidateResourceQuota
func TestResourceQuota_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		spec corev1.ResourceQuotaSpec
		want int
	}{
		{"all that may be limited", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("cpu=1 requests.storage=1Gi requests.example.com/gpu=2 count/deployments.apps=4 hugepages-2Mi=4Mi")}, 0},
		{"no such resource", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("storage=1")}, 1},
		{"less than nothing", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("pods=-1")}, 1},
		{"half a Pod", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("pods=500m")}, 1},
		{"a scope that does not fit", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("cpu=1"), Scopes: []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}}, 1},
		{
			"scopes at odds",
			corev1.ResourceQuotaSpec{
				Hard:   kindtest.Quantities("pods=1"),
				Scopes: []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating},
			},
			1,
		},
		{"a class without values", corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("pods=1"), ScopeSelector: &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
			{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn}}}}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "q", Namespace: "default"}, Spec: tt.spec}
			if errs := core.ResourceQuota.Validate(q); len(errs) != tt.want {
				t.Errorf("got %v", errs)
			}
		})
	}
}

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/pods_test.go and services_test.go
func TestQuota_Usage(t *testing.T) {
	t.Parallel()
	pod := func(class string, requests string) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{
			PriorityClassName: class, Overhead: kindtest.Quantities("cpu=50m"),
			Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: kindtest.Quantities(requests), Limits: kindtest.Quantities(requests)}}},
		}}
	}
	ended := pod("", "cpu=1")
	ended.Status.Phase = corev1.PodSucceeded
	balanced := &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Port: 1}, {Port: 2, NodePort: 30002}}}}
	sparing := balanced.DeepCopy()
	sparing.Spec.AllocateLoadBalancerNodePorts = new(false)
	high := corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"high"}}}}
	tests := []struct {
		name  string
		kind  *kind.Kind
		quota corev1.ResourceQuotaSpec
		given interface {
			metav1.Object
		}
		want string
	}{
		{
			"with overhead, and what is somebody else's by its requests", podkind.Kind,
			corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("cpu=9 requests.cpu=9 requests.example.com/gpu=9 pods=9")},
			pod("", "cpu=1 example.com/gpu=2"), "cpu=1050m requests.cpu=1050m requests.example.com/gpu=2 pods=1",
		},
		{"what has ended is counted and no more", podkind.Kind, corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("cpu=9 pods=9 count/pods=9")}, ended, "count/pods=1"},
		{"in a scope", podkind.Kind, corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("pods=9"), ScopeSelector: &high}, pod("high", ""), "pods=1"},
		{"in another", podkind.Kind, corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("pods=9"), ScopeSelector: &high}, pod("low", ""), ""},
		{
			"ports of a load balancer", service.Kind,
			corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("services.nodeports=9 services.loadbalancers=9")}, balanced,
			"services.nodeports=2 services.loadbalancers=1",
		},
		{"that allocates none", service.Kind, corev1.ResourceQuotaSpec{Hard: kindtest.Quantities("services.nodeports=9")}, sparing, "services.nodeports=1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q := kind.NewQuota(&corev1.ResourceQuota{Spec: tt.quota})
			var got corev1.ResourceList
			switch o := tt.given.(type) {
			case *corev1.Pod:
				got = q.Usage(tt.kind, o)
			case *corev1.Service:
				got = q.Usage(tt.kind, o)
			}
			want := kindtest.Quantities(tt.want)
			if len(got) != len(want) {
				t.Fatalf("got %v", got)
			}
			for name, quantity := range want {
				if has := got[name]; has.Cmp(quantity) != 0 {
					t.Errorf("%s is %s", name, has.String())
				}
			}
		})
	}
}
