package kernel

import (
	"cmp"
	"slices"
	"time"
)

// A server that cannot answer a request at once holds it: it starts a thread, which answers later.
// A thread runs beside its process, shares its pid and descriptors, and ends with it.

const (
	// mostRequests is how many requests the servers of a Pod hold at a time; mostDepth is how many
	// servers wait for each other in a chain. A request beyond either gets no answer, as with a
	// full backlog.
	mostRequests = 100
	mostDepth    = 16

	// keptAnswer is how long an answer waits to be taken.
	keptAnswer = time.Minute
)

// Later starts a thread that answers the query with Respond. The server returns the result of
// Later. Beyond the limits of mostRequests, the query gets no answer.
func (p *Process) Later(q Query, handler Program) Answer {
	k := p.k
	k.Requests = slices.DeleteFunc(k.Requests, func(r *Request) bool { return r.Answer != nil && k.Clock-r.Received > keptAnswer })
	if len(k.Requests) >= mostRequests || q.Depth >= mostDepth {
		return Answer{Outcome: OutcomeTimeout}
	}
	t, err := p.Thread(handler)
	if err != nil {
		return Answer{Outcome: OutcomeTimeout}
	}
	t.Depth = q.Depth + 1
	k.Serial++
	k.Requests = append(k.Requests, &Request{ID: k.Serial, Thread: t.ID, Received: k.Clock})
	return Answer{Later: k.Serial}
}

// Thread starts a thread. It fails with ErrProcesses.
func (p *Process) Thread(program Program) (*Process, error) {
	if p.box.Live >= cmp.Or(p.box.Limits.Processes, defaultProcesses) || p.Dead() {
		return nil, ErrProcesses
	}
	t := &Process{
		PID: p.PID, Leader: cmp.Or(p.Leader, p.ID), Sandbox: p.Sandbox, Args: p.Args, Env: p.Env, Cwd: p.Cwd, Umask: p.Umask, Ignored: p.Ignored,
		FDs: slices.Clone(p.FDs), Started: p.k.Clock,
	}
	for _, id := range t.FDs {
		if o := p.k.open(max(id, -id)); o != nil {
			o.Refs++
		}
	}
	return p.k.add(t, program), nil
}

// Main returns the program of the process that a thread belongs to.
func (p *Process) Main() Program {
	if i := slices.IndexFunc(p.k.Processes, func(q *Process) bool { return q.ID == cmp.Or(p.Leader, p.ID) }); i >= 0 {
		return p.k.Processes[i].Run.Program
	}
	return nil
}

// Respond answers the request that the thread was started for, unless it was dropped, and ends the
// thread.
func (p *Process) Respond(a Answer) Wait {
	p.k.respond(p, a)
	return Done(0)
}

// Exit ends the process that the thread belongs to, and the thread with it.
func (p *Process) Exit(code int) Wait {
	if i := slices.IndexFunc(p.k.Processes, func(q *Process) bool { return q.ID == p.Leader }); i >= 0 {
		p.k.end(p.k.Processes[i], code, false)
	}
	return Done(code)
}

// Notify makes the process of a thread take its next step now, because the thread has changed its
// program.
func (p *Process) Notify() {
	if i := slices.IndexFunc(p.k.Processes, func(q *Process) bool { return q.ID == p.Leader }); i >= 0 {
		p.k.Poke(p.k.Processes[i])
	}
}

// Rouse makes the threads of the process take their next step now, the oldest first, because the
// process has changed what they wait for. Called by a thread, it rouses the other threads of its
// process.
func (p *Process) Rouse() {
	for _, t := range p.k.Processes {
		if t.Leader == cmp.Or(p.Leader, p.ID) && t != p {
			p.k.Poke(t)
		}
	}
}

// Busy reports whether the process has threads that still answer requests.
func (p *Process) Busy() bool {
	return slices.ContainsFunc(p.k.Processes, func(t *Process) bool {
		return t.Leader == p.ID && slices.ContainsFunc(p.k.Requests, func(r *Request) bool { return r.Thread == t.ID && r.Answer == nil })
	})
}

// Reply takes the answer to a request that is answered later. done is false until there is an
// answer; the answer to an unknown request is a reset.
func (k *Kernel) Reply(request int) (a Answer, done bool) {
	i := slices.IndexFunc(k.Requests, func(r *Request) bool { return r.ID == request })
	switch {
	case i < 0:
		return Answer{Outcome: OutcomeReset}, true
	case k.Requests[i].Answer == nil:
		return Answer{}, false
	}
	a = *k.Requests[i].Answer
	k.Requests = slices.Delete(k.Requests, i, i+1)
	return a, true
}

// Serves reports whether any server has requests that it has not answered yet.
func (k *Kernel) Serves() bool {
	return slices.ContainsFunc(k.Requests, func(r *Request) bool { return r.Answer == nil })
}

// replied returns a request that was answered since the last call; nil for none.
func (k *Kernel) replied() *Request {
	for _, r := range k.Requests {
		if r.Answer != nil && !r.Told {
			r.Told = true
			return r
		}
	}
	return nil
}
