package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/test/childprocess"
	"github.com/rowlock/rowlock/test/exercise"
)

// readyTimeout bounds how long a process may take until it is ready, and PostgreSQL until it has
// recovered.
const readyTimeout = 2 * time.Minute

// fleet is some processes over one PostgreSQL.
type fleet struct {
	options
	data     string // PostgreSQL's directory
	url      string
	log      childprocess.Log
	replicas []*replica
	survived survived

	mu       sync.Mutex
	database *server.Server
	broken   error // what ended the run early
}

// survived counts the faults injected into the fleet.
type survived struct{ kills, stops, crashes, restarts atomic.Int64 }

// replica is one of the processes, or its successor.
type replica struct {
	*fleet
	name string

	mu     sync.Mutex
	cmd    *exec.Cmd
	client kubernetes.Interface // nil while it does not serve
}

// newFleet starts PostgreSQL and the processes.
func newFleet(ctx context.Context, o options) (*fleet, error) {
	dir, err := os.MkdirTemp(o.dir, "rowlock-soak-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as another user when this is root
		return nil, err
	}
	o.dir = dir
	f := &fleet{options: o, data: filepath.Join(dir, "data")}
	if err := f.startDatabase(ctx); err != nil {
		f.end()
		return nil, err
	}
	for i := range o.replicas {
		r := &replica{fleet: f, name: "replica-" + strconv.Itoa(i+1)}
		f.replicas = append(f.replicas, r)
		if err := r.start(); err != nil {
			f.end()
			return nil, err
		}
	}
	return f, nil
}

// end ends all processes and removes their files.
func (f *fleet) end() {
	for _, r := range f.replicas {
		r.kill()
	}
	f.stopDatabase(readyTimeout)
	_ = os.RemoveAll(f.dir) // whatever remains is in the directory for temporary files
}

// fail ends the run early.
func (f *fleet) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = errors.Join(f.broken, err)
}

// Failed implements exercise.Fleet.
func (f *fleet) Failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.broken
}

func (f *fleet) startDatabase(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	s, err := server.Start(ctx, server.Options{DataDir: f.data, BinDir: os.Getenv("PG_BIN"), MaxConnections: 200})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.database, f.url = s, s.URL()
	return nil
}

// stopDatabase shuts PostgreSQL down, and makes it exit at once when patience ends.
func (f *fleet) stopDatabase(patience time.Duration) {
	f.mu.Lock()
	database := f.database
	f.database = nil
	f.mu.Unlock()
	if database == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = database.Stop(ctx) // its error says that it was made to exit
}

// start starts the process and waits until it is ready.
func (r *replica) start() error {
	cmd := exec.Command(r.rowlock, "serve", "--listen=127.0.0.1:0", exercise.Nodes, exercise.NodeCapacity,
		"--resync=5s", "--job-backoff-cap=5s", "--retain-for=0", "--log-level=warn", "--database-url="+r.url, "--data-dir="+filepath.Join(r.dir, r.name))
	cmd.Stderr = &r.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.mu.Lock()
	r.cmd = cmd
	r.mu.Unlock()
	ready, err := childprocess.AwaitReady(out, readyTimeout)
	if err != nil {
		r.kill()
		return fmt.Errorf("%s: %w; the processes logged:\n%s", r.name, err, r.log.Tail(3000))
	}
	client, err := kubernetes.NewForConfig(&rest.Config{Host: ready.URL, QPS: -1, Timeout: exercise.ClientTimeout})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.client = client
	return nil
}

// kill sends SIGKILL, after which no code of the process runs. A second kill finds no process.
func (r *replica) kill() {
	r.mu.Lock()
	cmd := r.cmd
	r.cmd, r.client = nil, nil
	r.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // killed, as its status says
	}
}

// process returns the running process; nil for none.
func (r *replica) process() *os.Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil {
		return nil
	}
	return r.cmd.Process
}

// door returns a client of the replica; nil while it does not serve.
func (r *replica) door() kubernetes.Interface {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.client
}

// URL implements exercise.Fleet.
func (f *fleet) URL() string { return f.url }

// Log implements exercise.Fleet.
func (f *fleet) Log() *childprocess.Log { return &f.log }

// Renewed implements exercise.Fleet: there is one history.
func (f *fleet) Renewed() int { return 0 }

// Any implements exercise.Fleet.
func (f *fleet) Any(n int) kubernetes.Interface {
	for i := range f.replicas {
		if client := f.replicas[(n%len(f.replicas)+i)%len(f.replicas)].door(); client != nil {
			return client
		}
	}
	return nil
}
