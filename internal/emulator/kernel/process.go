package kernel

import (
	"errors"
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

// GNU reports whether the sandbox's utilities are GNU's, not busybox'.
func (p *Process) GNU() bool { return p.box.GNU }

// BusyBoxBefore reports whether the sandbox is known to have a release of BusyBox before 1.minor.
func (p *Process) BusyBoxBefore(minor int) bool {
	major, rest, _ := strings.Cut(p.box.BusyBox, ".")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	return major == "1" && err == nil && n < minor
}

// gone is the place of a process that was removed.
const gone = -2

// Dead says that a signal or the OOM killer ended the process during its step.
func (p *Process) Dead() bool { return p.Zombie || p.place == gone }
