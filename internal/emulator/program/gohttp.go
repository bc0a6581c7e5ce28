package program

import (
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// GoGet is a request of the HTTP client in Go's library, which a program makes in one of its steps.
// URL has the scheme.
type GoGet struct{ Fetch }

// NewGoGet returns a GET with the client's timeout.
func NewGoGet(url string, timeout time.Duration) *GoGet {
	return &GoGet{Fetch{URL: kernel.Text(url), Method: "GET", Header: kernel.Texts{"User-Agent: Go-http-client/1.1"}, Follow: 10, Timeout: timeout}}
}

// Next continues. Until done holds, the program returns wait from its Step. failure is the client's
// error if there is no answer.
func (g *GoGet) Next(p *kernel.Process) (body, failure string, wait kernel.Wait, done bool) {
	if wait, done = g.next(p, func() {}); !done {
		return "", "", wait, false
	}
	if g.Failed == "" {
		return string(g.Answer.Body), "", kernel.Wait{}, true
	}
	address := kernel.HostPort(g.Host, g.Port)
	if g.Name != nil && g.Name.first() != "" {
		address = kernel.HostPort(g.Name.first(), g.Port)
	}
	why := ""
	switch g.Failed {
	case fetchNoName:
		why = GoLookup(g.Host)
	case fetchRefused:
		why = "dial tcp " + address + ": connect: connection refused"
	case fetchUnreachable:
		why = "dial tcp " + address + ": connect: no route to host"
	case fetchReset:
		why = "read tcp " + address + ": read: connection reset by peer"
	case fetchIssuer:
		why = "tls: failed to verify certificate: x509: certificate signed by unknown authority"
	case fetchWrongName:
		why = "tls: failed to verify certificate: x509: certificate is not valid for any names, but wanted to match " + g.Host
	case fetchPlain:
		why = "http: server gave HTTP response to HTTPS client"
	case fetchTimeout:
		why = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
	case fetchLoops:
		why = "stopped after 10 redirects"
	case fetchBadScheme:
		scheme, _, _ := strings.Cut(string(g.URL), ":")
		why = "unsupported protocol scheme \"" + scheme + "\""
	case fetchBadURL:
		why = "http: no Host in request URL"
	}
	method := string(g.Method)
	return "", method[:1] + strings.ToLower(method[1:]) + " \"" + string(g.URL) + "\": " + why, kernel.Wait{}, true
}

// GoLookup returns Go's error for a name that does not exist.
func GoLookup(name string) string { return "dial tcp: lookup " + name + ": no such host" }

// Next continues to resolve the name. Until done holds, the program returns wait from its Step.
func (r *Resolve) Next(p *kernel.Process) (wait kernel.Wait, done bool) { return r.next(p) }

// First returns the address to connect to: an IPv4 one if there is one; "" for none.
func (r *Resolve) First() string { return r.first() }
