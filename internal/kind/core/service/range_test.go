package service_test

import (
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

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
			servicekind.Kind.Default(svc)
			errs, err := servicekind.Kind.Allocate(svc, nil, p)
			said := strings.Join(kindtest.Texts(errs), "\n")
			if err != nil {
				said = err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
			}
			kindtest.Diff(t, tt.err, said)
			kindtest.Diff(t, tt.want, svc.Spec.ClusterIP)
		})
	}
}

// A Service keeps its address when its range is deleted.
func TestService_KeepsAnAddressOfNoRange(t *testing.T) {
	t.Parallel()
	svc := service(func(s *corev1.Service) { s.Spec.ClusterIP, s.Spec.ClusterIPs = "10.1.0.1", []string{"10.1.0.1"} })
	servicekind.Kind.Default(svc)
	next := svc.DeepCopy()
	p := pool()
	p.Ranges = []netip.Prefix{}
	errs, err := servicekind.Kind.Allocate(next, svc, p)
	if err != nil {
		t.Fatal(err)
	}
	kindtest.Diff(t, []string(nil), kindtest.Texts(errs))
	kindtest.Diff(t, "10.1.0.1", next.Spec.ClusterIP)
}
