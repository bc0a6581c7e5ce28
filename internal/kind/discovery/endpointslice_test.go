package discovery_test

import (
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/discovery"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func sliceOf(t discoveryv1.AddressType, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: "web-x", Namespace: "default", ResourceVersion: "1"},
		AddressType: t, Ports: []discoveryv1.EndpointPort{{Port: new(int32(80))}},
	}
	for _, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
	}
	discovery.EndpointSlice.Default(s)
	return s
}

// Source: kubernetes v1.36 pkg/apis/discovery/validation/validation_test.go, TestValidateEndpointSlice
func TestEndpointSlice_Validate(t *testing.T) {
	t.Parallel()
	shaped := func(f func(*discoveryv1.EndpointSlice)) *discoveryv1.EndpointSlice {
		s := sliceOf(discoveryv1.AddressTypeIPv4, "10.1.2.3")
		f(s)
		return s
	}
	tests := []struct {
		name  string
		slice *discoveryv1.EndpointSlice
		want  []string
	}{
		{"sound", sliceOf(discoveryv1.AddressTypeIPv4, "10.1.2.3"), nil},
		{"of the other family", sliceOf(discoveryv1.AddressTypeIPv6, "a00:100::4"), nil},
		{"of names", sliceOf(discoveryv1.AddressTypeFQDN, "foo.example.com"), nil},
		{"no type", sliceOf("", "10.1.2.3"), []string{"addressType: Required value"}},
		{"an unknown type", sliceOf("other"), []string{`addressType: Unsupported value: "other": supported values: "FQDN", "IPv4", "IPv6"`}},
		{"the wrong family", sliceOf(discoveryv1.AddressTypeIPv4, "a00:100::4"), []string{`endpoints[0].addresses: Invalid value: "a00:100::4": must be an IPv4 address`}},
		{"no addresses", shaped(func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = nil }), []string{"endpoints[0].addresses: Required value: must contain at least 1 address"}},
		{"a port twice", shaped(func(s *discoveryv1.EndpointSlice) { s.Ports = append(s.Ports, s.Ports[0]) }), []string{`ports[1].name: Duplicate value: ""`}},
		{"too many endpoints", shaped(func(s *discoveryv1.EndpointSlice) { s.Endpoints = make([]discoveryv1.Endpoint, 1001) }), []string{"endpoints: Too many: 1001: must have at most 1000 items"}},
		{"a zone twice", shaped(func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}, {Name: "a"}}}
		}), []string{`endpoints[0].hints.forZones[1].name: Duplicate value: "a"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(discovery.EndpointSlice.Validate(tt.slice)))
		})
	}
	v4, v6 := sliceOf(discoveryv1.AddressTypeIPv4), sliceOf(discoveryv1.AddressTypeIPv6)
	kindtest.Diff(t, []string{`addressType: Invalid value: "IPv6": field is immutable`}, kindtest.Texts(discovery.EndpointSlice.ValidateUpdate(v6, v4)))
}

func TestEndpointSlice_Generation(t *testing.T) {
	t.Parallel()
	old := sliceOf(discoveryv1.AddressTypeIPv4, "10.1.2.3")
	discovery.EndpointSlice.PrepareCreate(old)
	same, labelled := old.DeepCopy(), old.DeepCopy()
	same.Annotations, labelled.Labels = map[string]string{"a": "b"}, map[string]string{"a": "b"}
	discovery.EndpointSlice.PrepareUpdate(same, old)
	discovery.EndpointSlice.PrepareUpdate(labelled, old)
	kindtest.Diff(t, []int64{1, 1, 2}, []int64{old.Generation, same.Generation, labelled.Generation})
}

func TestEndpointSlice_Row(t *testing.T) {
	t.Parallel()
	s := sliceOf(discoveryv1.AddressTypeIPv4, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")
	s.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"web-x", "IPv4", "80", "10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...", "90s"}, discovery.EndpointSlice.Row(s, kindtest.Now))
	s.Ports, s.Endpoints = nil, nil
	kindtest.Diff(t, []any{"web-x", "IPv4", "<unset>", "<unset>", "90s"}, discovery.EndpointSlice.Row(s, kindtest.Now))
}
