package kernel_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Actor is a program that does what its test says, one act in each step.
type Actor struct {
	Do []Act
}

// Act is one thing that an Actor does.
type Act struct {
	Kind string
	Text kernel.Text
	N    int
	For  time.Duration
}

func init() {
	kernel.Register("actor", &Actor{})
	kernel.Provide("actor", func([]string) kernel.Program { return &Actor{} })
}

// Step implements kernel.Program.
func (a *Actor) Step(p *kernel.Process) kernel.Wait {
	if sig, ok := p.TakeSignal(); ok {
		_, _ = p.Write(1, []byte("got "+sig.String()+"\n"))
		return kernel.Done(7)
	}
	if len(a.Do) == 0 {
		return kernel.Done(0)
	}
	act := a.Do[0]
	switch act.Kind {
	case "spin":
		return kernel.Wait{}
	case "panic":
		panic("oh")
	case "pause":
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case "take":
		p.Use(int64(act.N))
		return kernel.Wait{}
	case "fork":
		if _, err := p.Fork(&Actor{Do: a.Do}); err != nil {
			_, _ = p.Write(2, []byte("fork: "+err.Error()+"\n"))
			a.Do = []Act{{Kind: "pause"}}
		}
		return kernel.Wait{}
	case "child":
		if _, err := p.Fork(&Actor{Do: a.Do[1:]}); err != nil {
			return kernel.Done(1)
		}
		a.Do = []Act{{Kind: "pause"}}
		return kernel.Wait{}
	}
	a.Do = a.Do[1:]
	switch act.Kind {
	case "print":
		_, _ = p.Write(1, []byte(act.Text))
	case "replace":
		if p.Replace(string(act.Text)) {
			return kernel.Wait{}
		}
		_, _ = p.Write(1, []byte("no stand-in\n"))
	case "handle":
		p.Handle(kernel.Signal(act.N))
	case "kill":
		p.Signal(act.N, kernel.SIGTERM)
	case "sleep":
		return kernel.Wait{For: kernel.Time, Until: p.In(act.For)}
	case "exit":
		return kernel.Done(act.N)
	case "ask":
		return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: act.Text})
	case "answer":
		_, _ = p.Write(1, []byte(strings.Join(p.Answer().Addresses, ",")+string(p.Answer().Outcome)+"\n"))
	}
	return kernel.Wait{}
}

func newKernel(t *testing.T, limits kernel.Limits, do ...Act) (*kernel.Kernel, *strings.Builder) {
	t.Helper()
	view := vfs.NewView(vfs.NewTree("root", nil, start), "", start)
	if err := view.WriteFile("/actor", kernel.Binary("actor"), 0o755); err != nil {
		t.Fatal(err)
	}
	k := kernel.New("seed", start)
	var out strings.Builder
	k.Output = func(w kernel.Written) { out.Write(w.Data) }
	k.AddSandbox(kernel.Sandbox{Name: "c", FS: view, Limits: limits})
	begin(t, k, do...)
	return k, &out
}

func begin(t *testing.T, k *kernel.Kernel, do ...Act) int {
	t.Helper()
	pid, err := k.Spawn("c", []string{"/actor"}, nil, "/", kernel.Stdio{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range k.Processes {
		if p.PID == pid {
			p.Run.Program = &Actor{Do: do}
		}
	}
	return pid
}

func run(k *kernel.Kernel, d time.Duration) kernel.Stop {
	return k.Run(start.Add(d), kernel.Budget{Steps: 100_000})
}

// pid 1 ignores signals that it does not handle, except for KILL from outside.
func TestSignal_ToTheMainProcess(t *testing.T) {
	t.Parallel()
	k, _ := newKernel(t, kernel.Limits{}, Act{Kind: "pause"})
	run(k, time.Second)
	k.Signal("c", 1, kernel.SIGTERM)
	if stop := run(k, time.Second); stop.Kind != kernel.KindQuiet {
		t.Fatalf("TERM without a handler: %+v", stop)
	}
	k.Advance(start.Add(30 * time.Second))
	k.Signal("c", 1, kernel.SIGKILL)
	if stop := run(k, time.Minute); stop.Kind != kernel.KindExit || stop.Exit.Code != 137 || !stop.At.Equal(start.Add(30*time.Second)) {
		t.Fatalf("KILL: %+v", stop)
	}
	k, out := newKernel(t, kernel.Limits{}, Act{Kind: "handle", N: 15}, Act{Kind: "pause"})
	run(k, time.Second)
	k.Signal("c", 1, kernel.SIGTERM)
	if stop := run(k, time.Second); stop.Kind != kernel.KindExit || stop.Exit.Code != 7 || out.String() != "got TERM\n" {
		t.Fatalf("TERM with a handler: %+v, %q", stop, out)
	}
}

// When pid 1 ends, all other processes of its sandbox end, including those executed later.
func TestEnd_OfTheMainProcess(t *testing.T) {
	t.Parallel()
	k, _ := newKernel(t, kernel.Limits{}, Act{Kind: "sleep", For: time.Second}, Act{Kind: "exit", N: 4})
	begin(t, k, Act{Kind: "child"}, Act{Kind: "pause"})
	first, second := run(k, time.Minute), run(k, time.Minute)
	if first.Exit.PID != 1 && second.Exit.PID != 1 || first.Exit.Code+second.Exit.Code != 4+137 {
		t.Fatalf("%+v %+v", first, second)
	}
	if stop := run(k, time.Minute); stop.Kind != kernel.KindQuiet || len(k.Processes) != 0 || len(k.Opens) != 0 {
		t.Fatalf("%+v, %d processes and %d open files are left", stop, len(k.Processes), len(k.Opens))
	}
	if _, err := k.Spawn("c", []string{"/actor"}, nil, "/", kernel.Stdio{}); !errors.Is(err, kernel.ErrEnded) {
		t.Fatal(err)
	}
}

// A program that panics ends alone.
func TestPanic(t *testing.T) {
	t.Parallel()
	k, out := newKernel(t, kernel.Limits{}, Act{Kind: "panic"})
	if stop := run(k, time.Minute); stop.Kind != kernel.KindExit || stop.Exit.Code != 134 || out.String() != "rowlock: the program has failed: oh\n" {
		t.Fatalf("%+v %q", stop, out)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	k, out := newKernel(t, kernel.Limits{Processes: 10}, Act{Kind: "fork"})
	stop := run(k, time.Minute)
	if len(k.Processes) != 10 || !strings.Contains(out.String(), "fork: Resource temporarily unavailable\n") {
		t.Fatalf("%+v %d %q", stop, len(k.Processes), out)
	}
	k, _ = newKernel(t, kernel.Limits{Bytes: 1000}, Act{Kind: "take", N: 300})
	if stop := run(k, time.Minute); stop.Kind != kernel.KindExit || stop.Exit.Code != 137 || !stop.Exit.OOM {
		t.Fatalf("%+v", stop)
	}
}

// An endless loop costs some millions of steps for a day, and its CPU is fast again after a rest.
func TestBusy(t *testing.T) {
	t.Parallel()
	k, _ := newKernel(t, kernel.Limits{}, Act{Kind: "spin"})
	stop := k.Run(start.Add(24*time.Hour), kernel.Budget{Steps: 1 << 40})
	if stop.Kind != kernel.KindUntil || stop.Steps > 3_000_000 {
		t.Fatalf("%+v", stop)
	}
	again := k.Run(start.Add(48*time.Hour), kernel.Budget{Steps: 1 << 40})
	if again.Steps > 300_000 {
		t.Fatalf("a second day: %+v", again)
	}
	if stop := k.Run(start.Add(72*time.Hour), kernel.Budget{Steps: 5}); stop.Kind != kernel.KindSpent || stop.Steps != 5 {
		t.Fatalf("%+v", stop)
	}
}

// A query blocks only the process that asks. Its answer comes at the query's own instant or later.
func TestQuery(t *testing.T) {
	t.Parallel()
	k, out := newKernel(t, kernel.Limits{}, Act{Kind: "ask", Text: "db"}, Act{Kind: "answer"})
	begin(t, k, Act{Kind: "sleep", For: time.Second}, Act{Kind: "print", Text: "other\n"})
	stop := run(k, time.Minute)
	if stop.Kind != kernel.KindQuery || stop.Query.Name != "db" {
		t.Fatalf("%+v", stop)
	}
	if stop := run(k, time.Minute); stop.Kind != kernel.KindExit || stop.Exit.PID != 2 || out.String() != "other\n" {
		t.Fatalf("%+v %q", stop, out)
	}
	k.Advance(start.Add(5 * time.Second))
	if err := k.Answer(stop.Query.ID, kernel.Answer{Addresses: []string{"10.0.0.1"}, Took: time.Second}); err != nil {
		t.Fatal(err)
	}
	if err := k.Answer(stop.Query.ID, kernel.Answer{}); !errors.Is(err, kernel.ErrQuery) {
		t.Fatal(err)
	}
	if stop := run(k, time.Minute); stop.Kind != kernel.KindExit || stop.At.Sub(start).Truncate(time.Second) != 6*time.Second || out.String() != "other\n10.0.0.1\n" {
		t.Fatalf("%+v %q", stop, out)
	}
}

func TestSpawn_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	k, _ := newKernel(t, kernel.Limits{}, Act{Kind: "pause"})
	fs := k.Sandbox("c").FS
	if err := fs.WriteFile("/text", []byte("hello"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := fs.WriteFile("/plain", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := fs.Mkdir("/dir", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"nosuch":  `exec: "nosuch": executable file not found in $PATH`,
		"/nosuch": `exec: "/nosuch": stat /nosuch: no such file or directory`,
		"/dir":    `exec: "/dir": is a directory`,
		"/plain":  `exec: "/plain": permission denied`,
		"/text":   `exec /text: exec format error`,
	} {
		if _, err := k.Spawn("c", []string{name}, nil, "/", kernel.Stdio{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := k.Spawn("c", []string{"/actor"}, nil, "/nosuch", kernel.Stdio{}); err == nil || !strings.Contains(err.Error(), "chdir to cwd") {
		t.Error(err)
	}
	if _, err := k.Spawn("x", nil, nil, "", kernel.Stdio{}); !errors.Is(err, kernel.ErrSandbox) {
		t.Error(err)
	}
}

// Text of any bytes survives JSON.
func TestText(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "plain", "\x00\xff", "é\xe9"} {
		text, err := json.Marshal(kernel.Texts{s, "x"})
		if err != nil {
			t.Fatal(err)
		}
		var back kernel.Texts
		if err := json.Unmarshal(text, &back); err != nil || back[0] != s {
			t.Errorf("%q became %q by %s: %v", s, back, text, err)
		}
	}
	var bad kernel.Text
	if err := json.Unmarshal([]byte(`["YQ==","YQ=="]`), &bad); err == nil {
		t.Error("a text of two")
	}
}
