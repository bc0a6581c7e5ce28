package emulator

import (
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	_ "github.com/rowlock/rowlock/internal/emulator/program" // provides the utilities
	_ "github.com/rowlock/rowlock/internal/emulator/shell"   // provides the shells
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// machine is a Pod's machine. Its exported fields are the stored state.
type machine struct {
	// Seed determines the Pod's random numbers: its uid.
	Seed string `json:"seed"`

	// Hostname and IP are the Pod's, as its containers see them; see Identify.
	Hostname string `json:"hostname,omitempty"`
	IP       string `json:"ip,omitempty"`

	// OnHost says that the Pod uses its node's network.
	OnHost bool `json:"onHost,omitempty"`

	// Containers are those that were started at least once, in the order of their first starts.
	Containers []*Container `json:"containers,omitempty"`

	// Volumes are the Pod's, by name. Trees are the containers' own file systems.
	Volumes map[string]*Volume   `json:"volumes,omitempty"`
	Trees   map[string]*vfs.Tree `json:"trees,omitempty"`

	// Kernel runs the processes.
	Kernel *kernel.Kernel `json:"kernel"`

	// Serial is the number of sandboxes so far. Each run has its own.
	Serial int `json:"serial,omitempty"`

	// Share bounds each file tree, each sandbox's memory and each log, in bytes; see New.
	Share Share `json:"share"`

	// Told is the kubelet's last report on each subject, so that it does not repeat itself.
	Told map[string]string `json:"told,omitempty"`

	// Sessions connect clients outside the Pod to processes.
	Sessions []*Session `json:"sessions,omitempty"`

	// News are the events that were not taken yet.
	News []News `json:"news,omitempty"`

	listened []int // the sessions that Run listens to
	heard    bool  // one of them may have become audible

	maker vfs.Maker
}

// Share is each container's part of what a machine may hold, in bytes.
type Share struct {
	Tree   int64 `json:"tree"`
	Memory int64 `json:"memory"`
	Log    int   `json:"log"`
}

// Container is the machine's state of one container: its current run (or its last one, if none is
// running) and the run before that.
type Container struct {
	Name     string `json:"name"`
	Run      *Run   `json:"run,omitempty"`
	Previous *Run   `json:"previous,omitempty"`
}

// Run is one run of a container. After the run has ended, only its end and its log remain.
type Run struct {
	ID      string    `json:"id"` // of the container, as in its status
	Started time.Time `json:"started"`
	Log     Log       `json:"log"`

	// Live is nil once the run has ended.
	Live *Live `json:"live,omitempty"`

	// Ended is zero while it runs. Message is its termination message.
	Ended    time.Time `json:"ended,omitzero"`
	ExitCode int32     `json:"exitCode,omitempty"`
	OOM      bool      `json:"oom,omitempty"`
	Message  string    `json:"message,omitempty"`
}

// Volume is one of the Pod's volumes. Its files outlive the containers.
type Volume struct {
	Tree *vfs.Tree `json:"tree"`

	// Host holds the digests of the node's files by path, as the volume and the node last agreed;
	// nil if only the Pod has the volume. See ReadHost.
	Host map[string]string `json:"host,omitempty"`
}

// Session connects a client outside the Pod to a process: to a command that is executed for it, or
// to a container's main process. The client's input and the collection of the process's output are
// inputs of the machine; see Sessions.
type Session struct {
	ID        int         `json:"id"`
	Container string      `json:"container"`
	PID       int         `json:"pid,omitempty"` // of the command; 0 if the session is attached to the main process
	Ends      kernel.Ends `json:"ends,omitzero"`

	// Seen is the output of the main process, by Stream, that was written since the session was
	// attached and not collected yet. If there is too much, the oldest is dropped.
	Seen [2][]byte `json:"seen,omitzero"`

	// Full says that the process did not take all of the last input. Awaits says that the client's
	// handler wants to continue when the machine has its answers: see Await.
	Full   bool `json:"full,omitempty"`
	Awaits bool `json:"awaits,omitempty"`

	Ended bool `json:"ended,omitempty"` // the process has ended
	Code  int  `json:"code,omitempty"`
}

// What a machine may hold in all, in bytes before compression. Their number decides what each
// container may hold.
const (
	allTrees  = 12 << 20
	allMemory = 8 << 20
	allLogs   = 4 << 20
)

func newMachine(seed string, containers, volumes int, now time.Time) *machine {
	containers = max(containers, 1)
	return &machine{
		Seed:   seed,
		Kernel: kernel.New(seed, now.UTC()),
		Share: Share{
			Tree:   min(vfs.DefaultMaxBytes, int64(allTrees/(containers+max(volumes, 0)))),
			Memory: int64(allMemory / containers),
			Log:    min(logLimit, allLogs/(2*containers)),
		},
	}
}

// Now implements Runtime. It is the time of the last thing that happened.
func (m *machine) Now() time.Time { return m.Kernel.Now() }

// Container returns the container of that name; nil if it was never started.
func (m *machine) Container(name string) *Container {
	for _, c := range m.Containers {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// State implements Runtime.
func (m *machine) State(container string) State {
	c := m.Container(container)
	if c == nil || c.Run == nil {
		return State{}
	}
	r := c.Run
	s := State{ID: r.ID, Started: r.Started, Ended: r.Ended, ExitCode: r.ExitCode, OOM: r.OOM, Message: r.Message}
	if live := r.Live; live != nil {
		s.Live, s.HasStarted, s.IsReady = true, live.Started, live.Ready
		s.InPostStart, s.IsStopping = live.Post != nil, live.Stop != nil
	}
	return s
}

// Logs implements Machine.
func (m *machine) Logs(container, id string) (log RunLog, ok bool) {
	c := m.Container(container)
	if c == nil {
		return RunLog{}, false
	}
	for _, run := range []*Run{c.Run, c.Previous} {
		if run != nil && (run.ID == id || id == "") {
			return RunLog{Lines: run.Log.all(), Dropped: run.Log.Dropped, Ended: run.Live == nil}, true
		}
	}
	return RunLog{}, false
}

// Live implements Runtime.
func (m *machine) Live() bool {
	return slices.ContainsFunc(m.Containers, func(c *Container) bool { return c.Run != nil && c.Run.Live != nil })
}

// Retire implements Runtime. It drops files and processes.
func (m *machine) Retire() {
	m.Volumes, m.Trees = nil, nil
	m.Kernel = kernel.New(m.Seed, m.Now())
}

// running returns the container whose current run has that sandbox; nil for none.
func (m *machine) running(sandbox string) *Container {
	for _, c := range m.Containers {
		if c.Run != nil && c.Run.Live != nil && c.Run.Live.Sandbox == sandbox {
			return c
		}
	}
	return nil
}

func (m *machine) tell(n News) {
	n.At = m.Now()
	m.News = append(m.News, n)
}

// Computes implements Machine.
func (m *machine) Computes() bool { return m.Kernel.Computes() }

// Return implements Machine.
func (m *machine) Return(news []News) { m.News = append(news, m.News...) }

// Take implements Runtime.
func (m *machine) Take() []News {
	news := m.News
	m.News = nil
	return news
}
