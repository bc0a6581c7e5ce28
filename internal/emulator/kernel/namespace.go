package kernel

import (
	"cmp"
	"slices"
	"time"
)

func (p *Process) isMain() bool { return p.PID == p.box.main() && p.Leader == 0 }

// Main returns the pid of a sandbox's first process.
func (k *Kernel) Main(sandbox string) int {
	if s := k.Sandbox(sandbox); s != nil {
		return s.main()
	}
	return 1
}

// visible returns the processes that those of a sandbox see, ordered by pid, without the pause
// process.
func (k *Kernel) visible(s *Sandbox) []*Process {
	var seen []*Process
	for _, p := range k.Processes {
		if p.box.namespace() == s.namespace() && p.Leader == 0 {
			seen = append(seen, p)
		}
	}
	slices.SortStableFunc(seen, func(a, b *Process) int { return cmp.Compare(a.PID, b.PID) })
	return seen
}

// reached returns the process that has a pid in the sandbox's namespace; nil for none.
func (k *Kernel) reached(s *Sandbox, pid int) *Process {
	for _, p := range k.Processes {
		if p.PID == pid && p.Leader == 0 && p.box.namespace() == s.namespace() {
			return p
		}
	}
	return nil
}

// Status is what ps shows of a process.
type Status struct {
	PID, Parent int
	Args        []string
	State       byte // R, S or Z
	Started     time.Time
	CPU         time.Duration
	Bytes       int64
}

// List returns the processes that the process sees, ordered by pid: those of its sandbox and of
// others in the same pid namespace.
func (p *Process) List() []Status {
	var all []Status
	if p.box.Namespace == Shared {
		all = append(all, Status{PID: 1, Args: []string{pause}, State: 'S', Started: p.k.Start})
	}
	for _, q := range p.k.visible(p.box) {
		s := Status{PID: q.PID, Parent: q.Parent, Args: q.Args, State: 'S', Started: p.k.Start.Add(q.Started), CPU: q.CPU, Bytes: q.Bytes}
		switch {
		case q.Zombie:
			s.State = 'Z'
		case q == p || q.Wait.For == Again:
			s.State = 'R'
		}
		all = append(all, s)
	}
	return all
}
