package kind_test

import (
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
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
			diff(t, tt.want, strings.Join(texts(kind.ServiceCIDR.Validate(serviceCIDR(tt.cidrs...))), "\n"))
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
			diff(t, tt.want, strings.Join(texts(kind.ServiceCIDR.ValidateUpdate(serviceCIDR(tt.new...), serviceCIDR(tt.old...))), "\n"))
		})
	}
}

func TestServiceCIDR_Status(t *testing.T) {
	t.Parallel()
	ready, next := serviceCIDR("10.1.0.0/24"), serviceCIDR("10.1.0.0/24")
	ready.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue}}
	kind.ServiceCIDR.PrepareUpdate(next, ready)
	diff(t, ready, next)
	kind.ServiceCIDR.PrepareCreate(next)
	diff(t, serviceCIDR("10.1.0.0/24"), next)
	asked := serviceCIDR("10.2.0.0/24")
	asked.Status = ready.Status
	kind.ServiceCIDR.Status.Prepare(asked, serviceCIDR("10.1.0.0/24"))
	diff(t, ready, asked)
	diff(t, []any{"more", "10.1.0.0/24", "<unknown>"}, kind.ServiceCIDR.Row(ready, now))
}

func TestService_FromRanges(t *testing.T) {
	t.Parallel()
	ranges := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/30"), netip.MustParsePrefix("10.2.0.0/24")}
	tests := []struct {
		name      string
		ranges    []netip.Prefix
		asked     string
		taken     []string
		want, err string
	}{
		{"the first range's first", ranges, "", nil, "10.1.0.1", ""},
		{"another one", ranges, "", []string{"clusterip/10.1.0.1"}, "10.1.0.2", ""},
		{"the next range's, past those to choose by hand", ranges, "", []string{"clusterip/10.1.0.1", "clusterip/10.1.0.2"}, "10.2.0.16", ""},
		{"one that was asked for", ranges, "10.2.0.7", nil, "10.2.0.7", ""},
		{"one in no range", ranges, "10.96.0.7", nil, "10.96.0.7",
			`spec.clusterIPs: Invalid value: ["10.96.0.7"]: failed to allocate IP 10.96.0.7: the provided network does not match the current range`},
		{"no ranges", []netip.Prefix{}, "", nil, "", "range is full"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := pool(tt.taken...)
			p.Ranges = tt.ranges
			svc := service(func(s *corev1.Service) {
				if tt.asked != "" {
					s.Spec.ClusterIP, s.Spec.ClusterIPs = tt.asked, []string{tt.asked}
				}
			})
			kind.Service.Default(svc)
			errs, err := kind.Service.Allocate(svc, nil, p)
			said := strings.Join(texts(errs), "\n")
			if err != nil {
				said = err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
			}
			diff(t, tt.err, said)
			diff(t, tt.want, svc.Spec.ClusterIP)
		})
	}
}

// A Service keeps its address when its range has gone.
func TestService_KeepsAnAddressOfNoRange(t *testing.T) {
	t.Parallel()
	svc := service(func(s *corev1.Service) { s.Spec.ClusterIP, s.Spec.ClusterIPs = "10.1.0.1", []string{"10.1.0.1"} })
	kind.Service.Default(svc)
	next := svc.DeepCopy()
	p := pool()
	p.Ranges = []netip.Prefix{}
	errs, err := kind.Service.Allocate(next, svc, p)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, []string(nil), texts(errs))
	diff(t, "10.1.0.1", next.Spec.ClusterIP)
}
