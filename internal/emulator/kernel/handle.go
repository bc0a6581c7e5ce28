package kernel

// Handle keeps a signal in Process.Pending until the program takes it.
func (p *Process) Handle(sig Signal) {
	p.Handled.add(sig)
	p.Ignored.remove(sig)
}

// Default restores the default effect of a signal.
func (p *Process) Default(sig Signal) {
	p.Ignored.remove(sig)
	p.Handled.remove(sig)
	p.Pending.remove(sig)
}

// Ignore makes a signal have no effect, also in programs that the process becomes or starts.
func (p *Process) Ignore(sig Signal) {
	p.Ignored.add(sig)
	p.Handled.remove(sig)
	p.Pending.remove(sig)
}

// Ignores reports whether a signal is ignored.
func (p *Process) Ignores(sig Signal) bool { return p.Ignored.has(sig) }

// TakeSignal takes the lowest handled signal that has arrived.
func (p *Process) TakeSignal() (Signal, bool) {
	for sig := Signal(1); p.Pending>>uint(sig) != 0; sig++ {
		if p.Pending.has(sig) {
			p.Pending.remove(sig)
			return sig, true
		}
	}
	return 0, false
}

// HasSignal reports whether a handled signal has arrived and was not taken.
func (p *Process) HasSignal(sig Signal) bool { return p.Pending.has(sig) }

// Signalled reports whether any handled signal has arrived.
func (p *Process) Signalled() bool { return p.Pending != 0 }

// Signal sends a signal to a process that it sees, like kill(2): pid 0 means all processes of its
// sandbox, and a negative pid all others that it sees, except pid 1. Signal 0 only tests. It
// returns false if there is no such process.
func (p *Process) Signal(pid int, sig Signal) bool {
	if pid <= 0 {
		found := false
		for _, q := range p.k.visible(p.box) {
			if q != p && (pid == 0 && q.box == p.box || pid != 0) && (q.PID != 1 || pid == 0) && !q.Zombie {
				p.k.deliver(q, sig, false)
				found = true
			}
		}
		if pid == 0 {
			p.k.deliver(p, sig, false)
			found = true
		}
		return found
	}
	if p.box.Namespace == Shared && pid == 1 {
		return true // the pause process ignores signals
	}
	q := p.k.reached(p.box, pid)
	if q == nil {
		return false
	}
	p.k.deliver(q, sig, false)
	return true
}
