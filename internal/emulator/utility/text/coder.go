package text

import (
	"encoding/base32"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// coder is base64 and base32.
type coder struct {
	Feed   utility.Feed `json:"feed"`
	Rest   []byte       `json:"rest,omitempty"`   // an incomplete group; when decoding, the whole input
	Column int          `json:"column,omitempty"` // the length of the unfinished line
	Failed bool         `json:"failed,omitempty"`

	o     *utility.Options
	width int
	group int
}

// Chunk implements Stream.
func (u *coder) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.o = c.Parse(utility.Syntax{Short: "diw:", Long: map[string]byte{"decode": 'd', "ignore-garbage": 'i', "wrap:": 'w'}})
	c.CheckOperands(u.o, 0, 1)
	u.width, u.group = 76, 3
	if c.Name() == "base32" {
		u.group = 5
	}
	if text, ok := u.o.Last('w'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.Fatal(1, "invalid wrap size: '%s'", text)
		}
		u.width = n
	}
	next := u.Feed.Run(c, utility.OrStdin(u.o.Rest), in, eof, u)
	return next, utility.ExitIf(u.Failed)
}

func (u *coder) encode(data []byte) string {
	if u.group == 5 {
		return base32.StdEncoding.EncodeToString(data)
	}
	return base64.StdEncoding.EncodeToString(data)
}

func (u *coder) Start(*utility.Call, string) {}

func (u *coder) Take(c *utility.Call, data []byte) utility.Verdict {
	u.Rest = append(u.Rest, data...)
	if u.o.Has('d') {
		c.Need(int64(len(u.Rest)))
		return utility.More
	}
	whole := len(u.Rest) / u.group * u.group
	u.write(c, u.encode(u.Rest[:whole]))
	u.Rest = append([]byte(nil), u.Rest[whole:]...)
	return utility.More
}

// write writes text in lines of the requested width.
func (u *coder) write(c *utility.Call, text string) {
	if u.width == 0 {
		c.Print(text)
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
	c.Print(out.String())
}

func (u *coder) Finish(c *utility.Call, _ string) utility.Verdict {
	if u.o.Has('d') {
		u.decode(c)
		return utility.More
	}
	u.write(c, u.encode(u.Rest))
	if u.Column > 0 {
		c.Print("\n")
	}
	return utility.More
}

func (u *coder) decode(c *utility.Call) {
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || u.o.Has('i') && !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", r) {
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
	c.Put(c.Stdout, out)
	if err != nil {
		if c.GNU {
			c.Fatal(1, "invalid input")
		}
		c.Fatal(1, "truncated input")
	}
}

func (u *coder) CannotRead(c *utility.Call, file string, err error) {
	c.Complain("%s: %s", file, vfs.Reason(err))
	u.Failed = true
}
