package mirror

import (
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// Committed passes versions that this process has committed to the mirror, as they are in the log.
// They are applied as soon as they are next in line; what the mirror already has is dropped. While
// the database may have been set back, they are left to be read from the log, because they may be
// next in line in another history.
func (m *Mirror) Committed(versions []*object.Version) {
	if m.suspected() {
		m.Kick()
		return
	}
	m.take(versions)
}

// take applies what is next in line, and keeps what is early.
func (m *Mirror) take(versions []*object.Version) {
	if len(versions) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.loaded {
		return // loading continues from the log
	}
	m.contact = time.Now()
	if versions[0].Revision > m.revision+1 {
		for _, v := range versions {
			m.early[v.Revision] = v
		}
		return
	}
	touched := map[*table]struct{}{}
	for _, v := range versions {
		m.applyLocked(v, touched)
	}
	for v := m.early[m.revision+1]; v != nil; v = m.early[m.revision+1] {
		m.applyLocked(v, touched)
	}
	m.announceLocked(touched)
}

// applyLocked applies a version if it is the next, and drops it from the early ones.
func (m *Mirror) applyLocked(v *object.Version, touched map[*table]struct{}) {
	delete(m.early, v.Revision)
	if v.Revision != m.revision+1 {
		return
	}
	m.revision, m.last = v.Revision, place{v.Revision, v.UID, v.At}
	t := m.tableLocked(v.Type.Resource())
	old := m.byUID[v.UID]
	if v.Size() == 0 && old != nil { // a tombstone read from the log
		v.Succeed(old)
	}
	e := Event{New: v, Old: old}
	if v.Verb == object.Deleted {
		delete(m.byUID, v.UID)
	} else {
		m.byUID[v.UID] = v
	}
	t.set(e)
	m.indexLocked(e)
	m.observeLocked(e)
	t.window.add(e)
	touched[t] = struct{}{}
}

// indexLocked makes the event's new version the current one of all indexes.
func (m *Mirror) indexLocked(e Event) {
	for _, x := range m.indexes {
		if x.applies(e.New) {
			x.update(e)
		}
	}
}

// observeLocked shows the event to what follows all changes.
func (m *Mirror) observeLocked(e Event) {
	if e.Old != nil {
		m.heat.remove(e.Old)
	}
	if e.New.Verb != object.Deleted {
		m.heat.add(e.New)
	}
	m.updateContents(e)
	for _, o := range m.config.Observers {
		o.Observe(e)
	}
}

// announceLocked records when the revision was reached, and wakes those that wait for it and for
// the tables.
func (m *Mirror) announceLocked(touched map[*table]struct{}) {
	for t := range touched {
		close(t.changed)
		t.changed = make(chan struct{})
	}
	close(m.advanced)
	m.advanced = make(chan struct{})
	m.ages.see(m.revision, time.Now())
}

// updateContents updates the contents of the event's namespace.
func (m *Mirror) updateContents(e Event) {
	if e.New.Namespace == "" {
		return
	}
	const counted = object.Terminating | object.HasFinalizers
	was := e.Old != nil && e.Old.Is(counted)
	is := e.New.Verb != object.Deleted && e.New.Is(counted)
	if !was && !is {
		return
	}
	c := m.contents[e.New.Namespace]
	if c == nil {
		c = &contents{resources: map[string]*held{}}
		m.contents[e.New.Namespace] = c
	}
	resource := e.New.Type.Resource()
	h := c.resources[resource]
	if h == nil {
		h = &held{terminating: newTree()}
		c.resources[resource] = h
	}
	if was {
		c.count(h, e.Old, -1)
		h.terminating.Delete(e.Old)
	}
	if is {
		c.count(h, e.New, 1)
		if e.New.Is(object.Terminating) {
			h.terminating.Set(e.New)
		}
	}
	if h.terminating.Len() == 0 && h.finalized == 0 {
		delete(c.resources, resource)
	}
	if len(c.resources) == 0 {
		delete(m.contents, e.New.Namespace)
	}
}
