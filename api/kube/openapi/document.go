package openapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"fmt"
	"io"
	"sync"

	openapiv2 "github.com/google/gnostic-models/openapiv2"
	openapiv3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
)

// document is one published document. It holds only the gzip form, which clients request and which
// takes an eighth or less of the JSON's size. It is safe for concurrent use.
type document struct {
	etag     string // of the JSON, for both encodings, which differ by Vary
	json     []byte
	protobuf func() ([]byte, error) // encoded on the first call
}

// newDocument compresses a rendered document. encode converts its JSON to protobuf.
func newDocument(rendered []byte, encode func([]byte) ([]byte, error)) (*document, error) {
	zipped, err := compress(rendered)
	if err != nil {
		return nil, err
	}
	return &document{
		etag: etagOf(rendered),
		json: zipped,
		protobuf: sync.OnceValues(func() ([]byte, error) {
			rendered, err := decompress(zipped)
			if err != nil {
				return nil, err
			}
			encoded, err := encode(rendered)
			if err != nil {
				return nil, fmt.Errorf("encode as protobuf: %w", err)
			}
			return compress(encoded)
		}),
	}, nil
}

func etagOf(rendered []byte) string { return fmt.Sprintf("%X", sha512.Sum512(rendered)) }

func protobufV2(rendered []byte) ([]byte, error) {
	d, err := openapiv2.ParseDocument(rendered)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(d)
}

func protobufV3(rendered []byte) ([]byte, error) {
	d, err := openapiv3.ParseDocument(rendered)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(d)
}

func compress(b []byte) ([]byte, error) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(zipped.Bytes()), nil
}

func decompress(zipped []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
