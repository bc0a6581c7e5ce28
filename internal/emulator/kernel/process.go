package kernel

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Process is a running program, or a zombie: one that has ended and whose exit code its parent has
// not taken.
type Process struct {
	ID       int // among all processes of the kernel
	PID      int
	Parent   int `json:",omitempty"` // its pid; 0: started from outside
	Leader   int `json:",omitempty"` // of a thread: the ID of the process that it belongs to
	Depth    int `json:",omitempty"` // how many servers wait for it, in a chain
	Sandbox  string
	Outside  bool          `json:",omitempty"` // started by Spawn: its end is reported
	Terminal int           `json:",omitempty"` // the pipe that is its terminal; 0 for none
	Started  time.Duration `json:",omitempty"`

	Args  Texts
	Env   Texts `json:",omitempty"` // NAME=value
	Cwd   string
	Umask uint32

	// FDs are the IDs of the open descriptions, by descriptor; 0 means none. Exec closes those with
	// a negative ID.
	FDs []int

	Handled signalSet `json:",omitempty"`
	Ignored signalSet `json:",omitempty"`
	Pending signalSet `json:",omitempty"`

	Run   Stored
	Wait  Wait          `json:",omitzero"`
	At    time.Duration // when its next step is due; meaningful if Timed
	Timed bool          `json:",omitempty"`
	Reply *Answer       `json:",omitempty"`

	Bytes  int64         `json:",omitempty"` // memory in use
	CPU    time.Duration `json:",omitempty"` // emulated CPU time
	Zombie bool          `json:",omitempty"`
	Code   int           `json:",omitempty"`
	OOM    bool          `json:",omitempty"`
	Killed bool          `json:",omitempty"` // by a signal

	k     *Kernel
	box   *Sandbox
	place int // in the queue; −1 for none
}

// Errors of processes.
var (
	ErrProcesses  = errors.New("Resource temporarily unavailable")
	ErrFiles      = errors.New("Too many open files")
	ErrDescriptor = errors.New("Bad file descriptor")
)

// add adds a process that is ready to run its program now.
func (k *Kernel) add(p *Process, program Program) *Process {
	k.Serial++
	p.ID, p.Run = k.Serial, Stored{program}
	k.Processes = append(k.Processes, p)
	p.k, p.box, p.place = k, k.Sandbox(p.Sandbox), -1
	p.box.Live++
	k.wakeAt(p, k.Clock)
	return p
}

// Now is the current time, in UTC.
func (p *Process) Now() time.Time { return p.k.Now() }

// In returns the time a duration from now, for Wait.Until.
func (p *Process) In(d time.Duration) time.Duration {
	if at := p.k.Clock + d; at > p.k.Clock || d <= 0 {
		return max(at, p.k.Clock)
	}
	return 1<<63 - 1
}

// Since returns the time since the kernel started, in the form of Wait.Until.
func (p *Process) Since() time.Duration { return p.k.Clock }

// Hostname returns the sandbox's host name.
func (p *Process) Hostname() string { return p.box.Hostname }

// Address returns the Pod's IP address.
func (p *Process) Address() string { return p.box.IP }

// UID returns the user that the sandbox runs as.
func (p *Process) UID() int { return p.box.UID }

// GID returns that user's group.
func (p *Process) GID() int { return p.box.GID }

// FS returns the sandbox's files as the process sees them.
func (p *Process) FS() *vfs.View {
	return p.box.FS.As(vfs.Cred{UID: p.box.UID, GID: p.box.GID, Groups: p.box.Groups, Umask: p.Umask}, p.k.Now())
}

// Random returns the next random number. The kernel's seed decides it.
func (p *Process) Random() uint64 { return p.k.random() }

// Getenv returns a variable of the process's environment; "" for none.
func (p *Process) Getenv(name string) string { return Getenv(p.Env, name) }

// Getenv returns a variable of an environment; if a name occurs twice, the last one counts.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(env[i], name); ok && strings.HasPrefix(rest, "=") {
			return rest[1:]
		}
	}
	return ""
}

// Use counts memory that the process allocates, or frees if bytes is negative. If the sandbox
// exceeds its limit, the process gets SIGKILL, as from the kernel's OOM killer.
func (p *Process) Use(bytes int64) {
	bytes = max(bytes, -p.Bytes)
	p.Bytes += bytes
	p.box.Bytes += bytes
	if bytes > 0 && p.box.Bytes > cmp.Or(p.box.Limits.Bytes, defaultBytes) {
		p.Killed = true
		p.k.end(p, 128+int(SIGKILL), true)
	}
}

// Dead says that a signal or the OOM killer ended the process during its step.
func (p *Process) Dead() bool { return p.Zombie || p.place == gone }

// Fork starts a child that runs program, with the descriptors, variables, directory and signals of
// the process. It fails with ErrProcesses. In the child, handled signals have their default effect.
func (p *Process) Fork(program Program) (*Process, error) {
	if p.box.Live >= cmp.Or(p.box.Limits.Processes, defaultProcesses) || p.Dead() {
		return nil, ErrProcesses
	}
	child := &Process{
		PID: p.k.nextPID(p.box), Parent: p.PID, Sandbox: p.Sandbox, Args: p.Args, Env: p.Env, Cwd: p.Cwd, Umask: p.Umask,
		Ignored: p.Ignored, Terminal: p.Terminal, FDs: slices.Clone(p.FDs), Started: p.k.Clock, Depth: p.Depth,
	}
	for _, id := range child.FDs {
		if o := p.k.open(max(id, -id)); o != nil {
			o.Refs++
		}
	}
	return p.k.add(child, program), nil
}

// Reap takes the exit code of a child that has ended and removes it; if pid is 0, the first one
// that has ended. ended is nil if the child still runs, and found is false if there is no such
// child.
func (p *Process) Reap(pid int) (ended *Process, found bool) {
	for i, c := range p.k.Processes {
		if c.box != p.box || c.Parent != p.PID || pid != 0 && c.PID != pid {
			continue
		}
		found = true
		if c.Zombie {
			p.k.Processes = slices.Delete(p.k.Processes, i, i+1)
			p.box.Live--
			c.place = gone
			return c, true
		}
	}
	return nil, found
}

// Status is what ps shows of a process.
type Status struct {
	PID, Parent int
	Args        []string
	State       byte // R, S or Z
	Started     time.Time
	CPU         time.Duration
	Bytes       int64
}

// List returns the processes that the process sees, ordered by pid: those of its sandbox and of
// others in the same pid namespace.
func (p *Process) List() []Status {
	var all []Status
	if p.box.Namespace == Shared {
		all = append(all, Status{PID: 1, Args: []string{pause}, State: 'S', Started: p.k.Start})
	}
	for _, q := range p.k.visible(p.box) {
		s := Status{PID: q.PID, Parent: q.Parent, Args: q.Args, State: 'S', Started: p.k.Start.Add(q.Started), CPU: q.CPU, Bytes: q.Bytes}
		switch {
		case q.Zombie:
			s.State = 'Z'
		case q == p || q.Wait.For == Again:
			s.State = 'R'
		}
		all = append(all, s)
	}
	return all
}

// end ends a process, as Unix does: it closes the descriptors, gives the children to the main
// process and notifies the parent. With the main process, all processes of the sandbox end; with
// pid 1, all of the namespace.
func (k *Kernel) end(p *Process, code int, oom bool) {
	if p.Dead() {
		return
	}
	if p.Leader != 0 {
		k.endThread(p)
		return
	}
	k.endThreads(p)
	k.queue.remove(p)
	p.Zombie, p.Code, p.OOM = true, code, oom
	p.Timed, p.Wait, p.Run, p.Reply = false, Wait{}, Stored{}, nil
	for fd := range p.FDs {
		_ = p.Close(fd)
	}
	p.box.Bytes -= p.Bytes
	p.Bytes, p.FDs, p.Env = 0, nil, nil
	k.unask(p)
	if p.isMain() {
		p.box.Ended = true
		for _, q := range k.processes(p.box) {
			if q != p {
				k.end(q, 128+int(SIGKILL), false)
			}
		}
	}
	k.orphan(p)
	if p.PID == 1 {
		k.endNamespace(p.box)
	}
	if p.Outside {
		k.Exits = append(k.Exits, Exit{Sandbox: p.Sandbox, PID: p.PID, Code: code, OOM: oom, At: k.Clock})
	}
	parent := k.process(p.box, p.Parent)
	if p.Outside || parent == nil || parent.Zombie {
		k.bury(p)
		return
	}
	k.deliver(parent, SIGCHLD, false)
	for _, q := range k.Processes {
		if w := q.Wait; (q == parent || q.Leader == parent.ID) && w.For == Child && (w.PID == 0 || w.PID == p.PID) {
			k.wake(q)
		}
	}
}

// orphan gives the children of a process that has ended to the main process, and removes those that
// have ended too.
func (k *Kernel) orphan(p *Process) {
	for _, c := range k.processes(p.box) {
		if c.Parent != p.PID || c == p {
			continue
		}
		c.Parent = p.box.main()
		if c.Zombie {
			k.bury(c)
		}
	}
}

// gone is the place of a process that was removed.
const gone = -2

func (k *Kernel) bury(p *Process) {
	if p.place == gone {
		return
	}
	p.place = gone
	p.box.Live--
	k.Processes = slices.DeleteFunc(k.Processes, func(q *Process) bool { return q == p })
}

// killAll ends and removes all processes of a sandbox.
func (k *Kernel) killAll(s *Sandbox) {
	s.Ended = true
	for _, p := range k.processes(s) {
		k.end(p, 128+int(SIGKILL), false)
	}
	for _, p := range k.processes(s) {
		k.bury(p)
	}
}

// GNU reports whether the sandbox's utilities are GNU's, not busybox'.
func (p *Process) GNU() bool { return p.box.GNU }

// BusyBoxBefore reports whether the sandbox is known to have a release of BusyBox before 1.minor.
func (p *Process) BusyBoxBefore(minor int) bool {
	major, rest, _ := strings.Cut(p.box.BusyBox, ".")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	return major == "1" && err == nil && n < minor
}

// Limit returns how many bytes of memory the processes of the sandbox may use together.
func (p *Process) Limit() int64 { return cmp.Or(p.box.Limits.Bytes, defaultBytes) }

// Memory returns how many bytes they use.
func (p *Process) Memory() int64 { return p.box.Bytes }
