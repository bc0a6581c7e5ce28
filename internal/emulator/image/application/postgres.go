package application

import (
	"encoding/binary"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Postgres is a PostgreSQL, emulated in part: it takes connections, asks for the password, and
// reports that it does not run SQL. It answers SELECT with a number, because health checks use it.
type Postgres struct{ Running }

// postgresSession is what the server knows of a connection.
type postgresSession struct {
	Input   []byte `json:",omitempty"` // an incomplete message
	Started bool   `json:",omitempty"`
	User    bool   `json:",omitempty"` // the client has given the password
	Name    string `json:",omitempty"`
	Skips   bool   `json:",omitempty"` // it skips messages until Sync
}

// maxPostgres is the most bytes of a message.
const maxPostgres = 64 << 10

// noSQL is the answer of SQL servers.
const noSQL = "rowlock: the emulated %s does not run SQL"

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (s *Postgres) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	a, ok := s.listens(p, q)
	if !ok || q.Kind != kernel.QueryRaw {
		return a
	}
	var c postgresSession
	_ = json.Unmarshal([]byte(q.Session), &c) // the server itself has written it, or it is empty
	password := p.Getenv("POSTGRES_PASSWORD")
	if p.Getenv("POSTGRES_HOST_AUTH_METHOD") == "trust" || strings.HasPrefix(q.Address, "127.") { // as in pg_hba.conf
		password = ""
	}
	out, closed := c.talk([]byte(q.Body), password, p.Getenv("PG_VERSION"))
	session, _ := json.Marshal(c) // plain data
	return kernel.Answer{Body: kernel.Text(out), Session: kernel.Text(session), Closed: closed}
}

// listens returns the answer to a query before the protocol begins; ok is false if the server does
// not take connections on the port now.
func (r *Running) listens(p *kernel.Process, q kernel.Query) (a kernel.Answer, ok bool) {
	refused := kernel.Answer{Outcome: kernel.OutcomeRefused}
	if !r.Begun || r.Ending != nil || q.Kind == kernel.QueryUDP {
		return refused, false
	}
	for _, port := range r.spec().Ports {
		if port.Number == q.Port && port.After <= p.Since()-r.Start {
			switch q.Kind {
			case kernel.QueryTCP, kernel.QueryRaw:
				return kernel.Answer{Raw: true}, true
			default:
				return kernel.Answer{Outcome: kernel.OutcomeTimeout}, true
			}
		}
	}
	return refused, false
}

// Codes with which a connection may begin.
//
// Source: PostgreSQL 17, Frontend/Backend Protocol, Message Formats
const (
	postgresVersion3 = 3 << 16
	postgresCancel   = 80877102
	postgresSSL      = 80877103
	postgresGSS      = 80877104
)

// talk takes a client's bytes and returns the server's. closed says that the server closes the
// connection.
func (c *postgresSession) talk(input []byte, password, version string) (out []byte, closed bool) {
	c.Input = append(c.Input, input...)
	for {
		kind, body, n, ok := c.message()
		switch {
		case !ok:
			return append(out, postgresError("FATAL", "08P01", "invalid length of startup packet")...), true
		case n == 0:
			return out, false
		}
		c.Input = c.Input[n:]
		var said []byte
		switch {
		case !c.Started:
			said, closed = c.start(body, password, version)
		case !c.User:
			said, closed = c.authenticate(kind, body, password, version)
		default:
			said, closed = c.command(kind, body)
		}
		if out = append(out, said...); closed {
			c.Input = nil
			return out, true
		}
	}
}

// message returns the next complete message: n is its length in bytes, 0 for none. ok is
// false for bytes that cannot be one.
func (c *postgresSession) message() (kind byte, body []byte, n int, ok bool) {
	head := 1
	if !c.Started {
		head = 0
	}
	if len(c.Input) < head+4 {
		return 0, nil, 0, true
	}
	size := int64(binary.BigEndian.Uint32(c.Input[head:]))
	if size < 4 || size > maxPostgres || !c.Started && size < 8 {
		return 0, nil, 0, false
	}
	if n = head + int(size); len(c.Input) < n {
		return 0, nil, 0, true
	}
	if head == 1 {
		kind = c.Input[0]
	}
	return kind, c.Input[head+4 : n], n, true
}

// start answers the first message of a connection.
func (c *postgresSession) start(body []byte, password, version string) (out []byte, closed bool) {
	switch code := binary.BigEndian.Uint32(body); {
	case code == postgresSSL, code == postgresGSS:
		return []byte{'N'}, false
	case code == postgresCancel:
		return nil, true
	case code>>16 != postgresVersion3>>16:
		return postgresError("FATAL", "0A000", "unsupported frontend protocol"), true
	}
	c.Started = true
	words := strings.Split(string(body[4:]), "\x00")
	for i := 0; i+1 < len(words) && words[i] != ""; i += 2 {
		if words[i] == "user" {
			c.Name = words[i+1][:min(len(words[i+1]), 63)]
		}
	}
	switch {
	case c.Name == "":
		return postgresError("FATAL", "28000", "no PostgreSQL user name specified in startup packet"), true
	case password == "":
		return c.welcome(version), false
	}
	return postgresMessage('R', []byte{0, 0, 0, 3}), false // the password in clear text
}

func (c *postgresSession) authenticate(kind byte, body []byte, password, version string) (out []byte, closed bool) {
	switch {
	case kind != 'p':
		return postgresError("FATAL", "08P01", "expected password response"), true
	case strings.TrimSuffix(string(body), "\x00") != password:
		return postgresError("FATAL", "28P01", "password authentication failed for user \""+c.Name+"\""), true
	}
	return c.welcome(version), false
}

// welcome says that the client may send queries.
func (c *postgresSession) welcome(version string) []byte {
	c.User = true
	out := postgresMessage('R', []byte{0, 0, 0, 0})
	for _, pair := range [...][2]string{
		{"server_version", version}, {"server_encoding", "UTF8"}, {"client_encoding", "UTF8"}, {"DateStyle", "ISO, MDY"},
		{"integer_datetimes", "on"}, {"standard_conforming_strings", "on"}, {"TimeZone", "Etc/UTC"},
	} {
		out = append(out, postgresMessage('S', []byte(pair[0]+"\x00"+pair[1]+"\x00"))...)
	}
	out = append(out, postgresMessage('K', []byte{0, 0, 0, 1, 0, 0, 0, 1})...)
	return append(out, postgresReady...)
}

// postgresReady says that the next query may come.
var postgresReady = []byte{'Z', 0, 0, 0, 5, 'I'}

func (c *postgresSession) command(kind byte, body []byte) (out []byte, closed bool) {
	switch kind {
	case 'X':
		return nil, true
	case 'Q':
		sql := strings.TrimRight(strings.TrimSuffix(string(body), "\x00"), "; \t\r\n")
		found := selectNumber.FindStringSubmatch(sql)
		switch {
		case strings.TrimSpace(sql) == "":
			out = postgresMessage('I', nil)
		case found != nil:
			out = postgresNumber(found[1])
		default:
			out = postgresError("ERROR", "0A000", strings.Replace(noSQL, "%s", "postgres", 1))
		}
		return append(out, postgresReady...), false
	case 'S':
		c.Skips = false
		return postgresReady, false
	case 'H', 'C', 'd', 'c', 'f':
		return nil, false
	}
	if c.Skips {
		return nil, false
	}
	c.Skips = true
	return postgresError("ERROR", "0A000", strings.Replace(noSQL, "%s", "postgres", 1)), false
}

// postgresSelect is the command tag of an answer.
const postgresSelect = "SELECT"

// postgresNumber is the answer to SELECT with a number.
func postgresNumber(number string) []byte {
	column := append([]byte{0, 1}, "?column?\x00"...)
	column = append(column, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 0xff, 0xff, 0xff, 0xff, 0, 0)
	row := binary.BigEndian.AppendUint32([]byte{0, 1}, uint32(len(number)))
	out := append(postgresMessage('T', column), postgresMessage('D', append(row, number...))...)
	return append(out, postgresMessage('C', []byte(postgresSelect+" 1\x00"))...)
}

func postgresError(severity, code, message string) []byte {
	return postgresMessage('E', []byte("S"+severity+"\x00V"+severity+"\x00C"+code+"\x00M"+message+"\x00\x00"))
}

// postgresMessage returns a message with a body.
func postgresMessage(kind byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4)), body...)
}

func init() {
	kernel.Register("postgres", &Postgres{})
}

var selectNumber = regexp.MustCompile(`(?i)^\s*select\s+(\d{1,18})\s*;?\s*$`)
