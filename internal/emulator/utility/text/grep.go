package text

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func newGrep() utility.Stream { return &grep{} }

var grepSyntax = utility.Syntax{Short: "EFGvinclLqowxrRhHe:f:A:B:C:m:sabz", Usage: 2, Long: map[string]byte{
	"extended-regexp": 'E', "fixed-strings": 'F', "basic-regexp": 'G', "invert-match": 'v', "ignore-case": 'i', "line-number": 'n', "count": 'c',
	"files-with-matches": 'l', "files-without-match": 'L', "quiet": 'q', "silent": 'q', "only-matching": 'o', "word-regexp": 'w', "line-regexp": 'x',
	"recursive": 'r', "dereference-recursive": 'R', "no-filename": 'h', "with-filename": 'H', "regexp:": 'e', "file:": 'f',
	"after-context:": 'A', "before-context:": 'B', "context:": 'C', "max-count:": 'm', "no-messages": 's', "text": 'a', "byte-offset": 'b',
	"null-data": 'z', "color::": '1', "colour::": '1', "line-buffered": '2', "include:": 'I', "exclude:": 'X',
}}

// Chunk implements Stream.
func (u *grep) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	// -a, --color (as auto) and --line-buffered have no effect: every file counts as text, the
	// output is never a terminal, and it is never buffered.
	u.o = c.Parse(grepSyntax)
	before := c.Steps()
	operands := u.compile(c)
	if u.Ready {
		c.ResetSteps(before)
	}
	if !u.Ready {
		u.Ready = true
		u.Files = operands
		if u.o.Has('r') || u.o.Has('R') {
			u.Files = u.recurse(c, operands)
		} else {
			u.Files = utility.OrStdin(u.Files)
		}
	}
	u.context(c)
	u.names = u.o.Latest("hH") == 'H' || u.o.Latest("hH") != 'h' && (len(u.Files) > 1 || u.o.Has('r') || u.o.Has('R'))
	next := u.Feed.Run(c, u.Files, in, eof, u)
	switch {
	case u.o.Has('q') && u.Hit:
		return next, 0
	case u.Failed:
		return next, 2
	case u.o.Has('L') && u.Listed, !u.o.Has('L') && u.Hit:
		return next, 0
	}
	return next, 1
}

// compile compiles the patterns, and returns the operands that are files.
func (u *grep) compile(c *utility.Call) (files []string) {
	files = u.o.Rest
	var texts []string
	if !u.o.Has('e') && !u.o.Has('f') {
		if len(files) == 0 {
			c.Fatal(2, "missing pattern")
		}
		texts, files = strings.Split(files[0], "\n"), files[1:]
	}
	for _, e := range u.o.All('e') {
		texts = append(texts, strings.Split(e, "\n")...)
	}
	for _, file := range u.o.All('f') {
		data, err := c.ReadInput(file, nil)
		if err != nil {
			c.CantOpen(file, err)
			c.Exit(2)
		}
		if len(data) > 0 {
			texts = append(texts, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
		}
	}
	if len(texts) > 1000 {
		c.Fatal(2, "too many patterns")
	}
	kind := u.o.Latest("EFG")
	if kind == 0 {
		kind = map[string]byte{"egrep": 'E', "fgrep": 'F'}[c.Name()]
	}
	u.word = u.o.Has('w') && !u.o.Has('x')
	o := pattern.Options{Extended: kind == 'E', Fixed: kind == 'F', Fold: u.o.Has('i'), Word: u.word, Line: u.o.Has('x')}
	if u.patterns == nil {
		for _, text := range texts {
			u.patterns = append(u.patterns, pattern.MustCompile(c, text, o, 2))
		}
	}
	return files
}

func (u *grep) context(c *utility.Call) {
	u.most = -1
	count := func(letter byte) (n int) {
		text, given := u.o.Last(letter)
		n, err := strconv.Atoi(text)
		if given && (err != nil || n < 0 || n > 1_000_000) {
			c.Fatal(2, "invalid number '%s'", text)
		}
		return n
	}
	u.before, u.after = count('C'), count('C')
	if u.o.Has('B') {
		u.before = count('B')
	}
	if u.o.Has('A') {
		u.after = count('A')
	}
	if u.o.Has('m') {
		u.most = int64(count('m'))
	}
}

// recurse finds the files in directories.
func (u *grep) recurse(c *utility.Call, operands []string) (files []string) {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	var visit func(file string, depth int)
	visit = func(file string, depth int) {
		c.Step(1)
		stat := c.FS.Stat
		if depth > 0 && !u.o.Has('R') {
			stat = c.FS.Lstat
		}
		i, err := stat(c.Abs(file))
		switch {
		case file == "-" || depth == 0 && err != nil:
			files = append(files, file)
		case err != nil || i.IsLink():
		case i.IsDir() && depth < utility.MaxDepth:
			entries, err := c.FS.ReadDir(c.Abs(file))
			if err != nil {
				u.CannotRead(c, file, err)
			}
			for _, e := range entries {
				visit(strings.TrimSuffix(file, "/")+"/"+e.Name, depth+1)
			}
		case i.IsRegular() && u.wanted(utility.LastElement(file)):
			files = append(files, file)
		}
	}
	for _, file := range operands {
		visit(file, 0)
	}
	return files
}

func (u *grep) wanted(name string) bool {
	for _, glob := range u.o.All('X') {
		if pattern.Glob(glob, name, false) {
			return false
		}
	}
	includes := u.o.All('I')
	for _, glob := range includes {
		if pattern.Glob(glob, name, false) {
			return true
		}
	}
	return len(includes) == 0
}

func (u *grep) Start(*utility.Call, string) {
	u.Number, u.Offset, u.Count, u.Before, u.After, u.Shown = 0, 0, 0, nil, 0, 0
	u.Lines = utility.Lines{}
}

func (u *grep) Take(c *utility.Call, data []byte) utility.Verdict {
	if u.most == 0 {
		return utility.NextFile
	}
	v := u.Lines.Each(c, data, u.newline(), func(text []byte) utility.Verdict { return u.line(c, text) })
	if v == utility.NextFile {
		return u.end(c)
	}
	return v
}

func (u *grep) Finish(c *utility.Call, _ string) utility.Verdict {
	if text, ok := u.Lines.Last(); ok {
		if v := u.line(c, text); v == utility.Quit {
			return v
		}
	}
	return u.end(c)
}

// end prints the result for a file as a whole.
func (u *grep) end(c *utility.Call) utility.Verdict {
	name := u.Files[u.Feed.At]
	if name == "-" {
		name = "(standard input)"
	}
	switch {
	case u.o.Has('q'):
	case u.o.Has('L'):
		if u.Count == 0 {
			u.Listed = true
			c.Print(name + "\n")
		}
	case u.o.Has('l'):
		if u.Count > 0 {
			c.Print(name + "\n")
		}
	case u.o.Has('c'):
		if u.names {
			c.Print(name + ":")
		}
		c.Printf("%d\n", u.Count)
	}
	return utility.NextFile
}

func (u *grep) CannotRead(c *utility.Call, file string, err error) {
	u.Failed = true
	if u.o.Has('s') {
		return
	}
	if c.GNU {
		c.Complain("%s: %s", file, vfs.Reason(err))
		return
	}
	c.Complain("%s: %s", file, vfs.Reason(err))
}
