package kernel

import (
	"encoding/json"
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

// Exit is the end of a process that Spawn started.
type Exit struct {
	Sandbox string
	PID     int
	Code    int           // 128 + n if signal n ended it
	OOM     bool          `json:",omitempty"` // the OOM killer ended it
	At      time.Duration // since Kernel.Start
}

// Replaced says that a sandbox's stand-in has replaced a main program that is not emulated.
type Replaced struct {
	Sandbox string
	What    string        // the program, as given to Process.Replace
	At      time.Duration // since Kernel.Start
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

// UnmarshalJSON implements json.Unmarshaler. Afterwards each sandbox needs SetFS, and the kernel
// its Output.
func (k *Kernel) UnmarshalJSON(text []byte) error {
	type plain Kernel
	var read plain
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if slices.Contains(read.Sandboxes, nil) || slices.Contains(read.Processes, nil) || slices.Contains(read.Opens, nil) ||
		slices.Contains(read.Pipes, nil) || slices.Contains(read.Asked, nil) || slices.Contains(read.Requests, nil) {
		return errors.New("a sandbox, a process, an open file, a pipe or a query is null")
	}
	*k = Kernel(read)
	k.watched = true
	for _, p := range k.Processes {
		p.k, p.box, p.place = k, k.Sandbox(p.Sandbox), -1
		if p.box == nil {
			return fmt.Errorf("process %d: %s: %w", p.ID, p.Sandbox, ErrSandbox)
		}
		if p.Timed && !p.Zombie {
			k.queue.fix(p)
		}
	}
	return nil
}
