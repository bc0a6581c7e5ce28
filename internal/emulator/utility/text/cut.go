package text

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// byLine is a Stream that processes its input line by line.
type byLine struct {
	Feed   utility.Feed  `json:"feed"`
	Lines  utility.Lines `json:"lines"`
	Failed bool          `json:"failed,omitempty"`

	newline byte
	each    eachLine
}

// eachLine processes a line; ended reports whether it ends with a newline.
type eachLine = func(c *utility.Call, text []byte, ended bool)

func (u *byLine) run(c *utility.Call, files []string, in []byte, eof bool, newline byte, each eachLine) (utility.Next, int) {
	u.newline, u.each = newline, each
	return u.Feed.Run(c, utility.OrStdin(files), in, eof, u), utility.ExitIf(u.Failed)
}

func (u *byLine) Start(*utility.Call, string) {}

func (u *byLine) Take(c *utility.Call, data []byte) utility.Verdict {
	return u.Lines.Each(c, data, u.newline, func(text []byte) utility.Verdict {
		c.Step(8 + int64(len(text))/2)
		u.each(c, text, true)
		return utility.More
	})
}

func (u *byLine) Finish(c *utility.Call, _ string) utility.Verdict {
	if text, ok := u.Lines.Last(); ok {
		c.Step(8 + int64(len(text))/2)
		u.each(c, text, false)
	}
	return utility.More
}

func (u *byLine) CannotRead(c *utility.Call, file string, err error) {
	c.Complain("%s: %s", file, vfs.Reason(err))
	u.Failed = true
}

// span is a range of positions, from 1; if to is 0, up to the end.
type span struct{ from, to int }

// cut writes parts of lines.
type cut struct{ byLine }

// Chunk implements Stream.
func (u *cut) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	// -n has no effect: characters are bytes, as in the C locale.
	o := c.Parse(utility.Syntax{Short: "d:f:c:b:snz", Long: map[string]byte{
		"delimiter:": 'd', "fields:": 'f', "characters:": 'c', "bytes:": 'b', "only-delimited": 's', "complement": 'C',
		"output-delimiter:": 'O', "zero-terminated": 'z',
	}})
	which := o.Latest("fcb")
	if which == 0 {
		if c.GNU {
			c.Fatal(1, "you must specify a list of bytes, characters, or fields\nTry 'cut --help' for more information.")
		}
		c.Fatal(1, "expected a list of bytes, characters, or fields")
	}
	if o.Count('f')+o.Count('c')+o.Count('b') > 1 {
		c.Fatal(1, "only one type of list may be specified")
	}
	list, _ := o.Last(which)
	spans := spans(c, list)
	delimiter, given := o.Last('d')
	if !given {
		delimiter = "\t"
	}
	if given && which != 'f' || o.Has('s') && which != 'f' {
		c.Fatal(1, "a delimiter may be specified only when operating on fields")
	}
	if len(delimiter) > 1 {
		c.Fatal(1, "the delimiter must be a single character")
	}
	if delimiter == "" {
		delimiter = "\x00"
	}
	between, hasBetween := o.Last('O')
	if !hasBetween && which == 'f' {
		between = delimiter
	}
	selected := func(n int) bool {
		for _, s := range spans {
			if n >= s.from && (s.to == 0 || n <= s.to) {
				return !o.Has('C')
			}
		}
		return o.Has('C')
	}
	newline := byte('\n')
	if o.Has('z') {
		newline = 0
	}
	return u.run(c, o.Rest, in, eof, newline, func(c *utility.Call, text []byte, _ bool) {
		c.Step(int64(len(text)) * int64(1+len(spans)) / 8)
		var out []byte
		if which != 'f' {
			out = cutBytes(text, selected, between)
		} else if parts := bytes.Split(text, []byte(delimiter)); len(parts) == 1 {
			if o.Has('s') {
				return
			}
			out = bytes.Clone(text)
		} else {
			var kept [][]byte
			for i, part := range parts {
				if selected(i + 1) {
					kept = append(kept, part)
				}
			}
			out = bytes.Join(kept, []byte(between))
		}
		c.Put(c.Stdout, append(out, newline))
	})
}

func cutBytes(text []byte, selected func(int) bool, between string) (out []byte) {
	gap := false
	for i, b := range text {
		if !selected(i + 1) {
			gap = true
			continue
		}
		if gap && len(out) > 0 {
			out = append(out, between...)
		}
		gap = false
		out = append(out, b)
	}
	return out
}

// spans parses a list such as "1,3-5,7-".
func spans(c *utility.Call, list string) (spans []span) {
	if list == "" {
		c.Fatal(1, "missing list of positions")
	}
	for item := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		low, high, ranged := strings.Cut(item, "-")
		s := span{from: 1}
		var err, err2 error
		if low != "" {
			s.from, err = strconv.Atoi(low)
		}
		switch {
		case !ranged:
			s.to = s.from
		case high != "":
			s.to, err2 = strconv.Atoi(high)
		case low == "":
			c.Fatal(1, "invalid range with no endpoint: -")
		}
		if err != nil || err2 != nil || ranged && high != "" && s.to < s.from && s.to != 0 || len(spans) > 10_000 {
			c.Fatal(1, "invalid byte or field list")
		}
		if s.from == 0 || ranged && high == "0" {
			if c.GNU {
				c.Fatal(1, "fields are numbered from 1\nTry 'cut --help' for more information.")
			}
			c.Fatal(1, "invalid byte or field list")
		}
		spans = append(spans, s)
	}
	return spans
}

// rev reverses the characters of lines.
type rev struct{ byLine }

// Chunk implements Stream.
func (u *rev) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	o := c.Parse(utility.Syntax{})
	return u.run(c, o.Rest, in, eof, '\n', func(c *utility.Call, text []byte, ended bool) {
		runes := []rune(string(text))
		for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
			runes[i], runes[j] = runes[j], runes[i]
		}
		out := []byte(string(runes))
		if ended {
			out = append(out, '\n')
		}
		c.Put(c.Stdout, out)
	})
}

// maxColumn bounds the width of line numbers.
const maxColumn = 4096

// nl numbers lines.
type nl struct {
	byLine
	Number int64 `json:"number,omitempty"`
}

// Chunk implements Stream.
func (u *nl) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	o := c.Parse(utility.Syntax{Short: "b:w:s:v:i:n:", Long: map[string]byte{
		"body-numbering:": 'b', "number-width:": 'w', "number-separator:": 's', "starting-line-number:": 'v', "line-increment:": 'i', "number-format:": 'n',
	}})
	value := func(letter byte, otherwise int64) int64 {
		text, ok := o.Last(letter)
		if !ok {
			return otherwise
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			c.Fatal(1, "invalid number '%s'", text)
		}
		return n
	}
	style, _ := o.Last('b')
	if style != "" && style != "a" && style != "t" && style != "n" {
		c.Fatal(1, "invalid body numbering style: '%s'", style)
	}
	width := int(min(max(1, value('w', 6)), maxColumn))
	first, step := value('v', 1), value('i', 1)
	separator, ok := o.Last('s')
	if !ok {
		separator = "\t"
	}
	format, _ := o.Last('n')
	return u.run(c, o.Rest, in, eof, '\n', func(c *utility.Call, text []byte, _ bool) {
		if style == "n" || len(text) == 0 && style != "a" {
			c.Print(strings.Repeat(" ", width+len(separator)) + string(text) + "\n")
			return
		}
		n := strconv.FormatInt(first+u.Number*step, 10)
		u.Number++
		fill := strings.Repeat(" ", max(0, width-len(n)))
		switch format {
		case "ln":
			n += fill
		case "rz":
			n = strings.Repeat("0", len(fill)) + n
		default:
			n = fill + n
		}
		c.Print(n + separator + string(text) + "\n")
	})
}

// fold breaks lines that are too long.
type fold struct{ byLine }

// Chunk implements Stream.
func (u *fold) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	o := c.Parse(utility.Syntax{Short: "w:sb", Long: map[string]byte{"width:": 'w', "spaces": 's', "bytes": 'b'}})
	width := 80
	if text, ok := o.Last('w'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			c.Fatal(1, "invalid number '%s'", text)
		}
		width = n
	}
	return u.run(c, o.Rest, in, eof, '\n', func(c *utility.Call, text []byte, ended bool) {
		var out []byte
		for len(text) > 0 {
			n := fits(text, width, o.Has('b'))
			if n < len(text) && o.Has('s') {
				if blank := bytes.LastIndexAny(text[:n], " \t"); blank >= 0 {
					n = blank + 1
				}
			}
			out = append(out, text[:n]...)
			if text = text[n:]; len(text) > 0 {
				out = append(out, '\n')
			}
		}
		if ended {
			out = append(out, '\n')
		}
		c.Put(c.Stdout, out)
	})
}

// fits returns how many bytes of a text fit into a number of columns; at least one does.
func fits(text []byte, width int, plain bool) int {
	column := 0
	for i, b := range text {
		switch {
		case plain:
			column++
		case b == '\t':
			column = column&^7 + 8
		case b == '\b':
			column = max(0, column-1)
		case b == '\r':
			column = 0
		case b&0xc0 != 0x80: // the first byte of a character
			column++
		}
		if column > width && i > 0 {
			return i
		}
	}
	return len(text)
}

// paste joins lines of files side by side.
func paste(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "d:s", Long: map[string]byte{"delimiters:": 'd', "serial": 's'}})
	delimiters, ok := o.Last('d')
	if !ok {
		delimiters = "\t"
	}
	var between []string
	for d := delimiters; d != ""; {
		switch {
		case strings.HasPrefix(d, `\0`):
			between, d = append(between, ""), d[2:]
		case d[0] == '\\' && len(d) > 1:
			text, _ := utility.Unescape(d[:2], false)
			between, d = append(between, text), d[2:]
		default:
			between, d = append(between, d[:1]), d[1:]
		}
	}
	if between == nil {
		between = []string{""}
	}
	in, _ := splitLines(c, stdin, '\n')
	var columns [][][]byte
	var shared []bool // the file reads standard input line by line, in turn with others
	for _, file := range utility.OrStdin(o.Rest) {
		if file == "-" && !o.Has('s') {
			columns, shared = append(columns, nil), append(shared, true)
			continue
		}
		columns, shared = append(columns, mustRead(c, file, stdin, 1)), append(shared, false)
	}
	if o.Has('s') {
		for _, lines := range columns {
			for i, line := range lines {
				if i > 0 {
					c.Print(between[(i-1)%len(between)])
				}
				c.Put(c.Stdout, line)
			}
			c.Print("\n")
		}
		return 0
	}
	for {
		var row []byte
		any := false
		for i := range columns {
			from := &columns[i]
			if shared[i] {
				from = &in
			}
			if i > 0 {
				row = append(row, between[(i-1)%len(between)]...)
			}
			if len(*from) > 0 {
				any = true
				row = append(row, (*from)[0]...)
				*from = (*from)[1:]
			}
		}
		if !any {
			return 0
		}
		c.Put(c.Stdout, append(row, '\n'))
	}
}
