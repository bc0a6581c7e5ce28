// Package ipaddress keeps an IPAddress with each address of a Service. The address itself is the Service's by a reservation of the
// store; the IPAddress shows it, and goes with it.
//
// A Service must be synced when it gets an address; an IPAddress when a Service loses the address of that name, and when somebody
// else has changed or removed it.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/ipallocator.go, createIPAddress;
// pkg/registry/core/service/ipallocator/controller/repairip.go, syncService and syncIPAddress
// Differs: an IPAddress follows its Service at once, in a transaction of its own, rather than being there first.
package ipaddress

import (
	"maps"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/plan"
)

// Address is one address, with the Service that has it and the IPAddress of its name, nil for none.
type Address struct {
	IP        string
	Service   *corev1.Service
	IPAddress *networkingv1.IPAddress
}

// Snapshot is the addresses that a sync is about. Reconcile changes nothing in it.
type Snapshot struct {
	Addresses []Address
	// Terminating are the ServiceCIDRs that are being deleted: some wait for addresses to go.
	Terminating []*networkingv1.ServiceCIDR
	// Waker is the controller of ServiceCIDRs.
	Waker string
}

// Reconcile creates what is missing, points to the Service that has the address, and removes what is kept for a Service that has
// it no more.
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

// Kept says whether an IPAddress is kept here: one that was made by hand is not.
func Kept(a *networkingv1.IPAddress) bool {
	return a.Labels[networkingv1.LabelManagedBy] == kind.AllocatorName
}

// Of is the IPAddress that is kept with an address of a Service; each call makes a new one.
func Of(service *corev1.Service, address string) *networkingv1.IPAddress {
	family := corev1.IPv4Protocol
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		family = corev1.IPv6Protocol
	}
	return &networkingv1.IPAddress{
		ObjectMeta: metav1.ObjectMeta{Name: address, Labels: map[string]string{
			networkingv1.LabelIPAddressFamily: string(family), networkingv1.LabelManagedBy: kind.AllocatorName,
		}},
		Spec: networkingv1.IPAddressSpec{ParentRef: &networkingv1.ParentReference{
			Resource: "services", Namespace: service.Namespace, Name: service.Name,
		}},
	}
}
