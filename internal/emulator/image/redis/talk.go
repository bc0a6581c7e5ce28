package redis

import (
	"strconv"
	"strings"
	"time"
)

// Talk takes a client's bytes and returns the server's. Without input it continues a blocked
// command. If Session.Blocked is set afterwards, the rest of the answer comes when another client
// has added an element, or at Blocked.Until.
func (s *Server) Talk(c *Session, input string, now time.Time) (out []byte) {
	x := &call{s: s, c: c, now: now.UnixMilli()}
	c.Input = append(c.Input, input...)
	if b := c.Blocked; b != nil && !c.Closed {
		c.Blocked = nil
		x.execute(texts(b.Args), b.Until)
	}
	for c.Blocked == nil && !c.Closed {
		args, n, err := parse(c.Input)
		if err != nil {
			x.error("ERR " + err.Error())
			c.Closed = true
			break
		}
		if n == 0 {
			break
		}
		c.Input = c.Input[n:]
		if len(args) > 0 {
			x.execute(args, 0)
		}
	}
	switch {
	case c.Closed:
		c.Input, c.Queue = nil, nil
	case len(c.Input) > maxCommand: // after a blocked command
		x.error("ERR " + errLong.Error())
		c.Closed, c.Input, c.Blocked = true, nil, nil
	}
	return x.out
}

// execute runs a command. until is when a command that was blocked gives up; 0 for a new one.
func (x *call) execute(args []string, until int64) {
	x.s.Commands++
	x.args = args
	name := strings.ToLower(args[0])
	known, ok := commands[name]
	if refusal := x.refusal(name, known, ok); refusal != "" {
		if x.c.Failed = x.c.Failed || x.c.Multi; !x.c.Closed {
			x.error(refusal)
		}
		return
	}
	if x.c.Multi && !known.outside {
		x.enqueue()
		return
	}
	x.run(known, until)
}

// run runs a command that is not refused.
func (x *call) run(known command, until int64) {
	x.changed = false
	known.run(x, until)
	if x.changed {
		x.s.Offset++
	}
	if len(x.out) > maxAnswer || x.work > maxWork {
		x.out = x.out[:min(len(x.out), maxAnswer)]
		x.c.Closed = true // as for a client that exceeds its output buffer limit
	}
}

// refusal is why a command is refused; "" if it is not.
//
// Source: redis 7.4 src/server.c, processCommand
func (x *call) refusal(name string, known command, ok bool) string {
	switch {
	case !ok && notEmulated[name]:
		return "ERR rowlock: " + strings.ToUpper(name) + " is not emulated"
	case !ok:
		var b strings.Builder
		for _, arg := range x.args[1:] {
			if b.Len() > 128 {
				break
			}
			b.WriteString("'" + arg[:min(len(arg), 128)] + "' ")
		}
		return "ERR unknown command '" + x.args[0][:min(len(x.args[0]), 128)] + "', with args beginning with: " + b.String()
	case known.arity > 0 && len(x.args) != known.arity || len(x.args) < -known.arity:
		return "ERR wrong number of arguments for '" + name + "' command"
	case x.s.Password != "" && !x.c.User && !known.open:
		return "NOAUTH Authentication required."
	case known.writes && x.s.Leader != "":
		return "READONLY You can't write against a read only replica."
	case known.grows && !x.s.makeRoom(len(strings.Join(x.args, ""))+len(x.args)*perItem):
		return "OOM command not allowed when used memory > 'maxmemory'."
	}
	return ""
}

// notEmulated are commands of Redis that are not emulated.
var notEmulated = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{
		"subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "publish", "spublish", "pubsub", "monitor", "watch", "unwatch",
		"eval", "evalsha", "eval_ro", "script", "function", "fcall", "fcall_ro", "xadd", "xread", "xreadgroup", "xrange",
		"xrevrange", "xlen", "xack", "xgroup", "xinfo", "xtrim",
		"xdel", "xpending", "xclaim", "xautoclaim", "cluster", "module", "acl", "dump", "restore", "migrate", "sort",
		"sort_ro", "bitcount", "bitop", "bitpos", "bitfield", "setbit", "getbit",
		"pfadd", "pfcount", "pfmerge", "geoadd", "geosearch", "georadius", "geodist", "geopos", "hscan", "sscan", "zscan",
		"zrangestore", "zunionstore", "zinterstore", "zunion", "zinter",
		"zpopmin", "zpopmax", "bzpopmin", "bzpopmax", "zmpop", "lmpop", "blmpop", "object", "copy", "move", "swapdb",
		"debug", "latency", "memory", "slowlog", "failover", "sync",
		"sinterstore", "sunionstore", "sdiffstore", "smove", "setrange", "getex", "lpos", "zremrangebyrank",
		"zremrangebyscore", "zlexcount", "zrangebylex", "hincrbyfloat", "hrandfield", "unlinkall",
	} {
		all[name] = true
	}
	return all
}()

func (x *call) enqueue() {
	size := len(x.args)
	for _, args := range x.c.Queue {
		for _, a := range args {
			size += len(a) + 1
		}
	}
	if size+len(strings.Join(x.args, "")) > maxCommand {
		x.c.Failed = true
		x.error("ERR rowlock: a transaction of more than " + strconv.Itoa(maxCommand) + " bytes is not emulated")
		return
	}
	x.c.Queue = append(x.c.Queue, raws(x.args))
	x.status("QUEUED")
}
