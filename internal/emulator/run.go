package emulator

import (
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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

// probeSteps is what a probe, or another action of the machine itself, counts against a budget.
const probeSteps = 50

// Run implements Runtime.
func (m *machine) Run(until time.Time, steps int64) Stop { return m.run(until, steps, false) }

// run implements Run and Ahead. If ahead, it stops at every question.
func (m *machine) run(until time.Time, steps int64, ahead bool) Stop {
	m.Kernel.Output = m.output
	used := int64(0)
	for {
		if len(m.News) > 0 {
			return Stop{Kind: StopNews, At: m.News[0].At, Steps: used}
		}
		asked := m.Queries()
		if len(asked) > 0 && (ahead || !m.Kernel.Serves()) {
			return m.stopAsked(asked, used)
		}
		if m.heard {
			m.heard = false
			return Stop{Kind: StopHeard, At: m.Now(), Steps: used}
		}
		if used >= steps {
			return Stop{Kind: StopSpent, At: m.Now(), Steps: used}
		}
		due := m.due()
		limit := until
		if !due.IsZero() && due.Before(limit) {
			limit = due
		}
		stop := m.Kernel.Run(limit, kernel.Budget{Steps: steps - used})
		used += stop.Steps
		switch stop.Kind {
		case kernel.KindExit:
			m.exited(stop.Exit)
		case kernel.KindReplaced:
			if c := m.running(stop.Replaced.Sandbox); c != nil {
				m.tell(News{Container: c.Name, Kind: NewsReplaced, Message: stop.Replaced.What})
			}
		case kernel.KindHeard:
			m.heard = true
		case kernel.KindQuery:
			m.asked(stop.Query)
		case kernel.KindReply:
			if !m.replied(stop.Request) {
				return Stop{Kind: StopReplied, At: m.Now(), Steps: used}
			}
		case kernel.KindQuiet, kernel.KindUntil:
			if len(asked) > 0 && (due.IsZero() || due.After(until)) {
				return m.stopAsked(asked, used)
			}
			if due.IsZero() || due.After(until) {
				next := due
				if stop.Kind == kernel.KindUntil && (next.IsZero() || stop.At.Before(next)) {
					next = stop.At
				}
				return Stop{Kind: StopUntil, At: next, Steps: used}
			}
			m.Kernel.Advance(due)
			m.fire()
			used += probeSteps
		case kernel.KindSpent:
			return Stop{Kind: StopSpent, At: m.Now(), Steps: used}
		}
	}
}

// stopAsked returns the Stop of a Run that ends because questions wait for answers.
func (m *machine) stopAsked(asked []kernel.Query, used int64) Stop {
	return Stop{Kind: StopAsked, At: m.Kernel.Start.Add(asked[0].At), Steps: used}
}

// farAway is later than anything that a Pod waits for.
const farAway = 200 * 365 * 24 * time.Hour

// Ahead implements Runtime.
func (m *machine) Ahead(steps int64) Stop { return m.run(m.Now().Add(farAway), steps, true) }

// output keeps what a process writes: for the main process in the log, for others as their task's
// output.
func (m *machine) output(w kernel.Written) {
	c := m.running(w.Sandbox)
	if c == nil {
		return
	}
	stream := Stdout
	if w.Stderr {
		stream = Stderr
	}
	if w.PID == m.Kernel.Main(w.Sandbox) {
		c.Run.Log.write(w.At, stream, w.Data)
		m.seen(c.Name, stream, w.Data)
		return
	}
	if t := c.Run.Live.task(w.PID); t != nil {
		t.write(w.Data)
	}
}

// exited records the end of a process.
func (m *machine) exited(e kernel.Exit) {
	c := m.running(e.Sandbox)
	if c == nil {
		return
	}
	if e.PID != m.Kernel.Main(e.Sandbox) {
		if s := m.Kernel.Sandbox(e.Sandbox); s != nil && !s.Ended { // otherwise it ends with the container
			m.taskEnded(c, e)
		}
		return
	}
	m.end(c, e)
	m.tell(News{Container: c.Name, Kind: NewsExited})
}

// end ends the container's current run; it does nothing if that has already ended.
func (m *machine) end(c *Container, e kernel.Exit) {
	live := c.Run.Live
	if live == nil {
		return
	}
	for _, a := range live.Asking {
		if a.Query != 0 {
			m.Kernel.Drop(a.Query)
		}
	}
	m.endSessions(c.Name)
	c.Run.Ended, c.Run.ExitCode, c.Run.OOM = m.Now(), int32(e.Code), e.OOM
	c.Run.Log.close(m.Now())
	c.Run.Message = m.lastWords(c.Run)
	c.Run.Live = nil
	m.Kernel.RemoveSandbox(live.Sandbox)
	m.release(live)
}

const (
	// messageLimit is the most bytes of a termination message from a file; one from the log has
	// fewer bytes and lines.
	// Source: kubernetes v1.36 pkg/kubelet/container/runtime.go, MaxContainerTerminationMessageLength and the two below it.
	messageLimit    = 4096
	logMessageLimit = 2048
	logMessageLines = 80
)

// lastWords is the termination message of a run that ends: the end of its file, or of its log.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, getTerminationMessage.
func (m *machine) lastWords(r *Run) string {
	where := r.Live.Message
	text := ""
	if where.Path != "" {
		if b, err := r.Live.View.ReadFile(where.Path); err == nil { // a missing file gives no message
			text = string(b[max(len(b)-messageLimit, 0):])
		}
	}
	if text == "" && where.FromLog && r.ExitCode != 0 {
		return r.Log.tail(logMessageLines, logMessageLimit)
	}
	return text
}

// asked answers a question that the Pod itself can answer; others wait for Answer.
func (m *machine) asked(q kernel.Query) {
	if !m.isLocal(&q) {
		return
	}
	a := kernel.Answer{}
	if q.Kind != kernel.QueryPing {
		a = m.Serve(q)
	}
	if q.Kind == kernel.QueryDNS && a.Later == 0 && !m.OnHost {
		a = NameAnswer(a)
	}
	if a.Outcome == kernel.OutcomeRefused && m.OnHost && (q.Address == m.IP || strings.HasPrefix(q.Address, "127.")) {
		return // another Pod on the node may listen there
	}
	_ = m.Kernel.Answer(q.ID, a) // it was asked just now
}

// Queries implements Runtime.
func (m *machine) Queries() []kernel.Query {
	var open []kernel.Query
	for _, q := range m.Kernel.Queries() {
		if q.Told && !q.Held {
			open = append(open, q)
		}
	}
	return open
}

// Answer implements Runtime. The error is kernel.ErrQuery.
func (m *machine) Answer(at time.Time, query int, a kernel.Answer) error {
	m.Kernel.Advance(at)
	q, ok := m.Kernel.Query(query)
	if !ok {
		return kernel.ErrQuery
	}
	a.Took = max(max(a.Took, kernel.Latency)-(m.Kernel.Clock-q.At), 0)
	if q.Node {
		m.inquired(query, a)
		return nil
	}
	return m.Kernel.Answer(query, a)
}

// Hold implements Runtime.
func (m *machine) Hold(query int) { m.Kernel.Hold(query) }

// Query implements Runtime.
func (m *machine) Query(query int) (q kernel.Query, ok bool) { return m.Kernel.Query(query) }

// Reply implements Runtime.
func (m *machine) Reply(request int) (a kernel.Answer, done bool) { return m.Kernel.Reply(request) }

// Serves implements Runtime.
func (m *machine) Serves() bool { return m.Kernel.Serves() }
