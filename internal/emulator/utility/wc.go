package utility

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// counts are the numbers that wc prints.
type counts struct{ Lines, Words, Chars, Bytes, Longest int64 }

// wc counts the lines, the words and the bytes of files.
type wc struct {
	Feed   feed   `json:"feed"`
	Now    counts `json:"now"`
	Total  counts `json:"total"`
	InWord bool   `json:"inWord,omitempty"`
	Column int64  `json:"column,omitempty"`
	Files  int    `json:"files,omitempty"`
	Failed bool   `json:"failed,omitempty"`

	o *options
}

// Chunk implements Stream.
func (u *wc) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	u.o = c.parse(syntax{short: "lwcmL", long: map[string]byte{"lines": 'l', "words": 'w', "bytes": 'c', "chars": 'm', "max-line-length": 'L'}})
	next := u.Feed.run(c, orStdin(u.o.rest), in, eof, u)
	if next == Done && u.Files > 1 {
		u.show(c, u.Total, "total")
	}
	return next, exitIf(u.Failed)
}

func (u *wc) start(*Call, string) { u.Now, u.InWord, u.Column = counts{}, false, 0 }

func (u *wc) take(c *Call, data []byte) verdict {
	c.scan(len(data))
	n := &u.Now
	n.Bytes += int64(len(data))
	for _, b := range data {
		if utf8.RuneStart(b) {
			n.Chars++
		}
		space := b == ' ' || b >= '\t' && b <= '\r'
		if u.InWord && space || !space && !u.InWord {
			u.InWord = !u.InWord
			if u.InWord {
				n.Words++
			}
		}
		switch {
		case b == '\n':
			n.Lines++
			n.Longest, u.Column = max(n.Longest, u.Column), 0
		case b == '\t':
			u.Column = u.Column&^7 + 8
		case b >= ' ' && utf8.RuneStart(b):
			u.Column++
		}
	}
	return more
}

func (u *wc) finish(c *Call, file string) verdict {
	u.Now.Longest = max(u.Now.Longest, u.Column)
	t := &u.Total
	t.Lines, t.Words, t.Chars, t.Bytes = t.Lines+u.Now.Lines, t.Words+u.Now.Words, t.Chars+u.Now.Chars, t.Bytes+u.Now.Bytes
	t.Longest = max(t.Longest, u.Now.Longest)
	if len(u.o.rest) == 0 {
		file = ""
	}
	u.show(c, u.Now, file)
	u.Files++
	return more
}

func (u *wc) show(c *Call, n counts, file string) {
	var fields []string
	for _, f := range []struct {
		letter byte
		n      int64
	}{{'l', n.Lines}, {'w', n.Words}, {'m', n.Chars}, {'c', n.Bytes}, {'L', n.Longest}} {
		if u.o.has(f.letter) || len(u.o.given) == 0 && strings.IndexByte("lwc", f.letter) >= 0 {
			fields = append(fields, strconv.FormatInt(f.n, 10))
		}
	}
	if len(fields) > 1 || len(u.o.rest) > 1 {
		width := 9 // busybox'; coreutils uses what the files need, and 7 if it cannot know
		if c.GNU {
			width = u.gnuWidth(c)
		}
		for i, f := range fields {
			fields[i] = strings.Repeat(" ", max(0, width-len(f))) + f
		}
	}
	line := strings.Join(fields, " ")
	if file != "" {
		line += " " + file
	}
	c.print(line + "\n")
}

// gnuWidth returns the column width: that of the sum of the files' sizes, and 7 if one is not a
// regular file.
func (u *wc) gnuWidth(c *Call) int {
	sum := int64(0)
	for _, file := range orStdin(u.o.rest) {
		i, err := c.FS.Stat(c.abs(file))
		if file == "-" || err == nil && !i.IsRegular() {
			return 7
		}
		sum += i.Size
	}
	return len(strconv.FormatInt(sum, 10))
}

func (u *wc) failed(c *Call, file string, err error) {
	c.complain("%s: %s", file, reason(err))
	u.Failed = true
	u.Files++
}
