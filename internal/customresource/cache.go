package customresource

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"runtime"
	"sync"
	"weak"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// maxShared limits the compiled schemas that a process keeps, measured in bytes of JSON schema. A
// compiled schema takes about 15 times as much memory, plus 70 kB for each rule, which counts as
// ruleSize.
const (
	maxShared = 12 << 20
	ruleSize  = 4 << 10
)

// shared holds the compiled schemas of the process. Its values are pure functions of their keys, so
// clusters can share it without affecting each other.
var shared = newCache(maxShared)

// cache keeps one entry for all equal schemas while any of them is in use, and compiled programs
// for the most recently used entries. It is safe for concurrent use.
type cache struct {
	limit int

	mu      sync.Mutex
	entries map[[sha256.Size]byte]weak.Pointer[entry]
	recent  *list.List // of *slot: entries with a program, most recently used first
	size    int        // sum of the slots' sizes
}

// slot is an entry's place in recent. It does not keep the entry alive.
type slot struct {
	of   weak.Pointer[entry]
	size int
}

// entry is one schema. Its program may be evicted at any time and is then compiled again on demand.
type entry struct {
	cache *cache
	props *apiextensionsv1.JSONSchemaProps
	size  int // as maxShared counts it

	compiling sync.Mutex // held while compiling; locked before cache.mu

	// guarded by cache.mu:
	place    *list.Element // nil without a program
	compiled *program
	err      error
}

func newCache(limit int) *cache {
	return &cache{limit: limit, entries: map[[sha256.Size]byte]weak.Pointer[entry]{}, recent: list.New()}
}

// entry returns the entry of a schema, which must not change afterwards. nil is the schema that
// allows everything.
func (c *cache) entry(props *apiextensionsv1.JSONSchemaProps) *entry {
	text, err := json.Marshal(props)
	if err != nil {
		return &entry{cache: c, props: props} // cannot happen: the schema was decoded from JSON
	}
	hash := sha256.Sum256(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.entries[hash].Value(); known != nil {
		return known
	}
	e := &entry{cache: c, props: props, size: len(text) + ruleSize*bytes.Count(text, []byte(`"rule":`))}
	pointer := weak.Make(e)
	c.entries[hash] = pointer
	runtime.AddCleanup(e, func(hash [sha256.Size]byte) { c.forget(hash, pointer) }, hash)
	return e
}

// forget removes the entry of a schema that has been garbage collected.
func (c *cache) forget(hash [sha256.Size]byte, pointer weak.Pointer[entry]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[hash] == pointer {
		delete(c.entries, hash)
	}
	for at := c.recent.Front(); at != nil; at = at.Next() {
		if s := at.Value.(*slot); s.of == pointer {
			c.size -= s.size
			c.recent.Remove(at)
			return
		}
	}
}

// program returns the entry's program and compiles it if necessary.
func (e *entry) program() (*program, error) {
	if p, err := e.known(); p != nil || err != nil {
		return p, err
	}
	e.compiling.Lock()
	defer e.compiling.Unlock()
	if p, err := e.known(); p != nil || err != nil {
		return p, err
	}
	p, err := compile(e.props)
	e.keep(p, err)
	return p, err
}

// known returns the program if it is compiled, or the error of its compilation.
func (e *entry) known() (*program, error) {
	c := e.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.place != nil {
		c.recent.MoveToFront(e.place)
	}
	return e.compiled, e.err
}

// keep stores a program and evicts the least recently used ones beyond the limit.
func (e *entry) keep(p *program, err error) {
	c := e.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.err = err; err != nil {
		return
	}
	e.compiled, e.place = p, c.recent.PushFront(&slot{weak.Make(e), e.size})
	c.size += e.size
	for at := c.recent.Back(); c.size > c.limit && at != e.place; at = c.recent.Back() {
		s := at.Value.(*slot)
		c.size -= s.size
		c.recent.Remove(at)
		if old := s.of.Value(); old != nil {
			old.compiled, old.place = nil, nil
		}
	}
}
