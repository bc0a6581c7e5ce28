package utility

import "bytes"

// maxLine bounds the length of a line that a utility processes, in bytes.
const maxLine = 1 << 20

// Lines splits its input into lines. Rest is its state: an incomplete line.
type Lines struct {
	Rest []byte `json:"rest,omitempty"`
}

// Each calls line for every complete line, without its newline, until line wants no more or the
// call has used its share of work.
func (l *Lines) Each(c *Call, data []byte, newline byte, line func(text []byte) Verdict) Verdict {
	for {
		c.Step(1)
		i := bytes.IndexByte(data, newline)
		if i < 0 {
			l.Rest = append(l.Rest, data...)
			if len(l.Rest) > maxLine {
				c.Fatal(exitLimit, "line too long")
			}
			return More
		}
		text := data[:i]
		if len(l.Rest) > 0 {
			text = append(l.Rest, text...)
			l.Rest = nil
		}
		data = data[i+1:]
		v := line(text)
		if v == More && c.Tired() && len(data) > 0 {
			v = Later
		}
		if v == Later {
			c.Leave(data)
		}
		if v != More {
			return v
		}
	}
}

// Last returns the last line if it does not end with a newline.
func (l *Lines) Last() (text []byte, ok bool) {
	text = l.Rest
	l.Rest = nil
	return text, len(text) > 0
}
