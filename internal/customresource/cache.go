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

// maxShared is how much a process keeps compiled, in bytes of schemas as JSON. Compiled, a schema
// takes about 15 times as much memory, and 70 kB for each rule, which counts as ruleSize.
const (
	maxShared = 12 << 20
	ruleSize  = 4 << 10
)

// shared has the compiled schemas of the process. It is a cache of pure values, so that sharing it
// between clusters changes no outcome.
var shared = newCache(maxShared)

// cache keeps one entry for all equal schemas, as long as somebody uses the schema, and the
// programs of the entries that were used last. It is safe for concurrent use.
type cache struct {
	limit int

	mu      sync.Mutex
	entries map[[sha256.Size]byte]weak.Pointer[entry]
	recent  *list.List // of *slot: the entries with a program, the last used first
	size    int        // of the schemas in recent
}

// slot is an entry's place in recent. It does not keep the entry alive.
type slot struct {
	of   weak.Pointer[entry]
	size int
}

// entry is one schema. Its program may be dropped at any time, and is then compiled again.
type entry struct {
	cache *cache
	props *apiextensionsv1.JSONSchemaProps
	size  int // as maxShared counts it

	compiling sync.Mutex // held while the program is compiled; before cache.mu

	// under cache.mu:
	place    *list.Element // nil without a program
	compiled *program
	err      error
}

func newCache(limit int) *cache {
	return &cache{limit: limit, entries: map[[sha256.Size]byte]weak.Pointer[entry]{}, recent: list.New()}
}

// entry returns the entry of a schema, which must not change any more; nil is a schema that allows
// everything.
func (c *cache) entry(props *apiextensionsv1.JSONSchemaProps) *entry {
	text, err := json.Marshal(props)
	if err != nil {
		return &entry{cache: c, props: props} // not shared: a schema that was decoded from JSON encodes
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

// forget removes what is left of an entry that nobody uses any more.
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

// program returns the entry's program, compiled now if it is not there.
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

// known returns the program if it is there, and why there is none if it did not compile.
func (e *entry) known() (*program, error) {
	c := e.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.place != nil {
		c.recent.MoveToFront(e.place)
	}
	return e.compiled, e.err
}

// keep stores a program, and drops those that were used least recently and are too many.
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
