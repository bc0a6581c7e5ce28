package emulator

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// Query is what a process asks of the world outside its Pod; see Outside.Queries. The process waits for Outside.Answer.
type Query = kernel.Query

// QueryKind is what is asked.
type QueryKind = kernel.QueryKind

// Answer is what the world outside answers to a Query.
type Answer = kernel.Answer

// Text is a text that need not be UTF-8; see Query.
type Text = kernel.Text

// Outcome is how a Query went.
type Outcome = kernel.Outcome

// The kinds of queries.
const (
	QueryDNS   = kernel.QueryDNS   // for the addresses of a name
	QueryTCP   = kernel.QueryTCP   // whether a port takes a connection
	QueryHTTP  = kernel.QueryHTTP  // for the answer to an HTTP request
	QueryGRPC  = kernel.QueryGRPC  // for the state of a gRPC service
	QueryPing  = kernel.QueryPing  // whether an address answers an ICMP echo
	QueryRaw   = kernel.QueryRaw   // for what comes back over a connection
	QueryUDP   = kernel.QueryUDP   // for the datagram that comes back
	QueryPeers = kernel.QueryPeers // for the addresses behind a Service
)

// The outcomes.
const (
	OutcomeOK          = kernel.OutcomeOK
	OutcomeNoName      = kernel.OutcomeNoName
	OutcomeNoServer    = kernel.OutcomeNoServer
	OutcomeServFail    = kernel.OutcomeServFail
	OutcomeRefused     = kernel.OutcomeRefused
	OutcomeTimeout     = kernel.OutcomeTimeout
	OutcomeUnreachable = kernel.OutcomeUnreachable
	OutcomeReset       = kernel.OutcomeReset
	OutcomeIssuer      = kernel.OutcomeIssuer
	OutcomeName        = kernel.OutcomeName
	OutcomePlain       = kernel.OutcomePlain
)

// NameAnswer is what a program makes of the answer to a question for a name that went to a Pod:
// nobody has answered if nothing listens there.
func NameAnswer(a Answer) Answer {
	switch a.Outcome {
	case OutcomeRefused, OutcomeTimeout, OutcomeReset, OutcomeUnreachable:
		a.Outcome = OutcomeNoServer
	case OutcomeOK, OutcomeNoName, OutcomeNoServer, OutcomeServFail, OutcomeIssuer, OutcomeName, OutcomePlain:
	}
	return a
}

// HostPort joins a host and a port as addresses are written.
func HostPort(host string, port int) string { return kernel.HostPort(host, port) }
