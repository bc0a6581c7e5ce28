package render

import (
	"time"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Resource shows the objects of one served resource: a kind under one path. It is immutable.
type Resource struct {
	Kind *kind.Kind
	// Stored is the kind whose objects are stored: the same as Kind unless Kind is a view
	// (kind.Conversion).
	Stored    *kind.Kind
	converter *wire.Converter
	now       func() time.Time // cluster time
}

// New makes a Resource. now is used only for the ages in tables.
func New(k *kind.Kind, c *wire.Converter, now func() time.Time) Resource {
	r := Resource{Kind: k, Stored: k, converter: c, now: now}
	if k.Stored != nil {
		r.Stored = k.Stored.Kind
	}
	return r
}

// Served returns the object of a version, in the served kind. It is shared and must not be
// modified.
func (r *Resource) Served(v *object.Version) object.Object {
	o := r.Object(v)
	if r.Kind.Stored != nil {
		o = r.Kind.Stored.From(o)
	}
	return o
}

// Object returns the object of a version, in the current stored kind. It is shared and must not be
// modified.
func (r *Resource) Object(v *object.Version) object.Object {
	if c := r.Stored.Custom; c != nil {
		return c.Restore(v)
	}
	return v.Object()
}

// AsStored reports whether clients of the kind get the stored body of a version unchanged.
func (r *Resource) AsStored(v *object.Version) bool {
	c := r.Stored.Custom
	return r.Kind.Stored == nil && (c == nil || v.Type.Version == r.Kind.Version && (v.Revision >= c.Since || v.Revision == 0))
}
