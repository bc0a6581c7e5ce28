package kernel

import (
	"strconv"
	"strings"
	"time"
)

// QueryKind is what a process asks of the world outside the Pod.
type QueryKind string

// The kinds of queries.
const (
	// QueryDNS asks for the addresses of Name, which is absolute but has no final dot.
	QueryDNS QueryKind = "dns"
	// QueryTCP asks whether Port of Address takes a connection.
	QueryTCP QueryKind = "tcp"
	// QueryHTTP asks for the answer to an HTTP request sent to Port of Address.
	QueryHTTP QueryKind = "http"
	// QueryGRPC asks the gRPC health service on Port about the service Name. If the answer has a
	// Status, it is an error of that gRPC code with its Body as the message. Otherwise the service
	// is in the state that its Body names, or SERVING without one.
	QueryGRPC QueryKind = "grpc"
	// QueryRaw sends Body as it is over a connection to Port of Address; the answer's Body is
	// everything that comes back. For a server with its own protocol, Session carries what it knows
	// of the connection; see Answer.Raw.
	QueryRaw QueryKind = "raw"
	// QueryUDP sends Body as a datagram to Port of Address; the answer's Body is the datagram that
	// comes back.
	QueryUDP QueryKind = "udp"
	// QueryPeers asks for the addresses behind the Service Name, which is "namespace/name", as an
	// API server knows them: each with its port.
	QueryPeers QueryKind = "peers"
	// QueryPing asks whether Address answers an ICMP echo.
	QueryPing QueryKind = "ping"
)

// Query is a question of a process to the world outside the Pod. The process waits until
// Kernel.Answer.
type Query struct {
	ID      int
	Process int // the process's ID; 0 if the node asks
	Sandbox string
	At      time.Duration // since Kernel.Start
	Told    bool          `json:",omitempty"` // Run has reported it
	Node    bool          `json:",omitempty"` // the Pod's node asks
	Held    bool          `json:",omitempty"` // only the process waits for the answer
	Depth   int           `json:",omitempty"` // see Process.Depth

	Kind QueryKind

	// Name is the DNS name. Record is "A", "AAAA", "PTR", "SRV" …; "" means A and AAAA.
	Name   Text   `json:",omitempty"`
	Record string `json:",omitempty"`

	// Address and Port are the destination of a connection.
	Address string `json:",omitempty"`
	Port    int    `json:",omitempty"`

	// From is the source address; "" for the Pod's own node.
	From string `json:",omitempty"`

	// TLS, Method, Host (of the header), Path (with the query), Header ("Name: value") and Body
	// make an HTTP request.
	TLS    bool  `json:",omitempty"`
	Method Text  `json:",omitempty"`
	Host   Text  `json:",omitempty"`
	Path   Text  `json:",omitempty"`
	Header Texts `json:",omitempty"`
	Body   Text  `json:",omitempty"`

	// Verify says that the client speaks TLS only to a server that shows a certificate of one of
	// the authorities in Roots, in PEM, for the name in Host. Servers in Pods show no certificate,
	// and are trusted without one.
	Verify bool `json:",omitempty"`
	Roots  Text `json:",omitempty"`

	// Session is the one of the previous answer on the same connection; "" for a new connection.
	Session Text `json:",omitempty"`
}

// HostPort joins a host and a port into an address, with brackets around an IPv6 address.
func HostPort(host string, port int) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(port)
}

// Outcome is how a query ended.
type Outcome string

// The outcomes.
const (
	OutcomeOK          Outcome = ""            // there is an answer
	OutcomeNoName      Outcome = "nxdomain"    // DNS: there is no such name
	OutcomeNoServer    Outcome = "no-server"   // DNS: the name server does not answer
	OutcomeServFail    Outcome = "servfail"    // DNS: the name server has failed, or does not answer for that name
	OutcomeRefused     Outcome = "refused"     // nothing listens there
	OutcomeTimeout     Outcome = "timeout"     // no answer comes: the program waits as long as it is willing to
	OutcomeUnreachable Outcome = "unreachable" // there is no route to that address
	OutcomeReset       Outcome = "reset"       // the other side of the connection is gone
	OutcomeIssuer      Outcome = "issuer"      // TLS: the client does not know the authority of the server's certificate
	OutcomeName        Outcome = "wrong-name"  // TLS: the server's certificate is for other names
	OutcomePlain       Outcome = "plain"       // TLS: the server speaks HTTP without it
)

// GRPCNotFound is the gRPC code for something that does not exist.
const GRPCNotFound = 5

// Latency is how long a question to the world outside the Pod, or its answer, travels.
const Latency = time.Millisecond

// Answer is the world's answer to a query.
type Answer struct {
	Outcome Outcome `json:",omitempty"`

	// Later is the number of the request at the server if there is no answer yet; see
	// Process.Later.
	Later int `json:",omitempty"`

	// Took is how long the answer travelled; the process continues after that.
	Took time.Duration `json:",omitempty"`

	// Addresses are the addresses from DNS, in its order. Records are the values of records other
	// than A and AAAA. Canonical is the canonical name if it differs from the one asked for.
	Addresses []string `json:",omitempty"`
	Records   []string `json:",omitempty"`
	Canonical string   `json:",omitempty"`

	// Status, Header ("Name: value") and Body are an HTTP response.
	Status int   `json:",omitempty"`
	Header Texts `json:",omitempty"`
	Body   Text  `json:",omitempty"`

	// Raw says, in the answer to QueryTCP, that the server has its own protocol, for QueryRaw. In
	// the answer to QueryRaw, Session is what the server now knows of the connection, Pending says
	// that more will come for a query without a Body, and Closed that the server has closed the
	// connection. So a server needs no table of connections: its clients keep their sessions.
	Raw     bool `json:",omitempty"`
	Session Text `json:",omitempty"`
	Pending bool `json:",omitempty"`
	Closed  bool `json:",omitempty"`
}

// Request is a request that a server holds to answer later.
type Request struct {
	ID       int
	Thread   int           // the ID of the thread that answers it
	Received time.Duration // since Kernel.Start

	// For is the query of this kernel that it answers; 0 if it came from outside. Then it stays
	// until Kernel.Reply takes the answer.
	For    int     `json:",omitempty"`
	Answer *Answer `json:",omitempty"` // nil until there is one
	Told   bool    `json:",omitempty"` // Run has reported the answer
}
