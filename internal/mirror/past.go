package mirror

import (
	"context"
	"errors"
	"slices"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	// keptPast is how many reads of the past stay cached, pastBytes how many bytes of their bodies,
	// not counting the latest.
	keptPast, pastBytes = 4, 64 << 20
	// packedPast is the size from which on the bodies of a read of the past are packed.
	packedPast = 16 << 20
	// nearEnough is the distance in revisions up to which a state is derived from another: much
	// less than reading it whole costs.
	nearEnough = 20_000
)

// readPast reads the objects of a resource as they were at a revision: from a cached state nearby
// and the changes in between, otherwise completely. The result is cached for the next page of a
// list, and for the next step through time. Errors are those of Log.At.
func (m *Mirror) readPast(ctx context.Context, of scope) (*tree, error) {
	for {
		objects, reading, mine := m.pages.beginPast(of)
		switch {
		case objects != nil:
			return objects, nil
		case mine:
			p := past{scope: of}
			defer close(reading)
			defer func() { m.pages.endPast(p) }()
			var err error
			p, err = m.makePast(ctx, of)
			return p.objects, err
		}
		select {
		case <-reading: // another caller is reading it; if that fails, this one tries
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// makePast reads a state that is not cached.
func (m *Mirror) makePast(ctx context.Context, of scope) (past, error) {
	p := past{scope: of}
	base := m.nearest(of)
	if base.objects != nil {
		differences, err := m.log.AtFrom(ctx, of.resource, of.namespace, base.revision, of.revision)
		if err == nil {
			base.become(differences)
			p.objects, p.bytes = base.objects, base.bytes
			return p, nil
		}
		if !errors.Is(err, store.ErrCompacted) { // otherwise only the state that it was to be derived from may be gone
			return p, err
		}
	}
	versions, err := m.log.At(ctx, of.resource, of.namespace, of.revision)
	if err != nil {
		return p, err
	}
	p.objects, p.bytes = newTree(), packed(versions)
	for _, v := range versions {
		p.objects.Set(v)
	}
	return p, nil
}

// packed packs versions of one type if they are large, and returns how many bytes they then take.
func packed(versions []*object.Version) int {
	size := func() (bytes int) {
		for _, v := range versions {
			bytes += v.Size()
		}
		return bytes
	}
	if size() > packedPast {
		object.Pack(versions)
	}
	return size()
}

// nearest returns the cached state with the fewest changes to a revision; none if all have too
// many.
func (m *Mirror) nearest(of scope) (base past) {
	base = m.pages.nearest(of)
	m.mu.Lock() // copying a tree marks the tree
	defer m.mu.Unlock()
	t := m.tables[of.resource]
	usable := t != nil && m.loaded && !m.suspected() && of.namespace == ""
	if usable && (base.objects == nil || distance(m.revision, of.revision) < distance(base.revision, of.revision)) {
		base = past{scope: scope{of.resource, "", m.revision}, objects: t.objects.Copy()}
	}
	if base.objects == nil || distance(base.revision, of.revision) > nearEnough {
		return past{}
	}
	return base
}

func distance(a, b object.Revision) object.Revision { return max(a, b) - min(a, b) }

// become changes a state, which has no other user, by its differences from another revision.
func (p *past) become(differences []store.Difference) {
	var versions []*object.Version
	for _, d := range differences {
		if here, ok := p.objects.Get(&object.Version{Namespace: d.Namespace, Name: d.Name}); ok && here.UID == d.UID {
			p.objects.Delete(here)
			p.bytes = max(0, p.bytes-here.Size())
		}
		if d.Version != nil {
			versions = append(versions, d.Version)
		}
	}
	p.bytes += packed(versions)
	for _, v := range versions { // after the deletions, because names may have been reused
		p.objects.Set(v)
	}
}

// beginPast finds a state, or says that the caller must read it: reading is closed when its reader
// is done.
func (p *pages) beginPast(of scope) (objects *tree, reading chan struct{}, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.past {
		if k.scope == of {
			p.past[i].old = false
			return k.objects, nil, false
		}
	}
	if reading = p.reading[of]; reading != nil {
		return nil, reading, false
	}
	if p.reading == nil {
		p.reading = map[scope]chan struct{}{}
	}
	reading = make(chan struct{})
	p.reading[of] = reading
	return nil, reading, true
}

// endPast caches a state that was read (nil objects mean a failure), and drops the oldest.
func (p *pages) endPast(read past) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.reading, read.scope)
	if read.objects == nil || read.revision < p.gone {
		return
	}
	p.past = append(p.past, read)
	bytes := 0
	for i, k := range slices.Backward(p.past) {
		if bytes += k.bytes; i < len(p.past)-1 && bytes > pastBytes || len(p.past)-i > keptPast {
			p.past = slices.Delete(p.past, 0, i+1)
			return
		}
	}
}

// nearest returns a copy of the cached state nearest to a revision; none if nothing is cached.
func (p *pages) nearest(of scope) (base past) {
	p.mu.Lock()
	defer p.mu.Unlock()
	closer := func(revision object.Revision) bool {
		return base.objects == nil || distance(revision, of.revision) < distance(base.revision, of.revision)
	}
	for _, k := range p.past {
		if k.resource == of.resource && k.namespace == of.namespace && closer(k.revision) {
			base = k
		}
	}
	for _, k := range p.kept {
		if k.resource == of.resource && of.namespace == "" && closer(k.revision) {
			base = past{scope: scope{k.resource, "", k.revision}, objects: k.objects}
		}
	}
	if base.objects != nil {
		base.objects = base.objects.Copy() // copying marks the tree, under the mutex
	}
	return base
}
