package apimachinery

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/namespace"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewNamespace makes the controller that deletes the contents of a namespace that is being deleted.
func NewNamespace(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.Namespace, UserAgent: "namespace-controller", Primary: "namespaces", Batch: 16, Reconcile: gather.Each(controllers(w).syncNamespace),
		Sources: []wakeup.Source{
			wakeup.For(&core.Namespace.Type, wakeup.NotBy(names.Namespace)), // the deletion of its contents wakes it
			wakeup.WatchesAll(wakeup.LeavesNamespace),
		},
	}
}

// syncNamespace syncs a namespace.
//
// Cost: the objects that it deletes, at most namespace.Burst. What remains is counted without
// visiting it, and objects that are already being deleted are skipped.
func (w controllers) syncNamespace(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	return namespace.Reconcile(snapshotNamespace(v, w.Kinds, o.Object().(*corev1.Namespace), now))
}

// snapshotNamespace makes the controller's snapshot of a Namespace.
func snapshotNamespace(v mirror.View, kinds *kind.Catalogue, ns *corev1.Namespace, now time.Time) namespace.Snapshot {
	s := namespace.Snapshot{Namespace: ns, Now: now}
	if ns.DeletionTimestamp == nil {
		return s
	}
	first := ""
	for _, resource := range v.Resources() {
		if k := kinds.ByResource(resource); k != nil && !k.Namespaced {
			continue
		}
		if n := v.Count(resource, ns.Name); n > 0 {
			r := namespace.Resource{GroupResource: schema.ParseGroupResource(resource), Objects: n}
			r.Terminating, r.Finalized = v.Held(resource, ns.Name)
			s.Resources = append(s.Resources, r)
			if r.GroupResource == namespace.Pods {
				first = resource
			}
		}
	}
	s.Grace = time.Duration(v.LongestGrace(ns.Name)) * time.Second
	s.Unnamed = v.Finalizers(first, ns.Name, func(finalizer string, objects int) bool {
		s.Finalizers = append(s.Finalizers, namespace.Finalizer{Name: finalizer, Objects: objects})
		return len(s.Finalizers) < namespace.MaxFinalizers
	}) - len(s.Finalizers)
	for _, r := range s.Resources {
		if first != "" && r.GroupResource != namespace.Pods || r.Terminating == r.Objects {
			continue
		}
		if room := namespace.Burst - len(s.Live); r.Objects-r.Terminating > room {
			s.More = true
			if room == 0 {
				break
			}
		}
		v.EachLive(r.String(), ns.Name, func(o *object.Version) bool {
			s.Live = append(s.Live, namespace.Content{Resource: r.GroupResource, Object: o.Object()})
			return len(s.Live) < namespace.Burst
		})
	}
	return s
}
