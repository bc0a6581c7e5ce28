package kind_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
)

func endpointsOf(subsets ...corev1.EndpointSubset) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1"}, Subsets: subsets}
	kind.Endpoints.Default(e)
	return e
}

func addresses(ips ...string) (out []corev1.EndpointAddress) {
	for _, ip := range ips {
		out = append(out, corev1.EndpointAddress{IP: ip})
	}
	return out
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation_test.go, TestValidateEndpointsCreate
func TestEndpoints_Validate(t *testing.T) {
	t.Parallel()
	port := corev1.EndpointPort{Name: "a", Port: 80}
	tests := []struct {
		name   string
		subset corev1.EndpointSubset
		want   []string
	}{
		{"sound", corev1.EndpointSubset{Addresses: addresses("10.10.1.1"), NotReadyAddresses: addresses("10.10.1.2"), Ports: []corev1.EndpointPort{port, {Name: "b", Port: 309, Protocol: "UDP"}}}, nil},
		{"without ports", corev1.EndpointSubset{Addresses: addresses("10.10.1.1")}, nil},
		{"without addresses", corev1.EndpointSubset{Ports: []corev1.EndpointPort{port}}, []string{"subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"}},
		{"no address", corev1.EndpointSubset{Addresses: addresses("[2001:0db8::1]:80")}, []string{`subsets[0].addresses[0].ip: Invalid value: "[2001:0db8::1]:80": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`, `subsets[0].addresses[0].ip: Invalid value: "[2001:0db8::1]:80": must be a valid IP address`}},
		{"loopback", corev1.EndpointSubset{Addresses: addresses("127.0.0.1")}, []string{`subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`}},
		{"two ports without names", corev1.EndpointSubset{Addresses: addresses("10.10.1.1"), Ports: []corev1.EndpointPort{{Port: 8675}, {Name: "b", Port: 309}}}, []string{"subsets[0].ports[0].name: Required value"}},
		{"no port", corev1.EndpointSubset{Addresses: addresses("10.10.1.1"), Ports: []corev1.EndpointPort{{Port: 66000, Protocol: "Protocol"}}}, []string{
			"subsets[0].ports[0].port: Invalid value: 66000: must be between 1 and 65535, inclusive",
			`subsets[0].ports[0].protocol: Unsupported value: "Protocol": supported values: "SCTP", "TCP", "UDP"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := endpointsOf(tt.subset)
			diff(t, tt.want, texts(kind.Endpoints.Validate(e)))
			diff(t, []string(nil), texts(kind.Endpoints.ValidateUpdate(e, e)))
		})
	}
}

// Source: kubernetes v1.36 pkg/registry/core/endpoint/strategy_test.go, Test_endpointsWarning
func TestEndpoints_Warnings(t *testing.T) {
	t.Parallel()
	e := endpointsOf(corev1.EndpointSubset{Addresses: addresses("192.0.2.1", "192.0.2.01"), NotReadyAddresses: addresses("2001:DB8::1")})
	diff(t, []string{
		`subsets[0].addresses[1].ip: non-standard IP address "192.0.2.01" is invalid: use "192.0.2.1"`,
		`subsets[0].notReadyAddresses[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`,
	}, kind.Endpoints.Warnings(e, nil))
	e.Labels = map[string]string{"endpoints.kubernetes.io/managed-by": "endpoint-controller"}
	diff(t, []string(nil), kind.Endpoints.Warnings(e, nil))
}

func TestEndpoints_Row(t *testing.T) {
	t.Parallel()
	e := endpointsOf()
	e.CreationTimestamp = metav1.Time{Time: now.Add(-90 * time.Second)}
	diff(t, []any{"web", "<none>", "90s"}, kind.Endpoints.Row(e, now))
	e.Subsets = []corev1.EndpointSubset{{Addresses: addresses("10.0.0.1", "10.0.0.2"), Ports: []corev1.EndpointPort{{Port: 80}, {Port: 81}}}}
	diff(t, []any{"web", "10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more...", "90s"}, kind.Endpoints.Row(e, now))
	e.Subsets[0].Ports = nil
	diff(t, []any{"web", "10.0.0.1,10.0.0.2", "90s"}, kind.Endpoints.Row(e, now))
}

func sliceOf(t discoveryv1.AddressType, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: "web-x", Namespace: "default", ResourceVersion: "1"},
		AddressType: t, Ports: []discoveryv1.EndpointPort{{Port: new(int32(80))}},
	}
	for _, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
	}
	kind.EndpointSlice.Default(s)
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
			diff(t, tt.want, texts(kind.EndpointSlice.Validate(tt.slice)))
		})
	}
	v4, v6 := sliceOf(discoveryv1.AddressTypeIPv4), sliceOf(discoveryv1.AddressTypeIPv6)
	diff(t, []string{`addressType: Invalid value: "IPv6": field is immutable`}, texts(kind.EndpointSlice.ValidateUpdate(v6, v4)))
}

func TestEndpointSlice_Generation(t *testing.T) {
	t.Parallel()
	old := sliceOf(discoveryv1.AddressTypeIPv4, "10.1.2.3")
	kind.EndpointSlice.PrepareCreate(old)
	same, labelled := old.DeepCopy(), old.DeepCopy()
	same.Annotations, labelled.Labels = map[string]string{"a": "b"}, map[string]string{"a": "b"}
	kind.EndpointSlice.PrepareUpdate(same, old)
	kind.EndpointSlice.PrepareUpdate(labelled, old)
	diff(t, []int64{1, 1, 2}, []int64{old.Generation, same.Generation, labelled.Generation})
}

func TestEndpointSlice_Row(t *testing.T) {
	t.Parallel()
	s := sliceOf(discoveryv1.AddressTypeIPv4, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")
	s.CreationTimestamp = metav1.Time{Time: now.Add(-90 * time.Second)}
	diff(t, []any{"web-x", "IPv4", "80", "10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...", "90s"}, kind.EndpointSlice.Row(s, now))
	s.Ports, s.Endpoints = nil, nil
	diff(t, []any{"web-x", "IPv4", "<unset>", "<unset>", "90s"}, kind.EndpointSlice.Row(s, now))
}
