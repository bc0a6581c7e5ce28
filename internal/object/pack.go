package object

import (
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

// dictionaryBytes is how much of the first packed bodies of a type serves as the dictionary of the
// others. Objects of one type are so similar that a few of them cover most content: Pods shrink to
// a twelfth.
const dictionaryBytes = 32 << 10

// dictionaries has one dictionary for each built-in type, made when the first body of the type is
// packed. It lives as long as the process, and so do the packed bodies. The dictionary of a custom
// resource goes with its type.
var dictionaries sync.Map // *Type to *s2.Dict

// dictionariesOf returns where the dictionary of a type is kept.
func dictionariesOf(t *Type) *sync.Map {
	if t.Custom != nil {
		return &t.Custom.dictionary
	}
	return &dictionaries
}

// Pack makes the versions' bodies take less memory, at the price of unpacking them on every read,
// which takes a few microseconds. They must be of one type, and may be in use meanwhile. Packing
// twice does nothing.
func Pack(versions []*Version) {
	if len(versions) == 0 {
		return
	}
	dictionary := dictionaryOf(versions)
	var buffer []byte
	for _, v := range versions {
		b := v.body.Load()
		if b == nil || b.packed {
			continue
		}
		buffer = slices.Grow(buffer[:0], s2.MaxEncodedLen(len(b.bytes)))
		packed := dictionary.Encode(buffer[:cap(buffer)], b.bytes)
		if len(packed) < len(b.bytes) {
			v.body.CompareAndSwap(b, &body{bytes: slices.Clone(packed), packed: true})
		}
	}
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

// unpack is the inverse of packing. It uses dst if its capacity is large enough. It panics on a
// packed body that does not unpack, which is a defect in this file.
func unpack(dst []byte, t *Type, packed []byte) []byte {
	d, _ := dictionariesOf(t).Load(t)
	plain, err := d.(*s2.Dict).Decode(dst, packed)
	if err != nil {
		panic(fmt.Sprintf("object: a packed body of %s does not unpack: %v", t.Resource(), err))
	}
	return plain
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
