package definition

import (
	"cmp"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/object"
)

// resource is where definitions are stored.
var resource = apiextensions.CustomResourceDefinition.Resource()

// Catalogue is the catalogue of a cluster: the built-in kinds, and those that definitions add. It
// observes a mirror. Safe for concurrent use.
type Catalogue struct {
	builtin *kind.Catalogue
	value   atomic.Pointer[kind.Catalogue] // nil if something has changed

	mu          sync.Mutex
	definitions map[string]*defined // by name
	changed     object.Revision     // the newest observed change of a definition
	past        *past               // replaced by Reset
}

// New makes the catalogue of a cluster without definitions.
func New(builtin *kind.Catalogue) *Catalogue {
	c := &Catalogue{builtin: builtin}
	c.Reset()
	return c
}

// Kinds returns the catalogue in the form that others use.
func (c *Catalogue) Kinds() *kind.Catalogue { return kind.Live(c.builtin, c.now) }

// Reset implements mirror.Observer.
func (c *Catalogue) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.definitions, c.changed, c.past = map[string]*defined{}, 0, &past{}
	c.value.Store(c.builtin)
}

// Observe implements mirror.Observer.
func (c *Catalogue) Observe(e object.Event) {
	if e.New.Type.Plural != apiextensions.CustomResourceDefinition.Plural || e.New.Type.Resource() != resource {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value.Store(nil)
	c.changed = max(c.changed, e.New.Revision)
	was := c.definitions[e.New.Name]
	if e.New.Verb == object.Deleted {
		delete(c.definitions, e.New.Name)
		was.end(e.New.Revision)
		return
	}
	next := define(e.New)
	if was != nil && was.version.UID == e.New.UID && was.sameSpec(next) {
		next.since = was.since
		if reflect.DeepEqual(was.summary.Status.AcceptedNames, next.summary.Status.AcceptedNames) {
			next.life = was.life
		}
		if next.summary.serves() == was.summary.serves() && next.summary.sameStatus(was.summary) {
			next.kinds = was.kinds
		}
	}
	if was != nil && was.life != next.life {
		was.end(e.New.Revision)
	}
	c.definitions[e.New.Name] = next
}

// now returns the catalogue as a value.
func (c *Catalogue) now() *kind.Catalogue {
	if v := c.value.Load(); v != nil {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nowLocked()
}

func (c *Catalogue) nowLocked() *kind.Catalogue {
	v := c.value.Load()
	if v == nil {
		all := make([]*defined, 0, len(c.definitions))
		for _, d := range c.definitions {
			all = append(all, d)
		}
		v = derive(c.builtin, all)
		c.value.Store(v)
	}
	return v
}

// derive makes the catalogue of the built-in kinds and some definitions, which it sorts by name.
func derive(builtin *kind.Catalogue, all []*defined) *kind.Catalogue {
	slices.SortFunc(all, func(a, b *defined) int { return cmp.Compare(a.version.Name, b.version.Name) })
	var kinds []*kind.Kind
	for _, d := range all {
		if !d.summary.serves() {
			continue
		}
		if d.kinds == nil {
			d.kinds = kindsOf(d)
		}
		kinds = append(kinds, d.kinds...)
	}
	return builtin.With(kinds...)
}

// Of makes the catalogue of the built-in kinds and some definitions, in any order. A Catalogue that
// observes a mirror with these is equal.
func Of(builtin *kind.Catalogue, definitions ...*object.Version) *kind.Catalogue {
	all := make([]*defined, len(definitions))
	for i, v := range definitions {
		all[i] = define(v)
	}
	return derive(builtin, all)
}

// past is what is cached about the past, under the mutex of its Catalogue.
type past struct {
	known bool            // whether since is
	since object.Revision // the revision from which on every change of a definition was observed
	kept  []pastValue     // the last requested ones, newest first
}

type pastValue struct {
	revision object.Revision
	value    *kind.Catalogue
}
