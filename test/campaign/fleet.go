package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/test/childprocess"
	"github.com/rowlock/rowlock/test/exercise"
	"github.com/rowlock/rowlock/test/history"
)

// fleet is some replicas over a database and its standby. It implements exercise.Fleet.
type fleet struct {
	options
	log      childprocess.Log
	database *database
	replicas []*replica
	renewed  atomic.Int32 // failovers begun
	keep     bool         // keep the data at the end

	clients *exercise.Clients
	onWrong func(text string) // see exercise.Clients

	mu           sync.Mutex
	broken       error    // what ended the run early
	found        []string // what replicas did wrong
	losses       history.Losses
	doubling     int       // links that double requests
	doubledUntil time.Time // when the last one stopped
}

// replica is one of the processes, or its successor, with its two links.
type replica struct {
	*fleet
	name              string
	toDatabase, doors *link
	client            kubernetes.Interface

	mu      sync.Mutex
	running *running // nil while there is none
}

// running is a process.
type running struct {
	cmd      *exec.Cmd
	ended    chan struct{}
	expected atomic.Bool // its end is expected
}

// newFleet starts the database and the replicas.
func newFleet(ctx context.Context, o options) (*fleet, error) {
	dir, err := os.MkdirTemp(o.dir, "rowlock-campaign-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as another user when this is root
		return nil, err
	}
	o.dir = dir
	f := &fleet{options: o}
	if f.database, err = newDatabase(ctx, dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for i := range replicas {
		r := &replica{fleet: f, name: "replica-" + strconv.Itoa(i+1)}
		f.replicas = append(f.replicas, r)
		if err := r.open(ctx, f.first()); err != nil {
			f.end()
			return nil, err
		}
	}
	if f.old != "" {
		return f, nil // a migration may change the table that it is about: see upgrade
	}
	if err := f.database.exec(ctx, sqlArchive); err != nil {
		f.end()
		return nil, err
	}
	return f, nil
}

// open opens the replica's links and starts it.
func (r *replica) open(ctx context.Context, p program) (err error) {
	if r.toDatabase, err = newLink(r.database.dial); err != nil {
		return err
	}
	if r.doors, err = newLink(nil); err != nil {
		return err
	}
	door := "http://127.0.0.1:" + strconv.Itoa(r.doors.port())
	if r.client, err = kubernetes.NewForConfig(&rest.Config{Host: door, QPS: -1, Timeout: exercise.ClientTimeout}); err != nil {
		return err
	}
	return r.startAs(ctx, p)
}

// first returns the program that the replicas run at the beginning.
func (f *fleet) first() program {
	if f.old != "" {
		return program{path: f.old}
	}
	return program{path: f.rowlock}
}

// end ends all processes and removes their files, unless keep is set.
func (f *fleet) end() {
	for _, r := range f.replicas {
		r.kill()
		for _, l := range []*link{r.doors, r.toDatabase} {
			if l != nil {
				l.close()
			}
		}
	}
	f.database.end()
	if !f.keep {
		_ = os.RemoveAll(f.dir) // whatever remains is in the directory for temporary files
	}
}

// start starts the process and waits until it is ready. If it finds no database, because a fault is
// under way, it is started again.
func (r *replica) start(ctx context.Context) error { return r.startAs(ctx, program{path: r.rowlock}) }

// program is a binary and what is added to its environment.
type program struct {
	path string
	env  []string
}

func (r *replica) startAs(ctx context.Context, p program) error {
	var err error
	started := exercise.Retry(ctx, 200*time.Millisecond, func() bool {
		err = r.tryToStart(p)
		return err == nil
	})
	if started {
		return nil
	}
	return fmt.Errorf("%s: %w; the processes logged:\n%s", r.name, errors.Join(err, ctx.Err()), r.log.Tail(3000))
}

func (r *replica) arguments() []string {
	return []string{
		"serve", "--listen=127.0.0.1:0", exercise.Nodes, exercise.NodeCapacity,
		"--resync=5s", "--job-backoff-cap=5s", "--retain-for=0", "--log-level=warn", "--data-dir=" + filepath.Join(r.dir, r.name),
		"--database-url=postgres://rowlock@127.0.0.1:" + strconv.Itoa(r.toDatabase.port()) + "/postgres?sslmode=disable",
	}
}

func (r *replica) tryToStart(program program) error {
	cmd := exec.Command(program.path, r.arguments()...)
	cmd.Stderr = &r.log
	cmd.Env = append(os.Environ(), program.env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &running{cmd: cmd, ended: make(chan struct{})}
	r.mu.Lock()
	r.running = p
	r.mu.Unlock()
	p.expected.Store(true) // without a database
	ready, err := childprocess.AwaitReady(out, exercise.Patience)
	go r.await(p)
	if err != nil {
		r.kill()
		return err
	}
	p.expected.Store(false)
	at, err := url.Parse(ready.URL)
	if err != nil {
		return err
	}
	r.doors.lead(func() (net.Conn, error) { return net.Dial("tcp", at.Host) })
	return nil
}

// await waits for the end of a process, and records it if it was unexpected.
func (r *replica) await(p *running) {
	err := p.cmd.Wait()
	if !p.expected.Load() {
		r.fleet.mu.Lock()
		r.found = append(r.found, fmt.Sprintf("%s has ended by itself: %v\n%s", r.name, err, r.log.Tail(2000)))
		r.fleet.mu.Unlock()
	}
	close(p.ended)
}

// kill sends SIGKILL, after which no code of the process runs. A second kill finds no process.
func (r *replica) kill() {
	r.mu.Lock()
	p := r.running
	r.running = nil
	r.mu.Unlock()
	if p == nil {
		return
	}
	if r.doors != nil {
		r.doors.lead(nil)
	}
	p.expected.Store(true)
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// process returns the running process; nil for none.
func (r *replica) process() *os.Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		return nil
	}
	return r.running.cmd.Process
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

// Any implements exercise.Fleet. It returns a replica's client whether or not the replica can be
// reached.
func (f *fleet) Any(n int) kubernetes.Interface {
	for i := range f.replicas {
		if r := f.replicas[(n%len(f.replicas)+i)%len(f.replicas)]; r.process() != nil {
			return r.client
		}
	}
	return nil
}

// URL implements exercise.Fleet. In this session, the log includes what compaction has removed.
func (f *fleet) URL() string {
	at, err := f.database.url()
	if err != nil {
		return ""
	}
	if strings.Contains(at, "?") {
		return at + "&search_path=campaign,public"
	}
	return at + "?search_path=campaign,public"
}

// Log implements exercise.Fleet.
func (f *fleet) Log() *childprocess.Log { return &f.log }

// Renewed implements exercise.Fleet.
func (f *fleet) Renewed() int { return int(f.renewed.Load()) }
