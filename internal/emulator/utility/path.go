package utility

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var pathUtilities = map[string]Utility{
	"basename": {whole: basename}, "dirname": {whole: dirname}, "readlink": {whole: readlink}, "realpath": {whole: realpath},
	"pwd": {whole: pwd}, "which": {whole: which}, "mktemp": {whole: mktemp}, "mkfifo": {whole: mkfifo},
}

// basename prints the last names of paths.
func basename(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "+as:z", long: map[string]byte{"multiple": 'a', "suffix:": 's', "zero": 'z'}})
	suffix, hasSuffix := o.last('s')
	files, end := o.rest, "\n"
	if o.has('z') {
		end = "\x00"
	}
	if !o.has('a') && !hasSuffix {
		c.operands(o, 1, 2)
		if files = o.rest[:1]; len(o.rest) == 2 {
			suffix = o.rest[1]
		}
	} else {
		c.operands(o, 1, -1)
	}
	for _, file := range files {
		name := base(file)
		if trimmed := strings.TrimSuffix(name, suffix); trimmed != "" {
			name = trimmed
		}
		c.print(name + end)
	}
	return 0
}

// dirname prints paths without their last names.
func dirname(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "z", long: map[string]byte{"zero": 'z'}})
	c.operands(o, 1, -1)
	for _, file := range o.rest {
		dir := parentOf(file)
		switch {
		case dir == "" && strings.HasPrefix(file, "/"):
			dir = "/"
		case dir == "":
			dir = "."
		}
		c.print(dir)
		if o.has('z') {
			c.print("\x00")
		} else {
			c.print("\n")
		}
	}
	return 0
}

// readlink prints the targets of symbolic links, or with -f the resolved paths.
func readlink(c *Call, _ []byte) int {
	// -q and -s have no effect: without -v it prints no errors anyway.
	o := c.parse(syntax{short: "femnvqsz", long: map[string]byte{"canonicalize": 'f', "canonicalize-existing": 'e', "canonicalize-missing": 'm', "no-newline": 'n', "verbose": 'v', "zero": 'z'}})
	c.operands(o, 1, -1)
	failed := false
	for _, file := range o.rest {
		var text string
		var err error
		if kind := o.latest("fem"); kind != 0 {
			text, err = c.canonical(file, kind)
		} else {
			text, err = c.FS.Readlink(c.abs(file))
		}
		if err != nil {
			failed = true
			if o.has('v') {
				c.complain("%s: %s", file, reason(err))
			}
			continue
		}
		if c.print(text); !o.has('n') {
			c.print("\n")
		}
	}
	return exitIf(failed)
}

// canonical returns a path without links: of a file that must exist ('e'), whose directory must
// exist ('f'), or that may be missing from any element on ('m').
func (c *Call) canonical(file string, kind byte) (string, error) {
	at, err := c.FS.Resolve(c.abs(file))
	if err == nil && kind == 'e' {
		_, err = c.FS.Stat(at)
	}
	if err != nil && kind == 'm' {
		dir := path.Dir(path.Clean(c.abs(file)))
		if dir == "/" {
			return path.Clean(c.abs(file)), nil
		}
		parent, err := c.canonical(dir, kind)
		return path.Join(parent, path.Base(c.abs(file))), err
	}
	return at, err
}

// realpath prints resolved paths.
func realpath(c *Call, _ []byte) int {
	// -P has no effect: it is the default.
	o := c.parse(syntax{short: "emsqzP", long: map[string]byte{"canonicalize-existing": 'e', "canonicalize-missing": 'm', "strip": 's', "no-symlinks": 's', "quiet": 'q', "zero": 'z'}})
	c.operands(o, 1, -1)
	failed := false
	for _, file := range o.rest {
		kind := cmp.Or(o.latest("em"), 'f')
		text, err := path.Clean(c.abs(file)), error(nil)
		if !o.has('s') {
			text, err = c.canonical(file, kind)
		}
		if err != nil {
			if failed = true; !o.has('q') {
				c.complain("%s: %s", file, reason(err))
			}
			continue
		}
		c.print(text)
		if o.has('z') {
			c.print("\x00")
		} else {
			c.print("\n")
		}
	}
	return exitIf(failed)
}

// pwd prints the working directory.
func pwd(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "LP"})
	dir := c.Cwd
	if o.latest("LP") == 'P' {
		if at, err := c.FS.Resolve(dir); err == nil {
			dir = at
		}
	}
	c.print(dir + "\n")
	return 0
}

// which prints where programs are found in PATH.
func which(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "a"})
	failed := len(o.rest) == 0
	for _, name := range o.rest {
		found := false
		for _, at := range c.candidates(name) {
			if i, err := c.FS.Stat(c.abs(at)); err == nil && i.IsRegular() && c.FS.Access(c.abs(at), 1) == nil {
				found = true
				if c.print(at + "\n"); !o.has('a') {
					break
				}
			}
		}
		failed = failed || !found
	}
	return exitIf(failed)
}

// candidates returns the paths at which a program may be.
func (c *Call) candidates(name string) (all []string) {
	if strings.Contains(name, "/") {
		return []string{name}
	}
	for dir := range strings.SplitSeq(c.Env["PATH"], ":") {
		if dir == "" {
			dir = "."
		}
		all = append(all, strings.TrimSuffix(dir, "/")+"/"+name)
	}
	return all
}

// mktemp creates a file or a directory with a random name, which the seed of the call decides.
func mktemp(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "dqutp::", long: map[string]byte{"directory": 'd', "quiet": 'q', "dry-run": 'u', "tmpdir::": 'p', "suffix:": 'S'}})
	c.operands(o, 0, 1)
	template, dir := "tmp.XXXXXXXXXX", ""
	if !c.GNU {
		template = "tmp.XXXXXX"
	}
	given := len(o.rest) == 1
	if given {
		template = o.rest[0]
	}
	if !given || o.has('t') || o.has('p') {
		dir, _ = o.last('p')
		if dir == "" {
			dir = c.Env["TMPDIR"]
		}
		if dir == "" {
			dir = "/tmp"
		}
		template = strings.TrimSuffix(dir, "/") + "/" + template
	}
	suffix, _ := o.last('S')
	stem := strings.TrimRight(template, "X")
	count := len(template) - len(stem)
	if least := map[bool]int{true: 3, false: 6}[c.GNU]; count < least {
		if c.GNU {
			c.fatal(1, "too few X's in template '%s'", template)
		}
		c.fatal(1, "%s: Invalid argument", template)
	}
	random := c.random()
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for range 100 {
		name := []byte(stem)
		for range min(count, 255) {
			name = append(name, letters[random.IntN(len(letters))])
		}
		file := string(name) + suffix
		err := c.makeTemporary(file, o)
		if errors.Is(err, vfs.EEXIST) {
			continue
		}
		if err != nil {
			if !o.has('q') {
				c.complain("%s: %s", file, reason(err))
			}
			return 1
		}
		c.print(file + "\n")
		return 0
	}
	c.fatal(1, "%s: File exists", template)
	return 1
}

func (c *Call) makeTemporary(file string, o *options) error {
	switch {
	case o.has('u'):
		return nil
	case o.has('d'):
		return c.FS.Mkdir(c.abs(file), 0o700)
	}
	f, err := c.FS.Open(c.abs(file), vfs.Write|vfs.Create|vfs.Exclusive, 0o600)
	if err == nil {
		c.FS.Close(f)
	}
	return err
}

// mkfifo creates FIFOs.
func mkfifo(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "m:", long: map[string]byte{"mode:": 'm'}})
	c.operands(o, 1, -1)
	perm := uint32(0o666)
	if mode, ok := o.last('m'); ok {
		if perm, ok = changeMode(mode, 0o666, 0); !ok {
			c.fatal(1, "invalid mode '%s'", mode)
		}
	}
	failed := false
	for _, file := range slices.Clip(o.rest) {
		if err := c.FS.Mkfifo(c.abs(file), perm); err != nil {
			failed = true
			if c.GNU {
				c.complain("cannot create fifo '%s': %s", file, reason(err))
			} else {
				c.complain("%s: %s", file, reason(err))
			}
		}
	}
	return exitIf(failed)
}
