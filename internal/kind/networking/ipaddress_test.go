package networking_test

import (
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/networking"
)

func ipAddress(name string, parent *networkingv1.ParentReference) *networkingv1.IPAddress {
	return &networkingv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: "1"}, Spec: networkingv1.IPAddressSpec{ParentRef: parent}}
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation_test.go, TestValidateIPAddress
func TestIPAddress_Validate(t *testing.T) {
	t.Parallel()
	whole := &networkingv1.ParentReference{Group: "example.com", Resource: "gateways", Namespace: "web", Name: "front"}
	tests := []struct {
		name   string
		ip     string
		parent *networkingv1.ParentReference
		want   string
	}{
		{"one", "192.0.2.1", whole, ""},
		{"of the other family", "2001:db8::1", &networkingv1.ParentReference{Resource: "services", Name: "web"}, ""},
		{"no address", "web", whole, `metadata.name: Invalid value: "web": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`},
		{"not in the canonical form", "2001:DB8::1", whole, `metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")`},
		{"nobody's", "192.0.2.1", nil, "spec.parentRef: Required value"},
		{"of nobody in particular", "192.0.2.1", &networkingv1.ParentReference{}, "spec.parentRef.resource: Required value\nspec.parentRef.name: Required value"},
		{"bad names", "192.0.2.1", &networkingv1.ParentReference{Group: "A", Resource: "a/b", Namespace: "..", Name: "%"},
			`spec.parentRef.group: Invalid value: "A": ` + kindtest.NotSubdomain + `
spec.parentRef.resource: Invalid value: "a/b": may not contain '/'
spec.parentRef.name: Invalid value: "%": may not contain '%'
spec.parentRef.namespace: Invalid value: "..": may not be '..'`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(networking.IPAddress.Validate(ipAddress(tt.ip, tt.parent))), "\n"))
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(networking.IPAddress.ValidateUpdate(ipAddress(tt.ip, tt.parent), ipAddress(tt.ip, tt.parent))), "\n"))
		})
	}
	other := *whole
	other.Name = "back"
	kindtest.Diff(t, []string{`spec.parentRef: Invalid value: {"Group":"example.com","Resource":"gateways","Namespace":"web","Name":"back"}: field is immutable`},
		kindtest.Texts(networking.IPAddress.ValidateUpdate(ipAddress("192.0.2.1", &other), ipAddress("192.0.2.1", whole))))
	kindtest.Diff(t, []any{"192.0.2.1", "gateways.example.com/web/front"}, networking.IPAddress.Row(ipAddress("192.0.2.1", whole), kindtest.Now))
	kindtest.Diff(t, []any{"192.0.2.1", "<none>"}, networking.IPAddress.Row(ipAddress("192.0.2.1", nil), kindtest.Now))
}
