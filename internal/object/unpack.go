package object

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
)

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
