package utility

import (
	"bytes"
	"errors"
	"io"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// verdict is a consumer's answer to its input.
type verdict int

const (
	more     verdict = iota // continue
	nextFile                // skip the rest of this file
	quit                    // skip all other files, too
	later                   // the call has used its share: the next one starts with Call.untaken
)

// consumer takes the input that a feed reads.
type consumer interface {
	start(c *Call, file string)             // a file begins
	take(c *Call, data []byte) verdict      // a piece of the file
	finish(c *Call, file string) verdict    // the end of the file; called again if it answers later
	failed(c *Call, file string, err error) // a file cannot be read
}

// feed reads the files of a Stream's call, one after the other and in pieces. Its fields are its
// state.
type feed struct {
	At    int       `json:"at,omitempty"`    // the index of the current operand
	Begun bool      `json:"begun,omitempty"` // the consumer's start was called for it
	Open  *vfs.File `json:"open,omitempty"`  // its file; nil for standard input
	Ended bool      `json:"ended,omitempty"` // standard input is at its end

	Later  bool   `json:"later,omitempty"`  // the consumer continues with Left
	Left   []byte `json:"left,omitempty"`   // input that it has not taken yet
	Ending bool   `json:"ending,omitempty"` // it is in finish
}

// pieceBytes is how many bytes of files a feed reads in one Chunk.
const pieceBytes = 64 << 10

// run continues to read. It returns Done when everything was read or the consumer has enough.
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

// piece passes one piece of the current file to the consumer; next is Done unless there is nothing
// to pass.
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
	if f.Open.Device == "" { // no more than the file has, and a byte to see the end
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

// give passes data to the consumer, after its untaken input.
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

// openForReading opens a file that is not a directory.
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

// orStdin returns the operands of a utility that reads standard input if it has none.
func orStdin(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}

// maxLine bounds the length of a line that a utility processes, in bytes.
const maxLine = 1 << 20

// lines splits its input into lines. Rest is its state: an incomplete line.
type lines struct {
	Rest []byte `json:"rest,omitempty"`
}

// each calls line for every complete line, without its newline, until line wants no more or the
// call has used its share of work.
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

// rest returns the last line if it does not end with a newline.
func (l *lines) rest() (text []byte, ok bool) {
	text = l.Rest
	l.Rest = nil
	return text, len(text) > 0
}

// splitLines splits text into lines; ended reports whether the last line has its newline.
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
