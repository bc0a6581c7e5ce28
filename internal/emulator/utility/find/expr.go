package find

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/file"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// parse parses the arguments, and returns the starting points.
func (u *find) parse(c *utility.Call) []string {
	p := &parser{Call: c, u: u, words: c.Args[min(1, len(c.Args)):]}
	u.maxDepth, u.minDepth = -1, 0
	for len(p.words) > 0 && (p.words[0] == "-H" || p.words[0] == "-L" || p.words[0] == "-P") {
		u.follow = p.words[0] == "-L"
		p.words = p.words[1:]
	}
	var starts []string
	for len(p.words) > 0 && !strings.HasPrefix(p.words[0], "-") && p.words[0] != "(" && p.words[0] != "!" {
		starts = append(starts, p.words[0])
		p.words = p.words[1:]
	}
	if len(starts) == 0 {
		starts = []string{"."}
	}
	always := &node{test: func(*utility.Call, *find, entry, vfs.Info) bool { return true }}
	u.root = always
	if len(p.words) > 0 {
		u.root = p.list()
		if len(p.words) > 0 {
			c.Fatal(1, "paths must precede expression: %s", p.words[0])
		}
	}
	if !p.acts {
		u.root = &node{operator: '&', left: u.root, right: printing("\n")}
	}
	return starts
}

func (p *parser) list() *node {
	n := p.or()
	for p.peek() == "," {
		p.words = p.words[1:]
		n = &node{operator: ',', left: n, right: p.or()}
	}
	return n
}

func (p *parser) or() *node {
	n := p.and()
	for p.peek() == "-o" || p.peek() == "-or" {
		p.words = p.words[1:]
		n = &node{operator: '|', left: n, right: p.and()}
	}
	return n
}

func (p *parser) and() *node {
	n := p.not()
	for {
		switch p.peek() {
		case "", "-o", "-or", ")", ",":
			return n
		case "-a", "-and":
			p.words = p.words[1:]
		}
		n = &node{operator: '&', left: n, right: p.not()}
	}
}

func (p *parser) not() *node {
	if p.depths++; p.depths > utility.MaxDepth {
		p.Fatal(1, "expression too deep")
	}
	defer func() { p.depths-- }()
	switch word := p.next("expression"); word {
	case "!", "-not":
		return &node{operator: '!', left: p.not()}
	case "(":
		n := p.list()
		if p.next(")") != ")" {
			p.Fatal(1, "unmatched '('")
		}
		return n
	default:
		return &node{test: p.primary(word)}
	}
}

// primary parses one test or action.
func (p *parser) primary(word string) test {
	switch word {
	case "-name", "-iname":
		glob := p.next(word)
		return func(_ *utility.Call, _ *find, at entry, _ vfs.Info) bool {
			return pattern.Glob(glob, path.Base(at.Path), word == "-iname")
		}
	case "-path", "-wholename", "-ipath":
		glob := p.next(word)
		return func(_ *utility.Call, _ *find, at entry, _ vfs.Info) bool {
			return pattern.Glob(glob, at.Path, word == "-ipath")
		}
	case "-regex", "-iregex":
		re := pattern.MustCompile(p.Call, p.next(word), pattern.Options{Line: true, Fold: word == "-iregex"}, 1)
		return func(c *utility.Call, _ *find, at entry, _ vfs.Info) bool { return re.Matches(c.Step, at.Path) }
	case "-type":
		return p.kinds()
	case "-maxdepth":
		p.u.maxDepth = p.depthOf(word)
		return holds()
	case "-mindepth":
		p.u.minDepth = p.depthOf(word)
		return holds()
	case "-depth", "-d":
		p.u.depth = true
		return holds()
	case "-follow":
		p.u.follow = true
		return holds()
	case "-size":
		return p.sized()
	case "-empty":
		return func(c *utility.Call, _ *find, at entry, i vfs.Info) bool {
			if i.IsDir() {
				entries, err := c.FS.ReadDir(c.Abs(at.Path))
				return err == nil && len(entries) == 0
			}
			return i.IsRegular() && i.Size == 0
		}
	case "-newer":
		return p.newer(word)
	case "-mtime", "-ctime", "-atime":
		return p.aged(word, 24*time.Hour)
	case "-mmin", "-cmin", "-amin":
		return p.aged(word, time.Minute)
	case "-perm":
		return p.permitted()
	case "-user", "-group", "-uid", "-gid":
		return p.owned(word)
	case "-links":
		by, n := p.compared(word)
		return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool { return by(int64(i.Links), n) }
	case "-inum":
		by, n := p.compared(word)
		return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool {
			return by(int64(uint64(i.Ino)%10_000_000), n)
		}
	case "-executable", "-readable", "-writable":
		right := map[string]uint32{"-executable": 1, "-writable": 2, "-readable": 4}[word]
		return func(c *utility.Call, _ *find, at entry, _ vfs.Info) bool {
			return c.FS.Access(c.Abs(at.Path), right) == nil
		}
	case "-true":
		return holds()
	case "-false":
		return func(*utility.Call, *find, entry, vfs.Info) bool { return false }
	}
	return p.action(word)
}

func (p *parser) depthOf(word string) int {
	n, err := strconv.Atoi(p.next(word))
	if err != nil || n < 0 {
		p.Fatal(1, "invalid argument to '%s'", word)
	}
	return n
}

func (p *parser) kinds() test {
	kinds := map[string]uint32{
		"f": vfs.ModeRegular, "d": vfs.ModeDir, "l": vfs.ModeLink, "c": vfs.ModeChar, "b": vfs.ModeBlock,
		"p": vfs.ModeFIFO, "s": vfs.ModeSocket,
	}
	wanted := map[uint32]bool{}
	for kind := range strings.SplitSeq(p.next("-type"), ",") {
		mode, known := kinds[kind]
		if !known {
			p.Fatal(1, "Unknown argument to -type: %s", kind)
		}
		wanted[mode] = true
	}
	return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool { return wanted[i.Mode&vfs.ModeType] }
}

// compared parses a number after + for more or - for less.
func (p *parser) compared(word string) (func(have, n int64) bool, int64) {
	return p.comparison(p.next(word))
}

func (p *parser) comparison(text string) (func(have, n int64) bool, int64) {
	n, err := strconv.ParseInt(strings.TrimLeft(text, "+-"), 10, 64)
	if err != nil {
		p.Fatal(1, "invalid number '%s'", text)
	}
	switch text[0] {
	case '+':
		return func(have, n int64) bool { return have > n }, n
	case '-':
		return func(have, n int64) bool { return have < n }, n
	}
	return func(have, n int64) bool { return have == n }, n
}

func (p *parser) sized() test {
	text := p.next("-size")
	unit := int64(512)
	if text != "" {
		units := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
		if u, ok := units[text[len(text)-1]]; ok {
			unit, text = u, text[:len(text)-1]
		}
	}
	by, n := p.comparison(text + map[bool]string{true: "?"}[text == ""])
	return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool { return by((i.Size+unit-1)/unit, n) }
}

func (p *parser) newer(word string) test {
	file := p.next(word)
	reference, err := p.FS.Stat(p.Abs(file))
	if err != nil {
		p.Fatal(1, "%s: %s", file, vfs.Reason(err))
	}
	return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool { return i.MTime.After(reference.MTime) }
}

// aged compares the time since a file changed, in whole units: for -mtime and the like. A file has
// one time for all of them.
func (p *parser) aged(word string, unit time.Duration) test {
	by, n := p.compared(word)
	return func(c *utility.Call, _ *find, _ entry, i vfs.Info) bool {
		age := c.Now.Sub(i.MTime)
		whole := int64(age / unit)
		if unit == time.Minute { // a begun minute counts
			whole = int64((age + unit - 1) / unit)
		}
		return by(whole, n)
	}
}

func (p *parser) permitted() test {
	text := p.next("-perm")
	how := text
	text = strings.TrimLeft(text, "-/")
	perm, ok := file.ChangeMode(text, 0, 0)
	if !ok {
		p.Fatal(1, "invalid mode '%s'", how)
	}
	return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool {
		have := i.Mode & vfs.ModePerm
		switch how[0] {
		case '-':
			return have&perm == perm
		case '/':
			return perm == 0 || have&perm != 0
		}
		return have == perm
	}
}

func (p *parser) owned(word string) test {
	name := p.next(word)
	list := "/etc/passwd"
	group := word == "-group" || word == "-gid"
	if group {
		list = "/etc/group"
	}
	id, ok := p.LookupID(list, name)
	if !ok {
		p.Fatal(1, "unknown user or group '%s'", name)
	}
	return func(_ *utility.Call, _ *find, _ entry, i vfs.Info) bool {
		if group {
			return i.GID == id
		}
		return i.UID == id
	}
}
