package emulator

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	_ "github.com/rowlock/rowlock/internal/emulator/program"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

const uid = "11111111-1111-1111-1111-111111111111"

// bases has one image, whose commands are in /bin.
type bases struct{ base *vfs.Base }

func (b bases) Base(name string) *vfs.Base {
	if name == b.base.Name() {
		return b.base
	}
	return nil
}

func box(t *testing.T) bases {
	t.Helper()
	entries := []vfs.Entry{{Path: "/tmp", Mode: vfs.ModeDir | 0o1777}, {Path: "/etc/passwd", Data: []byte("root:x:0:0:root:/root:/bin/sh\n")}}
	for _, name := range strings.Fields("sh sleep echo cat touch rm test true false date mkdir ls head wc printf env id hostname nslookup wget kill") {
		entries = append(entries, vfs.Entry{Path: "/bin/" + name, Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary(name)})
	}
	b, err := vfs.NewBase("box", noon, entries)
	if err != nil {
		t.Fatal(err)
	}
	return bases{b}
}

// pod is a machine that is encoded and decoded at every stop; its events are recorded.
type pod struct {
	t      *testing.T
	m      *machine
	images bases
	story  []string
}

func begin(t *testing.T) *pod {
	t.Helper()
	p := &pod{t: t, m: newMachine(uid, 2, 2, noon), images: box(t)}
	if err := p.m.Identify(Identity{Hostname: "web-1", IP: "10.1.0.2", Hosts: "127.0.0.1\tlocalhost\n10.1.0.2\tweb-1\n", HostnameFile: "web-1\n", Resolv: "nameserver 10.96.0.10\n"}); err != nil {
		t.Fatal(err)
	}
	return p
}

// start starts a container now.
func (p *pod) start(name string, change func(*Spec), argv ...string) error {
	p.t.Helper()
	s := Spec{Name: name, ID: name + "-1", Base: p.images.base, Argv: argv, Env: []string{"PATH=/bin"}, TerminationPath: "/dev/termination-log"}
	if change != nil {
		change(&s)
	}
	return p.m.Start(p.m.Now(), s)
}

// run lets time pass until a duration after noon.
func (p *pod) run(until time.Duration) {
	p.t.Helper()
	for range 1000 {
		stop := p.m.Run(noon.Add(until), 50_000)
		for _, n := range p.m.Take() {
			p.story = append(p.story, p.line(n))
		}
		b, err := p.m.Encode()
		if err != nil {
			p.t.Fatal(err)
		}
		if p.m, err = decode(b, p.images); err != nil {
			p.t.Fatal(err)
		}
		switch stop.Kind {
		case StopAsked:
			return
		case StopUntil:
			p.m.Kernel.Advance(noon.Add(until))
			return
		}
	}
	p.t.Fatalf("the machine does not come to %s", until)
}

func (p *pod) line(n News) string {
	words := map[NewsKind]string{NewsStarted: "started", NewsReady: "ready", NewsUnready: "unready", NewsUnhealthy: "unhealthy", NewsSick: "sick",
		NewsPosted: "posted", NewsPostError: "post-error", NewsStopError: "stop-error", NewsPlain: "plain", NewsReplaced: "replaced"}
	text := fmt.Sprintf("%s %s ", n.At.Sub(noon).Truncate(time.Millisecond), n.Container)
	switch n.Kind {
	case NewsExited:
		r := p.m.Container(n.Container).Run
		text += fmt.Sprintf("exited(%d)", r.ExitCode)
		if r.Message != "" {
			text += " " + r.Message
		}
	default:
		text += words[n.Kind]
	}
	if n.Message != "" {
		text += " " + n.Message
	}
	return strings.TrimSpace(text)
}

func (p *pod) want(want ...string) {
	p.t.Helper()
	if diff := cmp.Diff(want, p.story); diff != "" {
		p.t.Errorf("story (-want +got):\n%s", diff)
	}
}

// TestRunsAndEnds runs a program to its end, and tries to run one that does not exist.
func TestRunsAndEnds(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if err := p.start("c", nil, "sleep", "5"); err != nil {
		t.Fatal(err)
	}
	var refused *StartError
	err := p.start("d", nil, "nope", "5")
	if !errors.As(err, &refused) || !strings.HasSuffix(refused.Reason, `exec: "nope": executable file not found in $PATH`) {
		t.Errorf("error %v", err)
	}
	if r := p.m.Container("d").Run; r.ExitCode != 128 || r.Live != nil || r.Ended.IsZero() {
		t.Errorf("run %+v", r)
	}
	if stop := p.m.Run(noon.Add(time.Second), 1000); stop.Kind != StopUntil || !stop.At.Equal(noon.Add(5*time.Second)) {
		t.Errorf("stop %+v", stop)
	}
	p.run(time.Minute)
	p.want("5s c exited(0)")
	if p.m.Live() || len(p.m.Kernel.Processes) > 0 || len(p.m.Trees) != 3 {
		t.Errorf("something is left: %+v", p.m)
	}
}

// TestTerminate tells containers to stop.
func TestTerminate(t *testing.T) {
	t.Parallel()
	clean := func(s *Spec) { s.Opaque = &Opaque{Forever: true} }
	slow := func(s *Spec) { s.Opaque = &Opaque{Forever: true, StopTime: 7 * time.Second, TermCode: 143} }
	deaf := func(s *Spec) { s.Opaque = &Opaque{Forever: true, IgnoresTerm: true} }
	hook := func(change func(*Spec), a Action) func(*Spec) {
		return func(s *Spec) { change(s); s.PreStop = &a }
	}
	tests := []struct {
		name   string
		change func(*Spec)
		want   []string
	}{
		{"at once", clean, []string{"1m0s c exited(0)"}},
		{"slowly", slow, []string{"1m7s c exited(143)"}},
		{"by KILL", deaf, []string{"1m30s c exited(137)"}},
		{"a hook that sleeps", hook(clean, Action{Sleep: 10 * time.Second}), []string{"1m10s c exited(0)"}},
		{"a hook that is a command", hook(clean, Action{Exec: []string{"sleep", "10"}}), []string{"1m10s c exited(0)"}},
		{"a hook that fails", hook(clean, Action{Exec: []string{"sleep", "x"}}), []string{"1m0s c stop-error", "1m0s c exited(0)"}},
		{"a hook that is not there", hook(clean, Action{Exec: []string{"nope"}}), []string{
			`1m0s c stop-error rpc error: code = Unknown desc = failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: ` +
				`unable to start container process: exec: "nope": executable file not found in $PATH`, "1m0s c exited(0)"}},
		{"a hook that never ends", hook(clean, Action{Exec: []string{"sleep", "infinity"}}), []string{"1m30s c exited(0)"}},
		{"and then KILL", hook(deaf, Action{Exec: []string{"sleep", "infinity"}}), []string{"1m32s c exited(137)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := begin(t)
			if err := p.start("c", tt.change, "/app"); err != nil {
				t.Fatal(err)
			}
			p.run(time.Minute)
			p.m.Terminate(noon.Add(time.Minute), "c", 30*time.Second)
			p.run(10 * time.Minute)
			p.want(tt.want...)
		})
	}
}

// TestOpaque_OnAReadOnlyRoot starts a program that is not known on a root that cannot be written
// to: the program runs and answers, commands see a read-only root, and files that exist, in the
// image or in a volume, stay as they are.
func TestOpaque_OnAReadOnlyRoot(t *testing.T) {
	t.Parallel()
	for _, argv := range []string{"", "app", "/app", "/srv/app/bin/run", "/bin/sh", "/data/run", "/data/new"} {
		t.Run(argv, func(t *testing.T) {
			t.Parallel()
			p := begin(t)
			p.m.Empty(noon, "data", 0)
			volume := vfs.NewView(p.m.Volumes["data"].Tree, "", noon)
			if err := volume.WriteFile("/run", []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
			err := p.start("c", func(s *Spec) {
				s.Opaque, s.ReadOnlyRoot = &Opaque{Forever: true}, true
				s.Mounts = []Mount{{Path: "/data", Volume: "data"}}
				s.Readiness = &Probe{Action: Action{Exec: []string{"sh", "-c", "cat /data/run && ! touch /x && ! cat /data/new"}}, Period: time.Second, Timeout: time.Second, Success: 1, Failure: 3}
			}, strings.Fields(argv)...)
			if err != nil {
				t.Fatal(err)
			}
			p.run(10 * time.Second)
			p.want("5ms c ready")
			if a := p.m.Serve(kernel.Query{Kind: kernel.QueryTCP, Port: 80}); a.Outcome != kernel.OutcomeOK {
				t.Errorf("port 80 answers %q", a.Outcome)
			}
		})
	}
}

// TestOpaque_BesideAServer shows that a stand-in leaves a port to a server that starts later.
func TestOpaque_BesideAServer(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if err := p.start("a", func(s *Spec) { s.Opaque = &Opaque{Forever: true} }, "/app"); err != nil {
		t.Fatal(err)
	}
	if err := p.start("b", nil, "sleep", "1h"); err != nil {
		t.Fatal(err)
	}
	p.m.main(p.m.Container("b").Run.Live.Sandbox).Run.Program = &application.Running{
		Own: &application.Service{Ports: []application.Port{{Number: 80, HTTP: []application.Reply{{Path: "/", Body: "real"}}}}}}
	p.run(time.Second)
	var got []kernel.Text
	for _, port := range []int{80, 81} {
		got = append(got, p.m.Serve(kernel.Query{Kind: kernel.QueryHTTP, Port: port, Method: "GET", Path: "/"}).Body)
	}
	if diff := cmp.Diff([]kernel.Text{"real", ""}, got); diff != "" {
		t.Errorf("ports 80 and 81 (-want +got):\n%s", diff)
	}
}

// TestHasten shortens the grace of a container that is being stopped.
func TestHasten(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if err := p.start("c", func(s *Spec) { s.Opaque = &Opaque{Forever: true, IgnoresTerm: true} }); err != nil {
		t.Fatal(err)
	}
	p.m.Terminate(noon, "c", 30*time.Second)
	p.run(10 * time.Second)
	p.m.Terminate(p.m.Now(), "c", 60*time.Second)
	p.m.Terminate(p.m.Now(), "c", 5*time.Second)
	p.run(time.Minute)
	p.want("15s c exited(137)")
}

// TestProbes probes servers that answer and stop answering.
func TestProbes(t *testing.T) {
	t.Parallel()
	probe := func(a Action) *Probe {
		return &Probe{Action: a, Host: "10.1.0.2", Delay: 5 * time.Second, Period: 10 * time.Second, Timeout: time.Second, Success: 1, Failure: 3}
	}
	get := Action{HTTP: &Request{Scheme: "http", Host: "10.1.0.2", Port: 80, Path: "/"}}
	tests := []struct {
		name   string
		change func(*Spec)
		want   []string
	}{
		{"ready by HTTP", func(s *Spec) { s.Readiness = probe(get) }, []string{"5s c ready"}},
		{"ready by TCP", func(s *Spec) { s.Readiness = probe(Action{TCP: 80}) }, []string{"5s c ready"}},
		{"ready by gRPC", func(s *Spec) { s.Readiness = probe(Action{GRPC: &Health{Port: 80}}) }, []string{"5s c ready"}},
		{"ready after the startup probe", func(s *Spec) {
			s.Startup, s.Readiness = probe(get), probe(get)
			s.Startup.Delay = 20 * time.Second
		}, []string{"20s c started", "20s c ready"}},
		{"refused", func(s *Spec) { s.Opaque.Silent = true; s.Readiness = probe(get) },
			[]string{`5s c unhealthy Readiness probe failed: Get "http://10.1.0.2:80/": dial tcp 10.1.0.2:80: connect: connection refused`}},
		{"sick", func(s *Spec) { s.Opaque.Silent = true; s.Liveness = probe(Action{TCP: 80}) },
			[]string{`25s c sick Liveness probe failed: dial tcp 10.1.0.2:80: connect: connection refused`}},
		{"never started", func(s *Spec) { s.Opaque.Silent = true; s.Startup = probe(Action{TCP: 80}) },
			[]string{`25s c sick Startup probe failed: dial tcp 10.1.0.2:80: connect: connection refused`}},
		{"a command that succeeds", func(s *Spec) { s.Readiness = probe(Action{Exec: []string{"sleep", "0.5"}}) }, []string{"5.5s c ready"}},
		{"a command that takes too long", func(s *Spec) { s.Readiness = probe(Action{Exec: []string{"sleep", "2"}}) },
			[]string{`6s c unhealthy Readiness probe failed: command "sleep 2" timed out`}},
		{"a command that is not there", func(s *Spec) { s.Readiness = probe(Action{Exec: []string{"nope"}}) },
			[]string{`5s c unhealthy Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: ` +
				`failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in $PATH`}},
		{"a port without a number", func(s *Spec) { s.Readiness = probe(Action{Refusal: "couldn't find port: web"}) },
			[]string{"5s c unhealthy Readiness probe errored and resulted in unknown state: couldn't find port: web"}},
		{"a postStart hook comes first", func(s *Spec) {
			s.PostStart, s.Readiness = &Action{Sleep: 8 * time.Second}, probe(get)
		}, []string{"8s c posted", "8s c ready"}},
		{"a postStart hook that fails", func(s *Spec) { s.PostStart = &Action{Exec: []string{"sleep", "x"}} },
			[]string{`0s c post-error Exec lifecycle hook ([sleep x]) for Container "c" in Pod %s failed - error: command terminated with exit code 1, message: "sleep: invalid number 'x'\n"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := begin(t)
			if err := p.start("c", func(s *Spec) { s.Opaque = &Opaque{Forever: true}; tt.change(s) }, "/app"); err != nil {
				t.Fatal(err)
			}
			p.run(10 * time.Minute)
			p.want(tt.want...)
		})
	}
}

// TestEncode refuses bytes that are not an encoded machine.
func TestEncode(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if err := p.start("c", nil, "sleep", "5"); err != nil {
		t.Fatal(err)
	}
	b, err := p.m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, {}, {2}, {1}, {1, 0xff, 0xff, 0xff, 0xff, 0x7f}, b[:len(b)-3], []byte("{}")} {
		if _, err := decode(bad, p.images); err == nil {
			t.Errorf("%v was decoded", bad)
		}
	}
}

// A container without requests and limits has the files too, because it may get resources later.
func TestMemoryLimit_IsInAFile(t *testing.T) {
	t.Parallel()
	p := begin(t)
	for want, limit := range map[string]int64{"134217728\n": 128 << 20, "max\n": 0} {
		name := fmt.Sprintf("limit-%d", limit)
		if err := p.start(name, func(s *Spec) { s.Resources.MemoryLimit, s.OOMScoreAdj = limit, 999 }, "sleep", "60"); err != nil {
			t.Fatal(err)
		}
		p.run(time.Second)
		text, err := p.m.Container(name).Run.Live.View.ReadFile("/sys/fs/cgroup/memory.max")
		if err != nil || string(text) != want {
			t.Errorf("the file has %q, %v; want %q", text, err, want)
		}
		if text, err = p.m.Container(name).Run.Live.View.ReadFile("/proc/1/oom_score_adj"); err != nil || string(text) != "999\n" {
			t.Errorf("the score is %q, %v", text, err)
		}
	}
}

func TestSysctls_AreThePods(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if err := p.m.Identify(Identity{Hostname: "web-1", Sysctls: map[string]string{"net.ipv4.tcp_keepalive_time": "600"}}); err != nil {
		t.Fatal(err)
	}
	for _, privileged := range []bool{false, true} {
		name := fmt.Sprintf("privileged-%t", privileged)
		if err := p.start(name, func(s *Spec) { s.Privileged = privileged }, "sleep", "60"); err != nil {
			t.Fatal(err)
		}
		view := p.m.Container(name).Run.Live.View
		for file, want := range map[string]string{"net/ipv4/tcp_keepalive_time": "600\n", "kernel/hostname": "web-1\n", "kernel/shm_rmid_forced": "0\n"} {
			if text, err := view.ReadFile("/proc/sys/" + file); err != nil || string(text) != want {
				t.Errorf("%s has %q, %v; want %q", file, text, err, want)
			}
		}
		if err := view.WriteFile("/proc/sys/vm/swappiness", []byte("1\n"), 0o644); (err == nil) != privileged {
			t.Errorf("writing, privileged %t: %v", privileged, err)
		}
	}
	p.run(time.Second) // encodes and decodes it
	if text, err := p.m.Container("privileged-false").Run.Live.View.ReadFile("/proc/sys/vm/swappiness"); err != nil || string(text) != "1\n" {
		t.Errorf("the other container reads %q, %v", text, err)
	}
}
