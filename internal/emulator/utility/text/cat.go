package text

import (
	"bytes"
	"strconv"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// cat writes files one after the other.
type cat struct {
	Feed   utility.Feed `json:"feed"`
	Line   int          `json:"line,omitempty"`   // the number of the last numbered line
	Mid    bool         `json:"mid,omitempty"`    // in the middle of a line
	Blank  bool         `json:"blank,omitempty"`  // the last line was empty
	Failed bool         `json:"failed,omitempty"` // a file could not be read

	number, numberFull, ends, tabs, visible, squeeze bool
}

// Chunk implements Stream.
func (u *cat) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	// -u has no effect: output is never buffered.
	o := c.Parse(utility.Syntax{Short: "nbAeEtTvsu", Long: map[string]byte{
		"number": 'n', "number-nonblank": 'b', "show-all": 'A', "show-ends": 'E', "show-tabs": 'T', "show-nonprinting": 'v', "squeeze-blank": 's',
	}})
	u.number, u.numberFull, u.squeeze = o.Has('n'), o.Has('b'), o.Has('s')
	u.ends = o.Latest("AeE") != 0
	u.tabs = o.Latest("AtT") != 0
	u.visible = o.Latest("AetvT") != 0 && (o.Has('A') || o.Has('e') || o.Has('t') || o.Has('v'))
	next := u.Feed.Run(c, utility.OrStdin(o.Rest), in, eof, u)
	return next, utility.ExitIf(u.Failed)
}

func (u *cat) Start(*utility.Call, string) {}

func (u *cat) Take(c *utility.Call, data []byte) utility.Verdict {
	if !u.number && !u.numberFull && !u.ends && !u.tabs && !u.visible && !u.squeeze {
		c.Put(c.Stdout, data)
		return utility.More
	}
	c.Scan(len(data))
	var out []byte
	for len(data) > 0 {
		c.Step(1)
		text, rest, ended := bytes.Cut(data, []byte("\n"))
		data = rest
		if !u.Mid {
			empty := len(text) == 0 && ended
			if u.squeeze && empty && u.Blank {
				continue
			}
			u.Blank = empty
			if u.numberFull && !empty || u.number && !u.numberFull {
				u.Line++
				n := strconv.Itoa(u.Line)
				out = append(append(append(out, "      "[:max(0, 6-len(n))]...), n...), '\t')
			}
		}
		for _, b := range text {
			out = u.show(out, b)
		}
		u.Mid = !ended
		if ended {
			if u.ends {
				out = append(out, '$')
			}
			out = append(out, '\n')
		}
	}
	c.Put(c.Stdout, out)
	return utility.More
}

// show appends a byte, in a visible form if that is requested.
func (u *cat) show(out []byte, b byte) []byte {
	if b == '\t' {
		if u.tabs {
			return append(out, "^I"...)
		}
		return append(out, b)
	}
	if !u.visible {
		return append(out, b)
	}
	if b >= 128 {
		out = append(out, "M-"...)
		b -= 128
	}
	switch {
	case b < 32:
		return append(out, '^', b+64)
	case b == 127:
		return append(out, "^?"...)
	}
	return append(out, b)
}

func (u *cat) Finish(*utility.Call, string) utility.Verdict { return utility.More }

func (u *cat) CannotRead(c *utility.Call, file string, err error) {
	c.CantOpen(file, err)
	u.Failed = true
}
