// Package servicecidr makes ServiceCIDRs ready, and keeps one that is being deleted as long as it
// has addresses that no other has.
//
// A ServiceCIDR must be synced when it changes, when another one is created or removed while it is
// being deleted, and when an address is removed.
//
// Source: kubernetes v1.36 pkg/controller/servicecidrs/servicecidrs_controller.go
package servicecidr

import (
	"net/netip"
	"slices"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

const (
	finalizer = "networking.k8s.io/service-cidr-finalizer"
	// grace is how long a ServiceCIDR that is being deleted stays, so that every replica knows of
	// it and allocates no more addresses from it.
	grace = 10 * time.Second
)

// Snapshot is a ServiceCIDR with the others. Reconcile does not modify it.
type Snapshot struct {
	ServiceCIDR *networkingv1.ServiceCIDR
	Others      []*networkingv1.ServiceCIDR
	// InUse is true if a Service has an address that lies only in this one. It is read if this one
	// is being deleted.
	InUse bool
	Now   time.Time
	// Waker is the controller of ServiceCIDRs.
	Waker string
}

// Reconcile makes a ServiceCIDR ready. Ten seconds after the deletion of one that is not needed, it
// removes its finalizer.
func Reconcile(s Snapshot) (p plan.Plan) {
	c := s.ServiceCIDR
	if c.DeletionTimestamp == nil {
		next := c.DeepCopy()
		if added := !slices.Contains(c.Finalizers, finalizer); setReady(next, metav1.ConditionTrue, "", "Kubernetes Service CIDR is ready", s.Now) || added {
			if added {
				next.Finalizers = append(next.Finalizers, finalizer)
			}
			p.Updates = append(p.Updates, plan.Update{Object: next})
			s.wakeOthers(&p)
		}
		return p
	}
	until := c.DeletionTimestamp.Add(grace)
	i := slices.Index(c.Finalizers, finalizer)
	switch {
	case i < 0:
	case s.InUse && !Covered(c, s.Others):
		next := c.DeepCopy()
		const why = "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR"
		if setReady(next, metav1.ConditionFalse, networkingv1.ServiceCIDRReasonTerminating, why, s.Now) {
			p.Updates = append(p.Updates, plan.Update{Object: next, Subresource: "status"})
		}
	case s.Now.Before(until):
		p.WakeAt = until
	default:
		next := c.DeepCopy()
		next.Finalizers = slices.Delete(next.Finalizers, i, i+1)
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
	return p
}

// wakeOthers wakes those that are being deleted, because this one may now cover them.
func (s Snapshot) wakeOthers(p *plan.Plan) {
	for _, other := range s.Others {
		if other.DeletionTimestamp != nil {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: s.Waker, Object: other})
		}
	}
}

// NewReady is a ServiceCIDR that has been made ready.
func NewReady(name, cidr string, now time.Time) *networkingv1.ServiceCIDR {
	c := &networkingv1.ServiceCIDR{
		ObjectMeta: metav1.ObjectMeta{Name: name, Finalizers: []string{finalizer}}, Spec: networkingv1.ServiceCIDRSpec{CIDRs: []string{cidr}},
	}
	return Reconcile(Snapshot{ServiceCIDR: c, Now: now}).Updates[0].Object.(*networkingv1.ServiceCIDR)
}

// setReady sets the condition, and reports whether that changed it.
func setReady(c *networkingv1.ServiceCIDR, status metav1.ConditionStatus, reason, message string, now time.Time) bool {
	is := meta.FindStatusCondition(c.Status.Conditions, networkingv1.ServiceCIDRConditionReady)
	if is != nil && is.Status == status && is.Reason == reason && is.Message == message {
		return false
	}
	c.Status.Conditions = slices.DeleteFunc(c.Status.Conditions, func(c metav1.Condition) bool { return c.Type == networkingv1.ServiceCIDRConditionReady })
	c.Status.Conditions = append(c.Status.Conditions, metav1.Condition{
		Type: networkingv1.ServiceCIDRConditionReady, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.Time{Time: now},
	})
	return true
}

// Covered reports whether each range of a ServiceCIDR lies in a range of another one.
//
// Source: kubernetes v1.36 pkg/controller/servicecidrs/servicecidrs_controller.go, canDeleteCIDR
func Covered(c *networkingv1.ServiceCIDR, others []*networkingv1.ServiceCIDR) bool {
	return !slices.ContainsFunc(prefixes(c), func(p netip.Prefix) bool {
		return !slices.ContainsFunc(others, func(other *networkingv1.ServiceCIDR) bool {
			return slices.ContainsFunc(prefixes(other), func(q netip.Prefix) bool { return q.Bits() <= p.Bits() && q.Contains(p.Addr()) })
		})
	})
}

// Alone reports whether an address lies in a ServiceCIDR and in none of the others.
func Alone(c *networkingv1.ServiceCIDR, others []*networkingv1.ServiceCIDR, ip netip.Addr) bool {
	in := func(c *networkingv1.ServiceCIDR) bool {
		return slices.ContainsFunc(prefixes(c), func(p netip.Prefix) bool { return p.Contains(ip) })
	}
	return in(c) && !slices.ContainsFunc(others, in)
}

func prefixes(c *networkingv1.ServiceCIDR) (all []netip.Prefix) {
	for _, text := range c.Spec.CIDRs {
		if p, err := netip.ParsePrefix(text); err == nil {
			all = append(all, p)
		}
	}
	return all
}
