package apimachinery

import (
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"

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

// waitingDefinitions is how many definitions one sync gives names that they have waited for. The
// next sync continues with the others.
const waitingDefinitions = 20

// NewCustomResourceDefinition makes the controller that accepts the names of definitions and
// establishes them. Because two definitions may want the same name, it decides under a lock.
//
// Cost: the definition, by its names; of those that were refused a name before, at most
// waitingDefinitions that get it when it is released.
func NewCustomResourceDefinition(world.World) engine.Controller {
	return engine.Controller{
		Name: names.CustomResourceDefinition, UserAgent: "naming-controller", Primary: apiextensions.CustomResourceDefinition.Resource(),
		Batch: 16, Lock: wakeup.HousekeepingLock, Reconcile: syncDefinitions,
		Sources: []wakeup.Source{
			wakeup.For(&apiextensions.CustomResourceDefinition.Type),
			wakeup.Watches(&apiextensions.CustomResourceDefinition.Type, wakeup.OfLock(wakeup.HousekeepingLock, releasesNames)),
		},
	}
}

// releasesNames reports whether a change of a definition releases a name for others.
func releasesNames(d wakeup.Diff) bool {
	was, _ := d.Old.(*apiextensionsv1.CustomResourceDefinition)
	is, _ := d.New.(*apiextensionsv1.CustomResourceDefinition)
	return was != nil && (is == nil || was.Status.AcceptedNames.Plural != "" && !equality.Semantic.DeepEqual(was.Status.AcceptedNames, is.Status.AcceptedNames))
}

// syncDefinitions syncs definitions one after another, each with the names that those before it
// were given.
func syncDefinitions(v mirror.View, requests []engine.Request, now time.Time) (planned []engine.Planned) {
	given := map[string]string{} // by name, to definitions
	for _, request := range requests {
		if request.UID != wakeup.HousekeepingLock {
			if o := v.UID(request.UID); o != nil && o.Type.Resource() == apiextensions.CustomResourceDefinition.Resource() {
				planned = append(planned, engine.Planned{UID: request.UID, Plan: syncDefinition(v, o, given, now)})
			}
			continue
		}
		var all plan.Plan
		waiting, more := v.Waiting(waitingDefinitions)
		if more {
			all.WakeAt = now
		}
		for _, o := range waiting {
			all.Updates = append(all.Updates, syncDefinition(v, o, given, now).Updates...)
		}
		planned = append(planned, engine.Planned{UID: request.UID, Plan: all})
	}
	return planned
}

func syncDefinition(v mirror.View, o *object.Version, given map[string]string, now time.Time) plan.Plan {
	d := o.Object().(*apiextensionsv1.CustomResourceDefinition)
	group, names := d.Spec.Group, d.Spec.Names
	taken := func(key string) bool {
		if by := given[key]; by != "" && by != d.Name {
			return true
		}
		return slices.ContainsFunc(v.First(mirror.DefinitionsByName, key, 2), func(other *object.Version) bool { return other.Name != d.Name })
	}
	s := customresourcedefinition.Snapshot{Definition: d, Resources: map[string]bool{}, Kinds: map[string]bool{}, Now: now}
	for _, name := range append([]string{names.Plural, names.Singular}, names.ShortNames...) {
		s.Resources[name] = taken(mirror.DefinedResource(group, name))
	}
	for _, name := range []string{names.Kind, names.ListKind} {
		s.Kinds[name] = taken(mirror.DefinedKind(group, name))
	}
	p := customresourcedefinition.Reconcile(s)
	for _, u := range p.Updates {
		for _, name := range mirror.DefinedNames(group, u.Object.(*apiextensionsv1.CustomResourceDefinition).Status.AcceptedNames) {
			given[name] = d.Name
		}
	}
	return p
}
