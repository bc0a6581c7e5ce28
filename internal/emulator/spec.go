package emulator

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Spec describes a run of a container for Start.
type Spec struct {
	// Outline is what the closed form uses. A machine needs no Outline and uses all other fields.
	Outline *Outline

	Name string    // of the container
	ID   string    // of the run, as in the container's status
	Base *vfs.Base // the files of its image

	// BusyBox is the release of BusyBox that the image's tag names; empty is the newest.
	BusyBox string

	Argv []string
	Env  []string // NAME=value
	Dir  string   // created if it is missing; empty is "/"

	UID, GID     int
	Groups       []int // besides GID
	ReadOnlyRoot bool
	Privileged   bool // may set kernel parameters
	Mounts       []Mount

	// Stdin keeps the standard input open for sessions that are attached, and StdinOnce only until
	// the first of them ends; without Stdin, reading finds the end of file at once. With TTY as
	// well, the input is a terminal.
	Stdin, StdinOnce, TTY bool

	// SharesProcesses puts the processes into the pid namespace that the Pod's containers share.
	// Target puts them into that of another container, which must run. Without both, they have a
	// namespace of their own.
	SharesProcesses bool
	Target          string

	Resources Resources

	// OOMScoreAdj is how likely the processes are killed when the node runs out of memory, from
	// -997 to 1000; programs can read it.
	OOMScoreAdj int64

	Startup, Readiness, Liveness *Probe // nil for none
	PostStart, PreStop           *Action

	// StopSignal asks the main process to end; zero means SIGTERM.
	StopSignal kernel.Signal

	// TerminationPath is the file of the termination message. LogsAsMessage takes the message from
	// the log if that file is empty and the run has failed.
	TerminationPath string
	LogsAsMessage   bool

	// Opaque runs in place of a program that is not known; nil runs Argv. StandIn replaces a main
	// program that turns out not to be emulated; if nil, the program fails.
	Opaque, StandIn *Opaque
	// Said is a line for the log at the start; empty for none.
	Said string
}

// Resources are a container's requests and limits. Zero means no request or no limit.
type Resources struct {
	MilliCPURequest, MilliCPULimit int64
	MemoryLimit                    int64 // in bytes; a process that exceeds it is killed
}

// Mount shows a volume, or its content at SubPath, in a container.
type Mount struct {
	Path     string
	Volume   string
	SubPath  string // relative; empty means the whole volume
	ReadOnly bool
}

// Action is what a probe or a hook does: exactly one of its fields is set.
type Action struct {
	Exec  []string      `json:"exec,omitempty"`
	HTTP  *Request      `json:"http,omitempty"`
	TCP   int           `json:"tcp,omitempty"`  // the port to connect to
	GRPC  *Health       `json:"grpc,omitempty"` // a health check
	Sleep time.Duration `json:"sleep,omitempty"`

	// Elsewhere says that HTTP or TCP goes to another host than the Pod.
	Elsewhere bool `json:"elsewhere,omitempty"`

	// Refusal is why the action is impossible, such as a port without a number.
	Refusal string `json:"refusal,omitempty"`
}

// Request is an HTTP request.
type Request struct {
	Scheme string   `json:"scheme,omitempty"` // "http" or "https"
	Host   string   `json:"host"`             // the address, as messages show it
	Port   int      `json:"port"`
	Path   string   `json:"path"`             // with the query; begins with a slash
	Header []string `json:"header,omitempty"` // "Name: value"
}

// Health is a gRPC health check of a service.
type Health struct {
	Port    int    `json:"port"`
	Service string `json:"service,omitempty"`
}

// Probe is an action that is repeated.
type Probe struct {
	Action
	Host    string        `json:"host,omitempty"` // the address as messages show it
	Delay   time.Duration `json:"delay,omitempty"`
	Period  time.Duration `json:"period"`
	Timeout time.Duration `json:"timeout"`

	// Success and Failure are how many equal results in a row change the container's state.
	Success int `json:"success"`
	Failure int `json:"failure"`
}

// Outline decides everything about a run whose program only serves, sleeps or is not known.
type Outline struct {
	Name string // of the container
	ID   string // of the run, as the container's status has it

	// Image answers the probes of the Container; messages name the Pod by Host. Without an Image,
	// all probes succeed; a nil Container has neither probes nor hooks.
	Image     *Image
	Container *corev1.Container
	Host      string

	// Timeline is how the program runs, and StopTime how long it continues after TERM.
	Timeline *Timeline
	StopTime time.Duration

	// Grace is the grace period after a probe has failed for too long, unless the probe sets its
	// own.
	Grace time.Duration
}

// Identity is what a Pod's containers know of themselves and of the cluster's name server.
type Identity struct {
	Hostname, IP                string
	Hosts, HostnameFile, Resolv string // /etc/hosts, /etc/hostname, /etc/resolv.conf

	// OnHost says that the Pod uses its node's network: a port of localhost or IP on which no
	// process of the Pod listens may belong to another Pod of the node.
	OnHost bool

	// Sysctls are the kernel parameters that the Pod sets, by their dotted names.
	Sysctls map[string]string
}

// ProbeKind is one of a container's three probes.
type ProbeKind uint8

// The kinds of probes.
const (
	Startup ProbeKind = iota
	Readiness
	Liveness
)

// String returns the kind as messages begin with it.
func (k ProbeKind) String() string { return [...]string{"Startup", "Readiness", "Liveness"}[k] }
