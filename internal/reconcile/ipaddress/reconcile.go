// Package ipaddress maintains an IPAddress for each address of a Service. A reservation in the
// store assigns the address to the Service; the IPAddress shows it, and is removed with it.
//
// A Service must be synced when it gets an address; an IPAddress when a Service loses the address
// of that name, and when another writer changes or removes it.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/ipallocator.go, createIPAddress;
// pkg/registry/core/service/ipallocator/controller/repairip.go, syncService and syncIPAddress
// Differs: an IPAddress is created right after its Service gets the address, in a separate
// transaction, rather than before it.
package ipaddress

import (
	"maps"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/plan"
)

// Address is one address, with the Service that has it and the IPAddress of its name; nil if none
// exists.
type Address struct {
	IP        string
	Service   *corev1.Service
	IPAddress *networkingv1.IPAddress
}

// Snapshot is the addresses that a sync is about. Reconcile does not modify it.
type Snapshot struct {
	Addresses []Address
	// Terminating are the ServiceCIDRs that are being deleted: some wait for addresses to be
	// removed.
	Terminating []*networkingv1.ServiceCIDR
	// Waker is the controller of ServiceCIDRs.
	Waker string
}

// Reconcile creates missing IPAddresses, makes them refer to the Service that has the address, and
// removes managed ones whose Service no longer has the address.
func Reconcile(s Snapshot) (p plan.Plan) {
	for _, a := range s.Addresses {
		is := a.IPAddress
		switch {
		case is != nil && is.DeletionTimestamp != nil:
		case a.Service == nil && is != nil && Kept(is):
			p.Deletes = append(p.Deletes, plan.Delete{Object: is})
		case a.Service == nil:
		case is == nil:
			p.Creates = append(p.Creates, plan.Create{Object: Of(a.Service, a.IP)})
		default:
			next := Of(a.Service, a.IP)
			labels := maps.Clone(is.Labels)
			if labels == nil {
				labels = map[string]string{}
			}
			maps.Copy(labels, next.Labels)
			if !maps.Equal(labels, is.Labels) || !equality.Semantic.DeepEqual(is.Spec, next.Spec) {
				changed := is.DeepCopy()
				changed.Labels, changed.Spec = labels, next.Spec
				p.Updates = append(p.Updates, plan.Update{Object: changed})
			}
		}
	}
	if len(p.Deletes) > 0 {
		for _, c := range s.Terminating {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: s.Waker, Object: c})
		}
	}
	return p
}

// Kept reports whether this package manages an IPAddress: it does not manage those created
// manually.
func Kept(a *networkingv1.IPAddress) bool {
	return a.Labels[networkingv1.LabelManagedBy] == networking.AllocatorName
}

// Of is the IPAddress for an address of a Service; each call makes a new one.
func Of(service *corev1.Service, address string) *networkingv1.IPAddress {
	family := corev1.IPv4Protocol
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		family = corev1.IPv6Protocol
	}
	return &networkingv1.IPAddress{
		ObjectMeta: metav1.ObjectMeta{Name: address, Labels: map[string]string{
			networkingv1.LabelIPAddressFamily: string(family), networkingv1.LabelManagedBy: networking.AllocatorName,
		}},
		Spec: networkingv1.IPAddressSpec{ParentRef: &networkingv1.ParentReference{
			Resource: "services", Namespace: service.Namespace, Name: service.Name,
		}},
	}
}
