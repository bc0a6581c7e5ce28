package utility

import (
	"bytes"
	"strconv"
)

var catUtilities = map[string]Utility{"cat": {stream: func() Stream { return &cat{} }}}

// cat writes files one after the other.
type cat struct {
	Feed   feed `json:"feed"`
	Line   int  `json:"line,omitempty"`   // the number of the last numbered line
	Mid    bool `json:"mid,omitempty"`    // in the middle of a line
	Blank  bool `json:"blank,omitempty"`  // the last line was empty
	Failed bool `json:"failed,omitempty"` // a file could not be read

	number, numberFull, ends, tabs, visible, squeeze bool
}

// Chunk implements Stream.
func (u *cat) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	// -u has no effect: output is never buffered.
	o := c.parse(syntax{short: "nbAeEtTvsu", long: map[string]byte{
		"number": 'n', "number-nonblank": 'b', "show-all": 'A', "show-ends": 'E', "show-tabs": 'T', "show-nonprinting": 'v', "squeeze-blank": 's',
	}})
	u.number, u.numberFull, u.squeeze = o.has('n'), o.has('b'), o.has('s')
	u.ends = o.latest("AeE") != 0
	u.tabs = o.latest("AtT") != 0
	u.visible = o.latest("AetvT") != 0 && (o.has('A') || o.has('e') || o.has('t') || o.has('v'))
	next := u.Feed.run(c, orStdin(o.rest), in, eof, u)
	return next, exitIf(u.Failed)
}

// exitIf returns the exit code of a utility that has failed in part.
func exitIf(failed bool) int {
	if failed {
		return 1
	}
	return 0
}

func (u *cat) start(*Call, string) {}

func (u *cat) take(c *Call, data []byte) verdict {
	if !u.number && !u.numberFull && !u.ends && !u.tabs && !u.visible && !u.squeeze {
		c.put(c.Stdout, data)
		return more
	}
	c.scan(len(data))
	var out []byte
	for len(data) > 0 {
		c.step(1)
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
	c.put(c.Stdout, out)
	return more
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

func (u *cat) finish(*Call, string) verdict { return more }

func (u *cat) failed(c *Call, file string, err error) {
	c.cantOpen(file, err)
	u.Failed = true
}
