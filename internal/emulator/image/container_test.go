package image

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// container runs an image's program on its own kernel.
type container struct {
	t        *testing.T
	k        *kernel.Kernel
	fs       *vfs.View
	out      strings.Builder
	exited   bool
	code     int
	at       time.Duration // of the exit
	served   map[int]bool  // ports of the Pod that take connections from clients
	attends  bool          // its own servers answer its processes' queries
	peer     *container    // if set, its servers answer them
	startErr error
}

// agnhost is the image that Kubernetes' end-to-end tests use most.
const agnhost = "registry.k8s.io/e2e-test-images/agnhost:2.55"

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// begin starts a container; env is added to the image's environment.
func begin(t *testing.T, name string, c corev1.Container, env ...string) *container {
	t.Helper()
	img, err := builtIn.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	b := &container{t: t, k: kernel.New("seed", noon)}
	b.fs = vfs.NewView(vfs.NewTree("root", img.Base(), noon), "seed", noon)
	dev := vfs.NewTree("dev", nil, noon)
	if err := b.fs.Mount("/dev", dev, "/", false); err != nil {
		t.Fatal(err)
	}
	uid, gid, _ := img.User()
	b.k.AddSandbox(kernel.Sandbox{Name: "c", Hostname: "host-1", UID: uid, GID: gid, FS: b.fs})
	b.k.Output = func(w kernel.Written) { b.out.Write(w.Data) }
	if err := b.fs.MkdirAll(img.WorkingDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	_, b.startErr = b.k.Spawn("c", img.Argv(&c), append(img.Env(), env...), img.WorkingDir(), kernel.Stdio{})
	return b
}

// run lets time pass. In between, all state is written as JSON and read back, as between two syncs
// of a replica.
func (b *container) run(d time.Duration) {
	b.t.Helper()
	if b.startErr != nil {
		b.t.Fatal(b.startErr)
	}
	b.restore()
	for until := b.k.Now().Add(d); ; {
		stop := b.k.Run(until, kernel.Budget{Steps: 1e6})
		switch stop.Kind {
		case kernel.KindExit:
			if stop.Exit.PID == 1 {
				b.exited, b.code, b.at = true, stop.Exit.Code, stop.Exit.At
				return
			}
		case kernel.KindQuery:
			a := kernel.Answer{Outcome: kernel.OutcomeRefused}
			if b.served[stop.Query.Port] {
				a.Outcome = kernel.OutcomeOK
			}
			if stop.Query.Kind == kernel.QueryDNS {
				a = kernel.Answer{Addresses: []string{"10.0.0.9"}}
			} else if b.peer != nil {
				a = b.peer.answer(stop.Query)
			} else if b.attends {
				a = b.answer(stop.Query)
			}
			if err := b.k.Answer(stop.Query.ID, a); err != nil {
				b.t.Fatal(err)
			}
		case kernel.KindSpent:
			b.t.Fatal("the budget is spent")
		default:
			b.k.Advance(until)
			return
		}
	}
}

func (b *container) restore() {
	b.t.Helper()
	text, err := json.Marshal(b.k)
	if err != nil {
		b.t.Fatal(err)
	}
	next := &kernel.Kernel{}
	if err := json.Unmarshal(text, next); err != nil {
		b.t.Fatal(err)
	}
	next.SetFS("c", b.fs)
	next.Output = b.k.Output
	if again, _ := json.Marshal(next); !bytes.Equal(again, text) {
		b.t.Fatalf("the state is not the same after it was read back:\n%s\n%s", text, again)
	}
	b.k = next
}

func (b *container) signal(sig kernel.Signal) { b.k.Signal("c", 1, sig) }

// get returns the status and the body of an HTTP response, as "200 text", or the outcome.
func (b *container) get(port int, path string) string {
	return b.ask(kernel.Query{
		Kind: kernel.QueryHTTP, Port: port, Path: kernel.Text(path), Method: "GET", Host: "10.1.2.3",
		Header: kernel.Texts{"User-Agent: test"},
	})
}

// answer returns the answer of the container's first server that listens.
func (b *container) answer(q kernel.Query) kernel.Answer {
	for _, p := range b.k.Processes {
		s, ok := p.Run.Program.(interface {
			Serve(p *kernel.Process, q kernel.Query) kernel.Answer
		})
		if !ok {
			continue
		}
		if a := s.Serve(p, q); a.Outcome != kernel.OutcomeRefused {
			b.k.Poke(p)
			return a
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

// ask returns the first server's answer, as "200 text", or the outcome.
func (b *container) ask(q kernel.Query) string {
	for _, p := range b.k.Processes {
		s, ok := p.Run.Program.(interface {
			Serve(p *kernel.Process, q kernel.Query) kernel.Answer
		})
		if !ok {
			continue
		}
		a := s.Serve(p, q)
		b.k.Poke(p)
		if a.Outcome != kernel.OutcomeOK {
			return string(a.Outcome)
		}
		return strings.TrimSpace(fmt.Sprint(a.Status, " ", a.Body))
	}
	return "refused"
}
