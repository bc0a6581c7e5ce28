package utility

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// action parses an action.
func (p *findParser) action(word string) findTest {
	switch word {
	case "-prune":
		return func(_ *Call, u *find, _ findAt, _ vfs.Info) bool { u.pruned = true; return true }
	case "-print", "-print0":
		p.acts = true
		end := "\n"
		if word == "-print0" {
			end = "\x00"
		}
		return printing(end).test
	case "-printf":
		p.acts = true
		format := p.next(word)
		return func(c *Call, u *find, at findAt, i vfs.Info) bool {
			return u.act(func() bool { c.print(c.findFormat(format, at, i)); return true })
		}
	case "-ls":
		p.acts = true
		return func(c *Call, u *find, at findAt, i vfs.Info) bool {
			return u.act(func() bool {
				c.printf("%7d %4d %s %3d %-8s %-8s %8d %s %s\n", uint64(i.Ino)%10_000_000, kibibytes(i), modeText(i.Mode), i.Links,
					c.userName(i.UID), c.groupName(i.GID), i.Size, i.MTime.Format("Jan _2 15:04"), at.Path)
				return true
			})
		}
	case "-quit":
		p.acts = true
		return func(_ *Call, u *find, _ findAt, _ vfs.Info) bool { u.Stack, u.pruned = nil, true; return true }
	case "-delete":
		p.acts, p.u.depth = true, true
		return func(c *Call, u *find, at findAt, i vfs.Info) bool {
			return u.act(func() bool { return u.remove(c, at, i) })
		}
	case "-exec", "-ok":
		return p.exec(word)
	}
	if strings.HasPrefix(word, "-") {
		if p.GNU {
			p.fatal(1, "unknown predicate `%s'", word)
		}
		p.fatal(1, "unrecognized: %s", word)
	}
	p.fatal(1, "paths must precede expression: %s", word)
	return nil
}

func (u *find) remove(c *Call, at findAt, i vfs.Info) bool {
	if at.Path == "." || at.Path == ".." {
		return true
	}
	err := error(nil)
	if i.IsDir() {
		err = c.FS.RemoveDir(c.abs(at.Path))
	} else {
		err = c.FS.Remove(c.abs(at.Path))
	}
	if err != nil {
		u.Failed = true
		if c.GNU {
			c.complain("cannot delete '%s': %s", at.Path, reason(err))
		} else {
			c.complain("%s: %s", at.Path, reason(err))
		}
	}
	return err == nil
}

// exec parses a program to run: for each file or, with a plus at the end, for all together.
func (p *findParser) exec(word string) findTest {
	if word == "-ok" {
		p.fatal(1, "unrecognized: -ok")
	}
	p.acts = true
	var argv []string
	for {
		w := p.next(word)
		if w == ";" {
			break
		}
		if w == "+" && len(argv) > 0 && argv[len(argv)-1] == "{}" {
			return p.execAll(argv[:len(argv)-1])
		}
		argv = append(argv, w)
	}
	if len(argv) == 0 {
		p.fatal(1, "missing argument to '%s'", word)
	}
	return func(c *Call, u *find, at findAt, _ vfs.Info) bool {
		full := make([]string, len(argv))
		for i, a := range argv {
			full[i] = strings.ReplaceAll(a, "{}", at.Path)
		}
		return u.ask(c, full)
	}
}

// maxBatch is how many bytes of names -exec … + passes to one program.
const maxBatch = 128 << 10

func (p *findParser) execAll(argv []string) findTest {
	at := p.batch
	p.batch++
	for len(p.u.Batch) <= at {
		p.u.Batch = append(p.u.Batch, nil)
	}
	return func(c *Call, u *find, file findAt, _ vfs.Info) bool {
		return u.act(func() bool {
			if len(u.Batch[at]) == 0 {
				u.Batch[at] = append([]string{}, argv...)
			}
			u.Batch[at] = append(u.Batch[at], file.Path)
			size := 0
			for _, a := range u.Batch[at] {
				size += len(a) + 1
			}
			if size > maxBatch {
				c.fatal(1, "argument list too long")
			}
			return true
		})
	}
}
