package application

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// SQLClient is psql, mysql or mariadb with a connection: it sends the argument of -c or -e, or its
// standard input, and prints the answer.
//
// Differs: the whole standard input is one query, and there is no prompt.
type SQLClient struct {
	Name   string
	Host   string `json:",omitempty"`
	Server connection

	Phase sqlPhase    `json:",omitempty"`
	SQL   kernel.Text `json:",omitempty"`
	Typed bool        `json:",omitempty"` // SQL came from standard input
}

type sqlPhase int

// The phases of the client.
const (
	sqlReads sqlPhase = iota
	sqlBegins
	sqlLogsIn
	sqlAsks
)

const (
	sqlTimeout = 10 * time.Second
	maxSQL     = 32 << 10
)

// Step implements kernel.Program.
func (c *SQLClient) Step(p *kernel.Process) kernel.Wait {
	if c.Phase == sqlReads {
		return c.read(p)
	}
	postgres := c.Name == "psql"
	if wait, done := c.Server.exchange(p, c.message(p, postgres), sqlTimeout); !done {
		return wait
	}
	if c.Server.Failed != kernel.OutcomeOK {
		return c.fail(p, 2, "server closed the connection unexpectedly")
	}
	if postgres {
		return c.postgres(p, []byte(c.Server.Got))
	}
	return c.mysql(p, []byte(c.Server.Got))
}

// read finds the query.
func (c *SQLClient) read(p *kernel.Process) kernel.Wait {
	short, long := "c", "command"
	if c.Name != "psql" {
		short, long = "e", "execute"
	}
	sql, given := optionOf(p.Args, short, long)
	if given {
		c.SQL, c.Phase = kernel.Text(sql), sqlBegins
		return kernel.Wait{}
	}
	data, err := p.Read(0, 4096)
	switch {
	case err == kernel.ErrWouldBlock:
		return kernel.Wait{For: kernel.Readable}
	case err != nil && strings.TrimSpace(string(c.SQL)) == "":
		return kernel.Done(0)
	case err != nil:
		c.Phase, c.Typed = sqlBegins, true
	}
	if c.SQL += kernel.Text(data); p.IsTerminal(0) && strings.HasSuffix(string(data), "\n") {
		c.Phase, c.Typed = sqlBegins, true
	}
	if len(c.SQL) > maxSQL {
		return c.fail(p, NotEmulatedCode, fmt.Sprintf("rowlock: more than %d bytes of SQL are not emulated", maxSQL))
	}
	return kernel.Wait{}
}

// optionOf returns the value of an option; its short form may be the last of several letters.
func optionOf(args []string, short, long string) (value string, given bool) {
	for i, arg := range args {
		name, after, has := strings.Cut(arg, "=")
		switch {
		case i == 0:
		case name == "--"+long && has:
			return after, true
		case (arg == "--"+long || len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.HasSuffix(arg, short) && len(arg) < 5) && i+1 < len(args):
			return args[i+1], true
		}
	}
	return "", false
}

// message returns the client's next message.
func (c *SQLClient) message(p *kernel.Process, postgres bool) string {
	switch {
	case postgres && c.Phase == sqlBegins:
		body := binary.BigEndian.AppendUint32(nil, postgresVersion3)
		body = append(body, "user\x00"+c.user(p)+"\x00\x00"...)
		return string(append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...))
	case postgres && c.Phase == sqlLogsIn:
		return string(postgresMessage('p', []byte(p.Getenv("PGPASSWORD")+"\x00")))
	case postgres:
		return string(postgresMessage('Q', []byte(string(c.SQL)+"\x00")))
	case c.Phase == sqlBegins:
		return ""
	case c.Phase == sqlLogsIn:
		body := binary.LittleEndian.AppendUint32(nil, mysqlCapabilities&^mysqlWithDB)
		body = append(append(body, 0, 0, 0, 1, 0xff), make([]byte, 23)...)
		return string(mysqlPacket(1, append(body, flag(p.Args, "u", "root")+"\x00\x00"+mysqlNative+"\x00"...)))
	}
	return string(mysqlPacket(0, append([]byte{3}, string(c.SQL)...)))
}

func (c *SQLClient) user(p *kernel.Process) string {
	user := p.Getenv("PGUSER")
	if user == "" {
		user = "postgres"
	}
	return flag(p.Args, "U", flag(p.Args, "username", user))
}

// postgres processes the messages from a PostgreSQL.
func (c *SQLClient) postgres(p *kernel.Process, got []byte) kernel.Wait {
	failure, row, asks, ready := "", "", false, false
	for len(got) >= 5 {
		size := int(binary.BigEndian.Uint32(got[1:]))
		if size < 4 || len(got) < 1+size {
			break
		}
		kind, body := got[0], got[5:1+size]
		got = got[1+size:]
		switch {
		case kind == 'E':
			failure = postgresFailure(body)
		case kind == 'R':
			asks = len(body) >= 4 && binary.BigEndian.Uint32(body) == 3
		case kind == 'D' && len(body) > 6:
			row = string(body[6:])
		case kind == 'Z':
			ready = true
		}
	}
	switch {
	case c.Phase != sqlAsks && failure != "":
		return c.fail(p, 2, failure)
	case c.Phase == sqlBegins && asks && p.Getenv("PGPASSWORD") == "":
		return c.fail(p, 2, "fe_sendauth: no password supplied")
	case c.Phase == sqlBegins && asks:
		c.Phase = sqlLogsIn
	case !ready:
		return c.fail(p, 2, "server closed the connection unexpectedly")
	case c.Phase != sqlAsks:
		c.Phase = sqlAsks
	case failure != "":
		say(p, 2, failure+"\n")
		return kernel.Done(map[bool]int{false: 1}[c.Typed])
	case row != "":
		text := fmt.Sprintf(" ?column? \n----------\n %8s\n(1 row)\n\n", row)
		if c.plain(p) {
			text = row + "\n"
		}
		say(p, 1, text)
		return kernel.Done(0)
	default:
		return kernel.Done(0)
	}
	return kernel.Wait{}
}

// plain reports whether psql prints only the rows.
func (c *SQLClient) plain(p *kernel.Process) bool {
	letters := ""
	for _, arg := range p.Args[1:] {
		if len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && len(arg) < 5 {
			letters += arg[1:]
		}
	}
	return strings.Contains(letters, "t") && strings.Contains(letters, "A")
}

// postgresFailure formats an error as psql does.
func postgresFailure(body []byte) string {
	severity, message := "", ""
	for _, field := range strings.Split(string(body), "\x00") {
		if field == "" {
			break
		}
		switch field[0] {
		case 'S':
			severity = field[1:]
		case 'M':
			message = field[1:]
		}
	}
	return severity + ":  " + message
}

// mysql processes the last packet from a MySQL.
func (c *SQLClient) mysql(p *kernel.Process, got []byte) kernel.Wait {
	var packets [][]byte
	for len(got) >= 4 {
		size := int(got[0]) | int(got[1])<<8 | int(got[2])<<16
		if len(got) < 4+size {
			break
		}
		packets, got = append(packets, got[4:4+size]), got[4+size:]
	}
	if len(packets) == 0 || len(packets[0]) == 0 {
		return c.fail(p, 1, "Lost connection to MySQL server")
	}
	first := packets[0]
	switch {
	case first[0] == 0xff && len(first) > 9:
		say(p, 2, fmt.Sprintf("ERROR %d (%s) at line 1: %s\n", int(first[1])|int(first[2])<<8, first[4:9], first[9:]))
		return kernel.Done(1)
	case c.Phase != sqlAsks:
		c.Phase++
	case len(packets) > 3 && len(packets[3]) > 1:
		row := string(packets[3][1:])
		say(p, 1, row+"\n"+row+"\n")
		return kernel.Done(0)
	default:
		return kernel.Done(0)
	}
	return kernel.Wait{}
}

func (c *SQLClient) fail(p *kernel.Process, code int, why string) kernel.Wait {
	if c.Name == "psql" {
		where := "connection to server on socket \"/var/run/postgresql/.s.PGSQL." + fmt.Sprint(c.Server.Port) + "\" failed: "
		if c.Host != "" {
			where = fmt.Sprintf("connection to server at %q (%s), port %d failed: ", c.Host, c.Server.Name.First(), c.Server.Port)
		}
		why = "psql: error: " + where + why
	} else {
		why = "ERROR 2013 (HY000): " + why
	}
	say(p, 2, why+"\n")
	return kernel.Done(code)
}

func init() {
	kernel.Register("sql-client", &SQLClient{})
}
