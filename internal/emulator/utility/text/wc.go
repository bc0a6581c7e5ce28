package text

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// counts are the numbers that wc prints.
type counts struct{ Lines, Words, Chars, Bytes, Longest int64 }

// wc counts the lines, the words and the bytes of files.
type wc struct {
	Feed   utility.Feed `json:"feed"`
	Now    counts       `json:"now"`
	Total  counts       `json:"total"`
	InWord bool         `json:"inWord,omitempty"`
	Column int64        `json:"column,omitempty"`
	Files  int          `json:"files,omitempty"`
	Failed bool         `json:"failed,omitempty"`

	o *utility.Options
}

// Chunk implements Stream.
func (u *wc) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.o = c.Parse(utility.Syntax{Short: "lwcmL", Long: map[string]byte{
		"lines": 'l', "words": 'w', "bytes": 'c', "chars": 'm', "max-line-length": 'L',
	}})
	next := u.Feed.Run(c, utility.OrStdin(u.o.Rest), in, eof, u)
	if next == utility.Done && u.Files > 1 {
		u.show(c, u.Total, "total")
	}
	return next, utility.ExitIf(u.Failed)
}

func (u *wc) Start(*utility.Call, string) { u.Now, u.InWord, u.Column = counts{}, false, 0 }

func (u *wc) Take(c *utility.Call, data []byte) utility.Verdict {
	c.Scan(len(data))
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
	return utility.More
}

func (u *wc) Finish(c *utility.Call, file string) utility.Verdict {
	u.Now.Longest = max(u.Now.Longest, u.Column)
	t := &u.Total
	t.Lines, t.Words, t.Chars, t.Bytes = t.Lines+u.Now.Lines, t.Words+u.Now.Words, t.Chars+u.Now.Chars, t.Bytes+u.Now.Bytes
	t.Longest = max(t.Longest, u.Now.Longest)
	if len(u.o.Rest) == 0 {
		file = ""
	}
	u.show(c, u.Now, file)
	u.Files++
	return utility.More
}

func (u *wc) show(c *utility.Call, n counts, file string) {
	var fields []string
	for _, f := range []struct {
		letter byte
		n      int64
	}{{'l', n.Lines}, {'w', n.Words}, {'m', n.Chars}, {'c', n.Bytes}, {'L', n.Longest}} {
		if u.o.Has(f.letter) || len(u.o.Given) == 0 && strings.IndexByte("lwc", f.letter) >= 0 {
			fields = append(fields, strconv.FormatInt(f.n, 10))
		}
	}
	if len(fields) > 1 || len(u.o.Rest) > 1 {
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
	c.Print(line + "\n")
}

// gnuWidth returns the column width: that of the sum of the files' sizes, and 7 if one is not a
// regular file.
func (u *wc) gnuWidth(c *utility.Call) int {
	sum := int64(0)
	for _, file := range utility.OrStdin(u.o.Rest) {
		i, err := c.FS.Stat(c.Abs(file))
		if file == "-" || err == nil && !i.IsRegular() {
			return 7
		}
		sum += i.Size
	}
	return len(strconv.FormatInt(sum, 10))
}

func (u *wc) CannotRead(c *utility.Call, file string, err error) {
	c.Complain("%s: %s", file, vfs.Reason(err))
	u.Failed = true
	u.Files++
}
