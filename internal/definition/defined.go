package definition

import (
	"bytes"
	"encoding/json"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// defined is a definition, and its kinds, nil if they have not been made yet.
type defined struct {
	version *object.Version
	since   object.Revision // see kind.Custom
	life    *kind.Life
	summary *Summary
	kinds   []*kind.Kind
}

// define reads a definition for the first time.
func define(v *object.Version) *defined {
	return &defined{version: v, since: v.Revision, life: kind.NewLife(), summary: Summarize(v)}
}

// end ends the life of a definition's kinds; on nil it does nothing.
func (d *defined) end(at object.Revision) {
	if d != nil {
		d.life.End(at)
	}
}

// sameSpec reports whether two versions of a definition have the same spec. Equal generations show
// that without reading it; a deletion only changes the generation.
func (d *defined) sameSpec(next *defined) bool {
	return d.summary.Metadata.Generation == next.summary.Metadata.Generation || bytes.Equal(specOf(d.version), specOf(next.version))
}

// specOf returns the spec of a stored definition, as it was written.
func specOf(v *object.Version) []byte {
	var d struct {
		Spec json.RawMessage `json:"spec"`
	}
	_ = json.Unmarshal(v.Body(), &d) // Summarize has read it
	return d.Spec
}
