package find

import (
	"path"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/date"
	"github.com/rowlock/rowlock/internal/emulator/utility/file"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// action parses an action.
func (p *parser) action(word string) test {
	switch word {
	case "-prune":
		return func(_ *utility.Call, u *find, _ entry, _ vfs.Info) bool { u.pruned = true; return true }
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
		return func(c *utility.Call, u *find, at entry, i vfs.Info) bool {
			return u.act(func() bool { c.Print(formatted(c, format, at, i)); return true })
		}
	case "-ls":
		p.acts = true
		return func(c *utility.Call, u *find, at entry, i vfs.Info) bool {
			return u.act(func() bool {
				c.Printf("%7d %4d %s %3d %-8s %-8s %8d %s %s\n", uint64(i.Ino)%10_000_000, file.Kibibytes(i), file.ModeText(i.Mode), i.Links,
					c.UserName(i.UID), c.GroupName(i.GID), i.Size, i.MTime.Format("Jan _2 15:04"), at.Path)
				return true
			})
		}
	case "-quit":
		p.acts = true
		return func(_ *utility.Call, u *find, _ entry, _ vfs.Info) bool { u.Stack, u.pruned = nil, true; return true }
	case "-delete":
		p.acts, p.u.depth = true, true
		return func(c *utility.Call, u *find, at entry, i vfs.Info) bool {
			return u.act(func() bool { return u.remove(c, at, i) })
		}
	case "-exec", "-ok":
		return p.exec(word)
	}
	if strings.HasPrefix(word, "-") {
		if p.GNU {
			p.Fatal(1, "unknown predicate `%s'", word)
		}
		p.Fatal(1, "unrecognized: %s", word)
	}
	p.Fatal(1, "paths must precede expression: %s", word)
	return nil
}

func (u *find) remove(c *utility.Call, at entry, i vfs.Info) bool {
	if at.Path == "." || at.Path == ".." {
		return true
	}
	err := error(nil)
	if i.IsDir() {
		err = c.FS.RemoveDir(c.Abs(at.Path))
	} else {
		err = c.FS.Remove(c.Abs(at.Path))
	}
	if err != nil {
		u.Failed = true
		if c.GNU {
			c.Complain("cannot delete '%s': %s", at.Path, vfs.Reason(err))
		} else {
			c.Complain("%s: %s", at.Path, vfs.Reason(err))
		}
	}
	return err == nil
}

// exec parses a program to run: for each file or, with a plus at the end, for all together.
func (p *parser) exec(word string) test {
	if word == "-ok" {
		p.Fatal(1, "unrecognized: -ok")
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
		p.Fatal(1, "missing argument to '%s'", word)
	}
	return func(c *utility.Call, u *find, at entry, _ vfs.Info) bool {
		full := make([]string, len(argv))
		for i, a := range argv {
			full[i] = strings.ReplaceAll(a, "{}", at.Path)
		}
		return u.ask(c, full)
	}
}

// maxBatch is how many bytes of names -exec … + passes to one program.
const maxBatch = 128 << 10

func (p *parser) execAll(argv []string) test {
	at := p.batch
	p.batch++
	for len(p.u.Batch) <= at {
		p.u.Batch = append(p.u.Batch, nil)
	}
	return func(c *utility.Call, u *find, file entry, _ vfs.Info) bool {
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
				c.Fatal(1, "argument list too long")
			}
			return true
		})
	}
}

// formatted formats what -printf prints for a file.
func formatted(c *utility.Call, format string, at entry, i vfs.Info) string {
	text, _ := utility.Unescape(format, false)
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
			field, _ = file.StatField(c, 'a', at.Path, i)
		case 'M':
			field = file.ModeText(i.Mode)
		case 'y':
			field = file.ModeText(i.Mode)[:1]
			if i.IsRegular() {
				field = "f"
			}
		case 'l':
			field = i.Target
		case 's', 'u', 'U', 'g', 'G', 'n', 'i':
			verb := map[byte]byte{'s': 's', 'u': 'U', 'U': 'u', 'g': 'G', 'G': 'g', 'n': 'h', 'i': 'i'}[text[k]]
			field, _ = file.StatField(c, verb, at.Path, i)
		case 'T':
			if k++; k < len(text) {
				if text[k] == '@' {
					field = date.Format("%s.%N0", i.MTime)
				} else {
					field = date.Format("%"+text[k:k+1], i.MTime)
				}
			}
		case 't':
			field = date.Format("%a %b %e %H:%M:%S.%N %Y", i.MTime)
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
