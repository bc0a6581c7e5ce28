package core_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func endpointsOf(subsets ...corev1.EndpointSubset) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1"}, Subsets: subsets}
	core.Endpoints.Default(e)
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
		{
			"no address", corev1.EndpointSubset{Addresses: addresses("[2001:0db8::1]:80")},
			[]string{
				`subsets[0].addresses[0].ip: Invalid value: "[2001:0db8::1]:80": must be a valid IP address, ` +
					`(e.g. 10.9.8.7 or 2001:db8::ffff)`,
				`subsets[0].addresses[0].ip: Invalid value: "[2001:0db8::1]:80": must be a valid IP address`,
			},
		},
		{"loopback", corev1.EndpointSubset{Addresses: addresses("127.0.0.1")}, []string{`subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`}},
		{
			"two ports without names",
			corev1.EndpointSubset{
				Addresses: addresses("10.10.1.1"), Ports: []corev1.EndpointPort{{Port: 8675}, {Name: "b", Port: 309}},
			},
			[]string{"subsets[0].ports[0].name: Required value"},
		},
		{"no port", corev1.EndpointSubset{Addresses: addresses("10.10.1.1"), Ports: []corev1.EndpointPort{{Port: 66000, Protocol: "Protocol"}}}, []string{
			"subsets[0].ports[0].port: Invalid value: 66000: must be between 1 and 65535, inclusive",
			`subsets[0].ports[0].protocol: Unsupported value: "Protocol": supported values: "SCTP", "TCP", "UDP"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := endpointsOf(tt.subset)
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Endpoints.Validate(e)))
			kindtest.Diff(t, []string(nil), kindtest.Texts(core.Endpoints.ValidateUpdate(e, e)))
		})
	}
}

// Source: kubernetes v1.36 pkg/registry/core/endpoint/strategy_test.go, Test_endpointsWarning
func TestEndpoints_Warnings(t *testing.T) {
	t.Parallel()
	e := endpointsOf(corev1.EndpointSubset{Addresses: addresses("192.0.2.1", "192.0.2.01"), NotReadyAddresses: addresses("2001:DB8::1")})
	kindtest.Diff(t, []string{
		`subsets[0].addresses[1].ip: non-standard IP address "192.0.2.01" is invalid: use "192.0.2.1"`,
		`subsets[0].notReadyAddresses[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`,
	}, core.Endpoints.Warnings(e, nil))
	e.Labels = map[string]string{"endpoints.kubernetes.io/managed-by": "endpoint-controller"}
	kindtest.Diff(t, []string(nil), core.Endpoints.Warnings(e, nil))
}

func TestEndpoints_Row(t *testing.T) {
	t.Parallel()
	e := endpointsOf()
	e.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"web", "<none>", "90s"}, core.Endpoints.Row(e, kindtest.Now))
	e.Subsets = []corev1.EndpointSubset{{Addresses: addresses("10.0.0.1", "10.0.0.2"), Ports: []corev1.EndpointPort{{Port: 80}, {Port: 81}}}}
	kindtest.Diff(t, []any{"web", "10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more...", "90s"}, core.Endpoints.Row(e, kindtest.Now))
	e.Subsets[0].Ports = nil
	kindtest.Diff(t, []any{"web", "10.0.0.1,10.0.0.2", "90s"}, core.Endpoints.Row(e, kindtest.Now))
}
