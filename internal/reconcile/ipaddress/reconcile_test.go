package ipaddress_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/ipaddress"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

const ip = "10.96.0.7"

func TestReconcile(t *testing.T) {
	t.Parallel()
	web := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	db := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "db"}}
	byHand := &networkingv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Name: ip}, Spec: networkingv1.IPAddressSpec{
		ParentRef: &networkingv1.ParentReference{Resource: "gateways", Name: "front"}}}
	leaving := ipaddress.Of(web, ip)
	leaving.DeletionTimestamp = &metav1.Time{}
	labelled := ipaddress.Of(web, ip)
	labelled.Labels["team"] = "web"
	waiting := []*networkingv1.ServiceCIDR{{ObjectMeta: metav1.ObjectMeta{Name: "more"}}}
	tests := []struct {
		name    string
		service *corev1.Service
		is      *networkingv1.IPAddress
		want    string
		wakes   int
	}{
		{"nothing", nil, nil, "", 0},
		{"one that is missing", web, nil, "create IPAddress 10.96.0.7\n", 0},
		{"as it should be", web, ipaddress.Of(web, ip), "", 0},
		{"with more labels", web, labelled, "", 0},
		{"of another Service, which had it before", web, ipaddress.Of(db, ip), "update IPAddress 10.96.0.7\n", 0},
		{"made by hand as the Service took it", web, byHand, "update IPAddress 10.96.0.7\n", 0},
		{"of a Service that is gone", nil, ipaddress.Of(web, ip), "delete IPAddress 10.96.0.7\n", 1},
		{"made by hand", nil, byHand, "", 0},
		{"being deleted", web, leaving, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := ipaddress.Snapshot{Addresses: []ipaddress.Address{{IP: ip, Service: tt.service, IPAddress: tt.is}}, Terminating: waiting, Waker: "servicecidr"}
			p := laws.Check(t, ipaddress.Reconcile, s)
			p.Wakes, tt.wakes = nil, tt.wakes-len(p.Wakes)
			if got := p.String(); got != tt.want || tt.wakes != 0 {
				t.Errorf("got %q and %d fewer wakes, want %q", got, tt.wakes, tt.want)
			}
			for _, u := range p.Updates {
				s.Addresses[0].IPAddress = u.Object.(*networkingv1.IPAddress)
			}
			if again := ipaddress.Reconcile(s); len(again.Updates) > 0 {
				t.Errorf("once applied, it plans %s", again)
			}
		})
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	web := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	for address, family := range map[string]string{ip: "IPv4", "2001:db8::1": "IPv6"} {
		if a := ipaddress.Of(web, address); a.Name != address || a.Labels[networkingv1.LabelIPAddressFamily] != family || !ipaddress.Kept(a) {
			t.Errorf("%s: %+v", address, a)
		}
	}
}
