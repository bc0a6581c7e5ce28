package definition

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// resource is where definitions are stored.
var resource = kind.CustomResourceDefinition.Resource()

// Catalogue is the catalogue of a cluster: those kinds that are built in, and those that definitions add. It observes a mirror. Safe for
// concurrent use.
type Catalogue struct {
	builtin *kind.Catalogue
	value   atomic.Pointer[kind.Catalogue] // nil where something has changed

	mu          sync.Mutex
	definitions map[string]*defined // by name
}

// defined is a definition, and its kinds, nil where they have not been made yet.
type defined struct {
	version *object.Version
	since   object.Revision // see kind.Custom
	summary *Summary
	kinds   []*kind.Kind
}

// New makes the catalogue of a cluster that has no definitions yet.
func New(builtin *kind.Catalogue) *Catalogue {
	c := &Catalogue{builtin: builtin}
	c.Reset()
	return c
}

// Kinds is the catalogue, as everybody else knows it.
func (c *Catalogue) Kinds() *kind.Catalogue { return kind.Live(c.builtin, c.now) }

// Reset implements mirror.Observer.
func (c *Catalogue) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.definitions = map[string]*defined{}
	c.value.Store(c.builtin)
}

// Observe implements mirror.Observer.
func (c *Catalogue) Observe(e object.Event) {
	if e.New.Type.Plural != kind.CustomResourceDefinition.Plural || e.New.Type.Resource() != resource {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value.Store(nil)
	if e.New.Verb == object.Deleted {
		delete(c.definitions, e.New.Name)
		return
	}
	next := &defined{version: e.New, since: e.New.Revision, summary: Summarize(e.New)}
	if was := c.definitions[e.New.Name]; was != nil && e.Old != nil && was.version == e.Old && was.summary.Metadata.Generation == next.summary.Metadata.Generation {
		next.since = was.since
		if next.summary.serves() == was.summary.serves() && next.summary.sameStatus(was.summary) {
			next.kinds = was.kinds
		}
	}
	c.definitions[e.New.Name] = next
}

// now is the catalogue as a value.
func (c *Catalogue) now() *kind.Catalogue {
	if v := c.value.Load(); v != nil {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.value.Load(); v != nil {
		return v
	}
	all := make([]*defined, 0, len(c.definitions))
	for _, d := range c.definitions {
		if d.summary.serves() {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *defined) int { return cmp.Compare(a.version.Name, b.version.Name) })
	var kinds []*kind.Kind
	for _, d := range all {
		if d.kinds == nil {
			d.kinds = kindsOf(d.version, d.summary, d.since)
		}
		kinds = append(kinds, d.kinds...)
	}
	v := c.builtin.With(kinds...)
	c.value.Store(v)
	return v
}

// Of is the catalogue of the built-in kinds and some definitions, in any order. A Catalogue that observes a mirror with these is equal.
func Of(builtin *kind.Catalogue, definitions ...*object.Version) *kind.Catalogue {
	c := New(builtin)
	for _, v := range definitions {
		c.Observe(object.Event{New: v})
	}
	return c.now()
}
