package kube

import (
	"sync"
	"sync/atomic"
	"weak"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/watch"

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

// document is the encoding of a version for a watch. source is the version that holds the body.
func (s *stream) document(v, source *object.Version) ([]byte, error) {
	key := frameKey{weak.Make(source), v.Revision, s.r.kind, s.rep.Encoding, s.rep.As, s.rep.Version, s.rep.Bare}
	return s.r.frames.get(key, v.Size(), func() ([]byte, error) { return s.r.appendVersion(nil, s.rep, v) })
}

// append puts the document of an object into a frame: a line of JSON, or the length and message of
// a metav1.WatchEvent.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/framer/framer.go, NewLengthDelimitedFrameWriter
// A large document, which other watches share, is not copied.
func (s *stream) append(what watch.EventType, doc []byte) error {
	if s.rep.Encoding != wire.Protobuf {
		s.begin(what)
		err := s.add(doc)
		s.buf = append(s.buf, "}\n"...)
		return err
	}
	raw := wire.FieldSize(len(doc)) // a RawExtension with its one field
	size := wire.FieldSize(len(what)) + wire.FieldSize(raw)
	s.buf = append(s.buf, byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
	s.buf = protowire.AppendString(append(s.buf, wire.Tag1), string(what))
	s.buf = protowire.AppendVarint(append(s.buf, wire.Tag2), uint64(raw))
	s.buf = protowire.AppendVarint(append(s.buf, wire.Tag1), uint64(len(doc)))
	return s.add(doc)
}

func (s *stream) add(doc []byte) error {
	if len(doc) > largeFrameBytes && s.socket == nil {
		return s.through(doc)
	}
	s.buf = append(s.buf, doc...)
	return nil
}
