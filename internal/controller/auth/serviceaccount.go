package auth

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewServiceAccount makes the controller that maintains the default ServiceAccount and the root
// certificates of each namespace.
//
// Cost: the Namespace and three objects in it.
func NewServiceAccount(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.ServiceAccount, UserAgent: "service-account-controller", Primary: "namespaces", Batch: 64,
		Reconcile: gather.Each(controllers(w).syncServiceAccount),
		Sources: []wakeup.Source{
			wakeup.For(&core.Namespace.Type),
			wakeup.Watches(&core.ServiceAccount.Type, namespaceOf(serviceaccount.Default)),
			wakeup.Watches(&core.ConfigMap.Type, namespaceOf(serviceaccount.RootCA)),
			wakeup.Watches(&core.ConfigMap.Type, namespaceOf(serviceaccount.Trust)),
		},
	}
}

// namespaceOf asks for the namespace of an object with that name, which another writer has changed
// or removed.
func namespaceOf(name string) wakeup.Map {
	return func(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
		if o := d.Last(); d.Controller != names.ServiceAccount && o.GetName() == name {
			wakes = append(wakes, wakeup.Wake{Resource: "namespaces", Name: o.GetNamespace()})
		}
		return wakes
	}
}

func (w controllers) syncServiceAccount(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	ns := o.Object().(*corev1.Namespace)
	s := serviceaccount.Snapshot{Namespace: ns, CABundle: w.CABundle}
	s.HasDefault = v.Get(object.Key{Resource: "serviceaccounts", Namespace: ns.Name, Name: serviceaccount.Default}) != nil
	if cm := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.RootCA}); cm != nil {
		s.RootCA = cm.Object().(*corev1.ConfigMap)
	}
	if ns.Name == metav1.NamespaceSystem {
		s.ClientCA = w.ClientCA
		if cm := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.Trust}); cm != nil {
			s.Trust = cm.Object().(*corev1.ConfigMap)
		}
	}
	return serviceaccount.Reconcile(s)
}

// PublishRootCA syncs the namespaces whose ConfigMap kube-root-ca.crt holds other certificates than
// the CABundle: those of a server that had another authority, or spoke plain HTTP, when it wrote
// them. It also syncs kube-system if the certificate that it publishes there does not verify
// clients whose certificates the cluster has signed. It is called once the mirror is loaded, at the
// start and after another state was loaded; namespaces without the ConfigMap are synced anyway. Its
// cost is the number of namespaces. Replicas with different bundles do not undo each other's until
// they restart.
func PublishRootCA(ctx context.Context, deps engine.Deps, w world.World) error {
	var stale []types.UID
	deps.Mirror.Read(func(v mirror.View) {
		v.Each("namespaces", "", func(ns *object.Version) bool {
			cm := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.RootCA})
			if cm != nil && cm.Object().(*corev1.ConfigMap).Data[serviceaccount.RootCAKey] != w.CABundle {
				stale = append(stale, ns.UID)
			} else if ns.Name == metav1.NamespaceSystem && w.ClientCA != "" {
				trust := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.Trust})
				if trust == nil || !serviceaccount.Trusts(trust.Object().(*corev1.ConfigMap), w.ClientCA) {
					stale = append(stale, ns.UID)
				}
			}
			return true
		})
	})
	if err := engine.WakeNow(ctx, deps, names.ServiceAccount, stale); err != nil {
		return fmt.Errorf("publish the certificates of the server: %w", err)
	}
	return nil
}
