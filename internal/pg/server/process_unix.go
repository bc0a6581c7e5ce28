//go:build !windows

package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopSignal is one of the ways to stop PostgreSQL.
type stopSignal = syscall.Signal

const (
	fast = syscall.SIGINT  // end the sessions, write a checkpoint, exit
	quit = syscall.SIGQUIT // exit at once; the next start recovers
)

func (p *process) signal(how stopSignal) {
	_ = p.cmd.Process.Signal(how) // fails for a process that has ended, which is what the caller wants
}

// detach prepares a child that runs in its own process group, as another user if one is given.
func detach(cmd *exec.Cmd, user *account) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: user.credential()}
	dieWithParent(cmd.SysProcAttr)
	return nil
}

// noFollow makes opening a file fail if its name is a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// bind has nothing to add to detach and watch.
func bind(*os.Process) (release func(), err error) { return func() {}, nil }

// watchScript waits until its standard input ends, which is when the process that holds the other
// end of the pipe has died. It then makes the server exit and removes an ephemeral server's files.
const watchScript = `read -r _
kill -QUIT "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 50 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
[ -z "$2" ] || rm -rf -- "$2"`

// watch starts a shell that outlives this process for as long as cleaning up takes. It ends with
// the server if that ends first. remove is the directory to remove, empty for none.
func watch(p *process, remove string) error {
	if !needsWatch && remove == "" {
		return nil
	}
	input, held, err := os.Pipe()
	if err != nil {
		return err
	}
	watcher := exec.Command("/bin/sh", "-c", watchScript, "rowlock-watch", strconv.Itoa(p.cmd.Process.Pid), remove)
	watcher.Dir = "/"
	watcher.Stdin = input
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := watcher.Start(); err != nil {
		_, _ = input.Close(), held.Close()
		return fmt.Errorf("watch the server: %w", err)
	}
	_ = input.Close() // the watcher has its own
	go p.unwatch(watcher, held)
	return nil
}

// unwatch ends the watcher once there is nothing left to watch, before another process can get the
// process id.
func (p *process) unwatch(watcher *exec.Cmd, held *os.File) {
	<-p.done
	_ = watcher.Process.Kill()
	_ = watcher.Wait() // killed: its status adds nothing
	_ = held.Close()
}

// tryLock takes an exclusive lock on f without waiting.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlock releases the lock on f. Closing f alone would leave it to any child that another goroutine
// is just starting: a child has all open files until it executes its program.
func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
