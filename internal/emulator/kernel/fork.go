package kernel

import (
	"cmp"
	"slices"
)

// nextPID returns a pid that is free in the sandbox's namespace.
func (k *Kernel) nextPID(s *Sandbox) int {
	last := 0
	if s.Namespace == Shared {
		last = 1
	}
	for _, other := range k.Sandboxes {
		if other.namespace() == s.namespace() {
			last = max(last, other.LastPID)
		}
	}
	s.LastPID = last + 1
	return s.LastPID
}

// add adds a process that is ready to run its program now.
func (k *Kernel) add(p *Process, program Program) *Process {
	k.Serial++
	p.ID, p.Run = k.Serial, Stored{program}
	k.Processes = append(k.Processes, p)
	p.k, p.box, p.place = k, k.Sandbox(p.Sandbox), -1
	p.box.Live++
	k.wakeAt(p, k.Clock)
	return p
}

// Fork starts a child that runs program, with the descriptors, variables, directory and signals of
// the process. It fails with ErrProcesses. In the child, handled signals have their default effect.
func (p *Process) Fork(program Program) (*Process, error) {
	if p.box.Live >= cmp.Or(p.box.Limits.Processes, defaultProcesses) || p.Dead() {
		return nil, ErrProcesses
	}
	child := &Process{
		PID: p.k.nextPID(p.box), Parent: p.PID, Sandbox: p.Sandbox, Args: p.Args, Env: p.Env, Cwd: p.Cwd, Umask: p.Umask,
		Ignored: p.Ignored, Terminal: p.Terminal, FDs: slices.Clone(p.FDs), Started: p.k.Clock, Depth: p.Depth,
	}
	for _, id := range child.FDs {
		if o := p.k.open(max(id, -id)); o != nil {
			o.Refs++
		}
	}
	return p.k.add(child, program), nil
}

// Reap takes the exit code of a child that has ended and removes it; if pid is 0, the first one
// that has ended. ended is nil if the child still runs, and found is false if there is no such
// child.
func (p *Process) Reap(pid int) (ended *Process, found bool) {
	for i, c := range p.k.Processes {
		if c.box != p.box || c.Parent != p.PID || pid != 0 && c.PID != pid {
			continue
		}
		found = true
		if c.Zombie {
			p.k.Processes = slices.Delete(p.k.Processes, i, i+1)
			p.box.Live--
			c.place = gone
			return c, true
		}
	}
	return nil, found
}
