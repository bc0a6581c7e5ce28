package application

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/image/redis"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Frontend is the frontend of the guestbook in Kubernetes' tutorial: an Apache with a page, whose
// entries are in a Redis.
type Frontend struct{ Web }

// FrontendActs are the paths whose requests ask other servers. It must not be changed.
var FrontendActs = []string{"/guestbook.php"}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (f *Frontend) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	path, query, _ := strings.Cut(string(q.Path), "?")
	values, _ := url.ParseQuery(query) // malformed parts count as absent
	served := f.Begun && f.Ending == nil && len(f.Sites) > 0 && f.Sites[0].Port == q.Port
	acts := q.Kind == kernel.QueryHTTP && !q.TLS && path == FrontendActs[0] && values.Has("cmd")
	if !served || !acts {
		return f.Web.Serve(p, q)
	}
	q.Body = ""
	return p.Later(q, &Entries{Query: q, Sets: values.Get("cmd") == "set", Key: kernel.Text(values.Get("key")), Value: kernel.Text(values.Get("value"))})
}

// Entries answers a request for guestbook.php: it reads an entry from a follower, or writes one to
// the leader.
//
// Source: GoogleCloudPlatform/kubernetes-engine-samples, guestbook/php-redis/guestbook.php
// Differs: it also finds the Services of older versions, redis-master and redis-slave.
type Entries struct {
	Query      kernel.Query
	Sets       bool `json:",omitempty"`
	Key, Value kernel.Text
	Older      bool `json:",omitempty"` // it uses the older name
	Redis      connection
}

// redisTimeout is how long PHP's client waits.
const redisTimeout = 5 * time.Second

// Step implements kernel.Program.
func (e *Entries) Step(p *kernel.Process) kernel.Wait {
	if e.Redis.Port == 0 {
		e.Redis = to(e.host(p), 6379)
	}
	command := redis.Command("GET", string(e.Key))
	if e.Sets {
		command = redis.Command("SET", string(e.Key), string(e.Value))
	}
	if wait, done := e.Redis.exchange(p, command, redisTimeout); !done {
		return wait
	}
	if e.Redis.Failed == kernel.OutcomeNoName && !e.Older {
		e.Older = true
		e.Redis = connection{}
		return kernel.Wait{}
	}
	return e.respond(p)
}

// host returns the host of the Redis.
func (e *Entries) host(p *kernel.Process) string {
	role := map[[2]bool]string{{false, false}: "follower", {true, false}: "leader", {false, true}: "slave", {true, true}: "master"}[[2]bool{e.Sets, e.Older}]
	if p.Getenv("GET_HOSTS_FROM") == "env" {
		return p.Getenv("REDIS_" + strings.ToUpper(role) + "_SERVICE_HOST")
	}
	return "redis-" + role
}

func (e *Entries) respond(p *kernel.Process) kernel.Wait {
	failure := ""
	r, n, err := redis.ParseReply([]byte(e.Redis.Got))
	switch {
	case e.Redis.Failed == kernel.OutcomeNoName:
		failure = "php_network_getaddresses: getaddrinfo failed: Name or service not known"
	case e.Redis.Failed == kernel.OutcomeTimeout:
		failure = "Connection timed out"
	case e.Redis.Failed != kernel.OutcomeOK, err != nil, n == 0:
		failure = "Connection refused"
	case r.Kind == '-':
		failure = r.Text
	}
	var a kernel.Answer
	switch {
	case failure != "":
		a = respond(200, "text/html; charset=UTF-8", "<br />\n<b>Fatal error</b>:  "+
			"Uncaught exception 'Predis\\Connection\\ConnectionException' with message '"+
			failure+" [tcp://"+e.host(p)+":6379]' in guestbook.php<br />\n")
	case e.Sets:
		a = respond(200, "application/json", `{"message": "Updated"}`)
	default:
		text, _ := json.Marshal(r.Text) // a text is always valid
		a = respond(200, "application/json", `{"data": `+string(text)+`}`)
	}
	if f, ok := p.Main().(*Frontend); ok {
		f.log(p, e.Query, a)
	}
	return p.Respond(a)
}

func init() {
	kernel.Register("guestbook-frontend", &Frontend{})
	kernel.Register("guestbook-entries", &Entries{})
	kernel.Provide("guestbook-frontend", func([]string) kernel.Program { return &Frontend{Web{Kind: webApache}} })
}
