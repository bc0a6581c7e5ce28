package kind

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Catalogue is an ordered set of kinds. It may be shared by goroutines, and so may the Kinds in it,
// which nobody changes. The zero Catalogue is empty. One that NewCatalogue or With has made is a
// value, and never changes; one of Live is that of a cluster.
type Catalogue struct {
	current func() *Catalogue // nil for a value

	builtin    *Catalogue // what With has added to; nil for nothing
	kinds      []*Kind    // that are served
	stored     []*Kind
	types      []*object.Type
	byResource map[string]*Kind
	byGVR      map[schema.GroupVersionResource]*Kind
	byGVK      map[schema.GroupVersionKind]*Kind
}

// NewCatalogue makes a catalogue of the kinds, in this order. Two kinds of one name are a defect of
// the caller, as is a view whose stored kind is missing; both panic.
func NewCatalogue(kinds ...*Kind) *Catalogue {
	c := &Catalogue{
		byResource: make(map[string]*Kind, len(kinds)),
		byGVR:      make(map[schema.GroupVersionResource]*Kind, len(kinds)),
		byGVK:      make(map[schema.GroupVersionKind]*Kind, len(kinds)),
	}
	for _, k := range kinds {
		gvr, gvk := k.GroupVersion().WithResource(k.Plural), k.GroupVersionKind()
		if c.byGVR[gvr] != nil || c.byGVK[gvk] != nil {
			panic("kind: " + gvk.String() + " is in the catalogue twice")
		}
		c.byGVR[gvr], c.byGVK[gvk] = k, k
		if !k.Internal {
			c.kinds = append(c.kinds, k)
		}
		if k.Stored == nil && k.Answer == nil && k.Derived == nil {
			c.byResource[k.Resource()] = k
			c.types = append(c.types, &k.Type)
			c.stored = append(c.stored, k)
		}
	}
	for _, k := range kinds {
		if k.Stored != nil && c.byResource[k.Stored.Kind.Resource()] != k.Stored.Kind {
			panic("kind: " + k.GroupVersionKind().String() + " is a view of a kind outside the catalogue")
		}
	}
	return c
}

// Live is the catalogue of a cluster, in which CustomResourceDefinitions come and go: at any time
// what current returns, which must be quick. Two of its methods may answer from different values:
// see Value.
func Live(builtin *Catalogue, current func() *Catalogue) *Catalogue {
	return &Catalogue{builtin: builtin, current: current}
}

// Value is the catalogue as it is now, which never changes.
func (c *Catalogue) Value() *Catalogue {
	if c.current != nil {
		return c.current()
	}
	return c
}

// Builtin are the kinds that are there without any CustomResourceDefinition.
func (c *Catalogue) Builtin() *Catalogue {
	if c.builtin != nil {
		return c.builtin
	}
	return c
}

// With is the catalogue c, a value, with more kinds. A kind whose names another has already is left
// out, with its views.
func (c *Catalogue) With(kinds ...*Kind) *Catalogue {
	out := &Catalogue{
		builtin: c.Builtin(), kinds: slices.Clone(c.kinds), stored: slices.Clone(c.stored), types: slices.Clone(c.types),
		byResource: maps.Clone(c.byResource), byGVR: maps.Clone(c.byGVR), byGVK: maps.Clone(c.byGVK),
	}
	for _, k := range kinds {
		gvr, gvk := k.GroupVersion().WithResource(k.Plural), k.GroupVersionKind()
		taken := out.byGVR[gvr] != nil || out.byGVK[gvk] != nil
		if view := k.Stored; view != nil {
			taken = taken || out.byResource[k.Resource()] != view.Kind
		} else {
			taken = taken || out.byResource[k.Resource()] != nil
		}
		if taken {
			continue
		}
		out.byGVR[gvr], out.byGVK[gvk] = k, k
		if !k.Internal {
			out.kinds = append(out.kinds, k)
		}
		if k.Stored == nil {
			out.byResource[k.Resource()] = k
			out.types, out.stored = append(out.types, &k.Type), append(out.stored, k)
		}
	}
	return out
}

// All lists the kinds that are served, in the catalogue's order, with views and questions.
func (c *Catalogue) All() []*Kind { return slices.Clone(c.Value().kinds) }

// Stored lists the kinds that are stored, in the catalogue's order, with internal ones: views and
// questions are not among them.
func (c *Catalogue) Stored() []*Kind { return slices.Clone(c.Value().stored) }

// Types lists the types that are stored, in the catalogue's order: views and questions are not
// among them.
func (c *Catalogue) Types() []*object.Type { return slices.Clone(c.Value().types) }

// ByResource finds a stored kind by its storage name, "deployments.apps" (see
// object.Type.Resource); nil if there is none. It finds no views, as nothing is stored under their
// names.
func (c *Catalogue) ByResource(resource string) *Kind { return c.Value().byResource[resource] }

// ByGVR finds the kind served under a group, version and plural resource name; nil if there is
// none.
func (c *Catalogue) ByGVR(group, version, plural string) *Kind {
	return c.Value().byGVR[schema.GroupVersionResource{Group: group, Version: version, Resource: plural}]
}

// ByGVK finds the kind by the apiVersion and kind that its objects carry; nil if there is none.
func (c *Catalogue) ByGVK(gvk schema.GroupVersionKind) *Kind { return c.Value().byGVK[gvk] }
