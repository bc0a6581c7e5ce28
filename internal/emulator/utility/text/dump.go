package text

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// input returns the content of all operands, one after the other, or as much as the options limit
// it to.
func input(c *utility.Call, o *utility.Options, skip, most byte, files []string, stdin []byte) (all []byte, failed bool) {
	enough := int64(-1)
	if text, ok := o.Last(most); ok {
		n, _ := strconv.ParseInt(text, 0, 32) // a wrong number is refused later
		text, _ = o.Last(skip)
		before, _ := strconv.ParseInt(text, 0, 32)
		enough = n + before
	}
	for _, file := range utility.OrStdin(files) {
		data, err := readSome(c, file, stdin, enough)
		if err != nil {
			c.Complain("%s: %s", file, vfs.Reason(err))
			failed = true
			continue
		}
		all = append(all, data...)
		c.Need(int64(len(all)))
	}
	return all, failed
}

// readSome is read for at most most bytes of a file, also of a special file that has no end. If
// most is below 0, it is read.
func readSome(c *utility.Call, file string, stdin []byte, most int64) ([]byte, error) {
	if most < 0 || file == "-" {
		return c.ReadInput(file, stdin)
	}
	f, err := c.OpenForReading(file)
	if err != nil || f.Device == "stdin" {
		return stdin, err
	}
	defer c.FS.Close(f)
	c.Need(most)
	data := make([]byte, most)
	n, err := c.FS.Read(f, data)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// limits applies -s, -j, -n and -N of the tools that dump: how much to skip, and how much to show.
func limits(c *utility.Call, o *utility.Options, skip, most byte, data []byte) []byte {
	value := func(letter byte) (int64, bool) {
		text, ok := o.Last(letter)
		if !ok {
			return 0, false
		}
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil || n < 0 {
			c.Fatal(1, "invalid number '%s'", text)
		}
		return n, true
	}
	if n, ok := value(skip); ok {
		data = data[min(n, int64(len(data))):]
	}
	if n, ok := value(most); ok {
		data = data[:min(n, int64(len(data)))]
	}
	return data
}

// rows calls row for each 16 bytes, and repeated once for a run of rows that equal the one before.
func rows(c *utility.Call, data []byte, all bool, width int, repeated func(), row func(at int, piece []byte)) {
	var last []byte
	told := false
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		c.Step(1)
		if !all && last != nil && bytes.Equal(piece, last) && at+width < len(data) {
			if !told {
				repeated()
			}
			told = true
			continue
		}
		last, told = piece, false
		c.Step(2 + int64(len(piece)))
		row(at, piece)
	}
}

// appendPrintable appends bytes as text, with a point for each that is not printable.
func appendPrintable(to, piece []byte) []byte {
	for _, b := range piece {
		if b < ' ' || b >= 0x7f {
			b = '.'
		}
		to = append(to, b)
	}
	return to
}

// appendHex appends bytes as two hexadecimal digits each.
func appendHex(to []byte, upper bool, piece ...byte) []byte {
	digits := "0123456789abcdef"
	if upper {
		digits = "0123456789ABCDEF"
	}
	for _, b := range piece {
		to = append(to, digits[b>>4], digits[b&15])
	}
	return to
}

// asRunes returns text in which every byte is a character.
func asRunes(piece []byte) []byte {
	out := make([]byte, len(piece))
	for i, b := range piece {
		if out[i] = b; b >= 0x7f {
			out[i] = '.'
		}
	}
	return out
}
