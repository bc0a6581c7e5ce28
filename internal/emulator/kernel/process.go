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

// Process is a running program, or a zombie: one that has ended and whose parent has not asked for its exit code.
type Process struct {
	ID       int // among all processes of the kernel
	PID      int
	Parent   int `json:",omitempty"` // its pid; 0: started from outside
	Leader   int `json:",omitempty"` // of a thread: the ID of the process that it belongs to
	Depth    int `json:",omitempty"` // how many servers wait for what it does, one for the next
	Sandbox  string
	Outside  bool          `json:",omitempty"` // started by Spawn: its end is reported
	Terminal int           `json:",omitempty"` // the pipe that is its terminal; 0 for none
	Started  time.Duration `json:",omitempty"`

	Args  Texts
	Env   Texts `json:",omitempty"` // NAME=value
	Cwd   string
	Umask uint32

	// FDs are the open descriptions of the descriptors by number: an ID, 0 for none. A negative one is closed in the
	// program that the process becomes.
	FDs []int

	Handled signalSet `json:",omitempty"`
	Ignored signalSet `json:",omitempty"`
	Pending signalSet `json:",omitempty"`

	Run   Stored
	Wait  Wait          `json:",omitzero"`
	At    time.Duration // when it goes on; meaningful if Timed
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

// add makes a process that is ready to run its program now.
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

// In is the time after a duration from now, for Wait.Until.
func (p *Process) In(d time.Duration) time.Duration {
	if at := p.k.Clock + d; at > p.k.Clock || d <= 0 {
		return max(at, p.k.Clock)
	}
	return 1<<63 - 1
}

// Since is the time since the kernel started, as Wait.Until has it.
func (p *Process) Since() time.Duration { return p.k.Clock }

// Hostname is the sandbox's.
func (p *Process) Hostname() string { return p.box.Hostname }

// Address is the Pod's.
func (p *Process) Address() string { return p.box.IP }

// UID is the user that the sandbox runs as.
func (p *Process) UID() int { return p.box.UID }

// GID is that user's group.
func (p *Process) GID() int { return p.box.GID }

// FS is the sandbox's files, as the process uses them.
func (p *Process) FS() *vfs.View {
	return p.box.FS.As(vfs.Cred{UID: p.box.UID, GID: p.box.GID, Groups: p.box.Groups, Umask: p.Umask}, p.k.Now())
}

// Random is the next random number. It follows from the kernel's seed.
func (p *Process) Random() uint64 { return p.k.random() }

// Getenv is a variable of the process's environment; "" for none.
func (p *Process) Getenv(name string) string { return Getenv(p.Env, name) }

// Getenv is a variable of an environment; the last of a name counts.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(env[i], name); ok && strings.HasPrefix(rest, "=") {
			return rest[1:]
		}
	}
	return ""
}

// Use counts memory that the process takes, or gives back if it is negative. A sandbox that takes more than its limit
// loses the process to SIGKILL, as by the kernel's OOM killer.
func (p *Process) Use(bytes int64) {
	bytes = max(bytes, -p.Bytes)
	p.Bytes += bytes
	p.box.Bytes += bytes
	if bytes > 0 && p.box.Bytes > cmp.Or(p.box.Limits.Bytes, defaultBytes) {
		p.Killed = true
		p.k.end(p, 128+int(SIGKILL), true)
	}
}

// Dead says that the process has been ended, by a signal or for its memory, while it was making its step.
func (p *Process) Dead() bool { return p.Zombie || p.place == gone }

// Fork makes a child that runs program, with the descriptors, variables, directory and signals of the process. It fails
// with ErrProcesses. Handled signals have their default effect in the child.
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

// Reap takes the exit code of a child that has ended and forgets it: of the first that has if pid is 0. ended is false if
// it still runs, and found if there is no such child.
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

// Status is what is shown of a process.
type Status struct {
	PID, Parent int
	Args        []string
	State       byte // R, S or Z
	Started     time.Time
	CPU         time.Duration
	Bytes       int64
}

// List tells of all processes that the process sees, in the order of their pids: those of its sandbox, and of others in the same pid
// namespace.
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

// end makes a process end, in the way of Unix: its descriptors are closed, its children become the main process's, its parent
// is told; with the main process all of the sandbox end, and with pid 1 all of the namespace.
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

// orphan gives the children of a process that has ended to the main one; those that have ended too are forgotten.
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

// gone is the place of a process that has been forgotten.
const gone = -2

func (k *Kernel) bury(p *Process) {
	if p.place == gone {
		return
	}
	p.place = gone
	p.box.Live--
	k.Processes = slices.DeleteFunc(k.Processes, func(q *Process) bool { return q == p })
}

// killAll ends and forgets all processes of a sandbox.
func (k *Kernel) killAll(s *Sandbox) {
	s.Ended = true
	for _, p := range k.processes(s) {
		k.end(p, 128+int(SIGKILL), false)
	}
	for _, p := range k.processes(s) {
		k.bury(p)
	}
}

// GNU says whether the sandbox's programs speak as GNU's do, and not as busybox'.
func (p *Process) GNU() bool { return p.box.GNU }

// BusyBoxBefore says whether the sandbox's programs are known to be of a release of BusyBox before 1.minor.
func (p *Process) BusyBoxBefore(minor int) bool {
	major, rest, _ := strings.Cut(p.box.BusyBox, ".")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	return major == "1" && err == nil && n < minor
}

// Limit is the memory that the processes of the sandbox may take together.
func (p *Process) Limit() int64 { return cmp.Or(p.box.Limits.Bytes, defaultBytes) }

// Memory is what they take.
func (p *Process) Memory() int64 { return p.box.Bytes }
