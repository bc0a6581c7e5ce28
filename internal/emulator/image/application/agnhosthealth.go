package application

import (
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Health is agnhost's grpc-health-checking: a gRPC health service whose state changes with time, or
// on request over HTTP.
//
// Source: kubernetes v1.36 test/images/agnhost/grpc-health-checking/grpc-health-checking.go
// Differs: it always serves without TLS.
type Health struct {
	Begun  bool          `json:",omitempty"`
	Start  time.Duration `json:",omitempty"` // kernel's time
	Forced *bool         `json:",omitempty"` // the state that a request has set; nil for none
}

// Step implements kernel.Program.
func (h *Health) Step(p *kernel.Process) kernel.Wait {
	if !h.Begun {
		h.Begun, h.Start = true, p.Since()
		p.Handle(kernel.SIGTERM)
		p.Handle(kernel.SIGINT)
		h.log(p, "gRPC server starting to listen on :"+strconv.Itoa(h.port(p)))
		h.log(p, "Http server starting to listen on :"+strconv.Itoa(h.control(p)))
	}
	if _, ok := p.TakeSignal(); ok {
		return kernel.Done(goTermCode)
	}
	return kernel.Wait{For: kernel.Signals, Interruptible: true}
}

func (*Health) port(p *kernel.Process) int { return number(p.Args, "port", 5000) }

// control returns the port for requests that set the state.
func (*Health) control(p *kernel.Process) int { return number(p.Args, "http-port", 8080) }

func (*Health) log(p *kernel.Process, text string) {
	say(p, 2, p.Now().UTC().Format("2006/01/02 15:04:05 ")+text+"\n")
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (h *Health) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	switch {
	case h.Begun && q.Port == h.port(p):
		return h.check(p, q)
	case !h.Begun || q.Port != h.control(p):
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	if a, done := connected(q, flag(p.Args, "tls-cert-file", "") != ""); done {
		return a
	}
	switch string(q.Path) {
	case "/make-serving":
		h.log(p, "Mark as healthy")
		h.Forced = new(true)
	case "/make-not-serving":
		h.log(p, "Mark as unhealthy")
		h.Forced = new(false)
	default:
		return respond(404, "", "404 page not found\n")
	}
	return respond(200, "", (p.Since() - h.Start).String())
}

// check answers on the gRPC port.
func (h *Health) check(p *kernel.Process, q kernel.Query) kernel.Answer {
	switch q.Kind {
	case kernel.QueryTCP:
		return kernel.Answer{}
	case kernel.QueryGRPC:
	default:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}
	}
	if string(q.Name) != flag(p.Args, "service", "") {
		return kernel.Answer{Status: kernel.GRPCNotFound, Body: "unknown service"}
	}
	delay := number(p.Args, "delay-unhealthy-sec", -1)
	serves := delay < 0 || p.Since()-h.Start < time.Duration(delay)*time.Second
	if h.Forced != nil {
		serves = *h.Forced
	}
	if !serves {
		return kernel.Answer{Body: "NOT_SERVING"}
	}
	return kernel.Answer{}
}

func init() {
	kernel.Register("health", &Health{})
}
