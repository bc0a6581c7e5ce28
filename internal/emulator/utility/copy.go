package utility

import (
	"errors"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var copyUtilities = map[string]Utility{"cp": {whole: cp}, "mv": {whole: mv}, "ln": {whole: ln}, "install": {whole: install}}

// destination decides where operands go: into a directory, or to one name. If that is not clear,
// the utility ends.
func (c *Call) destination(o *options) (sources []string, to string, into bool) {
	if dir, ok := o.last('t'); ok {
		c.operands(o, 1, -1)
		return o.rest, dir, true
	}
	if len(o.rest) < 2 {
		c.missingFile(o)
	}
	sources, to = o.rest[:len(o.rest)-1], o.rest[len(o.rest)-1]
	i, err := c.FS.Stat(c.abs(to))
	into = err == nil && i.IsDir() && !o.has('T')
	if !into && len(sources) > 1 {
		if c.GNU {
			c.fatal(1, "target '%s': %s", to, reason(orElse(err, vfs.ENOTDIR)))
		}
		c.fatal(1, "target '%s' is not a directory", to)
	}
	return sources, to, into
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (c *Call) missingFile(o *options) {
	switch {
	case len(o.rest) == 0 && c.GNU:
		c.fatal(1, "missing file operand\nTry '%s --help' for more information.", c.name())
	case c.GNU:
		c.fatal(1, "missing destination file operand after '%s'\nTry '%s --help' for more information.", o.rest[0], c.name())
	}
	c.fatal(1, "missing file operand")
}

func inside(dir, file string) string { return strings.TrimSuffix(dir, "/") + "/" + lastElement(file) }

// copier is one run of cp.
type copier struct {
	*Call
	recursive, preserve, force, links, verbose, hard, symbolic, noClobber, update bool
}

// cp copies files.
func cp(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "rRapfdLPHlsvTt:nu", long: map[string]byte{
		"recursive": 'r', "archive": 'a', "preserve::": 'p', "force": 'f', "no-dereference": 'P', "dereference": 'L', "link": 'l', "symbolic-link": 's',
		"verbose": 'v', "no-target-directory": 'T', "target-directory:": 't', "no-clobber": 'n', "update": 'u',
	}})
	k := &copier{Call: c, recursive: o.latest("rRa") != 0, preserve: o.latest("pa") != 0, force: o.has('f'), verbose: o.has('v'),
		hard: o.has('l'), symbolic: o.has('s'), noClobber: o.has('n'), update: o.has('u')}
	switch o.latest("LPdaH") {
	case 'P', 'd', 'a':
		k.links = true
	case 0, 'H':
		k.links = k.recursive
	}
	sources, to, into := c.destination(o)
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
	return exitIf(failed)
}

// copy copies a file or a directory with its content, and reports whether everything succeeded.
func (k *copier) copy(from, to string, depth int) bool {
	k.step(1)
	stat := k.FS.Stat
	if k.links {
		stat = k.FS.Lstat
	}
	i, err := stat(k.abs(from))
	if err != nil {
		if k.GNU {
			k.complain("cannot stat '%s': %s", from, reason(err))
		} else {
			k.complain("can't stat '%s': %s", from, reason(err))
		}
		return false
	}
	if there, err := k.FS.Stat(k.abs(to)); err == nil {
		switch {
		case there.Same(i) && i.Tree != "":
			k.complain("'%s' and '%s' are the same file", from, to)
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
		k.cant(what, to, err)
		return false
	}
	return true
}

func (k *copier) copyDir(from, to string, i vfs.Info, depth int) bool {
	if !k.recursive {
		if k.GNU {
			k.complain("-r not specified; omitting directory '%s'", from)
		} else {
			k.complain("omitting directory '%s'", from)
		}
		return false
	}
	source, _ := k.FS.Resolve(k.abs(from))
	target, err := k.FS.Resolve(k.abs(to))
	if err == nil && depth == 0 && (target == source || strings.HasPrefix(target, strings.TrimSuffix(source, "/")+"/")) {
		k.complain("cannot copy a directory, '%s', into itself, '%s'", from, to)
		return false
	}
	if there, err := k.FS.Stat(k.abs(to)); err == nil && !there.IsDir() {
		if k.GNU {
			k.complain("cannot overwrite non-directory '%s' with directory '%s'", to, from)
		} else {
			k.complain("target '%s' is not a directory", to)
		}
		return false
	} else if err != nil {
		if err := k.FS.Mkdir(k.abs(to), i.Mode&0o777|0o700); err != nil {
			k.cant("create directory", to, err)
			return false
		}
	}
	entries, err := k.FS.ReadDir(k.abs(from))
	if err != nil {
		k.cantOpen(from, err)
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
	_ = k.FS.Chown(k.abs(to), i.UID, i.GID, false)
	if !i.IsLink() {
		_ = k.FS.Chmod(k.abs(to), i.Mode&vfs.ModePerm)
	}
	_ = k.FS.Chtimes(k.abs(to), i.MTime, false)
}

func (k *copier) copyFile(from, to string, i vfs.Info) error {
	if k.verbose {
		k.printf("'%s' -> '%s'\n", from, to)
	}
	switch {
	case k.hard:
		return k.FS.Link(k.abs(from), k.abs(to))
	case k.symbolic:
		return k.FS.Symlink(from, k.abs(to))
	case i.IsLink():
		if there, err := k.FS.Lstat(k.abs(to)); err == nil && !there.IsDir() {
			_ = k.FS.Remove(k.abs(to)) // if that fails, so does Symlink
		}
		err := k.FS.Symlink(i.Target, k.abs(to))
		k.keep(to, i)
		return err
	case i.Mode&vfs.ModeType == vfs.ModeFIFO && k.recursive:
		return k.FS.Mkfifo(k.abs(to), i.Mode&vfs.ModePerm)
	}
	data, err := k.read(from, nil)
	if err != nil {
		return err
	}
	err = k.write(to, data, i.Mode&0o777)
	if err != nil && k.force && errors.Is(err, vfs.EACCES) && k.FS.Remove(k.abs(to)) == nil {
		err = k.write(to, data, i.Mode&0o777)
	}
	if err == nil {
		k.keep(to, i)
	}
	return err
}

func (k *copier) write(to string, data []byte, mode uint32) error {
	f, err := k.FS.Open(k.abs(to), vfs.Write|vfs.Create|vfs.Truncate, mode)
	if err != nil {
		return err
	}
	out := &openFile{Name: to, File: f}
	defer out.close(k.Call)
	return out.write(k.Call, data)
}

// mv renames files, or moves them between file systems.
func mv(c *Call, _ []byte) int {
	// -f has no effect: mv never asks.
	o := c.parse(syntax{short: "fnvTt:u", long: map[string]byte{
		"force": 'f', "no-clobber": 'n', "verbose": 'v', "no-target-directory": 'T', "target-directory:": 't', "update": 'u',
	}})
	sources, to, into := c.destination(o)
	failed := false
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		failed = !c.move(source, target, o) || failed
	}
	return exitIf(failed)
}

func (c *Call) move(from, to string, o *options) bool {
	i, err := c.FS.Lstat(c.abs(from))
	if err != nil {
		if c.GNU {
			c.complain("cannot stat '%s': %s", from, reason(err))
		} else {
			c.complain("can't rename '%s': %s", from, reason(err))
		}
		return false
	}
	if there, err := c.FS.Lstat(c.abs(to)); err == nil {
		if o.has('n') || o.has('u') && !i.MTime.After(there.MTime) {
			return true
		}
		if there.Same(i) && i.Tree != "" {
			c.complain("'%s' and '%s' are the same file", from, to)
			return false
		}
	}
	err = c.FS.Rename(c.abs(from), c.abs(to))
	if errors.Is(err, vfs.EXDEV) {
		k := &copier{Call: c, recursive: true, preserve: true, links: true, force: true}
		if !k.copy(from, to, 0) {
			return false
		}
		err = c.FS.RemoveAll(c.abs(from))
	}
	if err != nil {
		switch {
		case c.GNU && errors.Is(err, vfs.EINVAL):
			c.complain("cannot move '%s' to a subdirectory of itself, '%s'", from, to)
		case c.GNU:
			c.complain("cannot move '%s' to '%s': %s", from, to, reason(err))
		default:
			c.complain("can't rename '%s': %s", from, reason(err))
		}
		return false
	}
	if o.has('v') {
		c.printf("'%s' -> '%s'\n", from, to)
	}
	return true
}

// ln gives files more names, or creates symbolic links to them.
func ln(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "sfnvTt:r", long: map[string]byte{
		"symbolic": 's', "force": 'f', "no-dereference": 'n', "verbose": 'v', "no-target-directory": 'T', "target-directory:": 't',
	}})
	if o.has('r') {
		c.fatal(1, "unrecognized option: r")
	}
	c.operands(o, 1, -1)
	if len(o.rest) == 1 && !o.has('t') {
		o.rest = append(o.rest, ".")
	}
	to := o.rest[len(o.rest)-1]
	if i, err := c.FS.Lstat(c.abs(to)); err == nil && i.IsLink() && o.has('n') {
		o.given = append(o.given, option{name: 'T'})
	}
	sources, to, into := c.destination(o)
	failed := false
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		if err := c.link(source, target, o); err != nil {
			kind := "hard "
			if o.has('s') {
				kind = "symbolic "
			}
			if c.GNU {
				c.complain("failed to create %slink '%s': %s", kind, target, reason(err))
			} else {
				c.complain("%s: %s", target, reason(err))
			}
			failed = true
		}
	}
	return exitIf(failed)
}

func (c *Call) link(source, target string, o *options) error {
	if o.has('f') {
		if i, err := c.FS.Lstat(c.abs(target)); err == nil && !i.IsDir() {
			if err := c.FS.Remove(c.abs(target)); err != nil {
				return err
			}
		}
	}
	if o.has('s') {
		return c.FS.Symlink(source, c.abs(target))
	}
	return c.FS.Link(c.abs(source), c.abs(target))
}

// install copies files and sets their mode, or creates directories.
func install(c *Call, _ []byte) int {
	// -c has no effect: it names what install does in any case.
	o := c.parse(syntax{short: "dDm:o:g:cpvTt:", long: map[string]byte{"directory": 'd', "mode:": 'm', "owner:": 'o', "group:": 'g'}})
	perm := uint32(0o755)
	if mode, ok := o.last('m'); ok {
		if perm, ok = changeMode(mode, 0, 0); !ok {
			c.fatal(1, "invalid mode '%s'", mode)
		}
	}
	finish := func(file string) bool {
		err := c.FS.Chmod(c.abs(file), perm)
		for letter, list := range map[byte]string{'o': "/etc/passwd", 'g': "/etc/group"} {
			if name, ok := o.last(letter); ok && err == nil {
				id, known := c.numbered(list, name)
				if !known {
					c.fatal(1, "invalid user or group '%s'", name)
				}
				if letter == 'o' {
					err = c.FS.Chown(c.abs(file), id, -1, true)
				} else {
					err = c.FS.Chown(c.abs(file), -1, id, true)
				}
			}
		}
		if err != nil {
			c.complain("%s: %s", file, reason(err))
		}
		return err == nil
	}
	fine := true
	if o.has('d') {
		for _, dir := range o.rest {
			if err := c.FS.MkdirAll(c.abs(dir), 0o755); err != nil {
				c.cant("create directory", dir, err)
				fine = false
				continue
			}
			fine = finish(dir) && fine
		}
		return exitIf(!fine)
	}
	if o.has('D') && len(o.rest) == 2 {
		if parent := parentOf(o.rest[1]); parent != "" {
			_ = c.FS.MkdirAll(c.abs(parent), 0o755) // if that fails, the copy reports it
		}
	}
	sources, to, into := c.destination(o)
	k := &copier{Call: c}
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		ok := k.copy(source, target, 0) && finish(target)
		if i, err := c.FS.Stat(c.abs(source)); ok && err == nil && o.has('p') {
			_ = c.FS.Chtimes(c.abs(target), i.MTime.Truncate(time.Nanosecond), true)
		}
		fine = ok && fine
	}
	return exitIf(!fine)
}
