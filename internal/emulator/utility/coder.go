package utility

import (
	"encoding/base32"
	"encoding/base64"
	"strconv"
	"strings"
)

// coder is base64 and base32.
type coder struct {
	Feed   feed   `json:"feed"`
	Rest   []byte `json:"rest,omitempty"`   // an incomplete group; when decoding, the whole input
	Column int    `json:"column,omitempty"` // the length of the unfinished line
	Failed bool   `json:"failed,omitempty"`

	o     *options
	width int
	group int
}

// Chunk implements Stream.
func (u *coder) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	u.o = c.parse(syntax{short: "diw:", long: map[string]byte{"decode": 'd', "ignore-garbage": 'i', "wrap:": 'w'}})
	c.operands(u.o, 0, 1)
	u.width, u.group = 76, 3
	if c.name() == "base32" {
		u.group = 5
	}
	if text, ok := u.o.last('w'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.fatal(1, "invalid wrap size: '%s'", text)
		}
		u.width = n
	}
	next := u.Feed.run(c, orStdin(u.o.rest), in, eof, u)
	return next, exitIf(u.Failed)
}

func (u *coder) encode(data []byte) string {
	if u.group == 5 {
		return base32.StdEncoding.EncodeToString(data)
	}
	return base64.StdEncoding.EncodeToString(data)
}

func (u *coder) start(*Call, string) {}

func (u *coder) take(c *Call, data []byte) verdict {
	u.Rest = append(u.Rest, data...)
	if u.o.has('d') {
		c.need(int64(len(u.Rest)))
		return more
	}
	whole := len(u.Rest) / u.group * u.group
	u.write(c, u.encode(u.Rest[:whole]))
	u.Rest = append([]byte(nil), u.Rest[whole:]...)
	return more
}

// write writes text in lines of the requested width.
func (u *coder) write(c *Call, text string) {
	if u.width == 0 {
		c.print(text)
		return
	}
	var out strings.Builder
	for text != "" {
		n := min(u.width-u.Column, len(text))
		out.WriteString(text[:n])
		text = text[n:]
		if u.Column += n; u.Column == u.width {
			out.WriteByte('\n')
			u.Column = 0
		}
	}
	c.print(out.String())
}

func (u *coder) finish(c *Call, _ string) verdict {
	if u.o.has('d') {
		u.decode(c)
		return more
	}
	u.write(c, u.encode(u.Rest))
	if u.Column > 0 {
		c.print("\n")
	}
	return more
}

func (u *coder) decode(c *Call) {
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || u.o.has('i') && !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", r) {
			return -1
		}
		return r
	}, string(u.Rest))
	u.Rest = nil
	decode := base64.StdEncoding.DecodeString
	if u.group == 5 {
		decode = base32.StdEncoding.DecodeString
	}
	out, err := decode(text)
	c.put(c.Stdout, out)
	if err != nil {
		if c.GNU {
			c.fatal(1, "invalid input")
		}
		c.fatal(1, "truncated input")
	}
}

func (u *coder) failed(c *Call, file string, err error) {
	c.complain("%s: %s", file, reason(err))
	u.Failed = true
}
