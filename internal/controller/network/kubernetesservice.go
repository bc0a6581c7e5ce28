package network

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/discovery"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewKubernetesService makes the controller that maintains the API's Service, its endpoints and the
// default ServiceCIDR.
//
// Cost: the Namespace, one Service, its Endpoints, its EndpointSlice and one ServiceCIDR.
func NewKubernetesService(world.World) engine.Controller {
	return engine.Controller{
		Name: names.KubernetesService, UserAgent: "kubernetes-service-controller", Others: []string{"namespaces"},
		Batch: 16, Reconcile: gather.Each(syncKubernetesService),
		Sources: []wakeup.Source{
			wakeup.For(&core.Namespace.Type, func(d wakeup.Diff) bool { return d.Old == nil && d.New.GetName() == metav1.NamespaceDefault }),
			wakeup.Watches(&service.Kind.Type, serviceOfAPIGone),
			wakeup.Watches(&core.Endpoints.Type, endpointsOfAPI),
			wakeup.Watches(&discovery.EndpointSlice.Type, endpointsOfAPI),
			wakeup.Watches(&networking.ServiceCIDR.Type, defaultServiceCIDRGone),
		},
	}
}

// serviceOfAPIGone asks for the namespace whose Service of the API is gone.
func serviceOfAPIGone(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil {
		wakes = namespaceOfAPI(wakes, d)
	}
	return wakes
}

// defaultServiceCIDRGone asks for the namespace default when the ServiceCIDR of its Service is
// gone.
func defaultServiceCIDRGone(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil && d.Old.GetName() == service.DefaultCIDRName {
		wakes = append(wakes, wakeup.Wake{Resource: "namespaces", Name: metav1.NamespaceDefault})
	}
	return wakes
}

// endpointsOfAPI asks for the namespace in which another writer has changed the API's endpoints, or
// in which they are gone.
func endpointsOfAPI(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil || d.Controller != names.KubernetesService {
		wakes = namespaceOfAPI(wakes, d)
	}
	return wakes
}

// namespaceOfAPI asks for the namespace of an object that has the name of the API's Service.
func namespaceOfAPI(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if o := d.Last(); o.GetNamespace() == metav1.NamespaceDefault && o.GetName() == kubernetesservice.Name {
		wakes = append(wakes, wakeup.Wake{Resource: "namespaces", Name: o.GetNamespace()})
	}
	return wakes
}

func syncKubernetesService(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	ns := o.Object().(*corev1.Namespace)
	s := kubernetesservice.Snapshot{Namespace: ns, Now: now}
	s.ServiceCIDR = v.Get(object.Key{Resource: networking.ServiceCIDR.Resource(), Name: service.DefaultCIDRName}) != nil
	key := object.Key{Resource: "services", Namespace: ns.Name, Name: kubernetesservice.Name}
	s.Exists = v.Get(key) != nil
	key.Resource = "endpoints"
	if e := v.Get(key); e != nil {
		s.Endpoints = e.Object().(*corev1.Endpoints)
	}
	key.Resource = "endpointslices.discovery.k8s.io"
	if slice := v.Get(key); slice != nil {
		s.Slice = slice.Object().(*discoveryv1.EndpointSlice)
	}
	return kubernetesservice.Reconcile(s)
}
