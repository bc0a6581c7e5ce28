package wakeup

import (
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Controller is what a Router knows about a controller.
type Controller struct {
	Name    string
	Sources []Source
	// Primary is the resource whose objects are all synced when it is unknown what has been missed:
	// "*" for those that have an owner or are being deleted, empty for only the Lock's.
	Primary string
	Lock    types.UID // of a controller that decides across objects; empty for others
	// Off says that the controller does not run. Changes do not wake it, but the selectors that it
	// uses are stored, so that it may run later.
	Off bool
}

// Router determines whom a change wakes, as far as the change itself can tell. It is built from
// what the controllers declare, indexed by resource, so that a change costs only its own resource's
// sources. Safe for concurrent use.
type Router struct {
	controllers []Controller
	routes      map[string]*Route
	others      *Route // of resources that no controller names
}

// Route is what a Router knows about one resource.
type Route struct {
	sources  []mapping
	owners   map[string]owner // by the kind of the owner
	adopted  bool
	selects  []selecting // by controllers other than those that adopt
	selector Selector
}

// Selector says which controller uses the selectors of a resource's objects; the zero Selector
// means none.
type Selector struct {
	Controller string
	Mutable    bool
}

// selecting is a controller that uses selectors that may change, and what is news to it.
type selecting struct {
	controller string
	by         LabelSets
}

// Selected is the labels by which selectors that a controller uses may match the changed object.
type Selected struct {
	Controller string
	Labels     map[string]string
}

type mapping struct {
	controller string
	to         Map
}

type owner struct {
	controller string
	when       []Predicate
}

// NewRouter makes a Router. It panics if declarations contradict each other, which is a mistake in
// the program.
func NewRouter(controllers []Controller) *Router {
	r := &Router{controllers: controllers, routes: map[string]*Route{}, others: &Route{}}
	for _, c := range controllers {
		own := c.own()
		for _, s := range c.Sources {
			switch {
			case c.Off:
				r.addSelector(c.Name, s, own)
			case s.of == nil:
				r.others.sources = append(r.others.sources, mapping{c.Name, s.to})
			default:
				r.add(c.Name, s, own)
			}
		}
	}
	for _, route := range r.routes {
		route.sources = append(route.sources, r.others.sources...)
	}
	return r
}

// own returns the type of the objects whose selectors or owners a controller uses; nil for none.
func (c Controller) own() *object.Type {
	for _, s := range c.Sources {
		if s.role == forItself {
			return s.of
		}
	}
	return nil
}

// at returns the route of a type's resource, which it makes if there is none.
func (r *Router) at(t *object.Type) *Route {
	resource := t.Resource()
	if r.routes[resource] == nil {
		r.routes[resource] = &Route{owners: map[string]owner{}}
	}
	return r.routes[resource]
}

func (r *Router) add(controller string, s Source, own *object.Type) {
	if own == nil && s.role != forItself && s.role != watches {
		panic(fmt.Sprintf("wakeup: %s goes by objects of its own, and names no type with For", controller))
	}
	route := r.at(s.of)
	switch s.role {
	case forItself:
		route.sources = append(route.sources, mapping{controller, itself(s.when)})
	case watches:
		route.sources = append(route.sources, mapping{controller, s.to})
	case owns:
		if other, taken := route.owners[own.Kind]; taken {
			panic(fmt.Sprintf("wakeup: %s and %s both own %s by a %s", other.controller, controller, s.of.Resource(), own.Kind))
		}
		route.owners[own.Kind] = owner{controller, s.when}
	case adopts, adoptsByChanging:
		route.adopted = true
	case selects:
		route.selects = append(route.selects, selecting{controller, s.by})
	}
	r.addSelector(controller, s, own)
}

// addSelector records the selectors that a controller uses, if any.
func (r *Router) addSelector(controller string, s Source, own *object.Type) {
	switch s.role {
	case adopts, adoptsByChanging:
		r.at(own).selectBy(Selector{Controller: controller, Mutable: s.role == adoptsByChanging})
	case selects:
		r.at(own).selectBy(Selector{Controller: controller, Mutable: true})
	case forItself, watches, owns:
	}
}

func (r *Route) selectBy(s Selector) {
	if r.selector != (Selector{}) && r.selector != s {
		panic(fmt.Sprintf("wakeup: %s and %s both go by a selector", r.selector.Controller, s.Controller))
	}
	r.selector = s
}

// itself wakes for the changed object, if it still exists.
func itself(when []Predicate) Map {
	return func(wakes []Wake, d Diff) []Wake {
		if d.New == nil || !hold(when, d) {
			return wakes
		}
		return append(wakes, Wake{UID: d.New.GetUID()})
	}
}

func hold(when []Predicate, d Diff) bool {
	for _, p := range when {
		if !p(d) {
			return false
		}
	}
	return true
}

// Controllers returns what the router was made from. Callers must not change it.
func (r *Router) Controllers() []Controller { return r.controllers }

// Selectors returns the resources whose objects have selectors that controllers use, for tests.
func (r *Router) Selectors() map[string]Selector {
	all := map[string]Selector{}
	for resource, route := range maps.All(r.routes) {
		if route.selector != (Selector{}) {
			all[resource] = route.selector
		}
	}
	return all
}

// Of returns the route of a resource, never nil.
func (r *Router) Of(resource string) *Route {
	if route := r.routes[resource]; route != nil {
		return route
	}
	return r.others
}

// Wakes appends to wakes what a change of an object of the resource wakes.
func (r *Route) Wakes(wakes []Wake, d Diff) []Wake {
	for i := range r.sources {
		from := len(wakes)
		wakes = r.sources[i].to(wakes, d)
		for ; from < len(wakes); from++ {
			wakes[from].Controller = r.sources[i].controller
		}
	}
	if len(r.owners) == 0 {
		return wakes
	}
	var before types.UID
	if d.Old != nil {
		if ref := metav1.GetControllerOfNoCopy(d.Old); ref != nil {
			before = ref.UID
			wakes = r.wakeOwner(wakes, ref, d)
		}
	}
	if d.New != nil {
		if ref := metav1.GetControllerOfNoCopy(d.New); ref != nil && ref.UID != before {
			wakes = r.wakeOwner(wakes, ref, d)
		}
	}
	return wakes
}

func (r *Route) wakeOwner(wakes []Wake, ref *metav1.OwnerReference, d Diff) []Wake {
	o, ours := r.owners[ref.Kind]
	if !ours || !hold(o.when, d) {
		return wakes
	}
	return append(wakes, Wake{Controller: o.controller, UID: ref.UID})
}

// Adopters returns the label sets, old and new, by which controllers that adopt may select the
// changed object; none if its controller is known and has not changed, because then only that one
// is concerned.
func (r *Route) Adopters(d Diff) []map[string]string {
	if !r.adopted || d.New == nil {
		return nil
	}
	orphan := metav1.GetControllerOfNoCopy(d.New) == nil
	if d.Old == nil {
		if !orphan {
			return nil
		}
		return []map[string]string{d.New.GetLabels()}
	}
	if !orphan && !d.OwnersChanged() && maps.Equal(d.Old.GetLabels(), d.New.GetLabels()) {
		return nil
	}
	return []map[string]string{d.Old.GetLabels(), d.New.GetLabels()}
}

// Selected returns the label sets by which changeable selectors match the changed object, if the
// change is news to their users.
func (r *Route) Selected(d Diff) (all []Selected) {
	for _, s := range r.selects {
		for _, labels := range s.by(d) {
			all = append(all, Selected{s.controller, labels})
		}
	}
	return all
}

// Selector returns which controller uses the selectors of the resource's objects.
func (r *Route) Selector() Selector { return r.selector }
