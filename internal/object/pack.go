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

// unpack is the inverse of packing. A packed body that does not unpack is a defect in this file and
// panics.
func unpack(t *Type, packed []byte) []byte {
	d, _ := dictionariesOf(t).Load(t)
	plain, err := d.(*s2.Dict).Decode(nil, packed)
	if err != nil {
		panic(fmt.Sprintf("object: a packed body of %s does not unpack: %v", t.Resource(), err))
	}
	return plain
}
