package snapshot

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
)

// Writer writes a file. It is a Sink. The file is only valid after Close has returned nil.
type Writer struct {
	zip     *gzip.Writer
	out     *bufio.Writer
	sum     hash.Hash
	lines   *json.Encoder
	records int64
}

// NewWriter makes a Writer over w, which it does not close.
func NewWriter(w io.Writer) *Writer {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	f := &Writer{zip: zip, out: bufio.NewWriterSize(zip, 64<<10), sum: sha256.New()}
	f.lines = json.NewEncoder(io.MultiWriter(f.out, f.sum))
	f.lines.SetEscapeHTML(false)
	return f
}

// Begin writes the header; Rowlock and Format are set.
func (f *Writer) Begin(h Header) error {
	h.Rowlock, h.Format = "snapshot", Format
	return f.lines.Encode(h)
}

// Put writes one record.
func (f *Writer) Put(r Record) error {
	f.records++
	return f.lines.Encode(r)
}

// Records returns how many records have been written.
func (f *Writer) Records() int64 { return f.records }

// Close writes the end.
func (f *Writer) Close() error {
	last := end{&End{Records: f.records, SHA256: hex.EncodeToString(f.sum.Sum(nil))}}
	if err := f.lines.Encode(last); err != nil {
		return fmt.Errorf("snapshot: write the end: %w", err)
	}
	if err := f.out.Flush(); err != nil {
		return fmt.Errorf("snapshot: write the end: %w", err)
	}
	if err := f.zip.Close(); err != nil {
		return fmt.Errorf("snapshot: write the end: %w", err)
	}
	return nil
}
