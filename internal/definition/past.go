package definition

import (
	"context"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// keptPast is how many catalogues of the past stay cached, for the pages of a list and for steps
// through time.
const keptPast = 4

// Log is the part of the mirror and the log that catalogues of the past need.
type Log interface {
	// Revision returns the newest observed revision.
	Revision() object.Revision
	// Definitions returns the CustomResourceDefinitions as of a revision. Its errors are those of
	// reading the past.
	Definitions(ctx context.Context, revision object.Revision) ([]*object.Version, error)
}

// At returns the catalogue as of a revision: the current one if no definition has changed since,
// otherwise one derived from the log. A definition that was the same then has the same kinds. It
// returns the errors of log.
func (c *Catalogue) At(ctx context.Context, log Log, revision object.Revision) (*kind.Catalogue, error) {
	c.mu.Lock()
	of := c.past
	c.mu.Unlock()
	if v := c.atHand(of, log.Revision(), revision); v != nil {
		return v, nil
	}
	versions, err := log.Definitions(ctx, revision)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.deriveLocked(versions)
	of.kept = append([]pastValue{{revision, v}}, of.kept[:min(len(of.kept), keptPast-1)]...)
	return v, nil
}

// atHand returns a catalogue that needs no reading; nil for none. newest is a revision that was
// observed after of was made.
func (c *Catalogue) atHand(of *past, newest, revision object.Revision) *kind.Catalogue {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !of.known {
		of.known, of.since = true, newest
	}
	if c.past == of && revision >= max(c.changed, of.since) && revision <= newest {
		return c.nowLocked()
	}
	for _, p := range of.kept {
		if p.revision == revision {
			return p.value
		}
	}
	return nil
}

// deriveLocked derives the catalogue of earlier definitions. It only reads those that differ now.
func (c *Catalogue) deriveLocked(versions []*object.Version) *kind.Catalogue {
	all := make([]*defined, 0, len(versions))
	same := len(versions) == len(c.definitions)
	for _, v := range versions {
		d := c.definitions[v.Name]
		if d == nil || d.version.UID != v.UID || d.version.Revision != v.Revision {
			d, same = define(v), false
		}
		all = append(all, d)
	}
	if same {
		return c.nowLocked()
	}
	return derive(c.builtin, all)
}
