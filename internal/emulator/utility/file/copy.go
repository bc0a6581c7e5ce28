package file

import (
	"errors"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// destination decides where operands go: into a directory, or to one name. If that is not clear,
// the utility ends.
func destination(c *utility.Call, o *utility.Options) (sources []string, to string, into bool) {
	if dir, ok := o.Last('t'); ok {
		c.CheckOperands(o, 1, -1)
		return o.Rest, dir, true
	}
	if len(o.Rest) < 2 {
		missingFile(c, o)
	}
	sources, to = o.Rest[:len(o.Rest)-1], o.Rest[len(o.Rest)-1]
	i, err := c.FS.Stat(c.Abs(to))
	into = err == nil && i.IsDir() && !o.Has('T')
	if !into && len(sources) > 1 {
		if c.GNU {
			c.Fatal(1, "target '%s': %s", to, vfs.Reason(orElse(err, vfs.ENOTDIR)))
		}
		c.Fatal(1, "target '%s' is not a directory", to)
	}
	return sources, to, into
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func missingFile(c *utility.Call, o *utility.Options) {
	switch {
	case len(o.Rest) == 0 && c.GNU:
		c.Fatal(1, "missing file operand\nTry '%s --help' for more information.", c.Name())
	case c.GNU:
		c.Fatal(1, "missing destination file operand after '%s'\nTry '%s --help' for more information.", o.Rest[0], c.Name())
	}
	c.Fatal(1, "missing file operand")
}

func inside(dir, file string) string {
	return strings.TrimSuffix(dir, "/") + "/" + utility.LastElement(file)
}

// copier is one run of cp.
type copier struct {
	*utility.Call
	recursive, preserve, force, links, verbose, hard, symbolic, noClobber, update bool
}

// cp copies files.
func cp(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "rRapfdLPHlsvTt:nu", Long: map[string]byte{
		"recursive": 'r', "archive": 'a', "preserve::": 'p', "force": 'f', "no-dereference": 'P', "dereference": 'L', "link": 'l', "symbolic-link": 's',
		"verbose": 'v', "no-target-directory": 'T', "target-directory:": 't', "no-clobber": 'n', "update": 'u',
	}})
	k := &copier{Call: c, recursive: o.Latest("rRa") != 0, preserve: o.Latest("pa") != 0, force: o.Has('f'), verbose: o.Has('v'),
		hard: o.Has('l'), symbolic: o.Has('s'), noClobber: o.Has('n'), update: o.Has('u')}
	switch o.Latest("LPdaH") {
	case 'P', 'd', 'a':
		k.links = true
	case 0, 'H':
		k.links = k.recursive
	}
	sources, to, into := destination(c, o)
	failed := false
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		if !k.copy(source, target, 0) {
			failed = true
		}
	}
	return utility.ExitIf(failed)
}

// copy copies a file or a directory with its content, and reports whether everything succeeded.
func (k *copier) copy(from, to string, depth int) bool {
	k.Step(1)
	stat := k.FS.Stat
	if k.links {
		stat = k.FS.Lstat
	}
	i, err := stat(k.Abs(from))
	if err != nil {
		if k.GNU {
			k.Complain("cannot stat '%s': %s", from, vfs.Reason(err))
		} else {
			k.Complain("can't stat '%s': %s", from, vfs.Reason(err))
		}
		return false
	}
	if there, err := k.FS.Stat(k.Abs(to)); err == nil {
		switch {
		case there.Same(i) && i.Tree != "":
			k.Complain("'%s' and '%s' are the same file", from, to)
			return false
		case k.noClobber && !i.IsDir(), k.update && !i.IsDir() && !i.MTime.After(there.MTime):
			return true
		}
	}
	if i.IsDir() {
		return k.copyDir(from, to, i, depth)
	}
	if err := k.copyFile(from, to, i); err != nil {
		what := "create"
		if k.GNU {
			what = "create regular file"
		}
		k.Cant(what, to, err)
		return false
	}
	return true
}

func (k *copier) copyDir(from, to string, i vfs.Info, depth int) bool {
	if !k.recursive {
		if k.GNU {
			k.Complain("-r not specified; omitting directory '%s'", from)
		} else {
			k.Complain("omitting directory '%s'", from)
		}
		return false
	}
	source, _ := k.FS.Resolve(k.Abs(from))
	target, err := k.FS.Resolve(k.Abs(to))
	if err == nil && depth == 0 && (target == source || strings.HasPrefix(target, strings.TrimSuffix(source, "/")+"/")) {
		k.Complain("cannot copy a directory, '%s', into itself, '%s'", from, to)
		return false
	}
	if there, err := k.FS.Stat(k.Abs(to)); err == nil && !there.IsDir() {
		if k.GNU {
			k.Complain("cannot overwrite non-directory '%s' with directory '%s'", to, from)
		} else {
			k.Complain("target '%s' is not a directory", to)
		}
		return false
	} else if err != nil {
		if err := k.FS.Mkdir(k.Abs(to), i.Mode&0o777|0o700); err != nil {
			k.Cant("create directory", to, err)
			return false
		}
	}
	entries, err := k.FS.ReadDir(k.Abs(from))
	if err != nil {
		k.CantOpen(from, err)
		return false
	}
	fine := true
	for _, e := range entries {
		fine = k.copy(from+"/"+e.Name, to+"/"+e.Name, depth+1) && fine
	}
	k.keep(to, i)
	return fine
}

// keep gives a copy the mode, the owner and the time of the original, if requested.
func (k *copier) keep(to string, i vfs.Info) {
	if !k.preserve {
		return
	}
	// As in cp, a user who may not change the owner skips that.
	_ = k.FS.Chown(k.Abs(to), i.UID, i.GID, false)
	if !i.IsLink() {
		_ = k.FS.Chmod(k.Abs(to), i.Mode&vfs.ModePerm)
	}
	_ = k.FS.Chtimes(k.Abs(to), i.MTime, false)
}

func (k *copier) copyFile(from, to string, i vfs.Info) error {
	if k.verbose {
		k.Printf("'%s' -> '%s'\n", from, to)
	}
	switch {
	case k.hard:
		return k.FS.Link(k.Abs(from), k.Abs(to))
	case k.symbolic:
		return k.FS.Symlink(from, k.Abs(to))
	case i.IsLink():
		if there, err := k.FS.Lstat(k.Abs(to)); err == nil && !there.IsDir() {
			_ = k.FS.Remove(k.Abs(to)) // if that fails, so does Symlink
		}
		err := k.FS.Symlink(i.Target, k.Abs(to))
		k.keep(to, i)
		return err
	case i.Mode&vfs.ModeType == vfs.ModeFIFO && k.recursive:
		return k.FS.Mkfifo(k.Abs(to), i.Mode&vfs.ModePerm)
	}
	data, err := k.ReadInput(from, nil)
	if err != nil {
		return err
	}
	err = k.write(to, data, i.Mode&0o777)
	if err != nil && k.force && errors.Is(err, vfs.EACCES) && k.FS.Remove(k.Abs(to)) == nil {
		err = k.write(to, data, i.Mode&0o777)
	}
	if err == nil {
		k.keep(to, i)
	}
	return err
}

func (k *copier) write(to string, data []byte, mode uint32) error {
	f, err := k.FS.Open(k.Abs(to), vfs.Write|vfs.Create|vfs.Truncate, mode)
	if err != nil {
		return err
	}
	out := &utility.OutFile{Name: to, File: f}
	defer out.Close(k.Call)
	return out.Write(k.Call, data)
}

// install copies files and sets their mode, or creates directories.
func install(c *utility.Call, _ []byte) int {
	// -c has no effect: it names what install does in any case.
	o := c.Parse(utility.Syntax{Short: "dDm:o:g:cpvTt:", Long: map[string]byte{"directory": 'd', "mode:": 'm', "owner:": 'o', "group:": 'g'}})
	perm := uint32(0o755)
	if mode, ok := o.Last('m'); ok {
		if perm, ok = ChangeMode(mode, 0, 0); !ok {
			c.Fatal(1, "invalid mode '%s'", mode)
		}
	}
	finish := func(file string) bool {
		err := c.FS.Chmod(c.Abs(file), perm)
		for letter, list := range map[byte]string{'o': "/etc/passwd", 'g': "/etc/group"} {
			if name, ok := o.Last(letter); ok && err == nil {
				id, known := c.LookupID(list, name)
				if !known {
					c.Fatal(1, "invalid user or group '%s'", name)
				}
				if letter == 'o' {
					err = c.FS.Chown(c.Abs(file), id, -1, true)
				} else {
					err = c.FS.Chown(c.Abs(file), -1, id, true)
				}
			}
		}
		if err != nil {
			c.Complain("%s: %s", file, vfs.Reason(err))
		}
		return err == nil
	}
	fine := true
	if o.Has('d') {
		for _, dir := range o.Rest {
			if err := c.FS.MkdirAll(c.Abs(dir), 0o755); err != nil {
				c.Cant("create directory", dir, err)
				fine = false
				continue
			}
			fine = finish(dir) && fine
		}
		return utility.ExitIf(!fine)
	}
	if o.Has('D') && len(o.Rest) == 2 {
		if parent := utility.Parent(o.Rest[1]); parent != "" {
			_ = c.FS.MkdirAll(c.Abs(parent), 0o755) // if that fails, the copy reports it
		}
	}
	sources, to, into := destination(c, o)
	k := &copier{Call: c}
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		ok := k.copy(source, target, 0) && finish(target)
		if i, err := c.FS.Stat(c.Abs(source)); ok && err == nil && o.Has('p') {
			_ = c.FS.Chtimes(c.Abs(target), i.MTime.Truncate(time.Nanosecond), true)
		}
		fine = ok && fine
	}
	return utility.ExitIf(!fine)
}
