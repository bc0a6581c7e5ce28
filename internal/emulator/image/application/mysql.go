package application

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// MySQL is a MySQL or a MariaDB, emulated in part: it greets, accepts any password, answers pings,
// and reports that it does not run SQL. It answers SELECT with a number, because health checks use
// it.
//
// Differs: it does not check the password, which clients send as a hash.
type MySQL struct{ Running }

// mysqlSession is what the server knows of a connection.
type mysqlSession struct {
	Input   []byte `json:",omitempty"` // an incomplete packet
	Started bool   `json:",omitempty"` // the client has answered the greeting
}

// The plugins by which clients log in.
const (
	mysqlNative  = "mysql_native_password"
	mysqlCaching = "caching_sha2_password"
)

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (s *MySQL) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	a, ok := s.listens(p, q)
	if !ok || a.Outcome != kernel.OutcomeOK {
		return a
	}
	version, name, plugin := p.Getenv("MYSQL_VERSION"), "mysql", mysqlCaching
	if s.Name == "mariadbd" {
		version, name, plugin = "5.5.5-"+p.Getenv("MARIADB_VERSION")+"-MariaDB", "mariadb", mysqlNative
	}
	var c mysqlSession
	if q.Session == "" {
		a.Body = kernel.Text(mysqlGreeting(version, plugin))
		if q.Kind == kernel.QueryTCP {
			a.Session = "{}"
			return a
		}
	} else {
		_ = json.Unmarshal([]byte(q.Session), &c) // the server itself has written it
	}
	out, closed := c.talk([]byte(q.Body), name)
	session, _ := json.Marshal(c) // plain data
	return kernel.Answer{Raw: true, Body: a.Body + kernel.Text(out), Session: kernel.Text(session), Closed: closed}
}

// Capabilities of client and server.
//
// Source: dev.mysql.com, MySQL Source Code Documentation, Client/Server Protocol, Capabilities Flags
const (
	mysqlLongPassword = 1 << 0
	mysqlWithDB       = 1 << 3
	mysqlProtocol41   = 1 << 9
	mysqlSecure       = 1 << 15
	mysqlPluginAuth   = 1 << 19

	mysqlCapabilities = mysqlLongPassword | mysqlWithDB | mysqlProtocol41 | mysqlSecure | mysqlPluginAuth
)

// mysqlGreeting is the server's first packet. The salt for the password is always the same, because
// the password is not checked.
func mysqlGreeting(version, plugin string) []byte {
	body := append([]byte{10}, version+"\x00"...)
	body = append(body, 1, 0, 0, 0)
	body = append(body, "rowlock1\x00"...)
	body = append(body, byte(mysqlCapabilities&0xff), byte(mysqlCapabilities>>8&0xff), 0xff, 2, 0,
		byte(mysqlCapabilities>>16&0xff), byte(mysqlCapabilities>>24&0xff), 21)
	body = append(body, make([]byte, 10)...)
	body = append(body, "rowlock12345\x00"...)
	body = append(body, plugin+"\x00"...)
	return mysqlPacket(0, body)
}

// mysqlPacket returns a packet with a body.
func mysqlPacket(number byte, body []byte) []byte {
	return append([]byte{byte(len(body)), byte(len(body) >> 8), byte(len(body) >> 16), number}, body...)
}

var (
	mysqlOK = []byte{0, 0, 0, 2, 0, 0, 0}

	// mysqlAsks matches the statements with which clients begin; they accept any answer.
	mysqlAsks = regexp.MustCompile(`(?i)^(set|use)\b`)
)

func mysqlError(code uint16, state, message string) []byte {
	return append([]byte{0xff, byte(code), byte(code >> 8)}, "#"+state+message...)
}

// talk takes a client's bytes and returns the server's. closed says that the server closes the
// connection.
func (c *mysqlSession) talk(input []byte, name string) (out []byte, closed bool) {
	c.Input = append(c.Input, input...)
	for len(c.Input) >= 4 {
		size := int(c.Input[0]) | int(c.Input[1])<<8 | int(c.Input[2])<<16
		number := c.Input[3]
		if size > maxPostgres {
			c.Input = nil
			return append(out, mysqlPacket(number+1, mysqlError(1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes"))...), true
		}
		if len(c.Input) < 4+size {
			break
		}
		body := c.Input[4 : 4+size]
		c.Input = c.Input[4+size:]
		if !c.Started {
			c.Started = true
			if name == "mysql" { // as if the server had cached the password, which it does not check
				number++
				out = append(out, mysqlPacket(number, []byte{1, 3})...)
			}
			out = append(out, mysqlPacket(number+1, mysqlOK)...)
			continue
		}
		said, end := mysqlCommand(body, name)
		for i, packet := range said {
			out = append(out, mysqlPacket(number+1+byte(i), packet)...)
		}
		if end {
			c.Input = nil
			return out, true
		}
	}
	return out, false
}

// mysqlCommand answers a command with packets.
//
// Source: dev.mysql.com, MySQL Source Code Documentation, Client/Server Protocol, Command Phase
func mysqlCommand(body []byte, name string) (packets [][]byte, closed bool) {
	if len(body) == 0 {
		return [][]byte{mysqlError(1835, "HY000", "Malformed communication packet.")}, true
	}
	switch body[0] {
	case 0x01: // COM_QUIT
		return nil, true
	case 0x02, 0x0e, 0x1f: // COM_INIT_DB, COM_PING, COM_RESET_CONNECTION
		return [][]byte{mysqlOK}, false
	case 0x03: // COM_QUERY
		sql := strings.TrimRight(string(body[1:]), "; \t\r\n")
		if found := selectNumber.FindStringSubmatch(sql); found != nil {
			return mysqlNumber(found[1]), false
		}
		if mysqlAsks.MatchString(strings.TrimSpace(sql)) {
			return [][]byte{mysqlOK}, false
		}
	}
	return [][]byte{mysqlError(1235, "42000", strings.Replace(noSQL, "%s", name, 1))}, false
}

// mysqlNumber is the answer to SELECT with a number: a column, its end, a row, its end.
func mysqlNumber(number string) [][]byte {
	text := func(s string) []byte { return append([]byte{byte(len(s))}, s...) }
	column := append(text("def"), 0, 0, 0)
	column = append(append(column, text(number)...), 0, 12, 63, 0, byte(len(number)), 0, 0, 0, 8, 0x81, 0, 0, 0, 0)
	end := []byte{0xfe, 0, 0, 2, 0}
	return [][]byte{{1}, column, end, text(number), end}
}

func init() {
	kernel.Register("mysql", &MySQL{})
}
