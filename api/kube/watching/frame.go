package watching

import (
	"sync"
	"sync/atomic"
	"weak"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// frames caches the latest encodings of objects that watches have sent, so that each event is
// encoded once for all watches. Plain JSON does not need it, because it is stored. A slot is
// overwritten by the next revision with the same index, so the number of slots bounds the cache. It
// is safe for concurrent use.
type frames struct {
	small [256]atomic.Pointer[frame]
	large [8]atomic.Pointer[frame]
}

// smallFrameBytes is the JSON size up to which an object's frame is small.
const smallFrameBytes = 32 << 10

// frame is one encoding of one version, made by the first watch that needs it.
type frame struct {
	key  frameKey
	once sync.Once
	doc  []byte
	err  error
}

// frameKey identifies an encoding. It identifies the version by pointer, because a restored
// database reuses revisions, without keeping it alive.
type frameKey struct {
	version  weak.Pointer[object.Version]
	revision object.Revision // as sent: a tombstone may contain an older version
	kind     *kind.Kind
	encoding wire.Encoding
	as       string
	group    string // the version of meta.k8s.io
	bare     bool
}

// get returns the document of the key; encode makes it if it is not cached. The caller must not
// modify it.
func (f *frames) get(key frameKey, size int, encode func() ([]byte, error)) ([]byte, error) {
	slot := &f.small[uint64(key.revision)%uint64(len(f.small))] //nolint:gosec // revisions are not negative
	if size > smallFrameBytes {
		slot = &f.large[uint64(key.revision)%uint64(len(f.large))] //nolint:gosec // as above
	}
	found := slot.Load()
	if found == nil || found.key != key {
		fresh := &frame{key: key}
		if slot.CompareAndSwap(found, fresh) {
			found = fresh
		} else if found = slot.Load(); found.key != key {
			found = fresh // another watch stored an event in this slot concurrently
		}
	}
	found.once.Do(func() { found.doc, found.err = encode() })
	return found.doc, found.err
}
