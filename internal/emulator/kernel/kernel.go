package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Kernel holds the processes of one Pod. Its exported fields are its state, which is written and
// read as JSON; after reading, SetFS gives each sandbox its files again. A Kernel is for one
// goroutine.
type Kernel struct {
	// Start is when the kernel's time began. All other times are durations since then.
	Start time.Time
	Clock time.Duration // of the last thing that happened

	Sandboxes []*Sandbox `json:",omitempty"`
	Processes []*Process `json:",omitempty"` // by ID, zombies too
	Opens     []*Open    `json:",omitempty"` // by ID
	Pipes     []*Pipe    `json:",omitempty"` // by ID
	Asked     []*Query   `json:",omitempty"` // by ID, not answered yet
	Exits     []Exit     `json:",omitempty"` // not reported yet
	Replaced  []Replaced `json:",omitempty"` // main programs that a stand-in has replaced, not reported yet
	Requests  []*Request `json:",omitempty"` // that servers answer later, by ID

	Serial int    // the highest ID given so far
	Rand   uint64 // the state of the random numbers

	// Output receives what processes write to the descriptors that they got from Spawn. It must not
	// be nil while Run is called, and is not part of the state.
	Output func(Written) `json:"-"`

	queue   queue // of the processes that wait for a time
	watched bool  // a process may wait for a file to change

	listened []Ends
	heard    bool // something has happened to a pipe that is listened to

	logged int64 // bytes that the current step has written to the process's output
}

// Written is what a process wrote to its sandbox's output.
type Written struct {
	Sandbox string
	PID     int // of the process that Spawn gave the output to: the first one, or one executed later
	Stderr  bool
	At      time.Time
	Data    []byte // valid only during the call
}

// Limits bound what the processes of a sandbox may use; 0 means the default.
type Limits struct {
	Processes int   `json:",omitempty"` // including zombies; 256
	Files     int   `json:",omitempty"` // descriptors of a process; 256
	Bytes     int64 `json:",omitempty"` // memory of all processes together; 16 MiB
}

const (
	defaultProcesses = 256
	defaultFiles     = 256
	defaultBytes     = 16 << 20
)

// Sandbox is one run of a container: its processes, and the files that they see.
type Sandbox struct {
	Name     string
	Hostname string
	UID      int    `json:",omitempty"`
	GID      int    `json:",omitempty"`
	Groups   []int  `json:",omitempty"`
	IP       string `json:",omitempty"` // the Pod's
	GNU      bool   `json:",omitempty"` // its utilities are GNU's: set by the first Spawn if there is no /bin/busybox
	BusyBox  string `json:",omitempty"` // the release of BusyBox that its image's tag names, "1.28.4"; empty is the newest
	Limits   Limits `json:",omitzero"`

	FS *vfs.View `json:"-"`

	// StandIn replaces the program of the main process if that is not emulated; if nil, the program
	// fails. See Process.Replace.
	StandIn Stored `json:",omitzero"`

	// Namespace is the pid namespace of its processes: Shared, or the name of the sandbox that it
	// joins; empty means one of its own. Main is the pid of its first process there; 0 means 1.
	Namespace string `json:",omitempty"`
	Main      int    `json:",omitempty"`

	LastPID int   `json:",omitempty"` // the last pid given
	Live    int   `json:",omitempty"` // the number of processes, including zombies
	Bytes   int64 `json:",omitempty"` // memory in use
	Ended   bool  `json:",omitempty"` // the first process is gone

	// Load is how much the CPU was used without a rest, and Busy the time until which it is in use.
	Load int64         `json:",omitempty"`
	Busy time.Duration `json:",omitempty"`
}

// New returns a kernel whose time begins at start. The seed decides its random numbers.
func New(seed string, start time.Time) *Kernel {
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed))
	return &Kernel{Start: start, Rand: h.Sum64()}
}

// Errors of inputs.
var (
	ErrSandbox = errors.New("no such sandbox")
	ErrEnded   = errors.New("container is not running")
	ErrQuery   = errors.New("no such query")
)

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

// Sandbox returns the sandbox of that name; nil for none.
func (k *Kernel) Sandbox(name string) *Sandbox {
	for _, s := range k.Sandboxes {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// SetFS gives a sandbox its files, after the kernel was read from JSON or when its mounts have
// changed.
func (k *Kernel) SetFS(sandbox string, fs *vfs.View) {
	if s := k.Sandbox(sandbox); s != nil {
		s.FS = fs
	}
}

// Now is the instant of the last thing that happened, in UTC.
func (k *Kernel) Now() time.Time { return k.Start.Add(k.Clock) }

// Advance moves Now forward to t, for the inputs that follow. Call it when Run(t) has nothing left
// to do.
func (k *Kernel) Advance(t time.Time) { k.Clock = max(k.Clock, t.Sub(k.Start)) }

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

// processes returns the processes of a sandbox, the oldest first.
func (k *Kernel) processes(s *Sandbox) []*Process {
	var found []*Process
	for _, p := range k.Processes {
		if p.box == s {
			found = append(found, p)
		}
	}
	return found
}

// process returns the process of that pid, also if it is a zombie; nil for none.
func (k *Kernel) process(s *Sandbox, pid int) *Process {
	for _, p := range k.Processes {
		if p.PID == pid && p.box == s && p.Leader == 0 {
			return p
		}
	}
	return nil
}

func (k *Kernel) random() uint64 {
	k.Rand += 0x9e3779b97f4a7c15
	z := k.Rand
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
