package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// KubernetesService keeps the Service of the API.
//
// Cost: the Namespace and one Service.
const KubernetesService = "kubernetesservice"

func newKubernetesService(World) engine.Controller {
	return engine.Controller{
		Name: KubernetesService, UserAgent: "kubernetes-service-controller", Others: []string{"namespaces"}, Batch: 16, Reconcile: each(syncKubernetesService),
		Sources: []wakeup.Source{
			wakeup.For(&kind.Namespace.Type, func(d wakeup.Diff) bool { return d.Old == nil && d.New.GetName() == metav1.NamespaceDefault }),
			wakeup.Watches(&kind.Service.Type, serviceOfAPIGone),
		},
	}
}

// serviceOfAPIGone asks for the namespace whose Service of the API is gone.
func serviceOfAPIGone(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil && d.Old.GetNamespace() == metav1.NamespaceDefault && d.Old.GetName() == kubernetesservice.Name {
		wakes = append(wakes, wakeup.Wake{Resource: "namespaces", Name: d.Old.GetNamespace()})
	}
	return wakes
}

func syncKubernetesService(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	ns := o.Object().(*corev1.Namespace)
	service := v.Get(object.Key{Resource: "services", Namespace: ns.Name, Name: kubernetesservice.Name})
	return kubernetesservice.Reconcile(kubernetesservice.Snapshot{Namespace: ns, Exists: service != nil})
}
