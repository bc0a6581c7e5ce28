package find

import (
	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// parser parses the arguments of find.
type parser struct {
	*utility.Call
	u      *find
	words  []string
	acts   bool // there is an action, so that -print is not implied
	batch  int
	depths int
}

func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) next(what string) string {
	if len(p.words) == 0 {
		if p.GNU {
			p.Fatal(1, "missing argument to `%s'", what)
		}
		p.Fatal(1, "missing argument to '%s'", what)
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

type test = func(c *utility.Call, u *find, at entry, i vfs.Info) bool

func printing(end string) *node {
	return &node{test: func(c *utility.Call, u *find, at entry, _ vfs.Info) bool {
		return u.act(func() bool { c.Print(at.Path + end); return true })
	}}
}

func holds() test { return func(*utility.Call, *find, entry, vfs.Info) bool { return true } }
