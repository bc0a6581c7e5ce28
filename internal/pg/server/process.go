package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// process is a child that does not outlive this process.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the child has ended
	err  error         // how it ended; read after done
	lock *os.File      // the directory's, open while the child lives even if nothing holds the Server
}

// spawn starts cmd as user, in a process group of its own, so that a Ctrl-C for this process does
// not reach it.
func spawn(cmd *exec.Cmd, user *account) (*process, error) {
	if err := detach(cmd, user); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go p.hold(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// hold starts the child and waits for its end. On Linux, a child is signalled when the thread that
// started it dies, so the thread is kept while the child lives.
func (p *process) hold(started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	release, err := bind(p.cmd.Process)
	if err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // killed, for the reason in err
		started <- err
		return
	}
	started <- nil
	p.err = p.cmd.Wait()
	release()
	close(p.done)
}

// end signals the process and waits for its end; after five seconds it is killed.
func (p *process) end(how stopSignal) {
	p.signal(how)
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill() // fails for a process that has just ended
		<-p.done
	}
}

// spawnServer executes postgres itself: pg_ctl would make it an orphan, which nothing stops.
func spawnServer(bin Binaries, dir, log string, settings []string, user *account, ephemeral bool) (*process, error) {
	output, err := newLog(log)
	if err != nil {
		return nil, err
	}
	defer output.Close() //nolint:errcheck // written by the child alone

	args := []string{"-D", filepath.Join(dir, dataName)}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command(filepath.Join(bin.Dir, executable("postgres")), args...)
	cmd.Dir, cmd.Env = dir, environment()
	cmd.Stdout, cmd.Stderr = output, output
	p, err := spawn(cmd, user)
	if err != nil {
		return nil, err
	}
	remove := ""
	if ephemeral {
		remove = dir
	}
	if err := watch(p, remove); err != nil {
		p.end(quit)
		return nil, err
	}
	return p, nil
}

// newLog creates the server's log file, in place of the previous one or of a link that someone has
// put there.
func newLog(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// awaitReady waits until the server takes connections, as it records in postmaster.pid: recovery
// may take a while. Trying to connect would fill the log with refusals.
func (p *process) awaitReady(ctx context.Context, data string) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		status, err := readPostmaster(data)
		if err != nil {
			return err
		}
		if status.pid == p.cmd.Process.Pid && status.state == "ready" {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.done:
			return fmt.Errorf("the server exited: %w", p.err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// postmaster is the content of postmaster.pid, zero if the file does not exist or is not written
// yet.
type postmaster struct {
	pid   int
	state string
}

// readPostmaster reads the file that a server keeps in its data directory: the process id is its
// first line and the state its eighth. Source: PostgreSQL's src/include/utils/pidfile.h.
func readPostmaster(data string) (postmaster, error) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if errors.Is(err, os.ErrNotExist) {
		return postmaster{}, nil
	}
	if err != nil {
		return postmaster{}, err
	}
	lines := strings.Split(string(text), "\n")
	var status postmaster
	if _, err := fmt.Sscan(lines[0], &status.pid); err != nil {
		return postmaster{}, nil //nolint:nilerr // just created, and empty
	}
	if len(lines) > 7 {
		status.state = strings.TrimSpace(lines[7])
	}
	return status, nil
}

// tail returns the end of the log for an error message.
func tail(log string) string {
	text, err := os.ReadFile(log)
	if err != nil || len(text) == 0 {
		return "" // the error it would explain is worth more than this one
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return "\n" + strings.Join(lines[max(0, len(lines)-10):], "\n")
}

// environment returns ours without what would affect PostgreSQL: its own variables, the locale and
// the time zone.
func environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "PG") || strings.HasPrefix(name, "LC_") || name == "LANG" || name == "TZ" {
			continue
		}
		env = append(env, variable)
	}
	return append(env, "LC_ALL=C", "TZ=UTC")
}
