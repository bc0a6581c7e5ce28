package application

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Client is a database's client that asks whether a server takes connections: pg_isready and
// mysqladmin ping. psql and mysql continue as an SQLClient.
type Client struct {
	Name    string
	Address string `json:",omitempty"` // once it is resolved
	Asking  string `json:",omitempty"` // "dns" or "tcp"
}

// clients are the emulated clients.
var clients = map[string]client{
	"pg_isready":     {port: 5432, host: ""},
	"psql":           {port: 5432, host: "", sql: true},
	"mysql":          {port: 3306, host: "", sql: true},
	"mysqladmin":     {port: 3306, host: ""},
	"mariadb":        {port: 3306, host: "", sql: true},
	"mariadb-admin":  {port: 3306, host: ""},
	"healthcheck.sh": {port: 3306, host: ""},
}

type client struct {
	port int
	host string // "": the server's socket
	sql  bool   // it sends SQL
}

// clientWait is how long a client waits for a connection.
const clientWait = 10 * time.Second

// Step implements kernel.Program.
func (c *Client) Step(p *kernel.Process) kernel.Wait {
	usual := clients[c.Name]
	port := number(p.Args, "p", number(p.Args, "P", number(p.Args, "port", usual.port)))
	if strings.HasPrefix(c.Name, "m") || usual.port == 3306 {
		port = number(p.Args, "P", number(p.Args, "port", usual.port)) // -p is the password
	}
	host := flag(p.Args, "h", flag(p.Args, "host", usual.host))
	if c.Name == "pg_isready" || c.Name == "psql" {
		if host == "" {
			host = p.Getenv("PGHOST")
		}
	}
	if c.Asking == "" {
		if said := c.says(p); said != nil {
			p.Run.Program = said
			return kernel.Wait{}
		}
		if _, err := netip.ParseAddr(host); err != nil && host != "" && host != "localhost" {
			c.Asking = "dns"
			return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(strings.TrimSuffix(host, "."))})
		}
		c.Address = host
		if host == "" || host == "localhost" {
			c.Address = "127.0.0.1"
		}
		return c.connect(p, port)
	}
	a := p.Answer()
	if a == nil {
		return c.end(p, host, port, kernel.OutcomeTimeout)
	}
	if c.Asking == "dns" {
		if len(a.Addresses) == 0 {
			return c.end(p, host, port, kernel.OutcomeNoName)
		}
		c.Address = a.Addresses[0]
		return c.connect(p, port)
	}
	if a.Outcome == kernel.OutcomeOK && clients[c.Name].sql {
		p.Run.Program = &SQLClient{Name: c.Name, Host: host, Server: to(c.Address, port)}
		return kernel.Wait{}
	}
	return c.end(p, host, port, a.Outcome)
}

func (c *Client) connect(p *kernel.Process, port int) kernel.Wait {
	c.Asking = "tcp"
	wait := p.Ask(kernel.Query{Kind: kernel.QueryTCP, Address: c.Address, Port: port})
	wait.Until = p.In(clientWait)
	return wait
}

// says returns the program for a command line that needs no connection: it prints a version, or
// reports what is not emulated. It returns nil if a connection is needed.
func (c *Client) says(p *kernel.Process) kernel.Program {
	if slices.Contains(p.Args, "--version") || slices.Contains(p.Args, "-V") {
		return &Said{Out: kernel.Text(c.version(p) + "\n")}
	}
	switch c.Name {
	case "pg_isready", "healthcheck.sh":
		return nil
	case "mysqladmin", "mariadb-admin":
		if slices.Contains(p.Args, "ping") || slices.Contains(p.Args, "status") {
			return nil
		}
	default:
		return nil
	}
	return notEmulated(c.Name, "with these arguments")
}

func (c *Client) version(p *kernel.Process) string {
	switch c.Name {
	case "psql", "pg_isready":
		return c.Name + " (PostgreSQL) " + p.Getenv("PG_VERSION")
	case "mysql", "mysqladmin":
		return c.Name + "  Ver " + p.Getenv("MYSQL_VERSION") + " for Linux on x86_64 (MySQL Community Server - GPL)"
	}
	return c.Name + " from " + p.Getenv("MARIADB_VERSION") + "-MariaDB, client 15.2 for debian-linux-gnu (x86_64)"
}

// end reports the result of the connection.
func (c *Client) end(p *kernel.Process, host string, port int, how kernel.Outcome) kernel.Wait {
	up := how == kernel.OutcomeOK
	out := func(fd, code int, text string) kernel.Wait {
		say(p, fd, text)
		return kernel.Done(code)
	}
	switch c.Name {
	case "pg_isready":
		if host == "" {
			host = "/var/run/postgresql"
		}
		word, code := "no response", 2
		if up {
			word, code = "accepting connections", 0
		}
		if slices.Contains(p.Args, "-q") || slices.Contains(p.Args, "--quiet") {
			return kernel.Done(code)
		}
		return out(1, code, host+":"+strconv.Itoa(port)+" - "+word+"\n")
	case "psql":
		return out(2, 2, fmt.Sprintf("psql: error: connection to server at %q, port %d failed: Connection refused\n"+
			"\tIs the server running on that host and accepting TCP/IP connections?\n", host, port))
	case "healthcheck.sh":
		return kernel.Done(map[bool]int{true: 0, false: 1}[up])
	case "mysqladmin", "mariadb-admin":
		if !up {
			return out(2, 1, c.Name+": connect to server at '"+orLocalhost(host)+"' failed\nerror: 'Can't connect to MySQL server on '"+orLocalhost(host)+"' (111)'\n")
		}
		if !slices.Contains(p.Args, "ping") {
			return out(1, 0, "Uptime: 1  Threads: 2  Questions: 1  Slow queries: 0  Opens: 0  Open tables: 0  Queries per second avg: 1.000\n")
		}
		return out(1, 0, "mysqld is alive\n")
	}
	return out(2, 1, "ERROR 2003 (HY000): Can't connect to MySQL server on '"+orLocalhost(host)+":"+strconv.Itoa(port)+"' (111)\n")
}

func orLocalhost(host string) string {
	if host == "" {
		return "localhost"
	}
	return host
}

func init() {
	kernel.Register("client", &Client{})
	for name := range clients {
		kernel.Provide(name, func([]string) kernel.Program { return &Client{Name: name} })
	}
}
