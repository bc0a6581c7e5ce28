package utility

import (
	"errors"
	"path"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var makeUtilities = map[string]Utility{
	"mkdir": {whole: mkdir}, "touch": {whole: touch},
}

// lastElement returns the last name in a path.
func lastElement(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// parentOf returns the part of a path before the last name; "" for none.
func parentOf(p string) string {
	p = strings.TrimRight(p, "/")
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return ""
	}
	return strings.TrimRight(p[:i], "/")
}

// mkdir creates directories.
func mkdir(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "pm:v", long: map[string]byte{"parents": 'p', "mode:": 'm', "verbose": 'v'}})
	c.operands(o, 1, -1)
	mode, hasMode := o.last('m')
	perm := uint32(0o777)
	if hasMode {
		var ok bool
		if perm, ok = changeMode(mode, vfs.ModeDir|0o777, 0); !ok {
			c.fatal(1, "invalid mode '%s'", mode)
		}
	}
	failed := false
	for _, dir := range o.rest {
		if err := c.mkdir(dir, o); err != nil {
			c.cant("create directory", dir, err)
			failed = true
			continue
		}
		if hasMode {
			_ = c.FS.Chmod(c.abs(dir), perm) // cannot fail: the user has just created it
		}
		if o.has('v') {
			c.printf("created directory: '%s'\n", dir)
		}
	}
	return exitIf(failed)
}

func (c *Call) mkdir(dir string, o *options) error {
	if o.has('p') {
		// For "a/../b", mkdir -p creates a and b; MkdirAll goes name by name.
		return c.FS.MkdirAll(c.abs(dir), 0o777)
	}
	return c.FS.Mkdir(c.abs(dir), 0o777)
}

// touch creates empty files, and sets the times of existing ones.
func touch(c *Call, _ []byte) int {
	// -a and -m have the same effect, because a file has one time. -f has none.
	o := c.parse(syntax{short: "camfhr:d:t:", long: map[string]byte{"no-create": 'c', "reference:": 'r', "no-dereference": 'h', "date:": 'd'}})
	c.operands(o, 1, -1)
	at := c.Now
	if text, ok := o.last('d'); ok {
		if at, ok = readDate(text, c.Now.In(zoneOf(c.Env["TZ"]))); !ok {
			c.fatal(1, "invalid date '%s'", text)
		}
	}
	if text, ok := o.last('t'); ok {
		if at, ok = readStamp(text, c.Now.In(zoneOf(c.Env["TZ"]))); !ok {
			c.fatal(1, "invalid date '%s'", text)
		}
	}
	if reference, ok := o.last('r'); ok {
		i, err := c.FS.Stat(c.abs(reference))
		if err != nil {
			c.fatal(1, "%s: %s", reference, vfs.Reason(err))
		}
		at = i.MTime
	}
	failed := false
	for _, file := range o.rest {
		err := c.FS.Chtimes(c.abs(file), at, !o.has('h'))
		if errors.Is(err, vfs.ENOENT) {
			if o.has('c') {
				continue
			}
			if err = c.FS.AppendFile(c.abs(file), nil, 0o666); err == nil {
				err = c.FS.Chtimes(c.abs(file), at, true)
			}
		}
		if err != nil {
			failed = true
			if c.GNU {
				c.complain("cannot touch '%s': %s", file, vfs.Reason(err))
			} else {
				c.complain("%s: %s", file, vfs.Reason(err))
			}
		}
	}
	return exitIf(failed)
}

// changeMode applies chmod's octal or symbolic form to the mode of a file. The umask limits a
// symbolic form that does not name a class of users.
func changeMode(text string, mode, umask uint32) (changed uint32, ok bool) {
	if text == "" {
		return 0, false
	}
	if strings.Trim(text, "01234567") == "" {
		n, digits := number(text, 8, 5)
		return uint32(n), digits == len(text) && n <= vfs.ModePerm
	}
	for clause := range strings.SplitSeq(text, ",") {
		if mode, ok = changeClause(clause, mode, umask); !ok {
			return 0, false
		}
	}
	return mode & vfs.ModePerm, true
}

// changeClause applies one clause of a symbolic mode, such as "u+rw-x".
func changeClause(clause string, mode, umask uint32) (uint32, bool) {
	at := strings.IndexAny(clause, "+-=")
	if at < 0 {
		return 0, false
	}
	var who uint32
	for _, w := range clause[:at] {
		switch w {
		case 'u':
			who |= vfs.ModeSetUID | 0o700
		case 'g':
			who |= vfs.ModeSetGID | 0o070
		case 'o':
			who |= 0o007
		case 'a':
			who |= vfs.ModePerm
		default:
			return 0, false
		}
	}
	mask := who
	if who == 0 {
		who, mask = vfs.ModePerm, vfs.ModePerm&^umask
	}
	for rest := clause[at:]; rest != ""; {
		op := rest[0]
		letters := rest[1:]
		if end := strings.IndexAny(letters, "+-="); end >= 0 {
			letters, rest = letters[:end], letters[end:]
		} else {
			rest = ""
		}
		bits, ok := permBits(letters, mode)
		if !ok {
			return 0, false
		}
		bits &= mask
		switch op {
		case '+':
			mode |= bits
		case '-':
			mode &^= bits
		case '=':
			mode = mode&^(who&0o777) | bits
		}
	}
	return mode, true
}

// permBits returns the permissions that letters name, for all classes of users.
func permBits(letters string, mode uint32) (bits uint32, ok bool) {
	for _, l := range letters {
		switch l {
		case 'r':
			bits |= 0o444
		case 'w':
			bits |= 0o222
		case 'x':
			bits |= 0o111
		case 'X':
			if mode&0o111 != 0 || mode&vfs.ModeType == vfs.ModeDir {
				bits |= 0o111
			}
		case 's':
			bits |= vfs.ModeSetUID | vfs.ModeSetGID
		case 't':
			bits |= vfs.ModeSticky
		case 'u':
			bits |= mode >> 6 & 7 * 0o111
		case 'g':
			bits |= mode >> 3 & 7 * 0o111
		case 'o':
			bits |= mode & 7 * 0o111
		default:
			return 0, false
		}
	}
	return bits, true
}

// base returns the last name of a path as basename prints it.
func base(p string) string {
	if p == "" {
		return ""
	}
	return path.Base(p)
}
