package file

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// deflated compresses data as gzip does and bills the work. It stores neither a name nor a time, so
// that the same data always gives the same bytes.
func deflated(c *utility.Call, data []byte, level int) []byte {
	c.Step(int64(len(data)) * int64(1+level/7) / 2)
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level) // the levels are from 1 to 9
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// inflated decompresses gzip data, as long as there is room: a small file can hold a very large
// one.
func inflated(c *utility.Call, data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("not in gzip format")
	}
	out, err := io.ReadAll(io.LimitReader(r, c.MaxMemory+1))
	c.Need(int64(len(out)))
	c.Step(int64(len(out)+len(data)) / 4)
	if err != nil {
		return out, errors.New("unexpected end of file")
	}
	return out, nil
}

// gzipFiles compresses and decompresses files.
func gzipFiles(c *utility.Call, stdin []byte) int {
	// -n and -q have no effect: names and times are not stored, and success prints nothing.
	o := c.Parse(utility.Syntax{Short: "cdfkvtnq123456789", Long: map[string]byte{
		"stdout": 'c', "to-stdout": 'c', "decompress": 'd', "uncompress": 'd', "force": 'f', "keep": 'k', "verbose": 'v',
		"test": 't', "fast": '1', "best": '9', "no-name": 'n', "quiet": 'q',
	}})
	unpack := o.Has('d') || o.Has('t') || c.Name() != "gzip"
	out := o.Has('c') || c.Name() == "zcat"
	level := 6
	if l := o.Latest("123456789"); l != 0 {
		level = int(l - '0')
	}
	failed := false
	for _, file := range utility.OrStdin(o.Rest) {
		data, err := c.ReadInput(file, stdin)
		if err != nil {
			c.Complain("%s: %s", file, vfs.Reason(err))
			failed = true
			continue
		}
		result, err := []byte(nil), error(nil)
		if unpack {
			result, err = inflated(c, data)
		} else {
			result = deflated(c, data, level)
		}
		if err != nil {
			if failed = true; file == "-" {
				file = "stdin"
			}
			c.Complain("%s: %s", file, err)
			continue
		}
		switch {
		case o.Has('t'):
		case out || file == "-":
			c.Put(c.Stdout, result)
		default:
			failed = !repack(c, file, result, unpack, o) || failed
		}
	}
	return utility.ExitIf(failed)
}

// repack replaces a file by its compressed or decompressed form.
func repack(c *utility.Call, file string, data []byte, unpack bool, o *utility.Options) bool {
	target := file + ".gz"
	if unpack {
		switch {
		case strings.HasSuffix(file, ".gz"):
			target = strings.TrimSuffix(file, ".gz")
		case strings.HasSuffix(file, ".tgz"):
			target = strings.TrimSuffix(file, ".tgz") + ".tar"
		default:
			c.Complain("%s: unknown suffix -- ignored", file)
			return false
		}
	}
	i, err := c.FS.Stat(c.Abs(file))
	if _, there := c.FS.Lstat(c.Abs(target)); err == nil && there == nil && !o.Has('f') {
		c.Complain("%s already exists", target)
		return false
	}
	if err == nil {
		err = c.FS.WriteFile(c.Abs(target), data, i.Mode&0o777)
	}
	if err == nil && !o.Has('k') {
		err = c.FS.Remove(c.Abs(file))
	}
	if err != nil {
		c.Complain("%s: %s", target, vfs.Reason(err))
		return false
	}
	_ = c.FS.Chtimes(c.Abs(target), i.MTime, true)
	return true
}
