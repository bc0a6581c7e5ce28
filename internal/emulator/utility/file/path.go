package file

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// basename prints the last names of paths.
func basename(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "+as:z", Long: map[string]byte{"multiple": 'a', "suffix:": 's', "zero": 'z'}})
	suffix, hasSuffix := o.Last('s')
	files, end := o.Rest, "\n"
	if o.Has('z') {
		end = "\x00"
	}
	if !o.Has('a') && !hasSuffix {
		c.CheckOperands(o, 1, 2)
		if files = o.Rest[:1]; len(o.Rest) == 2 {
			suffix = o.Rest[1]
		}
	} else {
		c.CheckOperands(o, 1, -1)
	}
	for _, file := range files {
		name := base(file)
		if trimmed := strings.TrimSuffix(name, suffix); trimmed != "" {
			name = trimmed
		}
		c.Print(name + end)
	}
	return 0
}

// dirname prints paths without their last names.
func dirname(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "z", Long: map[string]byte{"zero": 'z'}})
	c.CheckOperands(o, 1, -1)
	for _, file := range o.Rest {
		dir := utility.Parent(file)
		switch {
		case dir == "" && strings.HasPrefix(file, "/"):
			dir = "/"
		case dir == "":
			dir = "."
		}
		c.Print(dir)
		if o.Has('z') {
			c.Print("\x00")
		} else {
			c.Print("\n")
		}
	}
	return 0
}

// readlink prints the targets of symbolic links, or with -f the resolved paths.
func readlink(c *utility.Call, _ []byte) int {
	// -q and -s have no effect: without -v it prints no errors anyway.
	o := c.Parse(utility.Syntax{Short: "femnvqsz", Long: map[string]byte{
		"canonicalize": 'f', "canonicalize-existing": 'e', "canonicalize-missing": 'm', "no-newline": 'n', "verbose": 'v', "zero": 'z',
	}})
	c.CheckOperands(o, 1, -1)
	failed := false
	for _, file := range o.Rest {
		var text string
		var err error
		if kind := o.Latest("fem"); kind != 0 {
			text, err = canonical(c, file, kind)
		} else {
			text, err = c.FS.Readlink(c.Abs(file))
		}
		if err != nil {
			failed = true
			if o.Has('v') {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
			continue
		}
		if c.Print(text); !o.Has('n') {
			c.Print("\n")
		}
	}
	return utility.ExitIf(failed)
}

// canonical returns a path without links: of a file that must exist ('e'), whose directory must
// exist ('f'), or that may be missing from any element on ('m').
func canonical(c *utility.Call, file string, kind byte) (string, error) {
	at, err := c.FS.Resolve(c.Abs(file))
	if err == nil && kind == 'e' {
		_, err = c.FS.Stat(at)
	}
	if err != nil && kind == 'm' {
		dir := path.Dir(path.Clean(c.Abs(file)))
		if dir == "/" {
			return path.Clean(c.Abs(file)), nil
		}
		parent, err := canonical(c, dir, kind)
		return path.Join(parent, path.Base(c.Abs(file))), err
	}
	return at, err
}

// realpath prints resolved paths.
func realpath(c *utility.Call, _ []byte) int {
	// -P has no effect: it is the default.
	o := c.Parse(utility.Syntax{Short: "emsqzP", Long: map[string]byte{
		"canonicalize-existing": 'e', "canonicalize-missing": 'm', "strip": 's', "no-symlinks": 's', "quiet": 'q', "zero": 'z',
	}})
	c.CheckOperands(o, 1, -1)
	failed := false
	for _, file := range o.Rest {
		kind := cmp.Or(o.Latest("em"), 'f')
		text, err := path.Clean(c.Abs(file)), error(nil)
		if !o.Has('s') {
			text, err = canonical(c, file, kind)
		}
		if err != nil {
			if failed = true; !o.Has('q') {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
			continue
		}
		c.Print(text)
		if o.Has('z') {
			c.Print("\x00")
		} else {
			c.Print("\n")
		}
	}
	return utility.ExitIf(failed)
}

// pwd prints the working directory.
func pwd(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "LP"})
	dir := c.Cwd
	if o.Latest("LP") == 'P' {
		if at, err := c.FS.Resolve(dir); err == nil {
			dir = at
		}
	}
	c.Print(dir + "\n")
	return 0
}

// which prints where programs are found in PATH.
func which(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "a"})
	failed := len(o.Rest) == 0
	for _, name := range o.Rest {
		found := false
		for _, at := range candidates(c, name) {
			if i, err := c.FS.Stat(c.Abs(at)); err == nil && i.IsRegular() && c.FS.Access(c.Abs(at), 1) == nil {
				found = true
				if c.Print(at + "\n"); !o.Has('a') {
					break
				}
			}
		}
		failed = failed || !found
	}
	return utility.ExitIf(failed)
}

// candidates returns the paths at which a program may be.
func candidates(c *utility.Call, name string) (all []string) {
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
func mktemp(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "dqutp::", Long: map[string]byte{
		"directory": 'd', "quiet": 'q', "dry-run": 'u', "tmpdir::": 'p', "suffix:": 'S',
	}})
	c.CheckOperands(o, 0, 1)
	template, dir := "tmp.XXXXXXXXXX", ""
	if !c.GNU {
		template = "tmp.XXXXXX"
	}
	given := len(o.Rest) == 1
	if given {
		template = o.Rest[0]
	}
	if !given || o.Has('t') || o.Has('p') {
		dir, _ = o.Last('p')
		if dir == "" {
			dir = c.Env["TMPDIR"]
		}
		if dir == "" {
			dir = "/tmp"
		}
		template = strings.TrimSuffix(dir, "/") + "/" + template
	}
	suffix, _ := o.Last('S')
	stem := strings.TrimRight(template, "X")
	count := len(template) - len(stem)
	if least := map[bool]int{true: 3, false: 6}[c.GNU]; count < least {
		if c.GNU {
			c.Fatal(1, "too few X's in template '%s'", template)
		}
		c.Fatal(1, "%s: Invalid argument", template)
	}
	random := c.Random()
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for range 100 {
		name := []byte(stem)
		for range min(count, 255) {
			name = append(name, letters[random.IntN(len(letters))])
		}
		file := string(name) + suffix
		err := makeTemporary(c, file, o)
		if errors.Is(err, vfs.EEXIST) {
			continue
		}
		if err != nil {
			if !o.Has('q') {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
			return 1
		}
		c.Print(file + "\n")
		return 0
	}
	c.Fatal(1, "%s: File exists", template)
	return 1
}

func makeTemporary(c *utility.Call, file string, o *utility.Options) error {
	switch {
	case o.Has('u'):
		return nil
	case o.Has('d'):
		return c.FS.Mkdir(c.Abs(file), 0o700)
	}
	f, err := c.FS.Open(c.Abs(file), vfs.Write|vfs.Create|vfs.Exclusive, 0o600)
	if err == nil {
		c.FS.Close(f)
	}
	return err
}

// mkfifo creates FIFOs.
func mkfifo(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "m:", Long: map[string]byte{"mode:": 'm'}})
	c.CheckOperands(o, 1, -1)
	perm := uint32(0o666)
	if mode, ok := o.Last('m'); ok {
		if perm, ok = ChangeMode(mode, 0o666, 0); !ok {
			c.Fatal(1, "invalid mode '%s'", mode)
		}
	}
	failed := false
	for _, file := range slices.Clip(o.Rest) {
		if err := c.FS.Mkfifo(c.Abs(file), perm); err != nil {
			failed = true
			if c.GNU {
				c.Complain("cannot create fifo '%s': %s", file, vfs.Reason(err))
			} else {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
		}
	}
	return utility.ExitIf(failed)
}

// base returns the last name of a path as basename prints it.
func base(p string) string {
	if p == "" {
		return ""
	}
	return path.Base(p)
}
