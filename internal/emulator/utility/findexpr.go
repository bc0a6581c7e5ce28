package utility

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// findParser parses the arguments of find.
type findParser struct {
	*Call
	u      *find
	words  []string
	acts   bool // there is an action, so that -print is not implied
	batch  int
	depths int
}

// parse parses the arguments, and returns the starting points.
func (u *find) parse(c *Call) []string {
	p := &findParser{Call: c, u: u, words: c.Args[min(1, len(c.Args)):]}
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
	always := &findNode{test: func(*Call, *find, findAt, vfs.Info) bool { return true }}
	u.root = always
	if len(p.words) > 0 {
		u.root = p.list()
		if len(p.words) > 0 {
			c.fatal(1, "paths must precede expression: %s", p.words[0])
		}
	}
	if !p.acts {
		u.root = &findNode{operator: '&', left: u.root, right: printing("\n")}
	}
	return starts
}

func (p *findParser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *findParser) list() *findNode {
	n := p.or()
	for p.peek() == "," {
		p.words = p.words[1:]
		n = &findNode{operator: ',', left: n, right: p.or()}
	}
	return n
}

func (p *findParser) or() *findNode {
	n := p.and()
	for p.peek() == "-o" || p.peek() == "-or" {
		p.words = p.words[1:]
		n = &findNode{operator: '|', left: n, right: p.and()}
	}
	return n
}

func (p *findParser) and() *findNode {
	n := p.not()
	for {
		switch p.peek() {
		case "", "-o", "-or", ")", ",":
			return n
		case "-a", "-and":
			p.words = p.words[1:]
		}
		n = &findNode{operator: '&', left: n, right: p.not()}
	}
}

func (p *findParser) not() *findNode {
	if p.depths++; p.depths > maxDepth {
		p.fatal(1, "expression too deep")
	}
	defer func() { p.depths-- }()
	switch word := p.next("expression"); word {
	case "!", "-not":
		return &findNode{operator: '!', left: p.not()}
	case "(":
		n := p.list()
		if p.next(")") != ")" {
			p.fatal(1, "unmatched '('")
		}
		return n
	default:
		return &findNode{test: p.primary(word)}
	}
}

func (p *findParser) next(what string) string {
	if len(p.words) == 0 {
		if p.GNU {
			p.fatal(1, "missing argument to `%s'", what)
		}
		p.fatal(1, "missing argument to '%s'", what)
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

type findTest = func(c *Call, u *find, at findAt, i vfs.Info) bool

func holds() findTest { return func(*Call, *find, findAt, vfs.Info) bool { return true } }

func printing(end string) *findNode {
	return &findNode{test: func(c *Call, u *find, at findAt, _ vfs.Info) bool {
		return u.act(func() bool { c.print(at.Path + end); return true })
	}}
}

// primary parses one test or action.
func (p *findParser) primary(word string) findTest {
	switch word {
	case "-name", "-iname":
		glob := p.next(word)
		return func(_ *Call, _ *find, at findAt, _ vfs.Info) bool {
			return globMatch(glob, path.Base(at.Path), word == "-iname")
		}
	case "-path", "-wholename", "-ipath":
		glob := p.next(word)
		return func(_ *Call, _ *find, at findAt, _ vfs.Info) bool { return globMatch(glob, at.Path, word == "-ipath") }
	case "-regex", "-iregex":
		re := p.mustCompile(p.next(word), regexOptions{line: true, fold: word == "-iregex"}, 1)
		return func(c *Call, _ *find, at findAt, _ vfs.Info) bool { return re.Matches(c.step, at.Path) }
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
		return func(c *Call, _ *find, at findAt, i vfs.Info) bool {
			if i.IsDir() {
				entries, err := c.FS.ReadDir(c.abs(at.Path))
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
		return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool { return by(int64(i.Links), n) }
	case "-inum":
		by, n := p.compared(word)
		return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool { return by(int64(uint64(i.Ino)%10_000_000), n) }
	case "-executable", "-readable", "-writable":
		right := map[string]uint32{"-executable": 1, "-writable": 2, "-readable": 4}[word]
		return func(c *Call, _ *find, at findAt, _ vfs.Info) bool { return c.FS.Access(c.abs(at.Path), right) == nil }
	case "-true":
		return holds()
	case "-false":
		return func(*Call, *find, findAt, vfs.Info) bool { return false }
	}
	return p.action(word)
}

func (p *findParser) depthOf(word string) int {
	n, err := strconv.Atoi(p.next(word))
	if err != nil || n < 0 {
		p.fatal(1, "invalid argument to '%s'", word)
	}
	return n
}

func (p *findParser) kinds() findTest {
	kinds := map[string]uint32{"f": vfs.ModeRegular, "d": vfs.ModeDir, "l": vfs.ModeLink, "c": vfs.ModeChar, "b": vfs.ModeBlock, "p": vfs.ModeFIFO, "s": vfs.ModeSocket}
	wanted := map[uint32]bool{}
	for kind := range strings.SplitSeq(p.next("-type"), ",") {
		mode, known := kinds[kind]
		if !known {
			p.fatal(1, "Unknown argument to -type: %s", kind)
		}
		wanted[mode] = true
	}
	return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool { return wanted[i.Mode&vfs.ModeType] }
}

// compared parses a number after + for more or - for less.
func (p *findParser) compared(word string) (func(have, n int64) bool, int64) {
	return p.comparison(p.next(word))
}

func (p *findParser) comparison(text string) (func(have, n int64) bool, int64) {
	n, err := strconv.ParseInt(strings.TrimLeft(text, "+-"), 10, 64)
	if err != nil {
		p.fatal(1, "invalid number '%s'", text)
	}
	switch text[0] {
	case '+':
		return func(have, n int64) bool { return have > n }, n
	case '-':
		return func(have, n int64) bool { return have < n }, n
	}
	return func(have, n int64) bool { return have == n }, n
}

func (p *findParser) sized() findTest {
	text := p.next("-size")
	unit := int64(512)
	if text != "" {
		units := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
		if u, ok := units[text[len(text)-1]]; ok {
			unit, text = u, text[:len(text)-1]
		}
	}
	by, n := p.comparison(text + map[bool]string{true: "?"}[text == ""])
	return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool { return by((i.Size+unit-1)/unit, n) }
}

func (p *findParser) newer(word string) findTest {
	file := p.next(word)
	reference, err := p.FS.Stat(p.abs(file))
	if err != nil {
		p.fatal(1, "%s: %s", file, reason(err))
	}
	return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool { return i.MTime.After(reference.MTime) }
}

// aged compares the time since a file changed, in whole units: for -mtime and the like. A file has
// one time for all of them.
func (p *findParser) aged(word string, unit time.Duration) findTest {
	by, n := p.compared(word)
	return func(c *Call, _ *find, _ findAt, i vfs.Info) bool {
		age := c.Now.Sub(i.MTime)
		whole := int64(age / unit)
		if unit == time.Minute { // a begun minute counts
			whole = int64((age + unit - 1) / unit)
		}
		return by(whole, n)
	}
}

func (p *findParser) permitted() findTest {
	text := p.next("-perm")
	how := text
	text = strings.TrimLeft(text, "-/")
	perm, ok := changeMode(text, 0, 0)
	if !ok {
		p.fatal(1, "invalid mode '%s'", how)
	}
	return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool {
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

func (p *findParser) owned(word string) findTest {
	name := p.next(word)
	list := "/etc/passwd"
	group := word == "-group" || word == "-gid"
	if group {
		list = "/etc/group"
	}
	id, ok := p.numbered(list, name)
	if !ok {
		p.fatal(1, "unknown user or group '%s'", name)
	}
	return func(_ *Call, _ *find, _ findAt, i vfs.Info) bool {
		if group {
			return i.GID == id
		}
		return i.UID == id
	}
}

// findFormat formats what -printf prints for a file.
func (c *Call) findFormat(format string, at findAt, i vfs.Info) string {
	text, _ := unescape(format, false)
	var b strings.Builder
	for k := 0; k < len(text); k++ {
		if text[k] != '%' || k+1 == len(text) {
			b.WriteByte(text[k])
			continue
		}
		k++
		field, known := "", true
		switch text[k] {
		case '%':
			field = "%"
		case 'p':
			field = at.Path
		case 'f':
			field = path.Base(at.Path)
		case 'h':
			field = path.Dir(at.Path)
		case 'd':
			field = strconv.Itoa(at.Depth)
		case 'm':
			field, _ = c.statField('a', at.Path, i)
		case 'M':
			field = modeText(i.Mode)
		case 'y':
			field = modeText(i.Mode)[:1]
			if i.IsRegular() {
				field = "f"
			}
		case 'l':
			field = i.Target
		case 's', 'u', 'U', 'g', 'G', 'n', 'i':
			verb := map[byte]byte{'s': 's', 'u': 'U', 'U': 'u', 'g': 'G', 'G': 'g', 'n': 'h', 'i': 'i'}[text[k]]
			field, _ = c.statField(verb, at.Path, i)
		case 'T':
			if k++; k < len(text) {
				if text[k] == '@' {
					field = strftime("%s.%N0", i.MTime)
				} else {
					field = strftime("%"+text[k:k+1], i.MTime)
				}
			}
		case 't':
			field = strftime("%a %b %e %H:%M:%S.%N %Y", i.MTime)
		default:
			known = false
		}
		if !known {
			field = "%" + text[k:k+1]
		}
		b.WriteString(field)
	}
	return b.String()
}
