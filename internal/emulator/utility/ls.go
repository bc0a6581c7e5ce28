package utility

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var lsUtilities = map[string]Utility{"ls": {whole: ls}}

// listed is a file that ls prints.
type listed struct {
	name string // as printed
	path string
	vfs.Info
}

// listing is one run of ls.
type listing struct {
	*Call
	*options
	failed bool
	blocks bool // there was output: the next directory gets an empty line before it
}

// ls lists files, one on each line: its output is never a terminal.
func ls(c *Call, _ []byte) int {
	// -1 and --color (as auto) have no effect, because the output is not a terminal.
	l := &listing{Call: c, options: c.parse(syntax{short: "laA1RtrhdiSFpLnscuHUfvgok", long: map[string]byte{
		"all": 'a', "almost-all": 'A', "recursive": 'R', "reverse": 'r', "human-readable": 'h', "directory": 'd', "inode": 'i', "size": 's',
		"classify": 'F', "dereference": 'L', "numeric-uid-gid": 'n', "full-time": 'T', "color::": '1', "no-group": 'o',
	}})}
	files := l.rest
	if len(files) == 0 {
		files = []string{"."}
	}
	var plain, dirs []listed
	for _, file := range files {
		f, err := l.look(file, file, true)
		if err != nil {
			l.cannot(file, err)
			continue
		}
		if f.IsDir() && !l.has('d') {
			dirs = append(dirs, f)
		} else {
			plain = append(plain, f)
		}
	}
	l.show(plain)
	l.sort(dirs)
	for _, d := range dirs {
		l.directory(d, len(files) > 1)
	}
	switch {
	case l.failed && c.GNU:
		return 2
	case l.failed:
		return 1
	}
	return 0
}

func (l *listing) cannot(file string, err error) {
	l.failed = true
	if l.GNU {
		l.complain("cannot access '%s': %s", file, vfs.Reason(err))
		return
	}
	l.complain("%s: %s", file, vfs.Reason(err))
}

// look stats a file. A link named as an operand is followed, unless the long form must show it.
func (l *listing) look(name, at string, named bool) (listed, error) {
	stat := l.FS.Lstat
	if l.has('L') || named && (l.has('H') || !l.long() && !l.has('d') && !l.has('i')) {
		stat = l.FS.Stat
	}
	i, err := stat(l.abs(at))
	if err != nil && named {
		i, err = l.FS.Lstat(l.abs(at))
	}
	return listed{name, at, i}, err
}

func (l *listing) long() bool { return l.latest("lngoT") != 0 }

// directory lists the content of a directory.
func (l *listing) directory(d listed, header bool) {
	entries, err := l.FS.ReadDir(l.abs(d.path))
	if err != nil {
		if l.GNU {
			l.complain("cannot open directory '%s': %s", d.path, vfs.Reason(err))
		} else {
			l.complain("can't open '%s': %s", d.path, vfs.Reason(err))
		}
		l.failed = true
		return
	}
	if l.blocks {
		l.print("\n")
	}
	if l.blocks = true; header || l.has('R') {
		l.printf("%s:\n", d.path)
	}
	var names []string
	if all := l.latest("aAf"); all == 'a' || all == 'f' {
		names = append(names, ".", "..")
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name, ".") || l.latest("aAf") != 0 {
			names = append(names, e.Name)
		}
	}
	files := make([]listed, 0, len(names))
	var blocks int64
	for _, name := range names {
		l.step(1)
		if f, err := l.look(name, strings.TrimSuffix(d.path, "/")+"/"+name, false); err == nil {
			files = append(files, f)
			blocks += kibibytes(f.Info)
		}
	}
	if l.long() || l.has('s') {
		l.printf("total %s\n", l.blockSize(blocks))
	}
	l.show(files)
	if !l.has('R') {
		return
	}
	for _, f := range files {
		if f.IsDir() && f.name != "." && f.name != ".." {
			l.directory(f, true)
		}
	}
}

// kibibytes returns the space that a file takes: whole pages of 4 KiB.
func kibibytes(i vfs.Info) int64 {
	if i.IsRegular() || i.IsDir() {
		return (i.Size + 4095) / 4096 * 4
	}
	return 0
}

func (l *listing) blockSize(kib int64) string {
	if l.has('h') {
		return human(kib * 1024)
	}
	return strconv.FormatInt(kib, 10)
}

func (l *listing) sort(files []listed) {
	slices.SortStableFunc(files, func(a, b listed) int {
		by := 0
		switch l.latest("tSUfv") {
		case 't':
			by = b.MTime.Compare(a.MTime)
		case 'S':
			by = cmp.Compare(b.Size, a.Size)
		case 'U', 'f':
			return 0
		case 'v':
			by = compareVersions(a.name, b.name)
		}
		if by == 0 {
			by = strings.Compare(a.name, b.name)
		}
		if l.has('r') {
			by = -by
		}
		return by
	})
}

// show prints the lines of files.
func (l *listing) show(files []listed) {
	l.sort(files)
	var w widths
	for _, f := range files {
		w.fit(l, f)
	}
	for _, f := range files {
		var b strings.Builder
		if l.has('i') {
			fmt.Fprintf(&b, "%7d ", uint64(f.Ino)%10_000_000)
		}
		if l.has('s') {
			fmt.Fprintf(&b, "%4s ", l.blockSize(kibibytes(f.Info)))
		}
		if l.long() {
			l.details(&b, f, w)
		}
		b.WriteString(f.name)
		if l.long() && f.IsLink() {
			b.WriteString(" -> " + f.Target)
		} else {
			b.WriteString(l.mark(f))
		}
		l.print(b.String() + "\n")
		l.blocks = true
	}
}

// mark returns the character of -F and -p after a name.
func (l *listing) mark(f listed) string {
	switch {
	case f.IsDir() && (l.has('F') || l.has('p')):
		return "/"
	case !l.has('F'):
	case f.IsLink():
		return "@"
	case f.Mode&vfs.ModeType == vfs.ModeFIFO:
		return "|"
	case f.IsRegular() && f.Mode&0o111 != 0:
		return "*"
	}
	return ""
}

// widths are the column widths of the long form with coreutils; busybox has fixed ones.
type widths struct{ links, user, group, size int }

func (w *widths) fit(l *listing, f listed) {
	w.links = max(w.links, len(strconv.Itoa(f.Links)))
	w.user = max(w.user, len(l.user(f.UID)))
	w.group = max(w.group, len(l.group(f.GID)))
	w.size = max(w.size, len(l.fileSize(f)))
}

func (l *listing) user(uid int) string {
	if l.has('n') {
		return strconv.Itoa(uid)
	}
	return l.userName(uid)
}

func (l *listing) group(gid int) string {
	if l.has('n') {
		return strconv.Itoa(gid)
	}
	return l.groupName(gid)
}

func (l *listing) fileSize(f listed) string {
	switch {
	case f.Mode&vfs.ModeType == vfs.ModeChar:
		major, minor := deviceNumbers(f.Device)
		return fmt.Sprintf("%d, %3d", major, minor)
	case l.has('h'):
		return human(f.Size)
	}
	return strconv.FormatInt(f.Size, 10)
}

// deviceNumbers returns Linux' numbers of a special file.
func deviceNumbers(device string) (major, minor int) {
	switch device {
	case "null":
		return 1, 3
	case "zero":
		return 1, 5
	case "full":
		return 1, 7
	case "random":
		return 1, 8
	case "urandom":
		return 1, 9
	case "tty":
		return 5, 0
	}
	return 136, 0
}

func (l *listing) details(b *strings.Builder, f listed, w widths) {
	if l.GNU {
		fmt.Fprintf(b, "%s %*d ", modeText(f.Mode), w.links, f.Links)
		if !l.has('g') {
			fmt.Fprintf(b, "%-*s ", w.user, l.user(f.UID))
		}
		if !l.has('o') {
			fmt.Fprintf(b, "%-*s ", w.group, l.group(f.GID))
		}
		fmt.Fprintf(b, "%*s %s ", w.size, l.fileSize(f), l.when(f.MTime))
		return
	}
	fmt.Fprintf(b, "%-10s %4d ", modeText(f.Mode), f.Links)
	if !l.has('g') {
		fmt.Fprintf(b, "%-8.8s ", l.user(f.UID))
	}
	if !l.has('o') {
		fmt.Fprintf(b, "%-8.8s ", l.group(f.GID))
	}
	fmt.Fprintf(b, "%9s %s ", l.fileSize(f), l.when(f.MTime))
}

// when formats the time of a file: without the year if the time is near.
func (l *listing) when(t time.Time) string {
	if l.has('T') {
		if l.GNU {
			return t.Format("2006-01-02 15:04:05.000000000 -0700")
		}
		return t.Format("2006-01-02 15:04:05 -0700")
	}
	const halfYear = 365 * 24 * time.Hour / 2
	if age := l.Now.Sub(t); age > halfYear || age < -time.Hour {
		return t.Format("Jan _2  2006")
	}
	return t.Format("Jan _2 15:04")
}

// modeText formats a mode as ls -l does.
func modeText(mode uint32) string {
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

// human formats a size in the largest unit in which it is at least 1.
func human(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10)
	}
	f := float64(n)
	for _, unit := range "KMGTPE" {
		if f /= 1024; f < 1024 {
			if f < 9.95 {
				return fmt.Sprintf("%.1f%c", f, unit)
			}
			return fmt.Sprintf("%.0f%c", f, unit)
		}
	}
	return strconv.FormatInt(n, 10)
}

// compareVersions compares names with the numbers in them as numbers.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		da, db := leadingDigits(a), leadingDigits(b)
		if da > 0 && db > 0 {
			x, y := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if by := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); by != 0 {
				return by
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
