package object

import (
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

// dictionaryBytes is how much of the first packed bodies of a type serves as the dictionary of the
// others. Objects of one type are so similar that a few of them cover most content: Pods shrink to
// a twelfth.
const dictionaryBytes = 32 << 10

// Pack makes the versions' bodies take less memory, at the price of unpacking them on every read,
// which takes a few microseconds. They must be of one type, and may be in use meanwhile. Packing
// twice does nothing.
func Pack(versions []*Version) {
	if len(versions) == 0 {
		return
	}
	p := packing{dictionary: dictionaryOf(versions)}
	for _, v := range versions {
		p.add(v)
		if !v.Type.Bulk || len(p.bytes) >= togetherBytes {
			p.finish()
		}
	}
	p.finish()
}

// togetherBytes is about how many bytes of packed bodies of a Bulk type share one allocation, which
// lives as long as one of them does. There are so many Events that an allocation for each would
// cost the garbage collector much, and those packed together also expire together.
const togetherBytes = 4 << 10

// packing is packed bodies that are not yet their versions'.
type packing struct {
	dictionary *s2.Dict
	bytes      []byte // of all, one after another
	versions   []packedVersion
}

// packedVersion is a version, its plain body, and where its packed body ends.
type packedVersion struct {
	*Version
	plain *body
	end   int
}

// add packs a version's body, unless it is packed already or would not be smaller.
func (p *packing) add(v *Version) {
	b := v.body.Load()
	if b == nil || b.packed {
		return
	}
	begin := len(p.bytes)
	p.bytes = slices.Grow(p.bytes, s2.MaxEncodedLen(len(b.bytes)))
	packed := p.dictionary.Encode(p.bytes[begin:cap(p.bytes)], b.bytes)
	if len(packed) < len(b.bytes) {
		p.bytes = p.bytes[:begin+len(packed)]
		p.versions = append(p.versions, packedVersion{v, b, len(p.bytes)})
	}
}

// finish gives the versions their packed bodies.
func (p *packing) finish() {
	bytes, bodies, begin := slices.Clone(p.bytes), make([]body, len(p.versions)), 0
	for i, v := range p.versions {
		bodies[i] = body{bytes: bytes[begin:v.end:v.end], packed: true}
		v.body.CompareAndSwap(v.plain, &bodies[i])
		begin = v.end
	}
	clear(p.versions)
	p.bytes, p.versions = p.bytes[:0], p.versions[:0]
}

func dictionaryOf(versions []*Version) *s2.Dict {
	t := versions[0].Type
	if d, ok := dictionariesOf(t).Load(t); ok {
		return d.(*s2.Dict)
	}
	var sample []byte
	for _, v := range versions {
		if sample = append(sample, v.Body()...); len(sample) > dictionaryBytes {
			break
		}
	}
	for len(sample) < s2.MinDictSize {
		sample = append(sample, ' ')
	}
	d, _ := dictionariesOf(t).LoadOrStore(t, s2.MakeDict(sample[:min(len(sample), dictionaryBytes)], nil))
	return d.(*s2.Dict)
}

// unpacked holds buffers that packed bodies are unpacked into while they are copied.
var unpacked = sync.Pool{New: func() any { return new(buffer) }}

type buffer struct{ bytes []byte }

// largestBuffer is the capacity in bytes above which a buffer is not used again.
const largestBuffer = 64 << 10

// borrow returns the body until the buffer is given back: a packed one is unpacked into a buffer
// that others use later. The buffer is nil if none was needed.
func (v *Version) borrow() (plain []byte, used *buffer) {
	b := v.body.Load()
	switch {
	case b == nil:
		return nil, nil
	case !b.packed:
		return b.bytes, nil
	}
	used = unpacked.Get().(*buffer)
	used.bytes = unpack(used.bytes[:0], v.Type, b.bytes)
	return used.bytes, used
}

// giveBack ends the use of a borrowed body.
func giveBack(used *buffer) {
	if used != nil && cap(used.bytes) <= largestBuffer {
		unpacked.Put(used)
	}
}
