package kernel

import "slices"

// deliver delivers a signal to a process. Inside its pid namespace, pid 1 gets only signals that it
// handles; from outside, KILL ends it too.
func (k *Kernel) deliver(p *Process, sig Signal, outside bool) {
	if sig <= 0 || p.Zombie {
		return
	}
	switch {
	case sig == SIGKILL:
		if p.PID != 1 || outside {
			p.Killed = true
			k.end(p, 128+int(sig), false)
		}
	case p.Ignored.has(sig) && sig != SIGSTOP:
	case p.Handled.has(sig):
		p.Pending.add(sig)
		if p.Wait.Interruptible {
			k.wake(p)
		}
	case p.PID == 1 || ignoredByDefault(sig):
	default:
		p.Killed = true
		k.end(p, 128+int(sig), false)
	}
}

// end ends a process, as Unix does: it closes the descriptors, gives the children to the main
// process and notifies the parent. With the main process, all processes of the sandbox end; with
// pid 1, all of the namespace.
func (k *Kernel) end(p *Process, code int, oom bool) {
	if p.Dead() {
		return
	}
	if p.Leader != 0 {
		k.endThread(p)
		return
	}
	k.endThreads(p)
	k.queue.remove(p)
	p.Zombie, p.Code, p.OOM = true, code, oom
	p.Timed, p.Wait, p.Run, p.Reply = false, Wait{}, Stored{}, nil
	for fd := range p.FDs {
		_ = p.Close(fd)
	}
	p.box.Bytes -= p.Bytes
	p.Bytes, p.FDs, p.Env = 0, nil, nil
	k.unask(p)
	if p.isMain() {
		p.box.Ended = true
		for _, q := range k.processes(p.box) {
			if q != p {
				k.end(q, 128+int(SIGKILL), false)
			}
		}
	}
	k.orphan(p)
	if p.PID == 1 {
		k.endNamespace(p.box)
	}
	if p.Outside {
		k.Exits = append(k.Exits, Exit{Sandbox: p.Sandbox, PID: p.PID, Code: code, OOM: oom, At: k.Clock})
	}
	parent := k.process(p.box, p.Parent)
	if p.Outside || parent == nil || parent.Zombie {
		k.bury(p)
		return
	}
	k.deliver(parent, SIGCHLD, false)
	for _, q := range k.Processes {
		if w := q.Wait; (q == parent || q.Leader == parent.ID) && w.For == Child && (w.PID == 0 || w.PID == p.PID) {
			k.wake(q)
		}
	}
}

// endThread ends a thread; its request, if unanswered, is reset.
func (k *Kernel) endThread(p *Process) {
	k.queue.remove(p)
	k.respond(p, Answer{Outcome: OutcomeReset})
	for fd := range p.FDs {
		_ = p.Close(fd)
	}
	p.box.Bytes -= p.Bytes
	p.Timed, p.Wait, p.Run, p.Reply, p.Bytes, p.FDs = false, Wait{}, Stored{}, nil, 0, nil
	k.unask(p)
	k.bury(p)
}

// endThreads ends the threads of a process.
func (k *Kernel) endThreads(p *Process) {
	for _, t := range slices.Clone(k.Processes) {
		if t.Leader == p.ID {
			k.end(t, 0, false)
		}
	}
}

func (k *Kernel) respond(p *Process, a Answer) {
	i := slices.IndexFunc(k.Requests, func(r *Request) bool { return r.Thread == p.ID && r.Answer == nil })
	if i < 0 {
		return
	}
	r := k.Requests[i]
	if r.For == 0 {
		a.Took = k.Clock - r.Received + Latency
		r.Answer = &a
		return
	}
	k.Requests = slices.Delete(k.Requests, i, i+1)
	_ = k.Answer(r.For, a) // fails if the process has dropped the query
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

// orphan gives the children of a process that has ended to the main process, and removes those that
// have ended too.
func (k *Kernel) orphan(p *Process) {
	for _, c := range k.processes(p.box) {
		if c.Parent != p.PID || c == p {
			continue
		}
		c.Parent = p.box.main()
		if c.Zombie {
			k.bury(c)
		}
	}
}

func (k *Kernel) bury(p *Process) {
	if p.place == gone {
		return
	}
	p.place = gone
	p.box.Live--
	k.Processes = slices.DeleteFunc(k.Processes, func(q *Process) bool { return q == p })
}

// killAll ends and removes all processes of a sandbox.
func (k *Kernel) killAll(s *Sandbox) {
	s.Ended = true
	for _, p := range k.processes(s) {
		k.end(p, 128+int(SIGKILL), false)
	}
	for _, p := range k.processes(s) {
		k.bury(p)
	}
}
