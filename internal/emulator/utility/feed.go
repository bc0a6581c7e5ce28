package utility

import (
	"bytes"
	"errors"
	"io"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// verdict is what a consumer makes of what it was given.
type verdict int

const (
	more     verdict = iota // go on
	nextFile                // the rest of this file is of no interest
	quit                    // nor is any other
	later                   // the call has had its share: Call.untaken is taken first in the next
)

// consumer takes what a feed reads.
type consumer interface {
	start(c *Call, file string)             // a file begins
	take(c *Call, data []byte) verdict      // a piece of it
	finish(c *Call, file string) verdict    // its end; called again if it answers later
	failed(c *Call, file string, err error) // a file cannot be read
}

// feed reads the files that a Stream was called with, one after the other and in pieces. Its fields are its state.
type feed struct {
	At    int       `json:"at,omitempty"`    // the operand that is read
	Begun bool      `json:"begun,omitempty"` // its start was told
	Open  *vfs.File `json:"open,omitempty"`  // it, unless it is standard input
	Ended bool      `json:"ended,omitempty"` // standard input is at its end

	Later  bool   `json:"later,omitempty"`  // the consumer goes on with Left
	Left   []byte `json:"left,omitempty"`   // what it has not taken yet
	Ending bool   `json:"ending,omitempty"` // and it is at finish
}

// pieceBytes is how much of files a feed reads in one Chunk.
const pieceBytes = 64 << 10

// run reads on. It says with Done that all was read or that the consumer has enough.
func (f *feed) run(c *Call, files []string, in []byte, eof bool, to consumer) Next {
	f.Ended = f.Ended || eof
	budget := pieceBytes
	for f.At < len(files) {
		file := files[f.At]
		if f.Open == nil && !f.Begun && file != "-" {
			open, err := c.openForReading(file)
			if err != nil {
				to.failed(c, file, err)
				f.At++
				continue
			}
			f.Open = open
			if open.Device == "stdin" {
				f.Open = nil
			}
		}
		if !f.Begun {
			f.Begun = true
			to.start(c, file)
		}
		v, ended, next := more, true, Done
		if !f.Ending {
			v, ended, next = f.piece(c, &in, &budget, file, to)
		}
		if next != Done {
			return next
		}
		if v == more && ended {
			if v = to.finish(c, file); v == later {
				f.Ending = true
				return Again
			}
			f.close(c)
		} else if v == nextFile {
			f.close(c)
		}
		if v == quit {
			f.close(c)
			return Done
		}
	}
	return Done
}

// piece hands one piece of the file that is read to the consumer; next is Done unless there is nothing to hand.
func (f *feed) piece(c *Call, in *[]byte, budget *int, file string, to consumer) (v verdict, ended bool, next Next) {
	if f.Open == nil {
		data := *in
		*in = nil
		if len(data) > 0 || f.Later {
			if v = f.give(c, data, to); v == later {
				return v, false, Again
			}
		}
		if v == more && !f.Ended {
			return more, false, Input
		}
		return v, f.Ended, Done
	}
	if f.Later {
		if v = f.give(c, nil, to); v != more {
			return v, false, map[bool]Next{true: Again, false: Done}[v == later]
		}
	}
	if c.tired() && *budget < pieceBytes {
		return more, false, Again
	}
	if *budget <= 0 {
		return more, false, Again
	}
	size := min(*budget, pieceBytes)
	if f.Open.Device == "" { // no more than there is, and a byte to see the end
		size = min(size, max(0, len(c.FS.Content(f.Open))-int(f.Open.Offset))+1)
	}
	buffer := make([]byte, size)
	n, err := c.FS.Read(f.Open, buffer)
	*budget -= n
	if err != nil {
		if !errors.Is(err, io.EOF) {
			to.failed(c, file, err)
			return nextFile, false, Done
		}
		return more, true, Done
	}
	if v = f.give(c, buffer[:n], to); v == later {
		return v, false, Again
	}
	return v, false, Done
}

// give hands data to the consumer, behind what it has left.
func (f *feed) give(c *Call, data []byte, to consumer) verdict {
	if f.Later {
		data = append(f.Left, data...)
		f.Later, f.Left = false, nil
	}
	c.pass(len(data))
	v := to.take(c, data)
	if v == later {
		f.Later, f.Left, c.untaken = true, bytes.Clone(c.untaken), nil
	}
	return v
}

func (f *feed) close(c *Call) {
	if f.Open != nil {
		c.FS.Close(f.Open)
	}
	f.Open, f.Begun, f.Later, f.Left, f.Ending = nil, false, false, nil, false
	f.At++
}

// openForReading opens a file that is no directory.
func (c *Call) openForReading(file string) (*vfs.File, error) {
	f, err := c.FS.Open(c.abs(file), vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	if c.FS.FileInfo(f).IsDir() {
		c.FS.Close(f)
		return nil, vfs.EISDIR
	}
	return f, nil
}

// orStdin are the operands of a utility that reads standard input if it has none.
func orStdin(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}

// maxLine bounds the length of a line that a utility works on.
const maxLine = 1 << 20

// lines cuts what it is given into lines. Rest is its state: the beginning of a line whose end has not come.
type lines struct {
	Rest []byte `json:"rest,omitempty"`
}

// each calls line for every line that is complete, without its newline, until that wants no more or the call has had its
// share of work.
func (l *lines) each(c *Call, data []byte, newline byte, line func(text []byte) verdict) verdict {
	for {
		c.step(1)
		i := bytes.IndexByte(data, newline)
		if i < 0 {
			l.Rest = append(l.Rest, data...)
			if len(l.Rest) > maxLine {
				c.fatal(exitLimit, "line too long")
			}
			return more
		}
		text := data[:i]
		if len(l.Rest) > 0 {
			text = append(l.Rest, text...)
			l.Rest = nil
		}
		data = data[i+1:]
		v := line(text)
		if v == more && c.tired() && len(data) > 0 {
			v = later
		}
		if v == later {
			c.untaken = data
		}
		if v != more {
			return v
		}
	}
}

// rest is the last line if it does not end with a newline.
func (l *lines) rest() (text []byte, ok bool) {
	text = l.Rest
	l.Rest = nil
	return text, len(text) > 0
}

// splitLines cuts text into lines; ended says whether the last had its newline.
func (c *Call) splitLines(data []byte, newline byte) (all [][]byte, ended bool) {
	c.step(int64(len(data)) / 8)
	if len(data) == 0 {
		return nil, true
	}
	if data[len(data)-1] == newline {
		return bytes.Split(data[:len(data)-1], []byte{newline}), true
	}
	return bytes.Split(data, []byte{newline}), false
}
