package file

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/printf"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// stat prints the metadata of files.
func stat(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "c:Lt", Long: map[string]byte{"format:": 'c', "printf:": 'F', "dereference": 'L', "terse": 't'}})
	c.CheckOperands(o, 1, -1)
	format, ok := o.Last('c')
	switch {
	case ok:
		format += "\n"
	case o.Has('F'):
		format, _ = o.Last('F')
		format, _ = utility.Unescape(format, false)
	case o.Has('t'):
		format = "%n %s %b %f %u %g 803 %i %h 0 0 %X %Y %Z 4096\n"
	default:
		format = "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: 4096   %F\nDevice: 803h/2051d\tInode: %-10i  Links: %h\n" +
			"Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n"
	}
	failed := false
	for _, file := range o.Rest {
		look := c.FS.Lstat
		if o.Has('L') {
			look = c.FS.Stat
		}
		i, err := look(c.Abs(file))
		if err != nil {
			failed = true
			if c.GNU {
				c.Complain("cannot statx '%s': %s", file, vfs.Reason(err))
			} else {
				c.Complain("can't stat '%s': %s", file, vfs.Reason(err))
			}
			continue
		}
		c.Print(statText(c, format, file, i))
	}
	return utility.ExitIf(failed)
}

// statText formats the metadata of a file.
func statText(c *utility.Call, format, file string, i vfs.Info) string {
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
		flags, width, precision := printf.Parts(format[at:end])
		text, known := StatField(c, format[end], file, i)
		if !known {
			text = "?"
		}
		if format[end] == '%' {
			text = "%"
		}
		if precision >= 0 && precision < len(text) {
			text = text[:precision]
		}
		f := printf.Formatter{Call: c}
		f.Pad(flags, min(width, printf.MaxWidth), "", text, true)
		b.Write(f.Out)
		at = end
	}
	return b.String()
}

// StatField formats one item of the metadata of a file, as stat -c does; ok is false for an unknown
// verb.
func StatField(c *utility.Call, verb byte, file string, i vfs.Info) (text string, ok bool) {
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
		return strconv.FormatInt(Kibibytes(i)*2, 10), true
	case 'B':
		return "512", true
	case 'o':
		return "4096", true
	case 'a':
		return strconv.FormatUint(uint64(i.Mode&vfs.ModePerm), 8), true
	case 'A':
		return ModeText(i.Mode), true
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
		return c.UserName(i.UID), true
	case 'g':
		return strconv.Itoa(i.GID), true
	case 'G':
		return c.GroupName(i.GID), true
	case 'd':
		return "2051", true
	case 'D':
		return "803", true
	case 'm':
		at, _ := c.FS.Resolve(c.Abs(file))
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
func chmod(c *utility.Call, _ []byte) int {
	called := *c
	dashed := "" // a mode such as -x looks like an option
	for i, a := range c.Args {
		if i > 0 && len(a) > 1 && a[0] == '-' && strings.IndexByte("rwxXst", a[1]) >= 0 {
			dashed = a
			called.Args = append(append([]string{}, c.Args[:i]...), c.Args[i+1:]...)
			break
		}
	}
	o := called.Parse(utility.Syntax{Short: "Rvcf", Long: map[string]byte{
		"recursive": 'R', "verbose": 'v', "changes": 'c', "quiet": 'f', "silent": 'f', "reference:": 'r',
	}})
	mode, files := dashed, o.Rest
	if reference, ok := o.Last('r'); ok {
		i, err := c.FS.Stat(c.Abs(reference))
		if err != nil {
			c.Fatal(1, "%s: %s", reference, vfs.Reason(err))
		}
		mode = strconv.FormatUint(uint64(i.Mode&vfs.ModePerm), 8)
	}
	if mode == "" {
		c.CheckOperands(o, 1, -1)
		mode, files = o.Rest[0], o.Rest[1:]
	}
	if len(files) == 0 {
		c.CheckOperands(&utility.Options{Rest: files}, 1, -1)
	}
	if _, ok := ChangeMode(mode, 0, 0); !ok {
		if c.GNU {
			c.Fatal(1, "invalid mode: '%s'", mode)
		}
		c.Fatal(1, "invalid mode '%s'", mode)
	}
	failed := false
	for _, file := range files {
		failed = !changeFileMode(c, file, mode, o, 0) || failed
	}
	return utility.ExitIf(failed)
}

func changeFileMode(c *utility.Call, file, mode string, o *utility.Options, depth int) bool {
	c.Step(1)
	i, err := c.FS.Stat(c.Abs(file))
	if depth > 0 {
		if link, err := c.FS.Lstat(c.Abs(file)); err == nil && link.IsLink() {
			return true
		}
	}
	var perm uint32
	if err == nil {
		perm, _ = ChangeMode(mode, i.Mode, c.Umask)
		err = c.FS.Chmod(c.Abs(file), perm)
	}
	if err != nil {
		switch {
		case o.Has('f'):
		case c.GNU && errors.Is(err, vfs.ENOENT):
			c.Complain("cannot access '%s': %s", file, vfs.Reason(err))
		case c.GNU:
			c.Complain("changing permissions of '%s': %s", file, vfs.Reason(err))
		default:
			c.Complain("%s: %s", file, vfs.Reason(err))
		}
		return false
	}
	if o.Has('v') || o.Has('c') && perm != i.Mode&vfs.ModePerm {
		c.Printf("mode of '%s' changed to %04o (%s)\n", file, perm, ModeText(perm)[1:])
	}
	fine := true
	if o.Has('R') && i.IsDir() {
		entries, err := c.FS.ReadDir(c.Abs(file))
		if err != nil {
			c.CantOpen(file, err)
			return false
		}
		for _, e := range entries {
			fine = changeFileMode(c, strings.TrimSuffix(file, "/")+"/"+e.Name, mode, o, depth+1) && fine
		}
	}
	return fine
}

// chown changes the owners of files or, as chgrp, their groups.
func chown(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "RvcfhHLP", Long: map[string]byte{
		"recursive": 'R', "verbose": 'v', "changes": 'c', "no-dereference": 'h', "quiet": 'f', "silent": 'f',
	}})
	c.CheckOperands(o, 2, -1)
	uid, gid := -1, -1
	owner, group, both := strings.Cut(o.Rest[0], ":")
	if c.Name() == "chgrp" {
		owner, group, both = "", o.Rest[0], true
	}
	if owner != "" {
		var ok bool
		if uid, ok = c.LookupID("/etc/passwd", owner); !ok {
			if c.GNU {
				c.Fatal(1, "invalid user: '%s'", o.Rest[0])
			}
			c.Fatal(1, "unknown user %s", owner)
		}
	}
	if both && group != "" {
		var ok bool
		if gid, ok = c.LookupID("/etc/group", group); !ok {
			if c.GNU {
				c.Fatal(1, "invalid group: '%s'", o.Rest[0])
			}
			c.Fatal(1, "unknown group %s", group)
		}
	}
	failed := false
	for _, file := range o.Rest[1:] {
		failed = !changeOwner(c, file, uid, gid, o) || failed
	}
	return utility.ExitIf(failed)
}

func changeOwner(c *utility.Call, file string, uid, gid int, o *utility.Options) bool {
	c.Step(1)
	fine := true
	i, err := c.FS.Lstat(c.Abs(file))
	if err == nil {
		err = c.FS.Chown(c.Abs(file), uid, gid, !o.Has('h') && !(o.Has('R') && i.IsLink()))
	}
	if err != nil {
		switch {
		case o.Has('f'):
		case c.GNU:
			c.Complain("changing ownership of '%s': %s", file, vfs.Reason(err))
		default:
			c.Complain("%s: %s", file, vfs.Reason(err))
		}
		return false
	}
	if o.Has('R') && i.IsDir() {
		entries, err := c.FS.ReadDir(c.Abs(file))
		if err != nil {
			c.CantOpen(file, err)
			return false
		}
		for _, e := range entries {
			fine = changeOwner(c, strings.TrimSuffix(file, "/")+"/"+e.Name, uid, gid, o) && fine
		}
	}
	return fine
}
