package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// noFollow is 0 here: only an administrator can create links.
const noFollow = 0

// account is never set: PostgreSQL for Windows drops an administrator's rights by itself.
type account struct{}

func runsAsRoot() bool                       { return false }
func serverAccount(string) (*account, error) { return nil, nil }
func (*account) own(string) error            { return nil }
func (*account) dirMode() os.FileMode        { return 0o700 }
func (*account) openTo(string) error         { return nil }
func detach(*exec.Cmd, *account) error       { return nil }
func watch(*process, string) error           { return nil } // bind does what a watcher would
func leftovers(string) ([]int, error)        { return nil, nil }

// stopSignal is one of the ways to stop PostgreSQL.
type stopSignal string

const (
	fast stopSignal = "fast"      // end the sessions, write a checkpoint, exit
	quit stopSignal = "immediate" // exit at once; the next start recovers
)

// signal uses pg_ctl, which knows the pipe that replaces signals.
func (p *process) signal(how stopSignal) {
	ctl := exec.Command(filepath.Join(filepath.Dir(p.cmd.Path), "pg_ctl.exe"), "stop", "--no-wait", "--mode="+string(how), "-D", p.cmd.Args[2])
	_ = ctl.Run() // fails for a process that has ended, which is what the caller wants
}

// bind puts the child into a job that the system ends, with all its processes, when this process's
// handle to it closes.
func bind(child *os.Process) (release func(), err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create a job for the server: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(child.Pid))
	if err == nil {
		defer windows.CloseHandle(handle) //nolint:errcheck // nothing was written
		_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
			uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	}
	if err == nil {
		err = windows.AssignProcessToJobObject(job, handle)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("bind the server to this process: %w", err)
	}
	return func() { _ = windows.CloseHandle(job) }, nil
}

// tryLock takes an exclusive lock on a byte far after the process id, without waiting, so that
// others can read the id.
func tryLock(f *os.File) (bool, error) {
	at := windows.Overlapped{Offset: 1 << 20}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// unlock does nothing: children do not inherit the file, so closing it releases the lock.
func unlock(*os.File) error { return nil }

// escalation is empty: a job leaves nothing behind.
var escalation = []struct {
	tell     func(pid int)
	patience time.Duration
}{{func(int) {}, time.Second}}
