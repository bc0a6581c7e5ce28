package object

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// dictionaryBytes is how much of the first packed bodies of a type serves as the dictionary of the others. Objects
// of one type resemble each other so much that a few of them say most of what there is to say.
const dictionaryBytes = 16 << 10

// packers has one packer for each type, made when the first body of the type is packed.
var packers sync.Map // *Type to *packer

// packer packs and unpacks the bodies of one type. Its dictionary lives as long as the process, and so do the packed bodies.
type packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func newPacker(dictionary []byte) (*packer, error) {
	const id = 1
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(32<<10),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderDictRaw(id, dictionary))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderDictRaw(id, dictionary))
	if err != nil {
		return nil, err
	}
	return &packer{encoder, decoder}, nil
}

// Pack makes the versions' bodies take less memory, at the price of unpacking them whenever they are read. They must be of
// one type; they may be in use by others meanwhile. Packing what is packed does nothing. One goroutine may pack at a time.
func Pack(versions []*Version) error {
	if len(versions) == 0 {
		return nil
	}
	p, err := packerOf(versions)
	if err != nil {
		return fmt.Errorf("pack bodies of %s: %w", versions[0].Type.Resource(), err)
	}
	for _, v := range versions {
		b := v.body.Load()
		if b == nil || b.packed {
			continue
		}
		packed := p.encoder.EncodeAll(b.bytes, make([]byte, 0, len(b.bytes)/4))
		if len(packed) < len(b.bytes) {
			v.body.CompareAndSwap(b, &body{bytes: append([]byte(nil), packed...), packed: true})
		}
	}
	return nil
}

func packerOf(versions []*Version) (*packer, error) {
	t := versions[0].Type
	if p, ok := packers.Load(t); ok {
		return p.(*packer), nil
	}
	var dictionary []byte
	for _, v := range versions {
		if dictionary = append(dictionary, v.Body()...); len(dictionary) > dictionaryBytes {
			dictionary = dictionary[:dictionaryBytes]
			break
		}
	}
	p, err := newPacker(dictionary)
	if err != nil {
		return nil, err
	}
	packers.Store(t, p)
	return p, nil
}

// unpack is the inverse of packing. A packed body that does not unpack is a defect of this file and panics.
func unpack(t *Type, packed []byte) []byte {
	p, _ := packers.Load(t)
	plain, err := p.(*packer).decoder.DecodeAll(packed, nil)
	if err != nil {
		panic(fmt.Sprintf("object: a packed body of %s does not unpack: %v", t.Resource(), err))
	}
	return plain
}
