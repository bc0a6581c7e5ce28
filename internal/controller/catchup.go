package controller

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/network"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// CatchUp syncs what an earlier version of Rowlock, which had no controller for it, left behind:
// the default ServiceCIDR if it is missing, Services that have an address but no IPAddress, and
// manually created Endpoints that are not mirrored. It is called once the mirror is loaded, at the
// start and after another state was loaded. Its cost is the number of Services.
func CatchUp(ctx context.Context, deps engine.Deps) error {
	var services, endpoints, namespaces []types.UID
	deps.Mirror.Read(func(v mirror.View) {
		ns := v.Get(object.Key{Resource: "namespaces", Name: metav1.NamespaceDefault})
		if ns != nil && v.Get(object.Key{Resource: networking.ServiceCIDR.Resource(), Name: service.DefaultCIDRName}) == nil {
			namespaces = append(namespaces, ns.UID)
		}
		v.Each("services", "", func(o *object.Version) bool {
			s := o.Object().(*corev1.Service)
			for _, ip := range network.ClusterIPs(s) {
				if network.IPAddress(v, ip) == nil {
					services = append(services, s.UID)
				}
			}
			e := v.Get(object.Key{Resource: "endpoints", Namespace: s.Namespace, Name: s.Name})
			if len(s.Spec.Selector) > 0 || e == nil || e.Object().GetLabels()[discoveryv1.LabelSkipMirror] == "true" {
				return true
			}
			if v.EachIn(mirror.SlicesByService, s.Namespace+"/"+s.Name, nil) == 0 {
				endpoints = append(endpoints, e.UID)
			}
			return true
		})
	})
	if err := engine.WakeNow(ctx, deps, names.KubernetesService, namespaces); err != nil {
		return fmt.Errorf("catch up with the default ServiceCIDR: %w", err)
	}
	if err := engine.WakeNow(ctx, deps, names.IPAddress, services); err != nil {
		return fmt.Errorf("catch up with the addresses of Services: %w", err)
	}
	if err := engine.WakeNow(ctx, deps, names.EndpointSliceMirroring, endpoints); err != nil {
		return fmt.Errorf("catch up with Endpoints that were made by hand: %w", err)
	}
	return nil
}

// wakeAllPage is how many objects a transaction of WakeAll wakes.
const wakeAllPage = 1000

// WakeAll has a controller sync all its objects: it was off, and may have missed any change. Its
// cost is the number of the controller's objects, in transactions of 1,000. The mirror must be
// fresh.
func WakeAll(ctx context.Context, deps engine.Deps, c engine.Controller) error {
	var uids []types.UID
	if c.Lock != "" {
		uids = append(uids, c.Lock)
	}
	deps.Mirror.Read(func(v mirror.View) {
		for _, k := range deps.Kinds.Stored() {
			if c.Primary != "*" && c.Primary != k.Resource() {
				continue
			}
			v.Each(k.Resource(), "", func(o *object.Version) bool {
				if c.Primary != "*" || len(o.Object().GetOwnerReferences()) > 0 || o.Object().GetDeletionTimestamp() != nil {
					uids = append(uids, o.UID)
				}
				return true
			})
		}
	})
	for page := range slices.Chunk(uids, wakeAllPage) {
		if err := engine.WakeNow(ctx, deps, c.Name, page); err != nil {
			return fmt.Errorf("have %s sync what it has missed: %w", c.Name, err)
		}
	}
	return nil
}
