package utility_test

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// patience is how long any call may take: far longer than it does, so that only a call without a
// bound exceeds it.
const patience = 2 * time.Minute

// try calls a utility as the kernel does, with bounds that a hostile script soon reaches.
func try(t *testing.T, args []string, stdin string) {
	t.Helper()
	u, ok := utility.Lookup(args[0])
	if !ok {
		return
	}
	b := newBox(t, map[string]string{"a": "one\ntwo\n", "d/b": "x:y\n", "s": "s/a/b/;N;P;D\n"})
	var out, errs bytes.Buffer
	c := &utility.Call{
		Args: args, Env: b.env, Cwd: b.cwd, FS: b.fs, Now: noon, Hostname: "h", Started: noon, Seed: "s", Umask: 0o022,
		Stdout: &out, Stderr: &errs, MaxOutput: 1 << 16, MaxSteps: 1 << 14, MaxMemory: 1 << 20,
	}
	began := time.Now()
	if u.IsStream() {
		s := u.Stream()
		next, _ := s.Chunk(c, nil, false)
		for range 200 {
			switch next {
			case utility.Again:
				next, _ = s.Chunk(c, nil, false)
			case utility.Input:
				piece := stdin[:min(len(stdin), 5)]
				stdin = stdin[len(piece):]
				next, _ = s.Chunk(c, []byte(piece), piece == "")
			case utility.Exec:
				c.Status = 0
				next, _ = s.Chunk(c, nil, false)
			}
		}
	} else {
		u.Run(c, []byte(stdin))
	}
	if took := time.Since(began); took > patience {
		t.Fatalf("%q took %s", args, took)
	}
	for _, tree := range b.fs.Trees() {
		if tree.Bytes() > vfs.DefaultMaxBytes || tree.Files() > vfs.DefaultMaxFiles {
			t.Fatalf("%q filled a tree with %d bytes and %d files", args, tree.Bytes(), tree.Files())
		}
	}
}

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
		try(t, args, stdin)
	})
}

func FuzzSed(f *testing.F) {
	for _, script := range []string{"s/a/b/", ":a;s/^/x/;ta", ":a;N;$!ba;s/\\n/,/", "1~2{h;d};G", "/a/,+2c\\\ntext", "y/ab/ba/;2q", "$!N;P;D", "s/\\(.*\\)\\n/\\1\\U&/2gp", "0,/x/{=;l}", "b", "r a"} {
		f.Add(script, "one\ntwo\n\nthree", true)
	}
	f.Fuzz(func(t *testing.T, script, stdin string, extended bool) {
		if len(script) > 4096 || len(stdin) > 4096 {
			return
		}
		args := []string{"sed", script}
		if extended {
			args = []string{"sed", "-E", "-e", script}
		}
		try(t, args, stdin)
	})
}

func FuzzAwk(f *testing.F) {
	for _, program := range []string{
		"{print $1, NF}", "BEGIN{for(i=0;i<9;i++)a[i]=i^2;for(k in a)print k,a[k]}", "/a/,/b/{gsub(/x*/,\"&-\");print}", "function f(a,b){a[1]=b;return f(a,b-1)}BEGIN{f(q,3)}",
		"{$5=\"x\";print;NF=2}END{printf \"%c%5.2f%s\",65,1/3,substr($0,-1)}", "BEGIN{RS=\"\"}{n=split($0,p,/[ab]+/);print n>\"/work/o\"}", "{x=y?z:!w~\"a\";x^=2;print x++ + ++x \"\" (1,2) in b}",
	} {
		f.Add(program, "one two\nthree  a:b\n\nfour")
	}
	f.Fuzz(func(t *testing.T, program, stdin string) {
		if len(program) > 4096 || len(stdin) > 4096 {
			return
		}
		try(t, []string{"awk", program}, stdin)
	})
}

func FuzzPrintf(f *testing.F) {
	f.Add("%s %d %5.2f\\n", "a", "1")
	f.Add("%*.*x%%%b\\0", "-3", "0x1f")
	f.Add("%999999999s", "a", "")
	f.Fuzz(func(t *testing.T, format, a, b string) {
		if len(format)+len(a)+len(b) > 4096 {
			return
		}
		try(t, []string{"printf", format, a, b}, "")
		try(t, []string{"date", "-d", a, "+" + format}, "")
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
		{[]string{"awk", "BEGIN { while (1) a[i++, \"a long key, so that memory ends before the steps do ..................................................................\"] = i }"}, "", "awk: stopped after 16384 steps\n", 1},
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
		u, ok := utility.Lookup(test.args[0])
		if !ok {
			t.Fatalf("there is no %s", test.args[0])
		}
		b := newBox(t, nil)
		var out, errs bytes.Buffer
		c := &utility.Call{Args: test.args, Cwd: b.cwd, FS: b.fs, Now: noon, Stdout: &out, Stderr: &errs, MaxOutput: 1 << 16, MaxSteps: 1 << 14, MaxMemory: 1 << 20}
		if strings.Contains(test.want, "out of memory") {
			c.MaxSteps, c.MaxMemory = 0, 1<<18
		}
		exit := 0
		if u.IsStream() {
			exit = b.stream(t, u, c, test.stdin)
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
		u, _ := utility.Lookup("echo")
		var errs bytes.Buffer
		b := newBox(t, nil)
		exit := u.Run(&utility.Call{Args: []string{"echo", "x"}, Cwd: "/", FS: b.fs, Stdout: failing{test.err}, Stderr: &errs}, nil)
		if exit != test.exit || errs.String() != test.want {
			t.Errorf("with %v: exit code %d and %q, want %d and %q", test.err, exit, errs.String(), test.exit, test.want)
		}
	}
}

// The package imports nothing that can reach the host.
func TestImports(t *testing.T) {
	t.Parallel()
	forbidden := []string{"os", "net", "syscall", "unsafe", "plugin", "runtime", "path/filepath", "io/ioutil", "crypto/rand", "math/rand", "time/tzdata", "golang.org/x/sys", "log", "testing"}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			seen++
			name, _ := strconv.Unquote(spec.Path.Value)
			below := func(f string) bool {
				return name == f || strings.HasPrefix(name, f+"/") && name != "math/rand/v2" && name != "net/netip"
			}
			ours := strings.HasSuffix(name, "/internal/emulator/vfs") || strings.HasSuffix(name, "/internal/emulator/regex")
			if slices.ContainsFunc(forbidden, below) || strings.Contains(name, ".") && !ours {
				t.Errorf("%s imports %s", file.Name(), name)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d imports were seen", seen)
	}
}

// Every utility refuses an option that it does not have.
func TestUnknownOptions(t *testing.T) {
	t.Parallel()
	free := []string{"true", "false", ":", "echo", "test", "[", "expr", "printf", "dd", "find", "factor", "awk", "gawk", "mawk", "seq"}
	for _, name := range utility.Names() {
		if slices.Contains(free, name) {
			continue
		}
		b := newBox(t, nil)
		got := b.run(t, "", name, "--no-such-option", "a", "b", "c")
		if got.Exit == 0 || !strings.Contains(got.Err, "unrecognized option: no-such-option") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
