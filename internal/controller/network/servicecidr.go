package network

import (
	"net/netip"
	"time"

	networkingv1 "k8s.io/api/networking/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/ipaddress"
	"github.com/rowlock/rowlock/internal/reconcile/servicecidr"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewServiceCIDR makes the controller that makes ServiceCIDRs ready, and keeps those that are
// needed.
//
// Cost: the ServiceCIDRs; for one that is being deleted the IPAddresses, up to the first that needs
// it.
func NewServiceCIDR(world.World) engine.Controller {
	return engine.Controller{
		Name: names.ServiceCIDR, UserAgent: "service-cidr-controller", Primary: networking.ServiceCIDR.Resource(), Batch: 4, Reconcile: gather.Each(syncServiceCIDR),
		Sources: []wakeup.Source{wakeup.For(&networking.ServiceCIDR.Type)},
	}
}

func syncServiceCIDR(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	s := servicecidr.Snapshot{ServiceCIDR: o.Object().(*networkingv1.ServiceCIDR), Now: now, Waker: names.ServiceCIDR}
	for _, c := range serviceCIDRs(v) {
		if c.UID != s.ServiceCIDR.UID {
			s.Others = append(s.Others, c)
		}
	}
	if s.ServiceCIDR.DeletionTimestamp != nil {
		v.Each(networking.IPAddress.Resource(), "", func(a *object.Version) bool {
			ip, err := netip.ParseAddr(a.Name)
			s.InUse = err == nil && servicecidr.Alone(s.ServiceCIDR, s.Others, ip) && ipaddress.Kept(a.Object().(*networkingv1.IPAddress))
			return !s.InUse
		})
	}
	return servicecidr.Reconcile(s)
}

// serviceCIDRs returns all ServiceCIDRs, by name.
func serviceCIDRs(v mirror.View) (all []*networkingv1.ServiceCIDR) {
	v.Each(networking.ServiceCIDR.Resource(), "", func(c *object.Version) bool {
		all = append(all, c.Object().(*networkingv1.ServiceCIDR))
		return true
	})
	return all
}
