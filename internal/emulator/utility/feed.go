package utility

import (
	"bytes"
	"errors"
	"io"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Verdict is a consumer's answer to its input.
type Verdict int

// The possible answers.
const (
	More     Verdict = iota // continue
	NextFile                // skip the rest of this file
	Quit                    // skip all other files, too
	Later                   // the call has used its share: see Call.Leave
)

// Consumer takes the input that a feed reads.
type Consumer interface {
	Start(c *Call, file string)                 // a file begins
	Take(c *Call, data []byte) Verdict          // a piece of the file
	Finish(c *Call, file string) Verdict        // the end of the file; called again if it answers Later
	CannotRead(c *Call, file string, err error) // a file cannot be read
}

// Feed reads the files of a Stream's call, one after the other and in pieces. Its fields are its
// state.
type Feed struct {
	At    int       `json:"at,omitempty"`    // the index of the current operand
	Begun bool      `json:"begun,omitempty"` // the consumer's Start was called for it
	Open  *vfs.File `json:"open,omitempty"`  // its file; nil for standard input
	Ended bool      `json:"ended,omitempty"` // standard input is at its end

	Later  bool   `json:"later,omitempty"`  // the consumer continues with Left
	Left   []byte `json:"left,omitempty"`   // input that it has not taken yet
	Ending bool   `json:"ending,omitempty"` // it is in Finish
}

// PieceBytes is how many bytes of files a feed reads in one Chunk.
const PieceBytes = 64 << 10

// Run continues to read the files; in is a piece of standard input, and eof says that it is the
// last. It returns Done when everything was read or the consumer has enough.
func (f *Feed) Run(c *Call, files []string, in []byte, eof bool, to Consumer) Next {
	f.Ended = f.Ended || eof
	budget := PieceBytes
	for f.At < len(files) {
		file := files[f.At]
		if f.Open == nil && !f.Begun && file != "-" {
			open, err := c.OpenForReading(file)
			if err != nil {
				to.CannotRead(c, file, err)
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
			to.Start(c, file)
		}
		v, ended, next := More, true, Done
		if !f.Ending {
			v, ended, next = f.piece(c, &in, &budget, file, to)
		}
		if next != Done {
			return next
		}
		if v == More && ended {
			if v = to.Finish(c, file); v == Later {
				f.Ending = true
				return Again
			}
			f.close(c)
		} else if v == NextFile {
			f.close(c)
		}
		if v == Quit {
			f.close(c)
			return Done
		}
	}
	return Done
}

// piece passes one piece of the current file to the consumer; next is Done unless there is nothing
// to pass.
func (f *Feed) piece(c *Call, in *[]byte, budget *int, file string, to Consumer) (v Verdict, ended bool, next Next) {
	if f.Open == nil {
		data := *in
		*in = nil
		if len(data) > 0 || f.Later {
			if v = f.give(c, data, to); v == Later {
				return v, false, Again
			}
		}
		if v == More && !f.Ended {
			return More, false, Input
		}
		return v, f.Ended, Done
	}
	if f.Later {
		if v = f.give(c, nil, to); v != More {
			return v, false, map[bool]Next{true: Again, false: Done}[v == Later]
		}
	}
	if c.Tired() && *budget < PieceBytes {
		return More, false, Again
	}
	if *budget <= 0 {
		return More, false, Again
	}
	size := min(*budget, PieceBytes)
	if f.Open.Device == "" { // no more than the file has, and a byte to see the end
		size = min(size, max(0, len(c.FS.Content(f.Open))-int(f.Open.Offset))+1)
	}
	buffer := make([]byte, size)
	n, err := c.FS.Read(f.Open, buffer)
	*budget -= n
	if err != nil {
		if !errors.Is(err, io.EOF) {
			to.CannotRead(c, file, err)
			return NextFile, false, Done
		}
		return More, true, Done
	}
	if v = f.give(c, buffer[:n], to); v == Later {
		return v, false, Again
	}
	return v, false, Done
}

// Leave is a consumer's answer Later: rest is the part of its piece that it takes then.
func (c *Call) Leave(rest []byte) Verdict {
	c.untaken = rest
	return Later
}

// give passes data to the consumer, after its untaken input.
func (f *Feed) give(c *Call, data []byte, to Consumer) Verdict {
	if f.Later {
		data = append(f.Left, data...)
		f.Later, f.Left = false, nil
	}
	c.Pass(len(data))
	v := to.Take(c, data)
	if v == Later {
		f.Later, f.Left, c.untaken = true, bytes.Clone(c.untaken), nil
	}
	return v
}

func (f *Feed) close(c *Call) {
	if f.Open != nil {
		c.FS.Close(f.Open)
	}
	f.Open, f.Begun, f.Later, f.Left, f.Ending = nil, false, false, nil, false
	f.At++
}
