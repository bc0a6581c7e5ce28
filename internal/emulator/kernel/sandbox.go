package kernel

import (
	"cmp"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

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

// Shared is the pid namespace of Pods whose containers share one. Its pid 1 is the Pod's pause
// process, which is shown and does nothing.
const Shared = "shared"

// pause is the command of the process that holds a Pod together.
const pause = "/pause"

// namespace returns the pid namespace of the sandbox's processes.
func (s *Sandbox) namespace() string { return cmp.Or(s.Namespace, s.Name) }

// main returns the pid of the sandbox's first process.
func (s *Sandbox) main() int { return max(s.Main, 1) }
