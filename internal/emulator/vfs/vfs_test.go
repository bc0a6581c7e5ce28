package vfs_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t testing.TB, err error, want vfs.Errno) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error is %v, want %v", err, want)
	}
}

func newBase(t testing.TB) *vfs.Base {
	t.Helper()
	b, err := vfs.NewBase("img", noon, append(vfs.Devices(),
		vfs.Entry{Path: "/bin/sh", Mode: vfs.ModeRegular | 0o755, Data: []byte("#!")},
		vfs.Entry{Path: "/etc/motd", Data: []byte("hi\n")},
		vfs.Entry{Path: "/etc/hosts", Data: []byte("hosts\n")},
		vfs.Entry{Path: "/var/run", Mode: vfs.ModeLink | 0o777, Target: "/run"},
		vfs.Entry{Path: "/run", Mode: vfs.ModeDir | 0o755},
		vfs.Entry{Path: "/tmp", Mode: vfs.ModeDir | vfs.ModeSticky | 0o777},
	))
	must(t, err)
	return b
}

func newView(t testing.TB) *vfs.View {
	t.Helper()
	return vfs.NewView(vfs.NewTree("root", newBase(t), noon), "seed", noon)
}

func read(t testing.TB, v *vfs.View, name string) string {
	t.Helper()
	data, err := v.ReadFile(name)
	must(t, err)
	return string(data)
}

func names(t testing.TB, v *vfs.View, dir string) string {
	t.Helper()
	entries, err := v.ReadDir(dir)
	must(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name)
	}
	return strings.Join(all, " ")
}

// again returns the view after writing its state and that of its trees as JSON and reading them
// back.
func again(t testing.TB, v *vfs.View, bases ...*vfs.Base) *vfs.View {
	t.Helper()
	trees := map[string]*vfs.Tree{}
	for _, old := range v.Trees() {
		text, err := json.Marshal(old)
		must(t, err)
		fresh := &vfs.Tree{}
		must(t, json.Unmarshal(text, fresh))
		for _, b := range bases {
			if b.Name() == fresh.BaseName {
				fresh.SetBase(b)
			}
		}
		if fresh.Bytes() != old.Bytes() || fresh.Files() != old.Files() {
			t.Errorf("tree %s holds %d bytes and %d files after JSON, %d and %d before", old.Name, fresh.Bytes(), fresh.Files(), old.Bytes(), old.Files())
		}
		trees[old.Name] = fresh
	}
	text, err := json.Marshal(v)
	must(t, err)
	fresh := &vfs.View{}
	must(t, json.Unmarshal(text, fresh))
	must(t, fresh.Bind(func(name string) *vfs.Tree { return trees[name] }))
	return fresh.As(v.Who(), v.Now())
}

func TestBase_IsCopiedOnWrite(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	a := vfs.NewView(vfs.NewTree("a", base, noon), "", noon)
	b := vfs.NewView(vfs.NewTree("b", base, noon), "", noon)
	must(t, a.WriteFile("/etc/motd", []byte("changed"), 0o644))
	must(t, a.AppendFile("/etc/hosts", []byte("more\n"), 0o644))
	must(t, a.Remove("/bin/sh"))
	must(t, a.Rename("/run", "/etc/run"))
	a = again(t, a, base)
	if got := read(t, a, "/etc/motd") + read(t, a, "/etc/hosts"); got != "changedhosts\nmore\n" {
		t.Errorf("a reads %q", got)
	}
	if got := names(t, a, "/") + "; " + names(t, a, "/etc") + "; " + names(t, a, "/bin"); got != "bin dev etc tmp var; hosts motd run; " {
		t.Errorf("a has %s", got)
	}
	if got := read(t, b, "/etc/motd") + read(t, b, "/etc/hosts"); got != "hi\nhosts\n" {
		t.Errorf("b reads %q", got)
	}
	if got := names(t, b, "/") + "; " + names(t, b, "/bin"); got != "bin dev etc run tmp var; sh" {
		t.Errorf("b has %s", got)
	}
	if b.Trees()[0].Files() != 0 {
		t.Error("b holds files")
	}
	must(t, a.WriteFile("/bin/sh", []byte("new"), 0o755))
	if got := read(t, again(t, a, base), "/bin/sh"); got != "new" {
		t.Errorf("a file made in the place of the base's holds %q", got)
	}
}

func TestBase_BadEntries(t *testing.T) {
	t.Parallel()
	for _, entries := range [][]vfs.Entry{
		{{Path: "a"}}, {{Path: "/a/../b"}}, {{Path: "/a"}, {Path: "/a/b"}}, {{Path: "/a/b"}, {Path: "/a"}}, {{Path: "/" + strings.Repeat("n", 256)}},
	} {
		if _, err := vfs.NewBase("bad", noon, entries); err == nil {
			t.Errorf("%v is accepted", entries)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.Mkdir("/d", 0o755))
	must(t, v.WriteFile("/d/f", nil, 0o644))
	must(t, v.Symlink("loop", "/loop"))
	must(t, v.Symlink("nowhere", "/dangling"))
	long := strings.Repeat("n", 256)
	stat := func(p string) error { _, err := v.Stat(p); return err }
	readDir := func(p string) error { _, err := v.ReadDir(p); return err }
	for _, test := range []struct {
		what string
		err  error
		want vfs.Errno
	}{
		{"nothing", stat(""), vfs.ENOENT},
		{"missing", stat("/no"), vfs.ENOENT},
		{"below missing", stat("/no/x"), vfs.ENOENT},
		{"below a file", stat("/d/f/x"), vfs.ENOTDIR},
		{"a file as directory", stat("/d/f/"), vfs.ENOTDIR},
		{"loop", stat("/loop"), vfs.ELOOP},
		{"dangling", stat("/dangling"), vfs.ENOENT},
		{"long name", stat("/" + long), vfs.ENAMETOOLONG},
		{"long path", stat(strings.Repeat("/x", 2048)), vfs.ENAMETOOLONG},
		{"list a file", readDir("/d/f"), vfs.ENOTDIR},
		{"mkdir over", v.Mkdir("/d", 0o755), vfs.EEXIST},
		{"mkdir root", v.Mkdir("/", 0o755), vfs.EEXIST},
		{"mkdir over a file", v.Mkdir("/d/f/", 0o755), vfs.EEXIST},
		{"mkdir below missing", v.Mkdir("/no/x", 0o755), vfs.ENOENT},
		{"mkdir -p through a file", v.MkdirAll("/d/f/x", 0o755), vfs.ENOTDIR},
		{"write a directory", v.WriteFile("/d", nil, 0o644), vfs.EISDIR},
		{"write a new directory", v.WriteFile("/new/", nil, 0o644), vfs.EISDIR},
		{"remove a directory", v.Remove("/d"), vfs.EISDIR},
		{"rmdir a file", v.RemoveDir("/d/f"), vfs.ENOTDIR},
		{"rmdir full", v.RemoveDir("/d"), vfs.ENOTEMPTY},
		{"rmdir .", v.RemoveDir("/d/."), vfs.EINVAL},
		{"rmdir root", v.RemoveDir("/"), vfs.EBUSY},
		{"rename into itself", v.Rename("/d", "/d/e"), vfs.EINVAL},
		{"rename a file over a directory", v.Rename("/etc/motd", "/d"), vfs.EISDIR},
		{"rename a directory over a file", v.Rename("/d", "/etc/motd"), vfs.ENOTDIR},
		{"rename over a full directory", v.Rename("/run", "/etc"), vfs.ENOTEMPTY},
		{"rename missing", v.Rename("/no", "/yes"), vfs.ENOENT},
		{"link a directory", v.Link("/d", "/e"), vfs.EPERM},
		{"link over", v.Link("/d/f", "/etc/motd"), vfs.EEXIST},
		{"symlink over", v.Symlink("x", "/d"), vfs.EEXIST},
		{"readlink a file", func() error { _, err := v.Readlink("/d/f"); return err }(), vfs.EINVAL},
		{"endless", func() error { _, err := v.ReadFile("/dev/zero"); return err }(), vfs.EFBIG},
		{"terminal", func() error { _, err := v.ReadFile("/dev/tty"); return err }(), vfs.ENXIO},
		{"execute without any x bit", v.Access("/etc/motd", 1), vfs.EACCES},
		{"truncate to less than nothing", v.Truncate("/d/f", -1), vfs.EINVAL},
		{"truncate to too much", v.Truncate("/d/f", 1<<62), vfs.ENOSPC},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.err, test.want)
		}
	}
	must(t, v.Access("/bin/sh", 7))
	if got := vfs.Reason(stat("/no")); got != "No such file or directory" {
		t.Errorf("the reason is %q", got)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.WriteFile("/var/run/pid", []byte("1"), 0o644))
	if got := read(t, v, "/run/pid"); got != "1" {
		t.Errorf("through a link it holds %q", got)
	}
	if got, err := v.Resolve("/var/run/../run/./new"); err != nil || got != "/run/new" {
		t.Errorf("it resolves to %q, %v", got, err)
	}
	must(t, v.Symlink("../etc/fresh", "/tmp/l"))
	must(t, v.WriteFile("/tmp/l", []byte("made"), 0o644))
	if got := read(t, v, "/etc/fresh"); got != "made" {
		t.Errorf("what a dangling link leads to holds %q", got)
	}
	_, err := v.Open("/tmp/l", vfs.Write|vfs.Create|vfs.Exclusive, 0o644)
	wants(t, err, vfs.EEXIST)

	must(t, v.Link("/etc/motd", "/tmp/hard"))
	must(t, v.WriteFile("/tmp/hard", []byte("both"), 0o644))
	a, _ := v.Stat("/etc/motd")
	b, _ := v.Stat("/tmp/hard")
	if !a.Same(b) || a.Links != 2 || read(t, v, "/etc/motd") != "both" {
		t.Errorf("two names: %+v, %+v", a, b)
	}
	must(t, v.Remove("/etc/motd"))
	if b, _ = v.Stat("/tmp/hard"); b.Links != 1 || read(t, v, "/tmp/hard") != "both" {
		t.Errorf("one name: %+v", b)
	}
	if i, _ := v.Lstat("/var/run"); !i.IsLink() || i.Target != "/run" {
		t.Errorf("the link is %+v", i)
	}
}

func TestFile_IsReadAndWritten(t *testing.T) {
	t.Parallel()
	v := newView(t)
	w, err := v.Open("/tmp/f", vfs.Write|vfs.Create|vfs.Truncate, 0o666)
	must(t, err)
	_, err = v.Write(w, []byte("hello world"))
	must(t, err)
	must(t, v.Seek(w, 6))
	_, err = v.Write(w, []byte("you"))
	must(t, err)
	_, err = v.Read(w, make([]byte, 1))
	wants(t, err, vfs.EBADF)
	must(t, v.Remove("/tmp/f")) // unlinked, but open
	_, err = v.Stat("/tmp/f")
	wants(t, err, vfs.ENOENT)
	if got := string(v.Content(w)); got != "hello yould" {
		t.Errorf("it holds %q", got)
	}
	files := v.Trees()[0].Files()
	v.Close(w)
	if got := v.Trees()[0].Files(); got != files-1 {
		t.Errorf("after it was closed there are %d files, before %d", got, files)
	}

	r, err := v.Open("/etc/motd", vfs.ReadOnly, 0)
	must(t, err)
	_, err = v.Write(r, []byte("x"))
	wants(t, err, vfs.EBADF)
	must(t, v.WriteFile("/etc/motd", []byte("later"), 0o644))
	must(t, v.Remove("/etc/motd"))
	if got := string(v.Content(r)); got != "later" {
		t.Errorf("a file of the base that was changed and removed while it was open holds %q", got)
	}
	p := make([]byte, 3)
	n, err := v.Read(r, p)
	if n != 3 || err != nil || string(p) != "lat" {
		t.Errorf("it reads %q, %v", p[:n], err)
	}
	must(t, v.Seek(r, 5))
	if _, err = v.Read(r, p); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}

	both, err := v.Open("/tmp/both", vfs.ReadWrite|vfs.Create, 0o600)
	must(t, err)
	_, err = v.Write(both, []byte("abc"))
	must(t, err)
	must(t, v.Seek(both, 1))
	if n, err := v.Read(both, p); n != 2 || err != nil {
		t.Errorf("opened for both it reads %d, %v", n, err)
	}
	app, err := v.Open("/tmp/both", vfs.Append, 0)
	must(t, err)
	_, err = v.Write(app, []byte("d"))
	must(t, err)
	_, err = v.Write(both, []byte("x"))
	must(t, err)
	_, err = v.Write(app, []byte("e"))
	must(t, err)
	if got := read(t, v, "/tmp/both"); got != "abcxe" {
		t.Errorf("two writers made %q", got)
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.WriteFile("/etc/secret", []byte("s"), 0o600))
	must(t, v.WriteFile("/tmp/roots", nil, 0o644))
	must(t, v.Mkdir("/closed", 0o700))
	must(t, v.WriteFile("/closed/x", nil, 0o644))
	must(t, v.Mkdir("/shared", 0o777))
	must(t, v.Chmod("/shared", vfs.ModeSetGID|0o770))
	must(t, v.Chown("/shared", -1, 2000, true))
	u := v.As(vfs.Cred{UID: 1000, GID: 1000, Groups: []int{2000}, Umask: 0o027}, noon)
	_, err := u.ReadFile("/etc/secret")
	wants(t, err, vfs.EACCES)
	_, err = u.Stat("/closed/x")
	wants(t, err, vfs.EACCES)
	wants(t, u.WriteFile("/etc/new", nil, 0o644), vfs.EACCES)
	wants(t, u.WriteFile("/etc/motd", nil, 0o644), vfs.EACCES)
	wants(t, u.Chmod("/etc/motd", 0o777), vfs.EPERM)
	wants(t, u.Chown("/etc/motd", 1000, -1, true), vfs.EPERM)
	wants(t, u.Remove("/tmp/roots"), vfs.EPERM)
	must(t, u.WriteFile("/tmp/mine", nil, 0o666))
	must(t, u.Mkdir("/shared/d", 0o777))
	mine, _ := u.Stat("/tmp/mine")
	dir, _ := u.Stat("/shared/d")
	if mine.Mode != vfs.ModeRegular|0o640 || mine.UID != 1000 || mine.GID != 1000 {
		t.Errorf("a new file is %+v", mine)
	}
	if dir.Mode != vfs.ModeDir|vfs.ModeSetGID|0o750 || dir.GID != 2000 {
		t.Errorf("a directory in a group's is %+v", dir)
	}
	must(t, u.Remove("/tmp/mine"))
}

func TestMounts(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	volume, config := vfs.NewTree("volume", nil, noon), vfs.NewTree("config", nil, noon)
	_, err := config.Project(noon, 0, []vfs.Projected{{Path: "key", Data: []byte("v1"), Mode: 0o644}})
	must(t, err)
	a := vfs.NewView(vfs.NewTree("a", base, noon), "", noon)
	b := vfs.NewView(vfs.NewTree("b", base, noon), "", noon)
	must(t, a.Mount("/data", volume, "", false))
	must(t, b.Mount("/var/run/deep/down", volume, "part", false))
	must(t, b.Mount("/etc/config", config, "", true))
	must(t, b.Mount("/etc/motd", config, "key", true))

	must(t, a.WriteFile("/data/part/f", []byte("shared"), 0o644))
	if got := read(t, b, "/run/deep/down/f"); got != "shared" {
		t.Errorf("the neighbour reads %q", got)
	}
	if got := read(t, b, "/etc/config/key") + read(t, b, "/etc/motd"); got != "v1v1" {
		t.Errorf("the configuration is %q", got)
	}
	wants(t, b.WriteFile("/etc/config/key", nil, 0o644), vfs.EROFS)
	wants(t, b.WriteFile("/etc/motd", nil, 0o644), vfs.EROFS)
	wants(t, b.Remove("/etc/config/key"), vfs.EROFS)
	wants(t, b.Mkdir("/etc/config/d", 0o755), vfs.EROFS)
	wants(t, b.Chmod("/etc/config/key", 0o777), vfs.EROFS)
	wants(t, b.RemoveDir("/run/deep/down"), vfs.EBUSY)
	wants(t, b.RemoveAll("/run/deep"), vfs.EBUSY)
	wants(t, b.Rename("/run/deep", "/run/other"), vfs.EBUSY)
	must(t, b.WriteFile("/tmp/x", nil, 0o644))
	wants(t, b.Rename("/tmp/x", "/run/deep/down/x"), vfs.EXDEV)
	wants(t, b.Link("/tmp/x", "/run/deep/down/x"), vfs.EXDEV)
	wants(t, b.Mount("/etc/hosts", volume, "", false), vfs.ENOTDIR)

	changed, err := config.Project(noon.Add(time.Minute), 0, []vfs.Projected{{Path: "key", Data: []byte("v2"), Mode: 0o644}})
	must(t, err)
	b = again(t, b, base)
	_ = changed
	if got := b.MountOf("/run/deep/down/f"); got.Tree != "volume" || b.MountOf("/etc/x").Tree != "b" {
		t.Errorf("it is in %+v", got)
	}
	if got := read(t, b, "/etc/config/key") + read(t, b, "/etc/motd"); got != "v2v1" {
		t.Errorf("after a refresh the configuration is %q: a sub path stays as it was", got)
	}
	before := b.Trees()
	b.Release()
	for _, tree := range before {
		if tree.Name == "config" && tree.Files() != 5 { // the root, the directory, the file, two links
			t.Errorf("after it was released the volume has %d files", tree.Files())
		}
	}
}

func TestReadOnlyRoot(t *testing.T) {
	t.Parallel()
	v := newView(t)
	v.Root.ReadOnly = true
	must(t, v.Mount("/made/for/it", vfs.NewTree("volume", nil, noon), "", false))
	wants(t, v.WriteFile("/tmp/x", nil, 0o644), vfs.EROFS)
	must(t, v.WriteFile("/made/for/it/x", nil, 0o644))
	must(t, v.WriteFile("/dev/null", []byte("x"), 0o644))
}

func TestProject(t *testing.T) {
	t.Parallel()
	tree := vfs.NewTree("config", nil, noon)
	v := vfs.NewView(tree, "", noon)
	project := func(at time.Time, files ...vfs.Projected) bool {
		changed, err := tree.Project(at, 0, files)
		must(t, err)
		return changed
	}
	if !project(noon, vfs.Projected{Path: "a", Data: []byte("1"), Mode: 0o644}, vfs.Projected{Path: "d/b", Data: []byte("2"), Mode: 0o400}) {
		t.Error("nothing changed")
	}
	first, err := v.Readlink("/..data")
	must(t, err)
	if !strings.HasPrefix(first, "..2026_03_04_12_00_00.") {
		t.Errorf("..data leads to %s", first)
	}
	if got := names(t, v, "/"); got != first+" ..data a d" {
		t.Errorf("it has %s", got)
	}
	if i, _ := v.Stat("/d/b"); i.Mode != vfs.ModeRegular|0o400 {
		t.Errorf("a file is %+v", i)
	}
	if project(noon.Add(time.Hour), vfs.Projected{Path: "d/b", Data: []byte("2"), Mode: 0o400}, vfs.Projected{Path: "a", Data: []byte("1"), Mode: 0o644}) {
		t.Error("the same files are a change")
	}
	if !project(noon.Add(time.Hour), vfs.Projected{Path: "a", Data: []byte("3"), Mode: 0o644}, vfs.Projected{Path: "c", Mode: 0o644}) {
		t.Error("other files are not changes")
	}
	second, _ := v.Readlink("/..data")
	if got := names(t, v, "/"); got != second+" ..data a c" || first == second || read(t, v, "/a") != "3" {
		t.Errorf("it has %s", got)
	}
	project(noon)
	if got := names(t, v, "/"); !strings.HasSuffix(got, " ..data") {
		t.Errorf("without files it has %s", got)
	}
	for _, bad := range []string{"", "/a", "../a", "a/../../b", "..a"} {
		_, err := tree.Project(noon, 0, []vfs.Projected{{Path: bad}})
		wants(t, err, vfs.EINVAL)
	}
	must(t, v.WriteFile("/full", make([]byte, vfs.DefaultMaxBytes-2000), 0o644))
	before := names(t, v, "/")
	_, err = tree.Project(noon, 0, []vfs.Projected{{Path: "big", Data: make([]byte, 4000)}})
	wants(t, err, vfs.ENOSPC)
	if got := names(t, v, "/"); got != before {
		t.Errorf("without room it has %s", got)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tree := vfs.NewTree("small", nil, noon)
	tree.MaxBytes, tree.MaxFiles = 1000, 10
	v := vfs.NewView(tree, "", noon)
	f, err := v.Open("/f", vfs.Write|vfs.Create, 0o644)
	must(t, err)
	n, err := v.Write(f, make([]byte, 2000))
	wants(t, err, vfs.ENOSPC)
	if n != 999 || tree.Bytes() != 1000 {
		t.Errorf("%d bytes were written, the tree holds %d", n, tree.Bytes())
	}
	wants(t, v.WriteFile("/g", nil, 0o644), vfs.ENOSPC)
	must(t, v.Truncate("/f", 0))
	for i := range 8 {
		must(t, v.WriteFile("/x"+string(rune('0'+i)), nil, 0o644))
	}
	wants(t, v.WriteFile("/y", nil, 0o644), vfs.ENOSPC)
	must(t, v.Remove("/x0"))
	must(t, v.WriteFile("/y", nil, 0o644))
}

type proc map[string]vfs.Generated

func (p proc) Generate(name string) (vfs.Generated, bool) { g, ok := p[name]; return g, ok }

func TestGeneratedAndDevices(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.Mkdir("/proc", 0o555))
	v.Serve("/proc", proc{
		"/proc":        {Names: []string{"uptime", "self", "1"}},
		"/proc/uptime": {Data: []byte("12.00 3.00\n")},
		"/proc/self":   {Target: "1"},
		"/proc/1":      {Names: []string{"status"}}, "/proc/1/status": {Data: []byte("Name:\tsh\n")},
	})
	if got := read(t, v, "/proc/uptime") + read(t, v, "/proc/self/status"); got != "12.00 3.00\nName:\tsh\n" {
		t.Errorf("it reads %q", got)
	}
	if got := names(t, v, "/proc"); got != "1 self uptime" {
		t.Errorf("it has %s", got)
	}
	wants(t, v.WriteFile("/proc/uptime", nil, 0o644), vfs.EROFS)
	wants(t, v.WriteFile("/proc/new", nil, 0o644), vfs.EROFS)
	wants(t, v.Remove("/proc/uptime"), vfs.EROFS)
	wants(t, v.RemoveAll("/proc"), vfs.EROFS)
	wants(t, v.Rename("/tmp", "/proc/tmp"), vfs.EXDEV)
	wants(t, v.Link("/proc/uptime", "/tmp/u"), vfs.EXDEV)

	random := func(v *vfs.View) string {
		f, err := v.Open("/dev/urandom", vfs.ReadOnly, 0)
		must(t, err)
		p := make([]byte, 16)
		_, err = v.Read(f, p)
		must(t, err)
		return string(p)
	}
	one, two := random(v), random(v)
	w := newView(t)
	if one == two || random(w) != one || random(again(t, w, newBase(t))) != two {
		t.Error("what is random does not follow from the seed")
	}
	f, err := v.Open("/dev/stdout", vfs.Write, 0)
	must(t, err)
	if f.Device != "stdout" {
		t.Errorf("the device is %q", f.Device)
	}
	wants(t, v.WriteFile("/dev/full", []byte("x"), 0o644), vfs.ENOSPC)
}

func TestJSON_KeepsWhatIsNoText(t *testing.T) {
	t.Parallel()
	v := vfs.NewView(vfs.NewTree("t", nil, noon), "", noon)
	must(t, v.WriteFile("/\xff\xfe", []byte{0xff, 0}, 0o644))
	must(t, v.Symlink("\xfftarget", "/l"))
	must(t, v.WriteFile("/<a>", []byte("\x00&\u2028"), 0o644))
	w := again(t, v)
	if diff := cmp.Diff(names(t, v, "/"), names(t, w, "/")); diff != "" {
		t.Error(diff)
	}
	target, _ := w.Readlink("/l")
	if read(t, w, "/\xff\xfe") != "\xff\x00" || target != "\xfftarget" || read(t, w, "/<a>") != "\x00&\u2028" {
		t.Error("content is lost")
	}
}
