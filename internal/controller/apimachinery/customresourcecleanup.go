package apimachinery

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/customresourcedefinition"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewCustomResourceCleanup makes the controller that deletes the objects of definitions that are
// being deleted.
func NewCustomResourceCleanup(world.World) engine.Controller {
	return engine.Controller{
		Name: names.CustomResourceCleanup, UserAgent: "crd-finalizer",
		Primary: apiextensions.CustomResourceDefinition.Resource(), Batch: 4, Reconcile: gather.Each(syncCleanup),
		Sources: []wakeup.Source{
			wakeup.For(&apiextensions.CustomResourceDefinition.Type, terminatingDefinition),
			wakeup.WatchesAll(leavesDefinition),
		},
	}
}

func terminatingDefinition(d wakeup.Diff) bool {
	return d.New != nil && d.New.GetDeletionTimestamp() != nil
}

// leavesDefinition asks for the definition of a custom resource that is gone, if the definition is
// being deleted.
func leavesDefinition(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New != nil || d.Custom == "" {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: apiextensions.CustomResourceDefinition.Resource(), Name: d.Custom, OnlyTerminating: true})
}

// syncCleanup deletes objects of a definition.
//
// Cost: the objects that it deletes, at most customresourcedefinition.Burst. Those already being
// deleted are counted, not visited.
func syncCleanup(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	s := customresourcedefinition.Cleanup{Definition: o.Object().(*apiextensionsv1.CustomResourceDefinition), Now: now}
	if s.Definition.DeletionTimestamp == nil {
		return plan.Plan{}
	}
	s.Left = v.EachIn(mirror.CustomResources, o.Name, nil)
	for _, instance := range v.First(mirror.LiveCustomResources, o.Name, customresourcedefinition.Burst) {
		s.Live = append(s.Live, instance.Object())
	}
	return customresourcedefinition.Clean(s)
}
