package text

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// grep prints matching lines.
type grep struct {
	Ready  bool          `json:"ready,omitempty"`
	Files  []string      `json:"files,omitempty"` // with -r: the files found
	Feed   utility.Feed  `json:"feed"`
	Lines  utility.Lines `json:"lines"`
	Number int64         `json:"number,omitempty"` // of the line
	Offset int64         `json:"offset,omitempty"` // of the line's first byte
	Count  int64         `json:"count,omitempty"`  // of matches in this file
	Before []string      `json:"before,omitempty"` // lines that may have to be printed
	After  int           `json:"after,omitempty"`  // how many lines are still to be printed after a match
	Shown  int64         `json:"shown,omitempty"`  // the number of the last printed line
	Any    bool          `json:"any,omitempty"`    // a line of any file was printed
	Hit    bool          `json:"hit,omitempty"`    // a line was selected
	Listed bool          `json:"listed,omitempty"` // with -L: a file was listed
	Failed bool          `json:"failed,omitempty"`

	o             *utility.Options
	patterns      []*regex.Regex
	before, after int
	most          int64
	names         bool
	word          bool
}

func (u *grep) newline() byte {
	if u.o.Has('z') {
		return 0
	}
	return '\n'
}

// line processes one line.
func (u *grep) line(c *utility.Call, text []byte) utility.Verdict {
	u.Number++
	offset := u.Offset
	u.Offset += int64(len(text)) + 1
	matched := false
	c.Step(4)
	whole := string(text)
	for _, re := range u.patterns {
		if re.Matches(c.Step, whole) {
			matched = true
			break
		}
	}
	if matched == u.o.Has('v') {
		u.unselected(c, text)
		if u.After == 0 && u.most >= 0 && u.Count >= u.most {
			return utility.NextFile
		}
		return utility.More
	}
	if u.most >= 0 && u.Count >= u.most { // a line after the last one that counts
		if u.After == 0 {
			return utility.NextFile
		}
		u.unselected(c, text)
		return utility.More
	}
	u.Count++
	u.Hit = true
	switch {
	case u.o.Has('q'):
		return utility.Quit
	case u.o.Has('l') || u.o.Has('L'):
		return utility.NextFile
	case u.o.Has('c'):
	case u.o.Has('o'):
		if !u.o.Has('v') {
			u.only(c, text, offset)
		}
	default:
		u.selected(c, text, offset)
	}
	if u.most >= 0 && u.Count >= u.most && u.after == 0 {
		return utility.NextFile
	}
	return utility.More
}

func (u *grep) show(c *utility.Call, mark byte, number, offset int64, text []byte) {
	var b bytes.Buffer
	if u.names {
		name := u.Files[u.Feed.At]
		if name == "-" {
			name = "(standard input)"
		}
		b.WriteString(name)
		b.WriteByte(mark)
	}
	if u.o.Has('n') {
		b.WriteString(strconv.FormatInt(number, 10))
		b.WriteByte(mark)
	}
	if u.o.Has('b') {
		b.WriteString(strconv.FormatInt(offset, 10))
		b.WriteByte(mark)
	}
	b.Write(text)
	b.WriteByte(u.newline())
	c.Put(c.Stdout, b.Bytes())
}

// selected prints a selected line with its context.
func (u *grep) selected(c *utility.Call, text []byte, offset int64) {
	first := u.Number - int64(len(u.Before))
	if (u.before > 0 || u.after > 0) && u.Any && first > u.Shown+1 {
		c.Print("--\n")
	}
	for i, before := range u.Before {
		u.show(c, '-', first+int64(i), 0, []byte(before))
	}
	u.Before = nil
	u.show(c, ':', u.Number, offset, text)
	u.Shown, u.After, u.Any = u.Number, u.after, true
}

func (u *grep) unselected(c *utility.Call, text []byte) {
	if u.o.Latest("qlLco") != 0 {
		return
	}
	if u.After > 0 {
		u.After--
		u.show(c, '-', u.Number, 0, text)
		u.Shown = u.Number
		return
	}
	if u.before > 0 {
		u.Before = append(u.Before, string(text))
		u.Before = u.Before[max(0, len(u.Before)-u.before):]
		total := 0
		for _, b := range u.Before {
			total += len(b)
		}
		c.Need(int64(total))
	}
}

// only prints the parts of a line that match.
func (u *grep) only(c *utility.Call, text []byte, offset int64) {
	whole := string(text)
	for at := 0; at <= len(text); {
		start, end := -1, -1
		for _, re := range u.patterns {
			found := re.Find(c.Step, whole[at:], 0, 1)
			if found == nil {
				continue
			}
			s, e := found[0], found[1]
			if u.word {
				s, e = found[2], found[3]
			}
			if start < 0 || at+s < start || at+s == start && at+e > end {
				start, end = at+s, at+e
			}
		}
		if start < 0 {
			return
		}
		if end > start {
			u.show(c, ':', u.Number, offset+int64(start), text[start:end])
			at = end
		} else {
			at = start + 1
		}
		if anchored := strings.HasPrefix(u.patterns[0].String(), "^"); anchored && len(u.patterns) == 1 {
			return // an anchor at the start of the line matches once
		}
	}
}
