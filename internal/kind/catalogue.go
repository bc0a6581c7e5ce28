package kind

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Catalogue is an ordered set of kinds. It is safe for concurrent use, as are its Kinds, which
// never change. The zero Catalogue is empty. A Catalogue returned by NewCatalogue or With is
// immutable; one returned by Live follows the definitions of a cluster.
type Catalogue struct {
	current func() *Catalogue // nil for an immutable one

	builtin    *Catalogue // the catalogue that With extended; nil if none
	kinds      []*Kind    // the served kinds
	stored     []*Kind
	types      []*object.Type
	byResource map[string]*Kind
	byGVR      map[schema.GroupVersionResource]*Kind
	byGVK      map[schema.GroupVersionKind]*Kind
}

// NewCatalogue returns a catalogue of the kinds, in this order. It panics if two kinds have the
// same name or if the stored kind of a view is missing, because these are programming errors.
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

// Live returns the catalogue of a cluster in which CustomResourceDefinitions come and go: it always
// has the value that current returns, which must be fast. Two calls of its methods may see
// different values: see Value.
func Live(builtin *Catalogue, current func() *Catalogue) *Catalogue {
	return &Catalogue{builtin: builtin, current: current}
}

// Value returns the current catalogue, which is immutable.
func (c *Catalogue) Value() *Catalogue {
	if c.current != nil {
		return c.current()
	}
	return c
}

// Builtin returns the kinds that exist without CustomResourceDefinitions.
func (c *Catalogue) Builtin() *Catalogue {
	if c.builtin != nil {
		return c.builtin
	}
	return c
}

// With returns the catalogue c, which must be immutable, with more kinds. It leaves out a kind, and
// its views, if one of its names is taken.
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

// All returns the served kinds, including views and reviews, in the catalogue's order.
func (c *Catalogue) All() []*Kind { return slices.Clone(c.Value().kinds) }

// Stored returns the stored kinds, including internal ones, in the catalogue's order. It does not
// include views and reviews.
func (c *Catalogue) Stored() []*Kind { return slices.Clone(c.Value().stored) }

// Types returns the stored types in the catalogue's order. It does not include views and reviews.
func (c *Catalogue) Types() []*object.Type { return slices.Clone(c.Value().types) }

// ByResource returns a stored kind by its storage name, "deployments.apps" (see
// object.Type.Resource), or nil. It never returns views, because nothing is stored
// under their names.
func (c *Catalogue) ByResource(resource string) *Kind { return c.Value().byResource[resource] }

// ByGVR returns the kind served under a group, version and plural resource name; nil if there is
// none.
func (c *Catalogue) ByGVR(group, version, plural string) *Kind {
	return c.Value().byGVR[schema.GroupVersionResource{Group: group, Version: version, Resource: plural}]
}

// ByGVK returns the kind with the apiVersion and kind of its objects, or nil.
func (c *Catalogue) ByGVK(gvk schema.GroupVersionKind) *Kind { return c.Value().byGVK[gvk] }
