package file

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// ChangeMode applies chmod's octal or symbolic form to the mode of a file. The umask limits a
// symbolic form that does not name a class of users.
func ChangeMode(text string, mode, umask uint32) (changed uint32, ok bool) {
	if text == "" {
		return 0, false
	}
	if strings.Trim(text, "01234567") == "" {
		n, digits := utility.ParseDigits(text, 8, 5)
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

// ModeText formats a mode as ls -l does.
func ModeText(mode uint32) string {
	text := []byte("?rwxrwxrwx")
	switch mode & vfs.ModeType {
	case vfs.ModeRegular:
		text[0] = '-'
	case vfs.ModeDir:
		text[0] = 'd'
	case vfs.ModeLink:
		text[0] = 'l'
	case vfs.ModeChar:
		text[0] = 'c'
	case vfs.ModeBlock:
		text[0] = 'b'
	case vfs.ModeFIFO:
		text[0] = 'p'
	case vfs.ModeSocket:
		text[0] = 's'
	}
	for i := range 9 {
		if mode>>(8-i)&1 == 0 {
			text[1+i] = '-'
		}
	}
	for _, special := range []struct {
		bit uint32
		at  int
		set byte
	}{{vfs.ModeSetUID, 3, 's'}, {vfs.ModeSetGID, 6, 's'}, {vfs.ModeSticky, 9, 't'}} {
		if mode&special.bit == 0 {
			continue
		}
		if text[special.at] == '-' {
			text[special.at] = special.set - 'a' + 'A'
		} else {
			text[special.at] = special.set
		}
	}
	return string(text)
}
