package kernel

import (
	"cmp"
	"slices"
)

// Shared is the pid namespace of Pods whose containers share one. Its pid 1 is the Pod's pause
// process, which is shown and does nothing.
const Shared = "shared"

// pause is the command of the process that holds a Pod together.
const pause = "/pause"

// namespace returns the pid namespace of the sandbox's processes.
func (s *Sandbox) namespace() string { return cmp.Or(s.Namespace, s.Name) }

// main returns the pid of the sandbox's first process.
func (s *Sandbox) main() int { return max(s.Main, 1) }

func (p *Process) isMain() bool { return p.PID == p.box.main() && p.Leader == 0 }

// Main returns the pid of a sandbox's first process.
func (k *Kernel) Main(sandbox string) int {
	if s := k.Sandbox(sandbox); s != nil {
		return s.main()
	}
	return 1
}

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

// endNamespace ends the sandboxes that joined the namespace of a sandbox whose pid 1 has ended.
func (k *Kernel) endNamespace(s *Sandbox) {
	for _, other := range k.Sandboxes {
		if other == s || other.Ended || other.namespace() != s.namespace() {
			continue
		}
		if p := k.process(other, other.main()); p != nil {
			k.end(p, 128+int(SIGKILL), false)
		}
	}
}
