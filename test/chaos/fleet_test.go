package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/test/childprocess"
)

// readyTimeout bounds how long a process may take until it is ready.
const readyTimeout = 2 * time.Minute

// binary is the rowlock to test.
var binary = sync.OnceValues(func() (string, error) { return childprocess.Rowlock(tempDir) })

// tempDir is where the binary is built; TestMain makes and removes it.
var tempDir string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if tempDir, err = os.MkdirTemp("", "rowlock-crash-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(tempDir) //nolint:errcheck // temporary files
		return m.Run()
	}())
}

// fleet is some processes over one database.
type fleet struct {
	t        testing.TB
	database string
	flags    []string // further ones of each process
	log      childprocess.Log
	replicas []*replica
}

// replica is one of the processes, or its successor.
type replica struct {
	*fleet
	name string

	mu     sync.Mutex
	cmd    *exec.Cmd
	url    string // "" while nothing serves
	client kubernetes.Interface
}

// newFleet starts n processes with further flags. They end with the test; their logs are shown if
// it has failed.
func newFleet(t testing.TB, database string, n int, flags ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, database: database, flags: flags}
	t.Cleanup(func() {
		for _, r := range f.replicas {
			r.kill()
		}
		if t.Failed() {
			t.Logf("the processes logged:\n%s", f.log.Tail(5_000))
		}
	})
	for i := range n {
		r := &replica{fleet: f, name: fmt.Sprintf("replica-%d", i+1)}
		f.replicas = append(f.replicas, r)
		r.start()
	}
	return f
}

// start starts the process and waits until it is ready.
func (r *replica) start() {
	r.t.Helper()
	path, err := binary()
	if err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve", "--listen=127.0.0.1:0", "--nodes=5", "--resync=1s", "--job-backoff-cap=1s", "--log-level=warn",
		"--database-url=" + r.database, "--data-dir=" + filepath.Join(tempDir, r.name)}, r.flags...)...)
	cmd.Stderr = &r.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	r.cmd = cmd
	r.mu.Unlock()
	ready, err := childprocess.AwaitReady(out, readyTimeout)
	if err != nil {
		r.kill()
		r.t.Fatalf("%s: %v", r.name, err)
	}
	client, err := kubernetes.NewForConfig(&rest.Config{Host: ready.URL, QPS: -1, Timeout: 10 * time.Second, TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.url, r.client = ready.URL, client
}

// kill sends SIGKILL, after which no code of the process runs. It returns when that was. A second
// kill finds no process.
func (r *replica) kill() time.Time {
	r.mu.Lock()
	cmd := r.cmd
	r.cmd, r.url, r.client = nil, "", nil
	r.mu.Unlock()
	at := time.Now()
	if cmd != nil {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // killed, as its status says
	}
	return at
}

func (r *replica) signal(s syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// any returns a client of one of the replicas that serve.
func (f *fleet) any() kubernetes.Interface {
	for _, i := range rand.Perm(len(f.replicas)) {
		r := f.replicas[i]
		r.mu.Lock()
		client := r.client
		r.mu.Unlock()
		if client != nil {
			return client
		}
	}
	return nil
}
