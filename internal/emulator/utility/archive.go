package utility

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

var archiveUtilities = map[string]Utility{
	"gzip": {whole: gzipFiles, stdin: unlessFiles("")}, "gunzip": {whole: gzipFiles, stdin: unlessFiles("")}, "zcat": {whole: gzipFiles, stdin: unlessFiles("")},
	"tar": {whole: tarFiles, stdin: tarReads},
}

// deflated compresses data as gzip does and bills the work. It stores neither a name nor a time, so
// that the same data always gives the same bytes.
func (c *Call) deflated(data []byte, level int) []byte {
	c.step(int64(len(data)) * int64(1+level/7) / 2)
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level) // the levels are from 1 to 9
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// inflated decompresses gzip data, as long as there is room: a small file can hold a very large
// one.
func (c *Call) inflated(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("not in gzip format")
	}
	out, err := io.ReadAll(io.LimitReader(r, c.MaxMemory+1))
	c.need(int64(len(out)))
	c.step(int64(len(out)+len(data)) / 4)
	if err != nil {
		return out, errors.New("unexpected end of file")
	}
	return out, nil
}

// gzipFiles compresses and decompresses files.
func gzipFiles(c *Call, stdin []byte) int {
	// -n and -q have no effect: names and times are not stored, and success prints nothing.
	o := c.parse(syntax{short: "cdfkvtnq123456789", long: map[string]byte{
		"stdout": 'c', "to-stdout": 'c', "decompress": 'd', "uncompress": 'd', "force": 'f', "keep": 'k', "verbose": 'v', "test": 't', "fast": '1', "best": '9', "no-name": 'n', "quiet": 'q',
	}})
	unpack := o.has('d') || o.has('t') || c.name() != "gzip"
	out := o.has('c') || c.name() == "zcat"
	level := 6
	if l := o.latest("123456789"); l != 0 {
		level = int(l - '0')
	}
	failed := false
	for _, file := range orStdin(o.rest) {
		data, err := c.read(file, stdin)
		if err != nil {
			c.complain("%s: %s", file, reason(err))
			failed = true
			continue
		}
		result, err := []byte(nil), error(nil)
		if unpack {
			result, err = c.inflated(data)
		} else {
			result = c.deflated(data, level)
		}
		if err != nil {
			if failed = true; file == "-" {
				file = "stdin"
			}
			c.complain("%s: %s", file, err)
			continue
		}
		switch {
		case o.has('t'):
		case out || file == "-":
			c.put(c.Stdout, result)
		default:
			failed = !c.repack(file, result, unpack, o) || failed
		}
	}
	return exitIf(failed)
}

// repack replaces a file by its compressed or decompressed form.
func (c *Call) repack(file string, data []byte, unpack bool, o *options) bool {
	target := file + ".gz"
	if unpack {
		switch {
		case strings.HasSuffix(file, ".gz"):
			target = strings.TrimSuffix(file, ".gz")
		case strings.HasSuffix(file, ".tgz"):
			target = strings.TrimSuffix(file, ".tgz") + ".tar"
		default:
			c.complain("%s: unknown suffix -- ignored", file)
			return false
		}
	}
	i, err := c.FS.Stat(c.abs(file))
	if _, there := c.FS.Lstat(c.abs(target)); err == nil && there == nil && !o.has('f') {
		c.complain("%s already exists", target)
		return false
	}
	if err == nil {
		err = c.FS.WriteFile(c.abs(target), data, i.Mode&0o777)
	}
	if err == nil && !o.has('k') {
		err = c.FS.Remove(c.abs(file))
	}
	if err != nil {
		c.complain("%s: %s", target, reason(err))
		return false
	}
	_ = c.FS.Chtimes(c.abs(target), i.MTime, true)
	return true
}
