package kernel

import (
	"fmt"
	"time"
)

// Kind says why Run returned.
type Kind uint8

// The reasons. Run returns the first one that applies.
const (
	KindExit     Kind = iota + 1 // a process that Spawn started has ended: Stop.Exit
	KindQuery                    // a process asks something of the world outside: Stop.Query
	KindQuiet                    // nothing more happens without an input
	KindUntil                    // nothing more happens up to and including the given time
	KindSpent                    // the budget is used up; Run can continue
	KindHeard                    // something has happened to a pipe that is listened to; see Listen
	KindReply                    // a request from outside has been answered: Stop.Request; see Reply
	KindReplaced                 // a stand-in has replaced a program that is not emulated: Stop.Replaced
)

// Stop is why Run returned.
type Stop struct {
	Kind     Kind
	At       time.Time // when the exit, the query or the replacement happened; for KindUntil, when the next thing is due
	Exit     Exit
	Query    Query
	Request  int
	Replaced Replaced
	Steps    int64 // how much of the budget was used
}

// Budget bounds how much a Run may do.
type Budget struct {
	Steps int64
}

// Run lets time pass up to and including until. It returns at the first exit or query, when nothing
// is left to do, or when the budget is spent. It makes the steps that are due at until, but none
// that they cause later. Output that was given before never changes: running again only adds to it.
func (k *Kernel) Run(until time.Time, b Budget) Stop {
	last := until.Sub(k.Start)
	var used int64
	used += k.look()
	for {
		if r, ok := k.reported(); ok {
			return Stop{Kind: KindReplaced, At: k.Start.Add(r.At), Replaced: r, Steps: used}
		}
		if len(k.Exits) > 0 {
			e := k.Exits[0]
			k.Exits = k.Exits[1:]
			return Stop{Kind: KindExit, At: k.Start.Add(e.At), Exit: e, Steps: used}
		}
		if n := len(k.Asked); n > 0 {
			for _, q := range k.Asked {
				if !q.Told {
					q.Told = true
					return Stop{Kind: KindQuery, At: k.Start.Add(q.At), Query: *q, Steps: used}
				}
			}
		}
		if r := k.replied(); r != nil {
			return Stop{Kind: KindReply, At: k.Now(), Request: r.ID, Steps: used}
		}
		if k.heard {
			k.heard = false
			return Stop{Kind: KindHeard, At: k.Now(), Steps: used}
		}
		if len(k.queue) == 0 {
			return Stop{Kind: KindQuiet, At: k.Now(), Steps: used}
		}
		p := k.queue[0]
		if p.At > last {
			return Stop{Kind: KindUntil, At: k.Start.Add(p.At), Steps: used}
		}
		if used >= b.Steps {
			return Stop{Kind: KindSpent, At: k.Now(), Steps: used}
		}
		used += k.burst(p, last, b.Steps-used)
	}
}

// burst makes steps of the process that is first in the queue, as long as it stays first and
// nothing must be reported. It returns the number of steps.
func (k *Kernel) burst(p *Process, last time.Duration, budget int64) int64 {
	var used int64
	for {
		k.Clock = max(k.Clock, p.At)
		p.box.FS.TakeWork() // work from outside counts for no process
		w := p.step()
		steps := 1 + int64(w.Steps) + p.box.FS.TakeWork()/workPerStep + k.takeLogged()
		used += steps
		cost := p.box.charge(k.Clock, steps)
		if !p.Dead() {
			p.CPU += cost
			k.settle(p, w, cost)
		}
		used += k.look()
		if p.Dead() || !p.Timed || len(k.queue) == 0 || k.queue[0] != p || p.At > last || used >= budget || k.heard || k.reports() {
			return used
		}
	}
}

// reports reports whether Run must return at once.
func (k *Kernel) reports() bool {
	return len(k.Exits)+len(k.Replaced) > 0 || len(k.Asked) > 0 && !k.Asked[len(k.Asked)-1].Told
}

// step makes a step of the process's program. If the program panics, the process ends as if
// aborted: a user's script must not end the server.
func (p *Process) step() (w Wait) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = p.Write(2, fmt.Appendf(nil, "rowlock: the program has failed: %v\n", r))
			w = Done(128 + int(SIGABRT))
		}
	}()
	return p.Run.Step(p)
}

// settle records what a process waits for after a step.
func (k *Kernel) settle(p *Process, w Wait, cost time.Duration) {
	if w.Interruptible && p.Pending != 0 && w.For != Ended {
		w = Wait{}
	}
	p.Wait = w
	p.Wait.Steps = 0
	switch w.For {
	case Ended:
		k.end(p, w.Code, false)
		return
	case Again:
		p.At, p.Timed = k.Clock+cost, true
	case Answered:
		p.Timed = w.Until > 0
		p.At = w.Until
	case Changed:
		k.watched = true
		p.Timed, p.At = w.Until > 0, w.Until
		if p.Look(string(w.Path)) != w.Seen {
			k.wakeLook(p)
		}
	default:
		p.Timed, p.At = w.Until > 0, max(w.Until, k.Clock+cost)
		if k.has(p, w) {
			p.At, p.Timed = k.Clock+cost, true
		}
	}
	k.queue.fix(p)
}

// has reports whether what a process wants to wait for has already come.
func (k *Kernel) has(p *Process, w Wait) bool {
	switch w.For {
	case Readable, Writable:
		o := p.Description(w.FD)
		if o == nil || o.Kind != OpenRead && o.Kind != OpenWrite {
			return true
		}
		pipe := k.pipe(o.Pipe)
		if o.Kind == OpenRead {
			return len(pipe.Buffer) > 0 || pipe.atEnd() || pipe.Terminal != nil && pipe.Terminal.EOF
		}
		room := PipeSize - len(pipe.Buffer)
		return room > 0 && (room > 1 || !o.CRLF) || pipe.Readers == 0
	case Child:
		found := false
		for _, c := range k.Processes {
			if c.box == p.box && c.Parent == p.PID && (w.PID == 0 || c.PID == w.PID) {
				if c.Zombie {
					return true
				}
				found = true
			}
		}
		return !found
	}
	return false
}

// look wakes the processes whose file has changed, and returns what that counts against a budget.
func (k *Kernel) look() (steps int64) {
	if !k.watched {
		return 0
	}
	k.watched = false
	for _, p := range k.Processes {
		if p.Wait.For != Changed || p.Timed || p.Zombie {
			continue
		}
		k.watched = true
		if p.Look(string(p.Wait.Path)) != p.Wait.Seen {
			k.wakeLook(p)
		}
		steps += 1 + p.box.FS.TakeWork()/workPerStep
	}
	return steps
}

// wakeLook makes a process that watches a file continue at the next whole second of its life, when
// it polls the file.
func (k *Kernel) wakeLook(p *Process) {
	waited := k.Clock - p.Started
	k.wakeAt(p, k.Clock+time.Second-waited%time.Second)
}
