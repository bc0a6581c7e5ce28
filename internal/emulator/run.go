package emulator

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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
