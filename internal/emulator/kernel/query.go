package kernel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// QueryKind is what a process asks of the world outside the Pod.
type QueryKind string

// The kinds of queries.
const (
	// QueryDNS asks for the addresses of Name, which is absolute but has no dot at its end.
	QueryDNS QueryKind = "dns"
	// QueryTCP asks whether Port of Address takes a connection.
	QueryTCP QueryKind = "tcp"
	// QueryHTTP asks for the answer to an HTTP request sent to Port of Address.
	QueryHTTP QueryKind = "http"
	// QueryGRPC asks the gRPC health service on Port about the service Name. With a Status the answer is an error of that gRPC
	// code, and its Body the message; else it is SERVING or, with a Body, what that says.
	QueryGRPC QueryKind = "grpc"
	// QueryRaw sends Body as it is over a connection to Port of Address; the answer's Body is all that comes back. A server that speaks a
	// protocol of its own is told by Session what it knows of the connection; see Answer.Raw.
	QueryRaw QueryKind = "raw"
	// QueryUDP sends Body as a datagram to Port of Address; the answer's Body is the datagram that comes back.
	QueryUDP QueryKind = "udp"
	// QueryPeers asks for the addresses behind the Service Name, which is "namespace/name", as an
	// API server knows them: each with its port.
	QueryPeers QueryKind = "peers"
	// QueryPing asks whether Address answers an ICMP echo.
	QueryPing QueryKind = "ping"
)

// Query is a question of a process to the world outside the Pod. The process waits until Kernel.Answer.
type Query struct {
	ID      int
	Process int // ID of the process; 0 of those of the node
	Sandbox string
	At      time.Duration // since Kernel.Start
	Told    bool          `json:",omitempty"` // Run has reported it
	Node    bool          `json:",omitempty"` // the Pod's node asks
	Held    bool          `json:",omitempty"` // only the process waits for the answer
	Depth   int           `json:",omitempty"` // see Process.Depth

	Kind QueryKind

	// Name is what DNS is asked for. Record is "A", "AAAA", "PTR", "SRV" …; "" stands for A and AAAA.
	Name   Text   `json:",omitempty"`
	Record string `json:",omitempty"`

	// Address and Port are what a connection goes to.
	Address string `json:",omitempty"`
	Port    int    `json:",omitempty"`

	// From is the address that the question comes from; "" for the Pod's own node.
	From string `json:",omitempty"`

	// TLS, Method, Host (of the header), Path (with the query), Header ("Name: value") and Body make an HTTP request.
	TLS    bool  `json:",omitempty"`
	Method Text  `json:",omitempty"`
	Host   Text  `json:",omitempty"`
	Path   Text  `json:",omitempty"`
	Header Texts `json:",omitempty"`
	Body   Text  `json:",omitempty"`

	// Verify says that the client speaks TLS only to a server that shows a certificate of one of
	// the authorities in Roots, in PEM, for the name in Host. Servers in Pods show none, and are
	// taken at their word.
	Verify bool `json:",omitempty"`
	Roots  Text `json:",omitempty"`

	// Session is that of the answer before, of the same connection; "" for a new connection.
	Session Text `json:",omitempty"`
}

// HostPort joins a host and a port as addresses are written, with brackets around an IPv6 address.
func HostPort(host string, port int) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(port)
}

// Outcome is how a query went.
type Outcome string

// The outcomes.
const (
	OutcomeOK          Outcome = ""            // the answer is there
	OutcomeNoName      Outcome = "nxdomain"    // DNS: there is no such name
	OutcomeNoServer    Outcome = "no-server"   // DNS: the name server does not answer
	OutcomeServFail    Outcome = "servfail"    // DNS: the name server has failed, or does not answer for that name
	OutcomeRefused     Outcome = "refused"     // nothing listens there
	OutcomeTimeout     Outcome = "timeout"     // nobody answers: the program waits as long as it is willing to
	OutcomeUnreachable Outcome = "unreachable" // there is no route to that address
	OutcomeReset       Outcome = "reset"       // whoever has taken the connection is gone
	OutcomeIssuer      Outcome = "issuer"      // TLS: the server's certificate is of no authority that the client knows
	OutcomeName        Outcome = "wrong-name"  // TLS: the server's certificate is for other names
	OutcomePlain       Outcome = "plain"       // TLS: the server speaks HTTP without it
)

// GRPCNotFound is the code of gRPC for something that does not exist.
const GRPCNotFound = 5

// Answer is what the world outside says to a query.
type Answer struct {
	Outcome Outcome `json:",omitempty"`

	// Later says that there is no answer yet: a server holds the request of that number; see Process.Later.
	Later int `json:",omitempty"`

	// Took is how long the answer was under way; the process goes on after that.
	Took time.Duration `json:",omitempty"`

	// Addresses are what DNS says, in its order. Records are the values of other records than A and AAAA. Canonical is
	// the name that they belong to where it is another.
	Addresses []string `json:",omitempty"`
	Records   []string `json:",omitempty"`
	Canonical string   `json:",omitempty"`

	// Status, Header ("Name: value") and Body are what HTTP says.
	Status int   `json:",omitempty"`
	Header Texts `json:",omitempty"`
	Body   Text  `json:",omitempty"`

	// Raw says, in the answer to QueryTCP, that the server speaks a protocol of its own, and is talked to by QueryRaw. In the answer to
	// that, Session is what the server knows of the connection now, Pending says that more will come for a query without a Body, and
	// Closed that the server has ended the connection. So a server needs no table of its connections: those who have them keep it.
	Raw     bool `json:",omitempty"`
	Session Text `json:",omitempty"`
	Pending bool `json:",omitempty"`
	Closed  bool `json:",omitempty"`
}

// Ask sends a query; an earlier one of the process that is not answered yet is given up. The
// program then returns a Wait for Answered, and finds the answer by Process.Answer.
func (p *Process) Ask(q Query) Wait {
	p.k.unask(p)
	p.k.Serial++
	q.ID, q.Process, q.Sandbox, q.At, q.Depth = p.k.Serial, p.ID, p.Sandbox, p.k.Clock, p.Depth
	p.k.Asked = append(p.k.Asked, &q)
	p.Reply = nil
	return Wait{For: Answered}
}

// Answer is the answer to the process's last query; nil as long as there is none.
func (p *Process) Answer() *Answer { return p.Reply }

// Queries are the queries that are not answered yet, the oldest first.
func (k *Kernel) Queries() []Query {
	var all []Query
	for _, q := range k.Asked {
		all = append(all, *q)
	}
	return all
}

// Answer answers a query; the process goes on at Now, or when the answer has arrived. If a server of the Pod answers later, so does this.
// The error is ErrQuery.
func (k *Kernel) Answer(query int, a Answer) error {
	i := slices.IndexFunc(k.Asked, func(q *Query) bool { return q.ID == query })
	if i < 0 {
		return fmt.Errorf("query %d: %w", query, ErrQuery)
	}
	q := k.Asked[i]
	if a.Later != 0 {
		q.Held = true
		for _, r := range k.Requests {
			if r.ID == a.Later {
				r.For = query
			}
		}
		return nil
	}
	k.Asked = slices.Delete(k.Asked, i, i+1)
	for _, p := range k.Processes {
		if p.ID == q.Process && p.Wait.For == Answered {
			p.Reply = &a
			k.wakeAt(p, k.Clock+max(a.Took, 0))
		}
	}
	return nil
}

// unask drops the queries of a process that has ended.
func (k *Kernel) unask(p *Process) {
	k.Asked = slices.DeleteFunc(k.Asked, func(q *Query) bool { return q.Process == p.ID })
}
