package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Stdio says where a spawned process reads from and writes to. Its output goes to Kernel.Output.
type Stdio struct {
	Stdin []byte // what can be read before the end of file; nil: /dev/null
	Held  bool   // the end of file never comes, because a client may still attach

	// Joined says that the output goes to pipes that Drain reads, and TTY that the process has a
	// terminal.
	Joined, TTY bool
	ends        Ends
}

// StartError says why a program could not be started, in runc's words: `exec: "x": executable file
// not found in $PATH`.
type StartError struct{ Reason string }

func (e *StartError) Error() string { return e.Reason }

// AddSandbox adds a run of a container that has no process yet. An existing sandbox of that name is
// removed with all its processes.
func (k *Kernel) AddSandbox(s Sandbox) {
	k.RemoveSandbox(s.Name)
	k.Sandboxes = append(k.Sandboxes, &s)
}

// RemoveSandbox drops a sandbox and its processes; their exits and output are no longer reported.
func (k *Kernel) RemoveSandbox(name string) {
	s := k.Sandbox(name)
	if s == nil {
		return
	}
	k.killAll(s)
	k.Exits = slices.DeleteFunc(k.Exits, func(e Exit) bool { return e.Sandbox == name })
	k.Replaced = slices.DeleteFunc(k.Replaced, func(r Replaced) bool { return r.Sandbox == name })
	k.Sandboxes = slices.DeleteFunc(k.Sandboxes, func(o *Sandbox) bool { return o == s })
}

// Spawn starts a process in a sandbox from outside; the first one is the main process. env has the
// form NAME=value; the program is searched in its PATH. The errors are ErrSandbox, ErrEnded and
// *StartError.
func (k *Kernel) Spawn(sandbox string, argv, env []string, cwd string, io Stdio) (pid int, err error) {
	pid, _, err = k.SpawnJoined(sandbox, argv, env, cwd, io)
	return pid, err
}

// SpawnJoined is Spawn, and also returns the pipes that connect the process to a client outside.
func (k *Kernel) SpawnJoined(sandbox string, argv, env []string, cwd string, io Stdio) (pid int, ends Ends, err error) {
	s := k.Sandbox(sandbox)
	switch {
	case s == nil:
		return 0, Ends{}, fmt.Errorf("%s: %w", sandbox, ErrSandbox)
	case s.Ended:
		return 0, Ends{}, ErrEnded
	}
	if s.Live >= cmp.Or(s.Limits.Processes, defaultProcesses) {
		return 0, Ends{}, &StartError{"fork/exec: Resource temporarily unavailable"}
	}
	if len(argv) == 0 {
		return 0, Ends{}, &StartError{"no command specified"}
	}
	cwd = cmp.Or(cwd, "/")
	l, err := k.startable(s, argv, env, cwd)
	if err != nil {
		return 0, Ends{}, err
	}
	first := s.LastPID == 0
	pid = k.nextPID(s)
	if first {
		_, missing := s.FS.Stat("/bin/busybox")
		s.GNU = missing != nil
		if pid != 1 {
			s.Main = pid
		}
	}
	p := k.add(&Process{PID: pid, Sandbox: s.Name, Args: l.args, Env: env, Cwd: cwd, Umask: 0o022, Outside: true, Started: k.Clock}, l.program)
	k.join(p, &io)
	return p.PID, io.ends, nil
}

// startable returns the program for Spawn to start.
func (k *Kernel) startable(s *Sandbox, argv, env []string, cwd string) (loaded, error) {
	v := s.FS.As(vfs.Cred{UID: s.UID, GID: s.GID, Groups: s.Groups, Umask: 0o022}, k.Now())
	name := argv[0]
	refuse := func(reason string) (loaded, error) {
		return loaded{}, &StartError{`exec: "` + name + `": ` + reason}
	}
	if info, err := v.Stat(cwd); err != nil || !info.IsDir() {
		return loaded{}, &StartError{"chdir to cwd (\"" + cwd + "\") set in config.json failed: " + strings.ToLower(vfs.Reason(orNotDir(err)))}
	}
	list := DefaultPath
	for _, e := range env {
		if rest, ok := strings.CutPrefix(e, "PATH="); ok {
			list = rest
		}
	}
	file, err := LookPath(v, name, list, cwd)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refuse("permission denied")
	case err != nil:
		return refuse("executable file not found in $PATH")
	}
	given := file
	file = absolute(file, cwd)
	info, err := v.Stat(file)
	switch {
	case err != nil:
		return refuse("stat " + name + ": " + strings.ToLower(vfs.Reason(err)))
	case info.IsDir():
		return refuse("is a directory")
	}
	l, err := load(v, file, given, argv, 0)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refuse("permission denied")
	case err != nil && !errors.Is(err, ErrFormat):
		return loaded{}, &StartError{"exec " + file + ": " + strings.ToLower(vfs.Reason(err))}
	case err != nil:
		return loaded{}, &StartError{"exec " + file + ": exec format error"}
	}
	return l, nil
}

func orNotDir(err error) error {
	if err == nil {
		return vfs.ENOTDIR
	}
	return err
}

// join gives a process the descriptors 0 to 2 that Spawn specifies.
func (k *Kernel) join(p *Process, io *Stdio) {
	in := &Open{Kind: OpenNull}
	if io.Stdin != nil || io.Held || io.TTY {
		pipe := k.addPipe()
		pipe.Buffer, pipe.Held = slices.Clone(io.Stdin), io.Held || io.TTY
		pipe.Readers++
		in = &Open{Kind: OpenRead, Pipe: pipe.ID}
		io.ends.In = pipe.ID
		if io.TTY {
			pipe.Terminal = &Terminal{Sandbox: p.Sandbox, PID: p.PID}
			p.Terminal = pipe.ID
		}
	}
	p.install(0, k.addOpen(in))
	if !io.Joined {
		p.install(1, k.addOpen(&Open{Kind: OpenOutput, PID: p.PID, Sandbox: p.Sandbox, CRLF: io.TTY}))
		p.install(2, k.addOpen(&Open{Kind: OpenOutput, PID: p.PID, Sandbox: p.Sandbox, Stderr: !io.TTY, CRLF: io.TTY}))
		return
	}
	out := k.outward()
	io.ends.Out = out.ID
	p.install(1, k.addOpen(&Open{Kind: OpenWrite, Pipe: out.ID, CRLF: io.TTY}))
	out.Writers++
	if io.TTY {
		k.pipe(io.ends.In).Terminal.Echo = out.ID
		p.install(2, p.Description(1))
		return
	}
	err := k.outward()
	io.ends.Err = err.ID
	p.install(2, k.addOpen(&Open{Kind: OpenWrite, Pipe: err.ID}))
	err.Writers++
}

// outward adds a pipe that is read from outside.
func (k *Kernel) outward() *Pipe {
	p := k.addPipe()
	p.Readers = 1
	return p
}

// Signal sends a signal to a process of a sandbox from outside. It does nothing if the process does
// not exist.
func (k *Kernel) Signal(sandbox string, pid int, sig Signal) {
	if s := k.Sandbox(sandbox); s != nil {
		if p := k.process(s, pid); p != nil {
			k.deliver(p, sig, true)
		}
	}
}

// Kill ends all processes of a sandbox by SIGKILL.
func (k *Kernel) Kill(sandbox string) {
	if s := k.Sandbox(sandbox); s != nil {
		if p := k.process(s, s.main()); p != nil {
			k.deliver(p, SIGKILL, true)
			return
		}
		k.killAll(s)
	}
}
