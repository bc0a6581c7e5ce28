package vfs_test

import (
	"encoding/json"
	"errors"
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
			t.Errorf("tree %s holds %d bytes and %d files after JSON, %d and %d before",
				old.Name, fresh.Bytes(), fresh.Files(), old.Bytes(), old.Files())
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
		t.Errorf("the reason for ENOENT is %q", got)
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

// TestJSON_KeepsWhatIsNoText: names, targets and contents survive JSON even if they are not UTF-8.
func TestJSON_KeepsWhatIsNoText(t *testing.T) {
	t.Parallel()
	v := vfs.NewView(vfs.NewTree("t", nil, noon), "", noon)
	must(t, v.WriteFile("/\xff\xfe", []byte{0xff, 0}, 0o644))
	must(t, v.Symlink("\xfftarget", "/l"))
	must(t, v.WriteFile("/<a>", []byte("\x00&\u2028"), 0o644))
	w := again(t, v)
	if diff := cmp.Diff(names(t, v, "/"), names(t, w, "/")); diff != "" {
		t.Errorf("names (-before +after):\n%s", diff)
	}
	target, _ := w.Readlink("/l")
	if read(t, w, "/\xff\xfe") != "\xff\x00" || target != "\xfftarget" || read(t, w, "/<a>") != "\x00&\u2028" {
		t.Error("JSON changed a content or a target")
	}
}
