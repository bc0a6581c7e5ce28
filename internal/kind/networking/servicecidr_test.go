package networking_test

import (
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/networking"
)

func serviceCIDR(cidrs ...string) *networkingv1.ServiceCIDR {
	return &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: "more", ResourceVersion: "1"}, Spec: networkingv1.ServiceCIDRSpec{CIDRs: cidrs}}
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation_test.go, TestValidateServiceCIDR
func TestServiceCIDR_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		cidrs []string
		want  string
	}{
		{"one", []string{"10.1.0.0/24"}, ""},
		{"of two families", []string{"10.1.0.0/24", "2001:db8::/64"}, ""},
		{"none", nil, "spec.cidrs: Required value: at least one CIDR required"},
		{"three", []string{"a", "b", "c"}, `spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values`},
		{"no range", []string{"10.1.0.0"}, `spec.cidrs[0]: Invalid value: "10.1.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`},
		{"not in the canonical form", []string{"10.1.0.9/24"}, `spec.cidrs[0]: Invalid value: "10.1.0.9/24": must not have bits set beyond the prefix length`},
		{"two of one family", []string{"10.1.0.0/24", "10.2.0.0/24"},
			`spec.cidrs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(networking.ServiceCIDR.Validate(serviceCIDR(tt.cidrs...))), "\n"))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation_test.go, TestValidateServiceCIDRUpdate
func TestServiceCIDR_ValidateUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		old, new []string
		want     string
	}{
		{"as it was", []string{"10.1.0.0/24"}, []string{"10.1.0.0/24"}, ""},
		{"the other family is added", []string{"10.1.0.0/24"}, []string{"10.1.0.0/24", "2001:db8::/64"}, ""},
		{"another of the same family", []string{"10.1.0.0/24"}, []string{"10.1.0.0/24", "10.2.0.0/24"},
			`spec.cidrs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64`},
		{"another range", []string{"10.1.0.0/24"}, []string{"10.2.0.0/24"}, `spec.cidrs[0]: Invalid value: "10.2.0.0/24": field is immutable`},
		{"one is taken away", []string{"10.1.0.0/24", "2001:db8::/64"}, []string{"10.1.0.0/24"}, `spec.cidrs: Invalid value: ["10.1.0.0/24"]: field is immutable`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(networking.ServiceCIDR.ValidateUpdate(serviceCIDR(tt.new...), serviceCIDR(tt.old...))), "\n"))
		})
	}
}

func TestServiceCIDR_Status(t *testing.T) {
	t.Parallel()
	ready, next := serviceCIDR("10.1.0.0/24"), serviceCIDR("10.1.0.0/24")
	ready.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue}}
	networking.ServiceCIDR.PrepareUpdate(next, ready)
	kindtest.Diff(t, ready, next)
	networking.ServiceCIDR.PrepareCreate(next)
	kindtest.Diff(t, serviceCIDR("10.1.0.0/24"), next)
	asked := serviceCIDR("10.2.0.0/24")
	asked.Status = ready.Status
	networking.ServiceCIDR.Status.Prepare(asked, serviceCIDR("10.1.0.0/24"))
	kindtest.Diff(t, ready, asked)
	kindtest.Diff(t, []any{"more", "10.1.0.0/24", "<unknown>"}, networking.ServiceCIDR.Row(ready, kindtest.Now))
}
