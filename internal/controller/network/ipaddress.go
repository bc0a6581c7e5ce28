package network

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/ipaddress"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewIPAddress makes the controller that maintains the IPAddresses of Services.
//
// Cost: the Service with its addresses, or the IPAddress with its Service; if one is deleted, the
// ServiceCIDRs too.
func NewIPAddress(world.World) engine.Controller {
	return engine.Controller{
		Name: names.IPAddress, UserAgent: "ipallocator-repair-controller", Primary: "services",
		Others: []string{networking.IPAddress.Resource()}, Batch: 16, Reconcile: gather.Each(syncIPAddress),
		Sources: []wakeup.Source{
			wakeup.For(&servicekind.Kind.Type, addressesGained),
			wakeup.Watches(&servicekind.Kind.Type, addressesLost),
			wakeup.For(&networking.IPAddress.Type, wakeup.NotBy(names.IPAddress)),
			wakeup.Watches(&networking.IPAddress.Type, serviceOfAddress),
		},
	}
}

// ClusterIPs returns the addresses of a Service, none for nil.
func ClusterIPs(o object.Object) (ips []string) {
	if s, _ := o.(*corev1.Service); s != nil {
		for _, ip := range s.Spec.ClusterIPs {
			if ip != corev1.ClusterIPNone {
				ips = append(ips, ip)
			}
		}
	}
	return ips
}

// without returns the addresses that are not among others.
func without(ips, others []string) []string {
	return slices.DeleteFunc(ips, func(ip string) bool { return slices.Contains(others, ip) })
}

// addressesGained reports whether a Service has gained an address.
func addressesGained(d wakeup.Diff) bool {
	return len(without(ClusterIPs(d.New), ClusterIPs(d.Old))) > 0
}

// addressesLost asks for the IPAddresses of addresses that a Service has lost.
func addressesLost(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	for _, ip := range without(ClusterIPs(d.Old), ClusterIPs(d.New)) {
		wakes = append(wakes, wakeup.Wake{Resource: networking.IPAddress.Resource(), Name: ip})
	}
	return wakes
}

// serviceOfAddress asks for the Service of an IPAddress that is gone.
func serviceOfAddress(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if a, _ := d.Old.(*networkingv1.IPAddress); d.New == nil && a != nil {
		if p := a.Spec.ParentRef; p != nil && p.Group == "" && p.Resource == "services" {
			wakes = append(wakes, wakeup.Wake{Resource: "services", Namespace: p.Namespace, Name: p.Name})
		}
	}
	return wakes
}

func syncIPAddress(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	s := ipaddress.Snapshot{Waker: names.ServiceCIDR}
	ips := []string{o.Name}
	service, _ := o.Object().(*corev1.Service)
	if service != nil {
		ips = ClusterIPs(service)
	}
	for _, ip := range ips {
		a := ipaddress.Address{IP: ip, Service: service}
		if service == nil {
			for _, by := range v.First(mirror.Reserved, servicekind.ClusterIPKey(ip), 1) {
				a.Service = by.Object().(*corev1.Service)
			}
		}
		if is := IPAddress(v, ip); is != nil {
			a.IPAddress = is.Object().(*networkingv1.IPAddress)
		}
		s.Addresses = append(s.Addresses, a)
		if a.Service == nil { // it may be deleted
			s.Terminating = slices.DeleteFunc(serviceCIDRs(v), func(c *networkingv1.ServiceCIDR) bool { return c.DeletionTimestamp == nil })
		}
	}
	return ipaddress.Reconcile(s)
}

// IPAddress returns the IPAddress with a name, nil for none.
func IPAddress(v mirror.View, ip string) *object.Version {
	return v.Get(object.Key{Resource: networking.IPAddress.Resource(), Name: ip})
}

// HeldByHand returns the IPAddress that keeps Services from an address, by the key that they would
// reserve: one that does not belong to a Service. nil means none.
func HeldByHand(v mirror.View, key string) *object.Version {
	ip, is := strings.CutPrefix(key, servicekind.ClusterIPKey(""))
	if !is {
		return nil
	}
	by := IPAddress(v, ip)
	if by == nil || ipaddress.Kept(by.Object().(*networkingv1.IPAddress)) {
		return nil
	}
	return by
}
