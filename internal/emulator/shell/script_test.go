package shell_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	_ "github.com/rowlock/rowlock/internal/emulator/program"
	_ "github.com/rowlock/rowlock/internal/emulator/shell"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// base is an image with all programs.
var base = func() *vfs.Base {
	entries := vfs.Devices()
	names := append(catalogue.Names(), "busybox", "sh", "ash", "dash", "bash", "sleep", "env", "timeout", "xargs", "nohup", "nice", "time", "kill", "ps", "nslookup", "wget", "nc", "watch")
	for _, name := range names {
		if kernel.Provided(name) != nil {
			entries = append(entries, vfs.Entry{Path: "/bin/" + name, Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary(name)})
		}
	}
	for _, dir := range []string{"/tmp", "/root", "/etc"} {
		entries = append(entries, vfs.Entry{Path: dir, Mode: vfs.ModeDir | 0o755})
	}
	b, err := vfs.NewBase("test", start, entries)
	if err != nil {
		panic(err)
	}
	return b
}()

// result is the result of a script.
type result struct {
	out, err string
	code     int // −1: it has not ended
	took     time.Duration
	steps    int64
}

// world is a kernel with one sandbox.
type world struct {
	k    *kernel.Kernel
	tree *vfs.Tree
	view *vfs.View
	log  []string // the output, with its times
	result
}

func newWorld(limits kernel.Limits) *world {
	w := &world{k: kernel.New("seed", start), tree: vfs.NewTree("root", base, start)}
	w.view = vfs.NewView(w.tree, "seed", start)
	w.code = -1
	w.k.AddSandbox(kernel.Sandbox{Name: "c", Hostname: "pod-1", FS: w.view, Limits: limits})
	w.k.Output = w.output
	return w
}

func (w *world) output(o kernel.Written) {
	w.log = append(w.log, fmt.Sprintf("%s %v %q\n", o.At.Sub(start), o.Stderr, o.Data))
	if o.Stderr {
		w.err += string(o.Data)
	} else {
		w.out += string(o.Data)
	}
}

func (w *world) spawn(args ...string) {
	env := []string{"PATH=/bin", "HOME=/root"}
	if _, err := w.k.Spawn("c", args, env, "/root", kernel.Stdio{}); err != nil {
		panic(err)
	}
}

// carry writes the state as JSON and reads it back.
func (w *world) carry() {
	state, err := json.Marshal(w.k)
	if err != nil {
		panic(err)
	}
	tree, err := json.Marshal(w.tree)
	if err != nil {
		panic(err)
	}
	view, err := json.Marshal(w.view)
	if err != nil {
		panic(err)
	}
	w.k, w.tree, w.view = &kernel.Kernel{}, &vfs.Tree{}, &vfs.View{}
	for _, r := range []struct {
		text []byte
		to   any
	}{{state, w.k}, {tree, w.tree}, {view, w.view}} {
		if err := json.Unmarshal(r.text, r.to); err != nil {
			panic(fmt.Sprintf("%v: %s", err, r.text))
		}
	}
	w.tree.SetBase(base)
	if err := w.view.Bind(func(string) *vfs.Tree { return w.tree }); err != nil {
		panic(err)
	}
	w.k.SetFS("c", w.view)
	w.k.Output = w.output
}

// run lets a span of time pass with a budget of steps, calling carry after each piece.
func (w *world) run(span time.Duration, budget, piece int64) kernel.Stop {
	for {
		n := budget - w.steps
		if piece > 0 {
			n = min(n, piece)
		}
		stop := w.k.Run(start.Add(span), kernel.Budget{Steps: n})
		w.steps += stop.Steps
		switch stop.Kind {
		case kernel.KindExit:
			if stop.Exit.PID == 1 {
				w.code, w.took = stop.Exit.Code, stop.At.Sub(start)
				return stop
			}
		case kernel.KindSpent:
			if w.steps >= budget {
				return stop
			}
			w.carry()
		default:
			return stop
		}
	}
}

// script runs a script to its end, for at most a day of cluster time.
func script(dialect, text string, args ...string) result {
	w := newWorld(kernel.Limits{})
	w.spawn(append([]string{dialect, "-c", text}, args...)...)
	w.run(24*time.Hour, 10_000_000, 0)
	return w.result
}

func (r result) String() string {
	return fmt.Sprintf("exit %d after %s\n--- stdout\n%s--- stderr\n%s", r.code, r.took.Round(time.Millisecond), r.out, r.err)
}

// imports returns the packages that a file imports.
func imports(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range parsed.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// scripts are scripts with their results in busybox' shell.
var scripts = []struct {
	script string
	out    string
	err    string
	code   int
	took   time.Duration // in whole seconds
}{
	{`echo hello; echo world`, "hello\nworld\n", "", 0, 0},
	{`for i in 1 2 "3 4"; do echo "<$i>"; done`, "<1>\n<2>\n<3 4>\n", "", 0, 0},
	{`f() { echo "f: $1 $#"; return 3; }; f 1 2; echo $?`, "f: 1 2\n3\n", "", 0, 0},
	{`echo "$(echo sub; echo x)" | cat`, "sub\nx\n", "", 0, 0},
	{`sleep 5; nosuch`, "", "sh: nosuch: not found\n", 127, 5 * time.Second},
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for _, test := range scripts {
		r := script("sh", test.script)
		if r.out != test.out || r.err != test.err || r.code != test.code || r.took.Truncate(time.Second) != test.took {
			t.Errorf("%s\n%s", test.script, r)
		}
	}
}

var rewrite = flag.Bool("rewrite", false, "write what the scripts do into testdata/scripts")

// Each file of testdata/scripts has scripts and their results in the shell that it is named after.
// They were compared with the real shells; a script says where its message differs from theirs.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"ash", "dash", "bash"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			file := "testdata/scripts/" + dialect + ".txt"
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, story := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n====\n") {
				script, want, _ := strings.Cut(story, "\n----\n")
				got := transcript(dialect, script)
				all = append(all, script+"\n----\n"+got)
				if got != want && !*rewrite {
					t.Errorf("%s\n----\n%s\n---- wanted\n%s", script, got, want)
				}
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(strings.Join(all, "\n====\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// transcript returns the result of a script in lines: its output, its errors with a mark, and its
// end unless that is 0 at once.
func transcript(dialect, text string) string {
	r := script(dialect, text)
	out := strings.TrimSuffix(r.out, "\n")
	if r.err != "" {
		out += "\n! " + strings.ReplaceAll(strings.TrimSuffix(r.err, "\n"), "\n", "\n! ")
	}
	if took := r.took.Truncate(100 * time.Millisecond); r.code != 0 || took > 0 {
		out += fmt.Sprintf("\nexit %d after %s", r.code, took)
	}
	return strings.TrimPrefix(out, "\n")
}
