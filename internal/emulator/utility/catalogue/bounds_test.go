package catalogue_test

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// No arguments and no input make a utility panic, run for ever or exceed its limits.
func FuzzUtility(f *testing.F) {
	for _, line := range []string{
		"echo -e \\x", "cat -A a -", "ls -lR /", "find . -exec cat {} ;", "sed s/a*/&&/g a", "grep -E (a|b)+ a", "printf %-*s 5 a", "sort -k1.2,3nr a",
		"cut -d: -f1-,3 d/b", "tr a-z [x*3]", "dd if=/dev/zero of=z bs=1M count=100", "date -d @99999999999", "seq 1 0.1 1000000000", "expr a : \\(b\\)",
		"test ( a = b -o", "tail -n +3 a", "head -n -1 a", "diff a d/b", "cp -r d e", "chmod u+s,g=u a", "tar czf x.tgz a d", "awk {print} a",
		"od -t x1 a", "base64 -d a", "sha256sum -c a", "fold -w 1 a", "truncate -s 1T a", "yes", "cat /dev/zero", "wc /dev/urandom", "factor 99999999999999999", "join a a",
	} {
		f.Add(line, "some\ninput\x00\xff")
	}
	f.Fuzz(func(t *testing.T, line, stdin string) {
		args := strings.Fields(line)
		if len(args) == 0 || len(line) > 4096 || len(stdin) > 4096 {
			return
		}
		utilitytest.Try(t, args, stdin)
	})
}

// An endless script ends with a message.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args  []string
		stdin string
		want  string
		exit  int
	}{
		{[]string{"sed", ":a;s/.*/&&/;ta"}, "x\n", "sed: out of memory\n", 1},
		{[]string{"sed", ":a;G;h;ba"}, "xxxxxxxx\n", "sed: out of memory\n", 1},
		{[]string{"grep", strings.Repeat("a", 9000)}, "", "", 2},
		{[]string{"grep", "-E", "((a{1,999}){1,999}){1,999}"}, "", "", 2},
		{[]string{"awk", "BEGIN { while (1) ; }"}, "", "awk: stopped after 16384 steps\n", 1},
		{[]string{"awk", "BEGIN { s = \"xx\"; while (1) s = s s }"}, "", "awk: out of memory\n", 1},
		{
			[]string{
				"awk",
				"BEGIN { while (1) a[i++, \"a long key, so that memory ends before the steps do " +
					"..................................................................\"] = i }",
			},
			"", "awk: stopped after 16384 steps\n", 1,
		},
		{[]string{"awk", "function f(x) { return f(x + 1) } BEGIN { f(1) }"}, "", "awk: functions call each other too deeply\n", 2},
		{[]string{"awk", "{ $99999999 = 1 }"}, "x\n", "awk: access to field 9.9999999e+07\n", 2},
		{[]string{"awk", "BEGIN { " + strings.Repeat("(", 600) + "1"}, "", "awk: program too deep\n", 2},
		{[]string{"awk", "BEGIN { system(\"x\") }"}, "", "awk: system is not emulated\n", 2},
		{[]string{"printf", "%99999d", "1"}, "", "printf: 99999: field too wide\n", 1},
		{[]string{"head", "-n", "-1", "/dev/zero"}, "", "head: out of memory\n", 1},
		{[]string{"sort", "/dev/zero"}, "", "sort: /dev/zero: File too large\n", 2},
		{[]string{"dd", "if=/dev/zero", "of=x", "bs=1M", "count=100", "status=none"}, "", "dd: error writing 'x': No space left on device\n", 1},
		{[]string{"truncate", "-s", "1T", "x"}, "", "truncate: x: No space left on device\n", 1},
	} {
		u, ok := catalogue.Lookup(test.args[0])
		if !ok {
			t.Fatalf("there is no %s", test.args[0])
		}
		b := utilitytest.New(t, nil)
		var out, errs bytes.Buffer
		c := &utility.Call{Args: test.args, Cwd: b.Cwd, FS: b.FS, Now: utilitytest.Noon, Stdout: &out, Stderr: &errs, MaxOutput: 1 << 16, MaxSteps: 1 << 14, MaxMemory: 1 << 20}
		if strings.Contains(test.want, "out of memory") {
			c.MaxSteps, c.MaxMemory = 0, 1<<18
		}
		exit := 0
		if u.IsStream() {
			exit = b.Drive(t, u, c, test.stdin)
		} else {
			exit = u.Run(c, []byte(test.stdin))
		}
		if exit != test.exit || test.want != "" && errs.String() != test.want {
			t.Errorf("%.60q: exit code %d and %q, want %d and %q", test.args, exit, errs.String(), test.exit, test.want)
		}
	}
}

// failing is an output whose writes fail.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
		exit int
	}{
		{vfs.EPIPE, "", 141},
		{vfs.ENOSPC, "echo: write error: No space left on device\n", 1},
		{errors.New("other"), "echo: write error: other\n", 1},
	} {
		u, _ := catalogue.Lookup("echo")
		var errs bytes.Buffer
		b := utilitytest.New(t, nil)
		exit := u.Run(&utility.Call{Args: []string{"echo", "x"}, Cwd: "/", FS: b.FS, Stdout: failing{test.err}, Stderr: &errs}, nil)
		if exit != test.exit || errs.String() != test.want {
			t.Errorf("with %v: exit code %d and %q, want %d and %q", test.err, exit, errs.String(), test.exit, test.want)
		}
	}
}

// The utilities import nothing that can reach the host.
func TestImports(t *testing.T) {
	t.Parallel()
	forbidden := []string{"os", "net", "syscall", "unsafe", "plugin", "runtime", "path/filepath", "io/ioutil", "crypto/rand", "math/rand", "time/tzdata", "golang.org/x/sys", "log", "testing"}
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range append(files, below...) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../utilitytest/") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			seen++
			name, _ := strconv.Unquote(spec.Path.Value)
			below := func(f string) bool {
				return name == f || strings.HasPrefix(name, f+"/") && name != "math/rand/v2" && name != "net/netip"
			}
			ours := strings.HasSuffix(name, "/internal/emulator/vfs") || strings.HasSuffix(name, "/internal/emulator/regex") || strings.Contains(name+"/", "/internal/emulator/utility/")
			if slices.ContainsFunc(forbidden, below) || strings.Contains(name, ".") && !ours {
				t.Errorf("%s imports %s", file, name)
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d imports were seen", seen)
	}
}

// Every utility refuses an option that it does not have.
func TestUnknownOptions(t *testing.T) {
	t.Parallel()
	free := []string{"true", "false", ":", "echo", "test", "[", "expr", "printf", "dd", "find", "factor", "awk", "gawk", "mawk", "seq"}
	for _, name := range catalogue.Names() {
		if slices.Contains(free, name) {
			continue
		}
		b := utilitytest.New(t, nil)
		got := b.Run(t, "", name, "--no-such-option", "a", "b", "c")
		if got.Exit == 0 || !strings.Contains(got.Err, "unrecognized option: no-such-option") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
