package application

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/image/redis"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Redis is redis-server. Its log lines and its end are those of the service; its answers come from
// internal/emulator/image/redis.
//
// Differs: it reads its leader's data when it gets a request, not continuously; it removes expired
// keys then, too.
type Redis struct {
	Running
	Data    redis.Server
	Port    int   `json:",omitempty"`
	Counted int64 `json:",omitempty"` // the bytes of memory counted for the data
}

const (
	// redisPatience is how long the server holds a blocking request; the client then sends it
	// again.
	redisPatience = 30 * time.Second

	// leaderTimeout is how long the server waits for its leader.
	leaderTimeout = 5 * time.Second

	// maxIncluded is how many files a configuration includes; it skips more.
	maxIncluded = 20

	// maxConfig is how many bytes of a configuration are read.
	maxConfig = 64 << 10
)

// redisService describes a redis-server as far as the command line decides. ok is false if it names
// a configuration file.
func redisService(args []string) (s Service, ok bool) {
	return redisLines(args), len(args) < 2 || strings.HasPrefix(args[1], "-") && args[1] != "-"
}

// Step implements kernel.Program.
func (r *Redis) Step(p *kernel.Process) kernel.Wait {
	if !r.Begun {
		if failure := r.configure(p); failure != "" {
			say(p, 2, failure)
			return kernel.Done(1)
		}
		r.Own = &Service{}
		*r.Own = redisLines([]string{"redis-server", "--port", strconv.Itoa(r.Port)})
		r.load(p)
	}
	if p.Signalled() && r.Ending == nil && r.Data.Setting("save") != "" {
		r.Data.Save = true
	}
	if r.Data.Shutdown != "" && r.Ending == nil {
		r.log(p, "* User requested shutdown...\n")
		r.Data.Save = r.Data.Shutdown == "save"
		r.Ending = &Ending{At: p.Since()}
	}
	if r.Data.Save || r.Data.Setting("appendonly") == "yes" && r.Data.Saved != r.Data.Offset {
		r.Data.Save = false
		r.save(p)
	}
	size := int64(r.Data.Size())
	p.Use(size - r.Counted)
	r.Counted = size
	return r.Running.Step(p)
}

// configure reads the configuration from the file that the command line names, and then from the
// command line.
//
// Source: redis 7.4 src/server.c, main
func (r *Redis) configure(p *kernel.Process) (failure string) {
	args := p.Args[min(1, len(p.Args)):]
	var lines []string
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		content, err := p.FS().ReadFile(p.Path(args[0]))
		if err != nil {
			return fmt.Sprintf("1:C %s # Fatal error, can't open config file '%s': No such file or directory\n", r.stamp(p), p.Path(args[0]))
		}
		lines, args = strings.Split(string(content[:min(len(content), maxConfig)]), "\n"), args[1:]
	}
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--"); ok {
			lines = append(lines, name)
		} else if len(lines) > 0 {
			lines[len(lines)-1] += " " + quoteArgument(arg)
		}
	}
	r.Port = 6379
	included := 0
	_ = r.Data.Set("version", p.Getenv("REDIS_VERSION")) // any version is valid
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		words, err := redis.Split(line)
		if line == "" || line[0] == '#' || err == nil && len(words) == 0 {
			continue
		}
		if err == nil && strings.EqualFold(words[0], "include") && len(words) == 2 && included < maxIncluded {
			included++
			content, missing := p.FS().ReadFile(p.Path(words[1]))
			if missing != nil {
				return fmt.Sprintf("1:C %s # Fatal error, can't open config file '%s': No such file or directory\n", r.stamp(p), words[1])
			}
			lines = slices.Insert(lines, i+1, strings.Split(string(content[:min(len(content), maxConfig)]), "\n")...)
			continue
		}
		if err == nil {
			err = r.Data.Set(words[0], strings.Join(words[1:], " "))
		}
		if n, bad := strconv.Atoi(r.Data.Setting("port")); bad == nil && n > 0 && n < 65536 {
			r.Port = n
		} else if err == nil {
			err = fmt.Errorf("argument must be between 0 and 65535 inclusive")
		}
		if err != nil {
			return fmt.Sprintf(
				"\n*** FATAL CONFIG FILE ERROR (Redis %s) ***\nReading the configuration file, at line %d\n>>> '%s'\n%v\n",
				r.Data.Setting("version"), i+1, line, err,
			)
		}
	}
	r.Data.Started = p.Now().UnixMilli()
	r.Data.ID = fmt.Sprintf("%016x%016x%08x", p.Random(), p.Random(), uint32(p.Random()))
	return ""
}

// quoteArgument keeps an argument of the command line one word.
func quoteArgument(arg string) string {
	if arg != "" && !strings.ContainsAny(arg, " \t\"'\\") {
		return arg
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(arg) + `"`
}

func (r *Redis) stamp(p *kernel.Process) string {
	return p.Now().UTC().Format("02 Jan 2006 15:04:05.000")
}

func (r *Redis) log(p *kernel.Process, text string) {
	role := "M"
	if r.Data.Leader != "" {
		role = "S"
	}
	say(p, 1, "1:"+role+" "+r.stamp(p)+" "+text)
}

// file returns the path of the data.
func (r *Redis) file(p *kernel.Process) string {
	return p.Path(path.Join(r.Data.Setting("dir"), r.Data.Setting("dbfilename")))
}

// load reads the data of an earlier run.
func (r *Redis) load(p *kernel.Process) {
	content, err := p.FS().ReadFile(r.file(p))
	if err != nil {
		return
	}
	if err := r.Data.Load(content); err != nil {
		r.log(p, "# Fatal error loading the DB, check server logs: "+err.Error()+"\n")
		return
	}
	r.log(p, fmt.Sprintf("* Done loading RDB, keys loaded: %d.\n", len(r.Data.Entries)))
}

func (r *Redis) save(p *kernel.Process) {
	content, err := r.Data.Dump()
	if err == nil {
		err = p.FS().WriteFile(r.file(p), content, 0o644)
	}
	r.Data.Saved, r.Data.SavedAt = r.Data.Offset, p.Now().UnixMilli()
	if err != nil && !errIsQuiet(err) {
		r.log(p, "# Failed opening the temp RDB file for saving: "+err.Error()+"\n")
	}
}

// errIsQuiet reports whether a failure to save is not logged because the directory does not exist:
// most servers have no volume.
func errIsQuiet(err error) bool { return strings.Contains(err.Error(), "No such file or directory") }

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (r *Redis) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	switch {
	case !r.Begun || r.Ending != nil || q.Port != r.Port || q.Kind == kernel.QueryUDP:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	case q.Kind == kernel.QueryTCP:
		return kernel.Answer{Raw: true}
	case q.Kind != kernel.QueryRaw:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}
	case r.Data.Leader != "":
		return p.Later(q, &RedisCopy{Session: q.Session, Input: q.Body})
	}
	c := redis.DecodeSession(string(q.Session))
	return r.talk(p, q, c, string(q.Body))
}

// talk answers a client.
func (r *Redis) talk(p *kernel.Process, q kernel.Query, c *redis.Session, input string) kernel.Answer {
	before := r.Data.Offset
	out := r.Data.Talk(c, input, p.Now())
	if r.Data.Offset != before {
		p.Rouse()
	}
	if c.Blocked != nil {
		return p.Later(q, &RedisWait{Session: kernel.Text(c.Encode()), Output: kernel.Text(out), Until: p.In(redisPatience)})
	}
	return answerOf(c, out)
}

// answerOf returns the answer to a client.
func answerOf(c *redis.Session, out []byte) kernel.Answer {
	return kernel.Answer{Body: kernel.Text(out), Session: kernel.Text(c.Encode()), Pending: c.Blocked != nil, Closed: c.Closed}
}

// RedisWait is a client with a blocking command. The client that has waited longest is served
// first.
type RedisWait struct {
	Session kernel.Text
	Output  kernel.Text `json:",omitempty"`
	Until   time.Duration
}

// Step implements kernel.Program.
func (w *RedisWait) Step(p *kernel.Process) kernel.Wait {
	r, ok := p.Main().(*Redis)
	if !ok {
		return p.Respond(kernel.Answer{Outcome: kernel.OutcomeReset})
	}
	c := redis.DecodeSession(string(w.Session))
	before := r.Data.Offset
	w.Output += kernel.Text(r.Data.Talk(c, "", p.Now()))
	w.Session = kernel.Text(c.Encode())
	if r.Data.Offset != before {
		p.Rouse()
		p.Notify()
	}
	if c.Blocked == nil || p.Since() >= w.Until {
		return p.Respond(answerOf(c, []byte(w.Output)))
	}
	until := w.Until
	if c.Blocked.Until != 0 {
		until = min(until, p.In(max(time.UnixMilli(c.Blocked.Until).Sub(p.Now()), 0)))
	}
	return kernel.Wait{For: kernel.Time, Until: until}
}

// RedisCopy answers a client of a server that copies its leader's data: it updates the copy first.
// If the leader does not answer, the client gets the old data.
type RedisCopy struct {
	Session, Input kernel.Text
	Leader         connection
}

// Step implements kernel.Program.
func (w *RedisCopy) Step(p *kernel.Process) kernel.Wait {
	r, ok := p.Main().(*Redis)
	if !ok {
		return p.Respond(kernel.Answer{Outcome: kernel.OutcomeReset})
	}
	if w.Leader.Port == 0 {
		host, port, _ := strings.Cut(r.Data.Leader, " ")
		n, _ := strconv.Atoi(port) // if that fails, port 0 refuses the connection
		w.Leader = to(host, max(n, 1))
	}
	if wait, done := w.Leader.exchange(p, r.Data.Ask(p.Address()), leaderTimeout); !done {
		return wait
	}
	w.take(p, r)
	c := redis.DecodeSession(string(w.Session))
	out := r.Data.Talk(c, string(w.Input), p.Now())
	p.Notify()
	return p.Respond(answerOf(c, out))
}

// take takes the leader's answer, and logs what is new.
func (w *RedisCopy) take(p *kernel.Process, r *Redis) {
	was, copied := r.Data.LinkUp, r.Data.Copied
	err := redis.ErrLeader
	if w.Leader.Failed == kernel.OutcomeOK {
		err = r.Data.Take(string(w.Leader.Got))
	}
	if err != nil {
		r.Data.LinkUp = false
		if was || copied == "" {
			r.log(p, "* Connecting to MASTER "+strings.Replace(r.Data.Leader, " ", ":", 1)+"\n")
			r.log(p, "# Error condition on socket for SYNC: Connection refused\n")
		}
		return
	}
	if !was {
		r.log(p, "* Connecting to MASTER "+strings.Replace(r.Data.Leader, " ", ":", 1)+"\n")
		r.log(p, "* MASTER <-> REPLICA sync: Finished with success\n")
	}
}

func init() {
	kernel.Register("redis", &Redis{})
	kernel.Register("redis-wait", &RedisWait{})
	kernel.Register("redis-copy", &RedisCopy{})
}

// redisLines returns a redis-server with its log lines.
func redisLines(args []string) Service {
	port, _ := strconv.Atoi(flag(args, "port", "6379"))
	const at = "{time:02 Jan 2006 15:04:05.000}"
	return Service{
		Output: []Line{
			{Text: "1:C " + at + " * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo"},
			{Text: "1:C " + at + " * Redis version={env:REDIS_VERSION}, bits=64, commit=00000000, modified=0, pid=1, just started"},
			{Text: "1:M " + at + " * Running mode=standalone, port=" + strconv.Itoa(port) + "."},
			{Text: "1:M " + at + " * Ready to accept connections tcp"},
		},
		Ports: []Port{{Number: port}},
		Signals: map[string]End{
			"TERM": {Text: "1:M " + at + " * User requested shutdown...\n1:M " + at + " # Redis is now ready to exit, bye bye...\n"},
			"INT":  {Text: "1:M " + at + " * User requested shutdown...\n1:M " + at + " # Redis is now ready to exit, bye bye...\n"},
		},
	}
}
