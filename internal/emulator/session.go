package emulator

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Command is a command that is executed in a container.
type Command struct {
	Argv  []string
	Stdin bool // it has a standard input; otherwise that is at its end from the beginning
	TTY   bool // it has a terminal
}

// Output is the output of a session's process.
type Output struct {
	Stdout, Stderr []byte // on a terminal everything is in Stdout

	// Ended says that nothing more will come: the session is over. ExitCode is that of the command,
	// 0 of a main process.
	Ended    bool
	ExitCode int
}

// Sessions are the inputs of clients outside the Pod. An input happens at its time, or at Now if
// that is later.
type Sessions interface { //nolint:interfacebloat // what a terminal can do
	// Execute starts a command in a container. The errors are ErrSessions and, if the command does
	// not exist or the container does not run, a *StartError.
	Execute(at time.Time, container string, c Command) (session int, err error)

	// Attach connects a session to the main process of a container: to its output from now on and,
	// with stdin, to its standard input if that is open. The errors are those of Execute.
	Attach(at time.Time, container string, stdin bool) (session int, err error)

	// Feed writes to the process's standard input and returns how many bytes that took. CloseInput
	// ends the input.
	Feed(at time.Time, session int, b []byte) (n int)
	CloseInput(at time.Time, session int)

	// ResizeTerminal sets the size of the session's terminal.
	ResizeTerminal(at time.Time, session, rows, cols int)

	// Collect takes the output of the process, up to a limit for each stream. After Ended the
	// session no longer exists; for an unknown session, Ended is set at once.
	Collect(at time.Time, session, limit int) Output

	// Hangup leaves a session: a terminal's processes get SIGHUP; others find their input at its
	// end and their output broken.
	Hangup(at time.Time, session int)

	// Joined returns the existing sessions. Audible returns those that have output to collect,
	// whose process takes input again after it did not take all, or that await an answer that the
	// machine now has.
	Joined() []int
	Audible() []int

	// Await sets whether the session becomes audible as soon as the machine's open questions are
	// answered.
	Await(session int, awaits bool)

	// Listen makes Run and Ahead return StopHeard when one of these sessions may have become
	// audible. It is not stored, and the next Listen replaces it.
	Listen(sessions ...int)
}

// ErrSessions says that a Pod has as many sessions as it can have.
var ErrSessions = errors.New("too many sessions in the Pod")

const (
	// mostSessions is the most sessions of a Pod, and seenLimit the most bytes kept of each stream
	// for an attached session.
	mostSessions = 64
	seenLimit    = 128 << 10
)

func (m *machine) session(id int) *Session {
	for _, s := range m.Sessions {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// runningIn returns the container of a new session.
func (m *machine) runningIn(at time.Time, container string) (*Container, error) {
	m.Kernel.Output = m.output
	m.Kernel.Advance(at)
	c := m.Container(container)
	switch {
	case c == nil || c.Run == nil || c.Run.Live == nil:
		return nil, &StartError{"container not running (" + container + ")"}
	case len(m.Sessions) >= mostSessions:
		return nil, ErrSessions
	}
	return c, nil
}

// Execute implements Sessions.
func (m *machine) Execute(at time.Time, container string, cmd Command) (session int, err error) {
	c, err := m.runningIn(at, container)
	if err != nil {
		return 0, err
	}
	live := c.Run.Live
	env := live.Env
	if cmd.TTY {
		env = append(slices.Clip(env), "TERM=xterm")
	}
	pid, ends, err := m.Kernel.SpawnJoined(live.Sandbox, cmd.Argv, env, live.Dir, kernel.Stdio{Joined: true, Held: cmd.Stdin, TTY: cmd.TTY})
	if err != nil {
		return 0, &StartError{fmt.Sprintf("OCI runtime exec failed: exec failed: unable to start container process: %v", err)}
	}
	m.Serial++
	m.Sessions = append(m.Sessions, &Session{ID: m.Serial, Container: container, PID: pid, Ends: ends})
	return m.Serial, nil
}

// Attach implements Sessions.
func (m *machine) Attach(at time.Time, container string, stdin bool) (session int, err error) {
	c, err := m.runningIn(at, container)
	if err != nil {
		return 0, err
	}
	m.Serial++
	s := &Session{ID: m.Serial, Container: container}
	if stdin {
		s.Ends.In = c.Run.Live.Stdin
	}
	m.Sessions = append(m.Sessions, s)
	return s.ID, nil
}

// Feed implements Sessions.
func (m *machine) Feed(at time.Time, session int, b []byte) (n int) {
	m.Kernel.Output = m.output
	m.Kernel.Advance(at)
	if s := m.session(session); s != nil {
		n = m.Kernel.Feed(s.Ends.In, b)
		s.Full = n < len(b)
		return n
	}
	return len(b)
}

// CloseInput implements Sessions. The main process of a container keeps its input unless stdinOnce.
func (m *machine) CloseInput(at time.Time, session int) {
	m.Kernel.Advance(at)
	if s := m.session(session); s != nil && (s.PID != 0 || m.stdinOnce(s)) {
		m.Kernel.CloseFeed(s.Ends.In)
	}
}

// stdinOnce reports whether the container's input ends with the first session that is attached to
// it.
func (m *machine) stdinOnce(s *Session) bool {
	c := m.Container(s.Container)
	return c != nil && c.Run != nil && c.Run.Live != nil && c.Run.Live.StdinOnce
}

// ResizeTerminal implements Sessions.
func (m *machine) ResizeTerminal(at time.Time, session, rows, cols int) {
	m.Kernel.Output = m.output
	m.Kernel.Advance(at)
	if s := m.session(session); s != nil {
		m.Kernel.Resize(s.Ends.In, rows, cols)
	}
}

// Collect implements Sessions.
func (m *machine) Collect(at time.Time, session, limit int) (o Output) {
	m.Kernel.Advance(at)
	s := m.session(session)
	if s == nil {
		return Output{Ended: true}
	}
	if s.PID == 0 {
		for i, to := range []*[]byte{&o.Stdout, &o.Stderr} {
			n := min(len(s.Seen[i]), limit)
			*to, s.Seen[i] = s.Seen[i][:n], s.Seen[i][n:]
		}
		o.Ended = s.Ended && len(s.Seen[0])+len(s.Seen[1]) == 0
	} else {
		var outEnded, errEnded bool
		o.Stdout, outEnded = m.Kernel.Drain(s.Ends.Out, limit)
		o.Stderr, errEnded = m.Kernel.Drain(s.Ends.Err, limit)
		o.Ended, o.ExitCode = s.Ended && outEnded && errEnded, s.Code
	}
	if o.Ended {
		m.leave(s)
	}
	return o
}

// Hangup implements Sessions.
func (m *machine) Hangup(at time.Time, session int) {
	m.Kernel.Output = m.output
	m.Kernel.Advance(at)
	if s := m.session(session); s != nil {
		m.leave(s)
	}
}

// leave ends a session.
func (m *machine) leave(s *Session) {
	switch {
	case s.PID != 0:
		m.Kernel.Leave(s.Ends)
	case m.stdinOnce(s):
		m.Kernel.CloseFeed(s.Ends.In)
	}
	m.Sessions = slices.DeleteFunc(m.Sessions, func(o *Session) bool { return o == s })
}

// Joined implements Sessions.
func (m *machine) Joined() (sessions []int) {
	for _, s := range m.Sessions {
		sessions = append(sessions, s.ID)
	}
	return sessions
}

// Audible implements Sessions.
func (m *machine) Audible() (sessions []int) {
	for _, s := range m.Sessions {
		out, outEnded := m.Kernel.Holds(s.Ends.Out)
		err, errEnded := m.Kernel.Holds(s.Ends.Err)
		switch {
		case len(s.Seen[0])+len(s.Seen[1]) > 0, out, err, s.Ended && outEnded && errEnded,
			s.Full && m.Kernel.TakesInput(s.Ends.In), s.Awaits && len(m.Queries()) == 0:
			sessions = append(sessions, s.ID)
		}
	}
	return sessions
}

// Await implements Sessions.
func (m *machine) Await(session int, awaits bool) {
	if s := m.session(session); s != nil {
		s.Awaits = awaits
	}
}

// Listen implements Sessions.
func (m *machine) Listen(sessions ...int) {
	m.listened, m.heard = sessions, false
	var ends []kernel.Ends
	for _, id := range sessions {
		if s := m.session(id); s != nil && s.Ends != (kernel.Ends{}) {
			ends = append(ends, s.Ends)
		}
	}
	m.Kernel.Listen(ends...)
}

func (m *machine) hear(s *Session) { m.heard = m.heard || slices.Contains(m.listened, s.ID) }

// sessionEnded records the end of a process; it returns false if the process has no session.
func (m *machine) sessionEnded(container string, pid, code int) bool {
	for _, s := range m.Sessions {
		if s.Container == container && s.PID == pid && pid != 0 && !s.Ended {
			s.Ended, s.Code = true, code
			m.hear(s)
			return true
		}
	}
	return false
}

// endSessions ends the sessions of a container that has ended.
func (m *machine) endSessions(container string) {
	for _, s := range m.Sessions {
		if s.Container != container || s.Ended {
			continue
		}
		if s.Ended = true; s.PID != 0 {
			s.Code = 128 + int(kernel.SIGKILL)
		}
		m.hear(s)
	}
}
