package mirror

import (
	"sync"

	"github.com/rowlock/rowlock/internal/object"
)

// keptSnapshots is how many of the latest snapshots stay cached for the following pages of their
// lists.
const keptSnapshots = 16

// pages caches the latest snapshots that were handed out, so that the following pages of a list,
// which are exact reads at the first page's revision, need not be assembled from the log. A
// snapshot shares what has not changed since.
type pages struct {
	mu   sync.Mutex
	kept []page // oldest first
	// The cached reads of the past, the reads under way, and the revision before which nothing may
	// be kept. See readPast.
	past    []past
	reading map[scope]chan struct{}
	gone    object.Revision
}

type page struct {
	resource string
	revision object.Revision
	objects  *tree
	old      bool // not used since the last tidy
}

// scope identifies a read of the past; namespace "" means all.
type scope struct {
	resource, namespace string
	revision            object.Revision
}

// past is a state that was read from the log.
type past struct {
	scope
	objects *tree
	bytes   int  // of bodies that only it holds, approximately
	old     bool // not used since the last tidy
}

func (p *pages) keep(resource string, objects *tree, revision object.Revision) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.kept {
		if k.resource == resource && k.revision == revision {
			p.kept[i].old = false
			return
		}
	}
	if len(p.kept) == keptSnapshots {
		copy(p.kept, p.kept[1:])
		p.kept = p.kept[:keptSnapshots-1]
	}
	p.kept = append(p.kept, page{resource: resource, revision: revision, objects: objects})
}

// clear drops everything: the revisions may be assigned again with other contents.
func (p *pages) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept, p.past, p.gone = nil, nil, 0
}

func (p *pages) find(resource string, revision object.Revision) *tree {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.kept {
		if k.resource == resource && k.revision == revision {
			p.kept[i].old = false
			return k.objects
		}
	}
	return nil
}
