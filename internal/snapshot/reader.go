package snapshot

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Bounds on what a file can demand of its reader. Each is far beyond what a cluster produces.
const (
	// maxLine is the longest line: a memory of some megabytes, in base64.
	maxLine = 24 << 20
	// maxRecords bounds the lines, and with them what Checker holds in memory: about 200 bytes
	// each.
	maxRecords = 4_000_000
	// maxBytes bounds the uncompressed size of a file.
	maxBytes = 16 << 30
)

// ErrDamaged says that a file is not as it was written: truncated, changed, or not a snapshot at
// all.
var ErrDamaged = errors.New("the file is damaged, or not a snapshot")

// damaged returns ErrDamaged with a reason.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Reader reads a file. It holds one line at a time.
type Reader struct {
	Header Header
	in     *bufio.Reader
	sum    hash.Hash
	line   []byte
	read   int64 // bytes
	count  int64
	ended  bool
}

// NewReader reads a file's header. Errors are ErrDamaged, ErrFormat and those of r.
func NewReader(r io.Reader) (*Reader, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	zip, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, unreadable(err)
	}
	f := &Reader{in: bufio.NewReaderSize(zip, 64<<10), sum: sha256.New()}
	if err := f.next(); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(f.line, &f.Header); err != nil || f.Header.Rowlock != "snapshot" {
		return nil, damaged("it has no header")
	}
	if f.Header.Format != Format {
		return nil, fmt.Errorf("%w: it has format %d, and this version reads %d", ErrFormat, f.Header.Format, Format)
	}
	f.sum.Write(f.line)
	return f, nil
}

// ErrFormat says that this Rowlock does not know a file's format.
var ErrFormat = errors.New("the snapshot was written by another version of Rowlock")

// unreadable distinguishes errors in the bytes of a file from errors of their source.
func unreadable(err error) error {
	ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	corrupt := errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, new(flate.CorruptInputError))
	if ended || corrupt {
		return damaged("%v", err)
	}
	return err
}

// next reads the next line into f.line, with its newline.
func (f *Reader) next() error {
	f.line = f.line[:0]
	for {
		piece, err := f.in.ReadSlice('\n')
		f.line = append(f.line, piece...)
		f.read += int64(len(piece))
		switch {
		case len(f.line) > maxLine:
			return damaged("line %d has more than %d bytes", f.count+1, maxLine)
		case f.read > maxBytes:
			return damaged("it holds more than %d bytes", int64(maxBytes))
		case err == nil:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return unreadable(err)
		}
	}
}

// Next returns the next record, or io.EOF after the last if the file is complete. Other errors:
// ErrDamaged and those of the underlying reader.
func (f *Reader) Next() (Record, error) {
	if f.ended {
		return Record{}, io.EOF
	}
	if err := f.next(); err != nil {
		return Record{}, err
	}
	if bytes.HasPrefix(f.line, []byte(`{"end":`)) {
		return Record{}, f.end()
	}
	if f.count++; f.count > maxRecords {
		return Record{}, damaged("it has more than %d records", maxRecords)
	}
	f.sum.Write(f.line)
	var r Record
	if err := json.Unmarshal(f.line, &r); err != nil {
		return Record{}, damaged("record %d: %v", f.count, err)
	}
	if given(r.Memory != nil, r.Wakeup != nil, r.File != nil, r.Answer != nil, r.Version != nil) != 1 {
		return Record{}, damaged("record %d does not hold exactly one value", f.count)
	}
	return r, nil
}

func given(all ...bool) (n int) {
	for _, g := range all {
		if g {
			n++
		}
	}
	return n
}

// end compares the last line with what was read, and returns io.EOF if nothing follows.
func (f *Reader) end() error {
	var last end
	if err := json.Unmarshal(f.line, &last); err != nil || last.End == nil {
		return damaged("its last line cannot be read")
	}
	if last.End.Records != f.count || last.End.SHA256 != hex.EncodeToString(f.sum.Sum(nil)) {
		return damaged("its last line does not match the lines before")
	}
	if _, err := f.in.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return unreadable(err)
		}
		return damaged("there is data after its last line")
	}
	f.ended = true
	return io.EOF
}
