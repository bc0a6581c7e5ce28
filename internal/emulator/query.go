package emulator

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// Query is a question of a process to the world outside its Pod; see Outside.Queries. The process
// waits for Outside.Answer.
type Query = kernel.Query

// QueryKind is the kind of a Query.
type QueryKind = kernel.QueryKind

// Answer is the world's answer to a Query.
type Answer = kernel.Answer

// Text is a text that need not be UTF-8; see Query.
type Text = kernel.Text

// Outcome is how a Query ended.
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

// NameAnswer turns the answer to a name query that went to a Pod into the one that a program sees:
// if nothing listens there, no server has answered.
func NameAnswer(a Answer) Answer {
	switch a.Outcome {
	case OutcomeRefused, OutcomeTimeout, OutcomeReset, OutcomeUnreachable:
		a.Outcome = OutcomeNoServer
	case OutcomeOK, OutcomeNoName, OutcomeNoServer, OutcomeServFail, OutcomeIssuer, OutcomeName, OutcomePlain:
	}
	return a
}

// HostPort joins a host and a port into an address.
func HostPort(host string, port int) string { return kernel.HostPort(host, port) }
