package utility

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

var grepUtilities = map[string]Utility{
	"grep": {stream: newGrep}, "egrep": {stream: newGrep}, "fgrep": {stream: newGrep},
}

func newGrep() Stream { return &grep{} }

// grep prints matching lines.
type grep struct {
	Ready  bool     `json:"ready,omitempty"`
	Files  []string `json:"files,omitempty"` // with -r: the files found
	Feed   feed     `json:"feed"`
	Lines  lines    `json:"lines"`
	Number int64    `json:"number,omitempty"` // of the line
	Offset int64    `json:"offset,omitempty"` // of the line's first byte
	Count  int64    `json:"count,omitempty"`  // of matches in this file
	Before []string `json:"before,omitempty"` // lines that may have to be printed
	After  int      `json:"after,omitempty"`  // how many lines are still to be printed after a match
	Shown  int64    `json:"shown,omitempty"`  // the number of the last printed line
	Any    bool     `json:"any,omitempty"`    // a line of any file was printed
	Hit    bool     `json:"hit,omitempty"`    // a line was selected
	Listed bool     `json:"listed,omitempty"` // with -L: a file was listed
	Failed bool     `json:"failed,omitempty"`

	o             *options
	patterns      []*regex.Regex
	before, after int
	most          int64
	names         bool
	word          bool
}

var grepSyntax = syntax{short: "EFGvinclLqowxrRhHe:f:A:B:C:m:sabz", usage: 2, long: map[string]byte{
	"extended-regexp": 'E', "fixed-strings": 'F', "basic-regexp": 'G', "invert-match": 'v', "ignore-case": 'i', "line-number": 'n', "count": 'c',
	"files-with-matches": 'l', "files-without-match": 'L', "quiet": 'q', "silent": 'q', "only-matching": 'o', "word-regexp": 'w', "line-regexp": 'x',
	"recursive": 'r', "dereference-recursive": 'R', "no-filename": 'h', "with-filename": 'H', "regexp:": 'e', "file:": 'f',
	"after-context:": 'A', "before-context:": 'B', "context:": 'C', "max-count:": 'm', "no-messages": 's', "text": 'a', "byte-offset": 'b',
	"null-data": 'z', "color::": '1', "colour::": '1', "line-buffered": '2', "include:": 'I', "exclude:": 'X',
}}

// Chunk implements Stream.
func (u *grep) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	// -a, --color (as auto) and --line-buffered have no effect: every file counts as text, the
	// output is never a terminal, and it is never buffered.
	u.o = c.parse(grepSyntax)
	before := c.steps
	operands := u.compile(c)
	if u.Ready {
		c.again(before)
	}
	if !u.Ready {
		u.Ready = true
		u.Files = operands
		if u.o.has('r') || u.o.has('R') {
			u.Files = u.recurse(c, operands)
		} else {
			u.Files = orStdin(u.Files)
		}
	}
	u.context(c)
	u.names = u.o.latest("hH") == 'H' || u.o.latest("hH") != 'h' && (len(u.Files) > 1 || u.o.has('r') || u.o.has('R'))
	next := u.Feed.run(c, u.Files, in, eof, u)
	switch {
	case u.o.has('q') && u.Hit:
		return next, 0
	case u.Failed:
		return next, 2
	case u.o.has('L') && u.Listed, !u.o.has('L') && u.Hit:
		return next, 0
	}
	return next, 1
}

// compile compiles the patterns, and returns the operands that are files.
func (u *grep) compile(c *Call) (files []string) {
	files = u.o.rest
	var texts []string
	if !u.o.has('e') && !u.o.has('f') {
		if len(files) == 0 {
			c.fatal(2, "missing pattern")
		}
		texts, files = strings.Split(files[0], "\n"), files[1:]
	}
	for _, e := range u.o.all('e') {
		texts = append(texts, strings.Split(e, "\n")...)
	}
	for _, file := range u.o.all('f') {
		data, err := c.read(file, nil)
		if err != nil {
			c.cantOpen(file, err)
			panic(stopped{2})
		}
		if len(data) > 0 {
			texts = append(texts, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
		}
	}
	if len(texts) > 1000 {
		c.fatal(2, "too many patterns")
	}
	kind := u.o.latest("EFG")
	if kind == 0 {
		kind = map[string]byte{"egrep": 'E', "fgrep": 'F'}[c.name()]
	}
	u.word = u.o.has('w') && !u.o.has('x')
	o := regexOptions{extended: kind == 'E', fixed: kind == 'F', fold: u.o.has('i'), word: u.word, line: u.o.has('x')}
	if u.patterns == nil {
		for _, text := range texts {
			u.patterns = append(u.patterns, c.mustCompile(text, o, 2))
		}
	}
	return files
}

func (u *grep) context(c *Call) {
	u.most = -1
	count := func(letter byte) (n int) {
		text, given := u.o.last(letter)
		n, err := strconv.Atoi(text)
		if given && (err != nil || n < 0 || n > 1_000_000) {
			c.fatal(2, "invalid number '%s'", text)
		}
		return n
	}
	u.before, u.after = count('C'), count('C')
	if u.o.has('B') {
		u.before = count('B')
	}
	if u.o.has('A') {
		u.after = count('A')
	}
	if u.o.has('m') {
		u.most = int64(count('m'))
	}
}

// recurse finds the files in directories.
func (u *grep) recurse(c *Call, operands []string) (files []string) {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	var visit func(file string, depth int)
	visit = func(file string, depth int) {
		c.step(1)
		stat := c.FS.Stat
		if depth > 0 && !u.o.has('R') {
			stat = c.FS.Lstat
		}
		i, err := stat(c.abs(file))
		switch {
		case file == "-" || depth == 0 && err != nil:
			files = append(files, file)
		case err != nil || i.IsLink():
		case i.IsDir() && depth < maxDepth:
			entries, err := c.FS.ReadDir(c.abs(file))
			if err != nil {
				u.failed(c, file, err)
			}
			for _, e := range entries {
				visit(strings.TrimSuffix(file, "/")+"/"+e.Name, depth+1)
			}
		case i.IsRegular() && u.wanted(lastElement(file)):
			files = append(files, file)
		}
	}
	for _, file := range operands {
		visit(file, 0)
	}
	return files
}

func (u *grep) wanted(name string) bool {
	for _, glob := range u.o.all('X') {
		if globMatch(glob, name, false) {
			return false
		}
	}
	includes := u.o.all('I')
	for _, glob := range includes {
		if globMatch(glob, name, false) {
			return true
		}
	}
	return len(includes) == 0
}

func (u *grep) start(*Call, string) {
	u.Number, u.Offset, u.Count, u.Before, u.After, u.Shown = 0, 0, 0, nil, 0, 0
	u.Lines = lines{}
}

func (u *grep) newline() byte {
	if u.o.has('z') {
		return 0
	}
	return '\n'
}

func (u *grep) take(c *Call, data []byte) verdict {
	if u.most == 0 {
		return nextFile
	}
	v := u.Lines.each(c, data, u.newline(), func(text []byte) verdict { return u.line(c, text) })
	if v == nextFile {
		return u.end(c)
	}
	return v
}

func (u *grep) finish(c *Call, _ string) verdict {
	if text, ok := u.Lines.rest(); ok {
		if v := u.line(c, text); v == quit {
			return v
		}
	}
	return u.end(c)
}

// end prints the result for a file as a whole.
func (u *grep) end(c *Call) verdict {
	name := u.Files[u.Feed.At]
	if name == "-" {
		name = "(standard input)"
	}
	switch {
	case u.o.has('q'):
	case u.o.has('L'):
		if u.Count == 0 {
			u.Listed = true
			c.print(name + "\n")
		}
	case u.o.has('l'):
		if u.Count > 0 {
			c.print(name + "\n")
		}
	case u.o.has('c'):
		if u.names {
			c.print(name + ":")
		}
		c.printf("%d\n", u.Count)
	}
	return nextFile
}

// line processes one line.
func (u *grep) line(c *Call, text []byte) verdict {
	u.Number++
	offset := u.Offset
	u.Offset += int64(len(text)) + 1
	matched := false
	c.step(4)
	whole := string(text)
	for _, re := range u.patterns {
		if re.Matches(c.step, whole) {
			matched = true
			break
		}
	}
	if matched == u.o.has('v') {
		u.unselected(c, text)
		if u.After == 0 && u.most >= 0 && u.Count >= u.most {
			return nextFile
		}
		return more
	}
	if u.most >= 0 && u.Count >= u.most { // a line after the last one that counts
		if u.After == 0 {
			return nextFile
		}
		u.unselected(c, text)
		return more
	}
	u.Count++
	u.Hit = true
	switch {
	case u.o.has('q'):
		return quit
	case u.o.has('l') || u.o.has('L'):
		return nextFile
	case u.o.has('c'):
	case u.o.has('o'):
		if !u.o.has('v') {
			u.only(c, text, offset)
		}
	default:
		u.selected(c, text, offset)
	}
	if u.most >= 0 && u.Count >= u.most && u.after == 0 {
		return nextFile
	}
	return more
}

func (u *grep) show(c *Call, mark byte, number, offset int64, text []byte) {
	var b bytes.Buffer
	if u.names {
		name := u.Files[u.Feed.At]
		if name == "-" {
			name = "(standard input)"
		}
		b.WriteString(name)
		b.WriteByte(mark)
	}
	if u.o.has('n') {
		b.WriteString(strconv.FormatInt(number, 10))
		b.WriteByte(mark)
	}
	if u.o.has('b') {
		b.WriteString(strconv.FormatInt(offset, 10))
		b.WriteByte(mark)
	}
	b.Write(text)
	b.WriteByte(u.newline())
	c.put(c.Stdout, b.Bytes())
}

// selected prints a selected line with its context.
func (u *grep) selected(c *Call, text []byte, offset int64) {
	first := u.Number - int64(len(u.Before))
	if (u.before > 0 || u.after > 0) && u.Any && first > u.Shown+1 {
		c.print("--\n")
	}
	for i, before := range u.Before {
		u.show(c, '-', first+int64(i), 0, []byte(before))
	}
	u.Before = nil
	u.show(c, ':', u.Number, offset, text)
	u.Shown, u.After, u.Any = u.Number, u.after, true
}

func (u *grep) unselected(c *Call, text []byte) {
	if u.o.latest("qlLco") != 0 {
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
		c.need(int64(total))
	}
}

// only prints the parts of a line that match.
func (u *grep) only(c *Call, text []byte, offset int64) {
	whole := string(text)
	for at := 0; at <= len(text); {
		start, end := -1, -1
		for _, re := range u.patterns {
			found := re.Find(c.step, whole[at:], 0, 1)
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

func (u *grep) failed(c *Call, file string, err error) {
	u.Failed = true
	if u.o.has('s') {
		return
	}
	if c.GNU {
		c.complain("%s: %s", file, reason(err))
		return
	}
	c.complain("%s: %s", file, reason(err))
}
