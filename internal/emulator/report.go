package emulator

import "time"

// StartError says why a container could not be started, in the container runtime's words.
type StartError struct{ Reason string }

func (e *StartError) Error() string { return e.Reason }

// State is the visible state of a container's run.
type State struct {
	ID      string // as Start gave it
	Started time.Time

	// Live says that the run has not ended. Then HasStarted and IsReady are the probes' results,
	// InPostStart says that the postStart hook runs, and IsStopping that the run was told to stop.
	Live                                         bool
	HasStarted, IsReady, InPostStart, IsStopping bool

	// How the run ended. WasStopped says that it ended because it was told to; a machine does not
	// report that.
	Ended      time.Time
	ExitCode   int32
	OOM        bool
	Message    string // its termination message
	WasStopped bool
}

// NewsKind is a kind of event.
type NewsKind uint8

// The events that the kubelet receives.
const (
	NewsExited    NewsKind = iota + 1 // a container has ended: see its Run
	NewsStarted                       // a container has started: its startup probe, if any, has succeeded
	NewsReady                         // a container has become ready
	NewsUnready                       // a container is no longer ready
	NewsUnhealthy                     // the readiness probe fails: Message
	NewsSick                          // the startup or liveness probe, which Probe names, has failed for too long: Message
	NewsPosted                        // the postStart hook has succeeded
	NewsPostError                     // the postStart hook has failed: Message
	NewsStopError                     // the preStop hook has failed: Message
	NewsPlain                         // a hook's HTTPS request reached a server of plain HTTP and was repeated by HTTP: Message
	NewsReplaced                      // the container's program, named by Message, is not emulated: its stand-in has replaced it
)

// News is an event in the machine.
type News struct {
	At        time.Time `json:"at"`
	Container string    `json:"container"`
	Kind      NewsKind  `json:"kind"`
	Probe     ProbeKind `json:"probe,omitempty"`
	Message   string    `json:"message,omitempty"`
}

// StopKind says why Run returned.
type StopKind uint8

// The reasons.
const (
	StopNews    StopKind = iota + 1 // there is an event for the kubelet: see Take
	StopAsked                       // a process asks something of the world outside: see Queries
	StopUntil                       // nothing more happens up to and including the given time
	StopSpent                       // the budget is used up; Run can continue
	StopReplied                     // a request from outside has been answered: see Outside.Reply
	StopHeard                       // a session that is listened to has output, or takes input again
)

// Stop is why Run returned.
type Stop struct {
	Kind StopKind
	// At is when it happened. For StopUntil it is when the next thing is due; zero if nothing ever
	// is.
	At    time.Time
	Steps int64 // how much of the budget was used
}
