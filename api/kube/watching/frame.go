package watching

import (
	"sync"
	"sync/atomic"
	"weak"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// frames are the latest encodings of objects that watches have sent, so that an event is encoded
// once however many clients watch. Plain JSON needs none of this, as it is stored. A slot is taken
// over by the next revision that falls to it; the slots bound what is kept. Safe to share.
type frames struct {
	small [256]atomic.Pointer[frame]
	large [8]atomic.Pointer[frame]
}

// smallFrameBytes is up to which size of its JSON an object's frame is a small one.
const smallFrameBytes = 32 << 10

// frame is one encoding of one version, made by the first who wants it.
type frame struct {
	key  frameKey
	once sync.Once
	doc  []byte
	err  error
}

// frameKey tells encodings apart. The version is known by its identity, as a database that went
// back uses revisions twice; it is not kept alive.
type frameKey struct {
	version  weak.Pointer[object.Version]
	revision object.Revision // as sent: a tombstone may show an older version
	kind     *kind.Kind
	encoding wire.Encoding
	as       string
	group    string // the version of meta.k8s.io
	bare     bool
}

// get returns the document of the key, which encode makes unless it is there. It must not be
// changed.
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
			found = fresh // somebody else's event came at the same moment
		}
	}
	found.once.Do(func() { found.doc, found.err = encode() })
	return found.doc, found.err
}
