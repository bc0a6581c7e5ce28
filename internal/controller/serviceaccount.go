package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ServiceAccount keeps the default ServiceAccount and the root certificates of each namespace.
const ServiceAccount = "serviceaccount"

func newServiceAccount(w World) engine.Controller {
	return engine.Controller{
		Name: ServiceAccount, UserAgent: "service-account-controller", Primary: "namespaces", Batch: 64, Reconcile: each(w.lookForServiceAccount),
		Sources: []wakeup.Source{
			wakeup.For(&kind.Namespace.Type),
			wakeup.Watches(&kind.ServiceAccount.Type, namespaceOf(serviceaccount.Default)),
			wakeup.Watches(&kind.ConfigMap.Type, namespaceOf(serviceaccount.RootCA)),
		},
	}
}

// namespaceOf asks for the namespace of an object of that name, which others have changed or removed.
func namespaceOf(name string) wakeup.Map {
	return func(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
		if o := d.Last(); d.Controller != ServiceAccount && o.GetName() == name {
			wakes = append(wakes, wakeup.Wake{Resource: "namespaces", Name: o.GetNamespace()})
		}
		return wakes
	}
}
