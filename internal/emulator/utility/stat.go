package utility

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var statUtilities = map[string]Utility{
	"stat": {whole: stat}, "chmod": {whole: chmod}, "chown": {whole: chown}, "chgrp": {whole: chown}, "du": {whole: du}, "df": {whole: df}, "truncate": {whole: truncate},
}

// stat prints the metadata of files.
func stat(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "c:Lt", long: map[string]byte{"format:": 'c', "printf:": 'F', "dereference": 'L', "terse": 't'}})
	c.operands(o, 1, -1)
	format, ok := o.last('c')
	switch {
	case ok:
		format += "\n"
	case o.has('F'):
		format, _ = o.last('F')
		format, _ = unescape(format, false)
	case o.has('t'):
		format = "%n %s %b %f %u %g 803 %i %h 0 0 %X %Y %Z 4096\n"
	default:
		format = "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: 4096   %F\nDevice: 803h/2051d\tInode: %-10i  Links: %h\n" +
			"Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n"
	}
	failed := false
	for _, file := range o.rest {
		look := c.FS.Lstat
		if o.has('L') {
			look = c.FS.Stat
		}
		i, err := look(c.abs(file))
		if err != nil {
			failed = true
			if c.GNU {
				c.complain("cannot statx '%s': %s", file, reason(err))
			} else {
				c.complain("can't stat '%s': %s", file, reason(err))
			}
			continue
		}
		c.print(c.statText(format, file, i))
	}
	return exitIf(failed)
}

// statText formats the metadata of a file.
func (c *Call) statText(format, file string, i vfs.Info) string {
	var b strings.Builder
	for at := 0; at < len(format); at++ {
		if format[at] != '%' || at+1 == len(format) {
			b.WriteByte(format[at])
			continue
		}
		end := at + 1
		for end < len(format)-1 && strings.IndexByte("-+ #0123456789.", format[end]) >= 0 {
			end++
		}
		flags, width, precision := parts(format[at:end])
		text, known := c.statField(format[end], file, i)
		if !known {
			text = "?"
		}
		if format[end] == '%' {
			text = "%"
		}
		if precision >= 0 && precision < len(text) {
			text = text[:precision]
		}
		f := formatter{Call: c}
		f.pad(flags, min(width, maxWidth), "", text, true)
		b.Write(f.out)
		at = end
	}
	return b.String()
}

func (c *Call) statField(verb byte, file string, i vfs.Info) (string, bool) {
	const full = "2006-01-02 15:04:05.000000000 -0700"
	switch verb {
	case 'n':
		return file, true
	case 'N':
		switch {
		case i.IsLink() && c.GNU:
			return fmt.Sprintf("'%s' -> '%s'", file, i.Target), true
		case i.IsLink():
			return fmt.Sprintf("'%s' -> '%s'", file, i.Target), true
		case c.GNU:
			return "'" + file + "'", true
		}
		return file, true
	case 's':
		return strconv.FormatInt(i.Size, 10), true
	case 'b':
		return strconv.FormatInt(kibibytes(i)*2, 10), true
	case 'B':
		return "512", true
	case 'o':
		return "4096", true
	case 'a':
		return strconv.FormatUint(uint64(i.Mode&vfs.ModePerm), 8), true
	case 'A':
		return modeText(i.Mode), true
	case 'f':
		return strconv.FormatUint(uint64(i.Mode), 16), true
	case 'F':
		return kindText(i), true
	case 'h':
		return strconv.Itoa(i.Links), true
	case 'i':
		return strconv.FormatUint(uint64(i.Ino)%10_000_000, 10), true
	case 'u':
		return strconv.Itoa(i.UID), true
	case 'U':
		return c.userName(i.UID), true
	case 'g':
		return strconv.Itoa(i.GID), true
	case 'G':
		return c.groupName(i.GID), true
	case 'd':
		return "2051", true
	case 'D':
		return "803", true
	case 'm':
		at, _ := c.FS.Resolve(c.abs(file))
		return c.FS.MountOf(at).Path, true
	case 'x', 'y', 'z': // a file has one time for all three
		return i.MTime.Format(full), true
	case 'X', 'Y', 'Z':
		return strconv.FormatInt(i.MTime.Unix(), 10), true
	case 'w':
		return "-", true
	case 'W':
		return "0", true
	}
	return "", false
}

func kindText(i vfs.Info) string {
	switch i.Mode & vfs.ModeType {
	case vfs.ModeDir:
		return "directory"
	case vfs.ModeLink:
		return "symbolic link"
	case vfs.ModeChar:
		return "character special file"
	case vfs.ModeBlock:
		return "block special file"
	case vfs.ModeFIFO:
		return "fifo"
	case vfs.ModeSocket:
		return "socket"
	}
	if i.Size == 0 {
		return "regular empty file"
	}
	return "regular file"
}

// chmod changes the permissions of files.
func chmod(c *Call, _ []byte) int {
	called := *c
	dashed := "" // a mode such as -x looks like an option
	for i, a := range c.Args {
		if i > 0 && len(a) > 1 && a[0] == '-' && strings.IndexByte("rwxXst", a[1]) >= 0 {
			dashed = a
			called.Args = append(append([]string{}, c.Args[:i]...), c.Args[i+1:]...)
			break
		}
	}
	o := called.parse(syntax{short: "Rvcf", long: map[string]byte{"recursive": 'R', "verbose": 'v', "changes": 'c', "quiet": 'f', "silent": 'f', "reference:": 'r'}})
	mode, files := dashed, o.rest
	if reference, ok := o.last('r'); ok {
		i, err := c.FS.Stat(c.abs(reference))
		if err != nil {
			c.fatal(1, "%s: %s", reference, reason(err))
		}
		mode = strconv.FormatUint(uint64(i.Mode&vfs.ModePerm), 8)
	}
	if mode == "" {
		c.operands(o, 1, -1)
		mode, files = o.rest[0], o.rest[1:]
	}
	if len(files) == 0 {
		c.operands(&options{rest: files}, 1, -1)
	}
	if _, ok := changeMode(mode, 0, 0); !ok {
		if c.GNU {
			c.fatal(1, "invalid mode: '%s'", mode)
		}
		c.fatal(1, "invalid mode '%s'", mode)
	}
	failed := false
	for _, file := range files {
		failed = !c.chmod(file, mode, o, 0) || failed
	}
	return exitIf(failed)
}

func (c *Call) chmod(file, mode string, o *options, depth int) bool {
	c.step(1)
	i, err := c.FS.Stat(c.abs(file))
	if depth > 0 {
		if link, err := c.FS.Lstat(c.abs(file)); err == nil && link.IsLink() {
			return true
		}
	}
	var perm uint32
	if err == nil {
		perm, _ = changeMode(mode, i.Mode, c.Umask)
		err = c.FS.Chmod(c.abs(file), perm)
	}
	if err != nil {
		switch {
		case o.has('f'):
		case c.GNU && errors.Is(err, vfs.ENOENT):
			c.complain("cannot access '%s': %s", file, reason(err))
		case c.GNU:
			c.complain("changing permissions of '%s': %s", file, reason(err))
		default:
			c.complain("%s: %s", file, reason(err))
		}
		return false
	}
	if o.has('v') || o.has('c') && perm != i.Mode&vfs.ModePerm {
		c.printf("mode of '%s' changed to %04o (%s)\n", file, perm, modeText(perm)[1:])
	}
	fine := true
	if o.has('R') && i.IsDir() {
		entries, err := c.FS.ReadDir(c.abs(file))
		if err != nil {
			c.cantOpen(file, err)
			return false
		}
		for _, e := range entries {
			fine = c.chmod(strings.TrimSuffix(file, "/")+"/"+e.Name, mode, o, depth+1) && fine
		}
	}
	return fine
}

// chown changes the owners of files or, as chgrp, their groups.
func chown(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "RvcfhHLP", long: map[string]byte{"recursive": 'R', "verbose": 'v', "changes": 'c', "no-dereference": 'h', "quiet": 'f', "silent": 'f'}})
	c.operands(o, 2, -1)
	uid, gid := -1, -1
	owner, group, both := strings.Cut(o.rest[0], ":")
	if c.name() == "chgrp" {
		owner, group, both = "", o.rest[0], true
	}
	if owner != "" {
		var ok bool
		if uid, ok = c.numbered("/etc/passwd", owner); !ok {
			if c.GNU {
				c.fatal(1, "invalid user: '%s'", o.rest[0])
			}
			c.fatal(1, "unknown user %s", owner)
		}
	}
	if both && group != "" {
		var ok bool
		if gid, ok = c.numbered("/etc/group", group); !ok {
			if c.GNU {
				c.fatal(1, "invalid group: '%s'", o.rest[0])
			}
			c.fatal(1, "unknown group %s", group)
		}
	}
	failed := false
	for _, file := range o.rest[1:] {
		failed = !c.chown(file, uid, gid, o) || failed
	}
	return exitIf(failed)
}

func (c *Call) chown(file string, uid, gid int, o *options) bool {
	c.step(1)
	fine := true
	i, err := c.FS.Lstat(c.abs(file))
	if err == nil {
		err = c.FS.Chown(c.abs(file), uid, gid, !o.has('h') && !(o.has('R') && i.IsLink()))
	}
	if err != nil {
		switch {
		case o.has('f'):
		case c.GNU:
			c.complain("changing ownership of '%s': %s", file, reason(err))
		default:
			c.complain("%s: %s", file, reason(err))
		}
		return false
	}
	if o.has('R') && i.IsDir() {
		entries, err := c.FS.ReadDir(c.abs(file))
		if err != nil {
			c.cantOpen(file, err)
			return false
		}
		for _, e := range entries {
			fine = c.chown(strings.TrimSuffix(file, "/")+"/"+e.Name, uid, gid, o) && fine
		}
	}
	return fine
}
