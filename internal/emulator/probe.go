package emulator

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// result is the result of a probe.
type result struct {
	ok bool
	// message is what the probe found or, if errored, why it could not be made.
	message string
	errored bool
}

// headStart is how much earlier than the first probe a program starts. A server begins to listen in
// that time.
const headStart = 5 * time.Millisecond

// beginProbes sets the first times of a run's probes. A container without a startup probe has
// started.
// Source: kubernetes v1.36 pkg/kubelet/prober/worker.go, doProbe.
// Differs: the first probe comes when its delay is over, not at a multiple of its period.
func (m *machine) beginProbes(c *Container, s Spec) {
	live := c.Run.Live
	for kind, p := range []*Probe{s.Startup, s.Readiness, s.Liveness} {
		if p != nil {
			live.Probes[kind] = &Prober{Probe: *p}
		}
	}
	if s.PostStart == nil {
		m.resumeProbes(c)
	}
}

// resumeProbes starts the probes whose turn has come: the startup probe first, the others once it
// has succeeded.
func (m *machine) resumeProbes(c *Container) {
	live := c.Run.Live
	begin := func(kind ProbeKind) {
		if p := live.Probes[kind]; p != nil && p.Next.IsZero() {
			p.Next = later(c.Run.Started.Add(max(p.Delay, headStart)), m.Now())
		}
	}
	if live.Probes[Startup] != nil && !live.Started {
		begin(Startup)
		return
	}
	live.Started = true
	begin(Readiness)
	begin(Liveness)
	if live.Probes[Readiness] == nil {
		live.Ready = true
	}
}

// probe begins a probe that is due.
func (m *machine) probe(c *Container, kind ProbeKind) {
	p := c.Run.Live.Probes[kind]
	p.Next = p.Next.Add(p.Period)
	if live := c.Run.Live; live.taskFor(purpose(kind)) != nil || live.askingFor(purpose(kind)) != nil {
		return // the previous probe still runs
	}
	if p.Exec == nil {
		m.take(c, kind, p)
		return
	}
	if err := m.spawn(c, p.Exec, purpose(kind)); err != nil {
		m.probed(c, kind, result{errored: true, message: "rpc error: code = Unknown desc = failed to exec in container: failed to start exec: " + err.Error()})
		return
	}
	p.Due = m.Now().Add(p.Timeout)
}

// take makes a probe that asks a server.
func (m *machine) take(c *Container, kind ProbeKind, p *Prober) {
	var q kernel.Query
	switch {
	case p.Refusal != "":
		m.probed(c, kind, result{errored: true, message: p.Refusal})
		return
	case p.HTTP != nil:
		q = p.HTTP.query()
	case p.TCP != 0:
		q = kernel.Query{Kind: kernel.QueryTCP, Address: p.Host, Port: p.TCP}
	case p.GRPC != nil:
		q = kernel.Query{Kind: QueryGRPC, Port: p.GRPC.Port, Name: kernel.Text(p.GRPC.Service)}
	default:
		m.probed(c, kind, result{ok: true})
		return
	}
	if a, now := m.ask(c, purpose(kind), q, p.Elsewhere, p.Timeout); now {
		m.probed(c, kind, p.judge(a))
	}
}

// judge turns an answer into a result of the probe.
func (p *Probe) judge(a kernel.Answer) result {
	late := a.Outcome == kernel.OutcomeTimeout || a.Took > p.Timeout
	switch {
	case p.HTTP != nil:
		return p.HTTP.judge(a, late)
	case p.TCP != 0:
		address := kernel.HostPort(p.Host, p.TCP)
		switch {
		case late:
			return result{message: "dial tcp " + address + ": i/o timeout"}
		case a.Outcome != kernel.OutcomeOK:
			return result{message: broken(a.Outcome, p.Host, address)}
		}
	case p.GRPC != nil:
		switch {
		case late || a.Outcome != kernel.OutcomeOK:
			return result{
				message: fmt.Sprintf("timeout: failed to connect service %q within %s: context deadline exceeded",
					kernel.HostPort(p.Host, p.GRPC.Port), p.Timeout),
			}
		case a.Status == kernel.GRPCNotFound:
			return result{message: fmt.Sprintf("error: health rpc probe failed: rpc error: code = NotFound desc = %s", string(a.Body))}
		case a.Body != "" || a.Status != 0:
			return result{message: fmt.Sprintf("service unhealthy (responded with %q)", string(a.Body))}
		}
	}
	return result{ok: true}
}

// judge turns an answer into a result of an HTTP probe: any status from 200 to 399 is a success.
// Source: kubernetes v1.36 pkg/probe/http/http.go, DoHTTPProbe.
func (r *Request) judge(a kernel.Answer, late bool) result {
	address := kernel.HostPort(r.Host, r.Port)
	failed := fmt.Sprintf("Get %q: ", r.Scheme+"://"+address+r.Path)
	switch {
	case late:
		return result{message: failed + "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"}
	case a.Outcome != kernel.OutcomeOK:
		return result{message: failed + broken(a.Outcome, r.Host, address)}
	case a.Status < 200 || a.Status >= 400:
		return result{message: "HTTP probe failed with statuscode: " + strconv.Itoa(a.Status)}
	}
	return result{ok: true}
}

func (r *Request) query() kernel.Query {
	q := kernel.Query{Kind: kernel.QueryHTTP, Port: r.Port, TLS: r.Scheme == "https", Method: "GET", Path: kernel.Text(r.Path), Header: r.Header}
	q.Address = r.Host
	q.Host = kernel.Text(kernel.HostPort(r.Host, r.Port))
	return q
}

// probed records a probe's result, and reports it if it makes a difference.
// Source: kubernetes v1.36 pkg/kubelet/prober/worker.go, doProbe.
func (m *machine) probed(c *Container, kind ProbeKind, r result) {
	live := c.Run.Live
	p := live.Probes[kind]
	p.Due = time.Time{}
	first := p.Streak == 0
	if p.Last != r.ok {
		p.Streak = 0
	}
	p.Last = r.ok
	p.Streak++
	verb := " probe failed: "
	if r.errored {
		verb = " probe errored and resulted in unknown state: "
	}
	message := kind.String() + verb + r.message
	threshold := p.Success
	if !r.ok {
		threshold = p.Failure
	}
	switch {
	case kind == Readiness && first && !r.ok:
		m.tell(News{Container: c.Name, Kind: NewsUnhealthy, Message: message})
	case p.Streak < max(threshold, 1):
	case kind == Readiness:
		m.turn(c, r.ok, message)
	case r.ok && kind == Startup:
		p.Next = time.Time{}
		live.Started = true
		m.resumeProbes(c)
		m.tell(News{Container: c.Name, Kind: NewsStarted})
	case !r.ok:
		live.Sick = true
		for _, other := range []ProbeKind{Startup, Liveness} {
			if q := live.Probes[other]; q != nil {
				q.Next = time.Time{}
			}
		}
		m.tell(News{Container: c.Name, Kind: NewsSick, Probe: kind, Message: message})
	}
}

// turn makes a container ready or unready, and reports it if that is a change.
func (m *machine) turn(c *Container, ready bool, message string) {
	live := c.Run.Live
	if live.Ready == ready {
		return
	}
	live.Ready = ready
	if ready {
		m.tell(News{Container: c.Name, Kind: NewsReady})
		return
	}
	m.tell(News{Container: c.Name, Kind: NewsUnready, Message: message})
}
