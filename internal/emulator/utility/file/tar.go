package file

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// archiver is one run of tar.
type archiver struct {
	*utility.Call
	o       *utility.Options
	dir     string // -C
	size    int64
	packed  bool
	verbose bool
	failed  bool
}

// tarFiles creates, lists and extracts archives.
func tarFiles(c *utility.Call, stdin []byte) int {
	called := *c
	if len(c.Args) > 1 && !strings.HasPrefix(c.Args[1], "-") { // the old form: "tar xzf …"
		called.Args = append([]string{c.Args[0], "-" + c.Args[1]}, c.Args[2:]...)
	}
	// -p and -m have no effect: modes are restored as for root, and times as with -m.
	o := called.Parse(utility.Syntax{Short: "cxtf:zC:vkOphmj", Usage: 2, Long: map[string]byte{
		"create": 'c', "extract": 'x', "get": 'x', "list": 't', "file:": 'f', "gzip": 'z', "directory:": 'C', "verbose": 'v', "to-stdout": 'O',
		"strip-components:": 'S', "exclude:": 'E', "keep-old-files": 'k', "preserve-permissions": 'p', "dereference": 'h', "touch": 'm', "no-same-owner": 'w',
	}})
	if o.Has('j') || o.Has('h') {
		c.Fatal(2, "unrecognized option: %c", o.Latest("jh"))
	}
	a := &archiver{Call: c, o: o, verbose: o.Has('v'), packed: o.Has('z')}
	a.dir, _ = o.Last('C')
	file, _ := o.Last('f')
	if file == "" {
		file = "-"
	}
	switch o.Latest("cxt") {
	case 'c':
		return a.create(file)
	case 'x', 't':
		return a.unpack(file, stdin)
	}
	c.Fatal(2, "you must specify one of -c, -x, -t")
	return 2
}

// at returns the path in the container of a name in the archive.
func (a *archiver) at(name string) string {
	if path.IsAbs(name) || a.dir == "" {
		return a.Abs(name)
	}
	return strings.TrimSuffix(a.Abs(a.dir), "/") + "/" + name
}

func (a *archiver) create(file string) int {
	if len(a.o.Rest) == 0 {
		a.Fatal(2, "empty archive")
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range a.o.Rest {
		a.add(w, name, 0)
		a.Need(int64(b.Len()))
	}
	_ = w.Close()
	data := b.Bytes()
	if a.packed {
		data = deflated(a.Call, data, 6)
	}
	if file == "-" {
		a.Put(a.Stdout, data)
	} else if err := a.WriteFile(file, data); err != nil {
		a.Complain("can't open '%s': %s", file, vfs.Reason(err))
		return 1
	}
	return 2 * utility.ExitIf(a.failed)
}

func (a *archiver) excluded(name string) bool {
	for _, glob := range a.o.All('E') {
		if pattern.Glob(glob, name, false) || pattern.Glob(glob, path.Base(name), false) {
			return true
		}
	}
	return false
}

func (a *archiver) add(w *tar.Writer, name string, depth int) {
	a.Step(1)
	if a.excluded(name) {
		return
	}
	i, err := a.FS.Lstat(a.at(name))
	if err != nil {
		a.Complain("%s: %s", name, vfs.Reason(err))
		a.failed = true
		return
	}
	h := &tar.Header{
		Name: strings.TrimLeft(name, "/"), Mode: int64(i.Mode & vfs.ModePerm), Uid: i.UID, Gid: i.GID, ModTime: i.MTime.Truncate(time.Second), Format: tar.FormatGNU,
		Uname: a.UserName(i.UID), Gname: a.GroupName(i.GID),
	}
	var data []byte
	switch i.Mode & vfs.ModeType {
	case vfs.ModeDir:
		h.Typeflag, h.Name = tar.TypeDir, strings.TrimSuffix(h.Name, "/")+"/"
	case vfs.ModeLink:
		h.Typeflag, h.Linkname = tar.TypeSymlink, i.Target
	case vfs.ModeRegular:
		h.Typeflag = tar.TypeReg
		data, err = a.ReadInput(a.at(name), nil)
		h.Size = int64(len(data))
	default:
		return // special files are skipped
	}
	if a.size += int64(len(data)) + 512; err == nil {
		a.Need(a.size)
		if err = w.WriteHeader(h); err == nil {
			_, err = w.Write(data)
		}
	}
	if err != nil {
		a.Complain("%s: %s", name, vfs.Reason(err))
		a.failed = true
		return
	}
	if a.verbose {
		a.Put(a.Stderr, []byte(h.Name+"\n"))
	}
	if !i.IsDir() || depth > utility.MaxDepth {
		return
	}
	entries, err := a.FS.ReadDir(a.at(name))
	if err != nil {
		a.Complain("%s: %s", name, vfs.Reason(err))
		a.failed = true
	}
	for _, e := range entries {
		a.add(w, strings.TrimSuffix(name, "/")+"/"+e.Name, depth+1)
	}
}

func (a *archiver) unpack(file string, stdin []byte) int {
	data, err := a.ReadInput(file, stdin)
	if err != nil {
		a.Complain("can't open '%s': %s", file, vfs.Reason(err))
		return 1
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if data, err = inflated(a.Call, data); err != nil {
			a.Complain("%s", err)
			return 1
		}
	}
	strip := 0
	if text, ok := a.o.Last('S'); ok {
		n, digits := utility.ParseDigits(text, 10, 4)
		if digits != len(text) {
			a.Fatal(2, "invalid number '%s'", text)
		}
		strip = n
	}
	r := tar.NewReader(bytes.NewReader(data))
	wanted := map[string]bool{}
	for _, name := range a.o.Rest {
		wanted[strings.Trim(name, "/")] = false
	}
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			a.Complain("invalid tar magic")
			return 1
		}
		a.Step(1)
		if !a.chosen(h.Name, wanted) || a.excluded(strings.Trim(h.Name, "/")) {
			continue
		}
		if a.o.Latest("xt") == 't' {
			a.list(h)
			continue
		}
		body, err := io.ReadAll(io.LimitReader(r, a.MaxMemory+1))
		a.Need(int64(len(body)))
		if err == nil {
			err = a.extract(h, body, strip)
		}
		if err != nil {
			a.Complain("%s: %s", h.Name, vfs.Reason(err))
			a.failed = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !wanted[name] {
			a.Complain("%s: not found in archive", name)
			a.failed = true
		}
	}
	return utility.ExitIf(a.failed)
}

// chosen reports whether a member was requested, by its name or by that of a directory above it.
func (a *archiver) chosen(name string, wanted map[string]bool) bool {
	if len(wanted) == 0 {
		return true
	}
	for name = strings.Trim(name, "/"); ; name = path.Dir(name) {
		if _, asked := wanted[name]; asked {
			wanted[name] = true
			return true
		}
		if !strings.Contains(name, "/") {
			return false
		}
	}
}

func (a *archiver) list(h *tar.Header) {
	if !a.verbose {
		a.Print(h.Name + "\n")
		return
	}
	kinds := map[byte]uint32{tar.TypeDir: vfs.ModeDir, tar.TypeSymlink: vfs.ModeLink}
	kind := kinds[h.Typeflag]
	if kind == 0 {
		kind = vfs.ModeRegular
	}
	line := h.Name
	if h.Linkname != "" {
		line += " -> " + h.Linkname
	}
	a.Printf("%s %s/%s %9d %s %s\n", ModeText(kind|uint32(h.Mode)&vfs.ModePerm), h.Uname, h.Gname, h.Size, h.ModTime.UTC().Format("2006-01-02 15:04:05"), line)
}

// extract extracts one member of an archive. A name with ".." in it is refused.
func (a *archiver) extract(h *tar.Header, body []byte, strip int) error {
	names := strings.Split(strings.Trim(path.Clean(strings.TrimLeft(h.Name, "/")), "/"), "/")
	if len(names) <= strip {
		return nil
	}
	name := strings.Join(names[strip:], "/")
	for _, n := range names {
		if n == ".." {
			return errors.New("name with '..' skipped")
		}
	}
	if a.verbose {
		a.Print(h.Name + "\n")
	}
	if a.o.Has('O') {
		if h.Typeflag == tar.TypeReg {
			a.Put(a.Stdout, body)
		}
		return nil
	}
	to := a.at(name)
	if err := a.FS.MkdirAll(path.Dir(to), 0o755); err != nil {
		return err
	}
	if _, err := a.FS.Lstat(to); err == nil && h.Typeflag != tar.TypeDir {
		if a.o.Has('k') {
			return vfs.EEXIST
		}
		if err := a.FS.Remove(to); err != nil {
			return err
		}
	}
	perm := uint32(h.Mode) & vfs.ModePerm
	switch h.Typeflag {
	case tar.TypeDir:
		if err := a.FS.MkdirAll(to, 0o755); err != nil {
			return err
		}
	case tar.TypeSymlink:
		return a.FS.Symlink(h.Linkname, to)
	case tar.TypeLink:
		return a.FS.Link(a.at(h.Linkname), to)
	case tar.TypeReg:
		if err := a.FS.WriteFile(to, body, 0o600); err != nil {
			return err
		}
	default:
		return nil // special files are skipped
	}
	if a.UID == 0 && !a.o.Has('w') {
		if err := a.FS.Chown(to, h.Uid, h.Gid, false); err != nil {
			return err
		}
	}
	if err := a.FS.Chmod(to, perm); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeReg && !a.o.Has('m') {
		return a.FS.Chtimes(to, h.ModTime, false)
	}
	return nil
}

// tarReads reads standard input if an archive comes from there.
func tarReads(args []string) bool {
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		args = append([]string{args[0], "-" + args[1]}, args[2:]...)
	}
	for i, a := range args {
		if file, ok := strings.CutPrefix(a, "--file="); ok {
			return utility.IsStdin(file)
		}
		if a == "--file" || i > 0 && len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "f") {
			_, file, _ := strings.Cut(a, "f")
			if file == "" || a == "--file" {
				file = strings.Join(args[min(len(args), i+1):min(len(args), i+2)], "")
			}
			return utility.IsStdin(file)
		}
	}
	return true
}
