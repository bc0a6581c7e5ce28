package utility_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// noon is the time in the tests.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// box is a container to call utilities in.
type box struct {
	fs  *vfs.View
	cwd string
	env map[string]string
	gnu bool
	uid int
}

// newBox returns a box with files by path; a path with a slash at the end is a directory.
func newBox(t testing.TB, files map[string]string) *box {
	t.Helper()
	entries := append(vfs.Devices(),
		vfs.Entry{Path: "/etc/passwd", Data: []byte("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n")},
		vfs.Entry{Path: "/etc/group", Data: []byte("root:x:0:root\nnobody:x:65534:\n")},
		vfs.Entry{Path: "/tmp", Mode: vfs.ModeDir | vfs.ModeSticky | 0o777},
		vfs.Entry{Path: "/work", Mode: vfs.ModeDir | 0o755},
	)
	base, err := vfs.NewBase("test", noon.Add(-24*time.Hour), entries)
	if err != nil {
		t.Fatal(err)
	}
	b := &box{fs: vfs.NewView(vfs.NewTree("root", base, noon), "seed", noon), cwd: "/work", env: map[string]string{"HOME": "/root"}}
	for name, text := range files {
		if !strings.HasPrefix(name, "/") {
			name = "/work/" + name
		}
		if dir := name[:strings.LastIndexByte(name, '/')]; dir != "" {
			if err := b.fs.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasSuffix(name, "/") {
			if err := b.fs.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

// outcome is the result of a call.
type outcome struct {
	Out  string
	Err  string
	Exit int
}

// run calls a utility. A Stream gets its input in small pieces, and its state goes through JSON
// between them.
func (b *box) run(t testing.TB, stdin string, args ...string) outcome {
	t.Helper()
	u, ok := utility.Lookup(args[0])
	if !ok {
		t.Fatalf("there is no %s", args[0])
	}
	var out, errs bytes.Buffer
	c := &utility.Call{
		Args: args, Env: b.env, Cwd: b.cwd, FS: b.fs, Now: noon, Hostname: "web-0", IP: "10.244.0.7", UID: b.uid, GID: b.uid, Umask: 0o022,
		Started: noon.Add(-100 * time.Hour), Seed: "seed", GNU: b.gnu, Stdout: &out, Stderr: &errs,
	}
	exit := 0
	if u.IsStream() {
		exit = b.stream(t, u, c, stdin)
	} else {
		exit = u.Run(c, []byte(stdin))
	}
	return outcome{out.String(), errs.String(), exit}
}

func (b *box) stream(t testing.TB, u utility.Utility, c *utility.Call, stdin string) int {
	t.Helper()
	s := u.Stream()
	next, exit := s.Chunk(c, nil, false)
	for range 1_000_000 {
		state, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		s = u.Stream()
		if err := json.Unmarshal(state, s); err != nil {
			t.Fatal(err)
		}
		switch next {
		case utility.Done:
			return exit
		case utility.Again:
			next, exit = s.Chunk(c, nil, false)
		case utility.Input:
			piece := stdin[:min(len(stdin), 7)]
			stdin = stdin[len(piece):]
			next, exit = s.Chunk(c, []byte(piece), piece == "")
		case utility.Exec:
			if child, ok := utility.Lookup(c.Child[0]); ok && !child.IsStream() {
				d := *c
				d.Args = c.Child
				c.Status = child.Run(&d, nil)
			} else {
				c.Status = 127
			}
			next, exit = s.Chunk(c, nil, false)
		}
	}
	t.Fatal("it does not end")
	return 0
}

// row is one call and its result. Err is compared only if it is given or the exit code is 0.
type row struct {
	args  string // split at blanks, unless argv is given
	argv  []string
	stdin string
	files map[string]string
	gnu   bool
	uid   int
	want  string
	err   string
	exit  int
	after map[string]string // files and their content afterwards; "-" for none
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for i, r := range rows {
		argv := r.argv
		if argv == nil {
			argv = strings.Fields(r.args)
		}
		t.Run(fmt.Sprintf("%d %s", i, strings.Join(argv, " ")), func(t *testing.T) {
			t.Parallel()
			b := newBox(t, r.files)
			b.gnu, b.uid = r.gnu, r.uid
			got := b.run(t, r.stdin, argv...)
			want := outcome{r.want, r.err, r.exit}
			if r.err == "" && r.exit != 0 {
				want.Err = got.Err
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for name, text := range r.after {
				data, err := b.fs.ReadFile("/work/" + name)
				switch {
				case err != nil && text != "-":
					t.Errorf("%s: %v", name, err)
				case err == nil && string(data) != text:
					t.Errorf("%s has %q, want %q", name, data, text)
				}
			}
		})
	}
}

func TestEcho(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{args: "echo a  b", want: "a b\n"},
		{args: "echo -n a", want: "a"},
		{args: `echo -e a\tb\0101\x41\n`, want: "a\tbAA\n\n"},
		{args: `echo -ne a\cb`, want: "a"},
		{args: `echo a\tb`, want: "a\\tb\n"},
		{args: "echo -x -n", want: "-x -n\n"},
		{args: "echo -", want: "-\n"},
		{args: "echo", want: "\n"},
		{args: `echo -e \q\`, want: "\\q\\\n"},
	})
}

func TestCat(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "one\n\n\ntwo", "b": "\x00\t\xc3\x7f\n"}
	check(t, []row{
		{args: "cat", stdin: "hello world, how\nare you", want: "hello world, how\nare you"},
		{args: "cat a - b", files: files, stdin: "in\n", want: "one\n\n\ntwoin\n\x00\t\xc3\x7f\n"},
		{args: "cat -n a", files: files, want: "     1\tone\n     2\t\n     3\t\n     4\ttwo"},
		{args: "cat -b a", files: files, want: "     1\tone\n\n\n     2\ttwo"},
		{args: "cat -A b", files: files, want: "^@^IM-C^?$\n"},
		{args: "cat -s a", files: files, want: "one\n\ntwo"},
		{args: "cat no a", files: files, want: "one\n\n\ntwo", err: "cat: can't open 'no': No such file or directory\n", exit: 1},
		{args: "cat no", gnu: true, err: "cat: no: No such file or directory\n", exit: 1},
		{args: "cat .", err: "cat: read error: Is a directory\n", exit: 1},
		{args: "cat -q", err: "cat: unrecognized option: q\n", exit: 1},
		{args: "cat /dev/stdin", stdin: "x", want: "x"},
		{args: "cat /dev/null"},
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "text", "d/e/f": "x"}
	check(t, []row{
		{args: "rm a", files: files, after: map[string]string{"a": "-", "d/e/f": "x"}},
		{args: "rm d", files: files, err: "rm: 'd' is a directory\n", exit: 1},
		{args: "rm -rf d no", files: files, after: map[string]string{"d/e/f": "-"}},
		{args: "rm no", err: "rm: can't remove 'no': No such file or directory\n", exit: 1},
		{args: "rm no", gnu: true, err: "rm: cannot remove 'no': No such file or directory\n", exit: 1},
		{args: "rm", exit: 1},
		{args: "rm -f"},
		{args: "rmdir d", files: files, err: "rmdir: 'd': Directory not empty\n", exit: 1},
		{args: "mkdir x", after: map[string]string{}},
		{args: "mkdir x/y", err: "mkdir: can't create directory 'x/y': No such file or directory\n", exit: 1},
		{args: "mkdir -p x/y d/e", files: files},
		{args: "mkdir a", files: files, gnu: true, err: "mkdir: cannot create directory 'a': File exists\n", exit: 1},
		{args: "touch a b", files: files, after: map[string]string{"a": "text", "b": ""}},
		{args: "touch -c b", after: map[string]string{"b": "-"}},
		{args: "touch /etc/x", uid: 1000, err: "touch: /etc/x: Permission denied\n", exit: 1},
		{args: "touch x/y", err: "touch: x/y: No such file or directory\n", exit: 1},
	})
}

func TestLs(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "text", ".h": "", "d/e/f": "x"}
	check(t, []row{
		{args: "ls", files: files, want: "a\nd\n"},
		{args: "ls -A", files: files, want: ".h\na\nd\n"},
		{args: "ls -a", files: files, want: ".\n..\n.h\na\nd\n"},
		{args: "ls -R", files: files, want: ".:\na\nd\n\n./d:\ne\n\n./d/e:\nf\n"},
		{args: "ls -r a d", files: files, want: "a\n\nd:\ne\n"},
		{args: "ls -ld a d", files: files, want: "-rw-r--r--    1 root     root             4 Mar  4 12:00 a\n" +
			"drwxr-xr-x    3 root     root          4096 Mar  4 12:00 d\n"},
		{args: "ls -l", gnu: true, files: files, want: "total 8\n-rw-r--r-- 1 root root    4 Mar  4 12:00 a\ndrwxr-xr-x 3 root root 4096 Mar  4 12:00 d\n"},
		{args: "ls no", err: "ls: no: No such file or directory\n", exit: 1},
		{args: "ls no", gnu: true, err: "ls: cannot access 'no': No such file or directory\n", exit: 2},
	})
}
