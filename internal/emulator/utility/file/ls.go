package file

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// listed is a file that ls prints.
type listed struct {
	name string // as printed
	path string
	vfs.Info
}

// listing is one run of ls.
type listing struct {
	*utility.Call
	*utility.Options
	failed bool
	blocks bool // there was output: the next directory gets an empty line before it
}

// ls lists files, one on each line: its output is never a terminal.
func ls(c *utility.Call, _ []byte) int {
	// -1 and --color (as auto) have no effect, because the output is not a terminal.
	l := &listing{Call: c, Options: c.Parse(utility.Syntax{Short: "laA1RtrhdiSFpLnscuHUfvgok", Long: map[string]byte{
		"all": 'a', "almost-all": 'A', "recursive": 'R', "reverse": 'r', "human-readable": 'h', "directory": 'd', "inode": 'i', "size": 's',
		"classify": 'F', "dereference": 'L', "numeric-uid-gid": 'n', "full-time": 'T', "color::": '1', "no-group": 'o',
	}})}
	files := l.Rest
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
		if f.IsDir() && !l.Has('d') {
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
		l.Complain("cannot access '%s': %s", file, vfs.Reason(err))
		return
	}
	l.Complain("%s: %s", file, vfs.Reason(err))
}

// look stats a file. A link named as an operand is followed, unless the long form must show it.
func (l *listing) look(name, at string, named bool) (listed, error) {
	stat := l.FS.Lstat
	if l.Has('L') || named && (l.Has('H') || !l.long() && !l.Has('d') && !l.Has('i')) {
		stat = l.FS.Stat
	}
	i, err := stat(l.Abs(at))
	if err != nil && named {
		i, err = l.FS.Lstat(l.Abs(at))
	}
	return listed{name, at, i}, err
}

func (l *listing) long() bool { return l.Latest("lngoT") != 0 }

// directory lists the content of a directory.
func (l *listing) directory(d listed, header bool) {
	entries, err := l.FS.ReadDir(l.Abs(d.path))
	if err != nil {
		if l.GNU {
			l.Complain("cannot open directory '%s': %s", d.path, vfs.Reason(err))
		} else {
			l.Complain("can't open '%s': %s", d.path, vfs.Reason(err))
		}
		l.failed = true
		return
	}
	if l.blocks {
		l.Print("\n")
	}
	if l.blocks = true; header || l.Has('R') {
		l.Printf("%s:\n", d.path)
	}
	var names []string
	if all := l.Latest("aAf"); all == 'a' || all == 'f' {
		names = append(names, ".", "..")
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name, ".") || l.Latest("aAf") != 0 {
			names = append(names, e.Name)
		}
	}
	files := make([]listed, 0, len(names))
	var blocks int64
	for _, name := range names {
		l.Step(1)
		if f, err := l.look(name, strings.TrimSuffix(d.path, "/")+"/"+name, false); err == nil {
			files = append(files, f)
			blocks += Kibibytes(f.Info)
		}
	}
	if l.long() || l.Has('s') {
		l.Printf("total %s\n", l.blockSize(blocks))
	}
	l.show(files)
	if !l.Has('R') {
		return
	}
	for _, f := range files {
		if f.IsDir() && f.name != "." && f.name != ".." {
			l.directory(f, true)
		}
	}
}

// Kibibytes returns the space that a file takes: whole pages of 4 KiB.
func Kibibytes(i vfs.Info) int64 {
	if i.IsRegular() || i.IsDir() {
		return (i.Size + 4095) / 4096 * 4
	}
	return 0
}

func (l *listing) blockSize(kib int64) string {
	if l.Has('h') {
		return utility.HumanSize(kib * 1024)
	}
	return strconv.FormatInt(kib, 10)
}

func (l *listing) sort(files []listed) {
	slices.SortStableFunc(files, func(a, b listed) int {
		by := 0
		switch l.Latest("tSUfv") {
		case 't':
			by = b.MTime.Compare(a.MTime)
		case 'S':
			by = cmp.Compare(b.Size, a.Size)
		case 'U', 'f':
			return 0
		case 'v':
			by = utility.CompareVersions(a.name, b.name)
		}
		if by == 0 {
			by = strings.Compare(a.name, b.name)
		}
		if l.Has('r') {
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
		if l.Has('i') {
			fmt.Fprintf(&b, "%7d ", uint64(f.Ino)%10_000_000)
		}
		if l.Has('s') {
			fmt.Fprintf(&b, "%4s ", l.blockSize(Kibibytes(f.Info)))
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
		l.Print(b.String() + "\n")
		l.blocks = true
	}
}

// mark returns the character of -F and -p after a name.
func (l *listing) mark(f listed) string {
	switch {
	case f.IsDir() && (l.Has('F') || l.Has('p')):
		return "/"
	case !l.Has('F'):
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
	if l.Has('n') {
		return strconv.Itoa(uid)
	}
	return l.UserName(uid)
}

func (l *listing) group(gid int) string {
	if l.Has('n') {
		return strconv.Itoa(gid)
	}
	return l.GroupName(gid)
}

func (l *listing) fileSize(f listed) string {
	switch {
	case f.Mode&vfs.ModeType == vfs.ModeChar:
		major, minor := deviceNumbers(f.Device)
		return fmt.Sprintf("%d, %3d", major, minor)
	case l.Has('h'):
		return utility.HumanSize(f.Size)
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
		fmt.Fprintf(b, "%s %*d ", ModeText(f.Mode), w.links, f.Links)
		if !l.Has('g') {
			fmt.Fprintf(b, "%-*s ", w.user, l.user(f.UID))
		}
		if !l.Has('o') {
			fmt.Fprintf(b, "%-*s ", w.group, l.group(f.GID))
		}
		fmt.Fprintf(b, "%*s %s ", w.size, l.fileSize(f), l.when(f.MTime))
		return
	}
	fmt.Fprintf(b, "%-10s %4d ", ModeText(f.Mode), f.Links)
	if !l.Has('g') {
		fmt.Fprintf(b, "%-8.8s ", l.user(f.UID))
	}
	if !l.Has('o') {
		fmt.Fprintf(b, "%-8.8s ", l.group(f.GID))
	}
	fmt.Fprintf(b, "%9s %s ", l.fileSize(f), l.when(f.MTime))
}

// when formats the time of a file: without the year if the time is near.
func (l *listing) when(t time.Time) string {
	if l.Has('T') {
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
