package redis

import "strings"

func ping(x *call, _ int64) {
	switch len(x.args) {
	case 1:
		x.status("PONG")
	case 2:
		x.text(x.arg(1))
	default:
		x.error("ERR wrong number of arguments for 'ping' command")
	}
}

func auth(x *call, _ int64) {
	user, password := "default", x.arg(len(x.args)-1)
	if len(x.args) == 3 {
		user = x.arg(1)
	}
	switch {
	case len(x.args) > 3:
		x.fail(errSyntax)
	case x.s.Password == "" && len(x.args) == 2:
		x.error("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
	case user != "default" || x.s.Password != "" && password != x.s.Password:
		x.error("WRONGPASS invalid username-password pair or user is disabled.")
	default:
		x.c.User = true
		x.ok()
	}
}

// hello is HELLO. It refuses RESP3, as older servers do.
func hello(x *call, _ int64) {
	if len(x.args) > 1 && x.arg(1) != "2" {
		x.error("NOPROTO unsupported protocol version")
		return
	}
	for i := 2; i < len(x.args); i++ {
		switch {
		case x.is(i, "auth") && i+2 < len(x.args):
			if x.arg(i+1) != "default" || x.s.Password != "" && x.arg(i+2) != x.s.Password {
				x.error("WRONGPASS invalid username-password pair or user is disabled.")
				return
			}
			x.c.User = true
			i += 2
		case x.is(i, "setname") && i+1 < len(x.args):
			x.c.Name = x.arg(i + 1)[:min(len(x.arg(i+1)), maxName)]
			i++
		default:
			x.fail(errSyntax)
			return
		}
	}
	if x.s.Password != "" && !x.c.User {
		x.error("NOAUTH HELLO must be called with the client already authenticated, " +
			"otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client " +
			"and select the RESP protocol version at the same time")
		return
	}
	x.list(14)
	for _, s := range [...]string{"server", "redis", "version", x.s.setting("version"), "proto"} {
		x.text(s)
	}
	x.count(2)
	x.text("id")
	x.count(1)
	for _, s := range [...]string{"mode", "standalone", "role", x.s.role()} {
		x.text(s)
	}
	x.text("modules")
	x.list(0)
}

func quit(x *call, _ int64) {
	x.ok()
	x.c.Closed = true
}

func reset(x *call, _ int64) {
	input := x.c.Input
	*x.c = Session{Input: input}
	x.status("RESET")
}

func selectDB(x *call, _ int64) {
	n, err := integer(x.arg(1))
	switch {
	case err != nil:
		x.error("ERR invalid DB index")
	case n < 0 || n >= databases:
		x.error("ERR DB index is out of range")
	default:
		x.c.DB = int(n)
		x.ok()
	}
}

func client(x *call, _ int64) {
	switch sub := strings.ToLower(x.arg(1)); {
	case sub == "setname" && len(x.args) == 3:
		x.c.Name = x.arg(2)[:min(len(x.arg(2)), maxName)]
		x.ok()
	case sub == "getname":
		if x.c.Name == "" {
			x.none()
			return
		}
		x.text(x.c.Name)
	case sub == "setinfo" && len(x.args) == 4, sub == "no-evict", sub == "no-touch", sub == "reply" && x.is(2, "on"):
		x.ok()
	case sub == "id":
		x.count(1)
	case sub == "info", sub == "list":
		x.text("id=1 name=" + x.c.Name + " db=" + formatInt(int64(x.c.DB)) + " user=default resp=2\n")
	default:
		x.error("ERR rowlock: CLIENT " + strings.ToUpper(x.arg(1)) + " is not emulated")
	}
}

// Transactions.

func multi(x *call, _ int64) {
	if x.c.Multi {
		x.error("ERR MULTI calls can not be nested")
		return
	}
	x.c.Multi, x.c.Failed = true, false
	x.ok()
}

func discard(x *call, _ int64) {
	if !x.c.Multi {
		x.error("ERR DISCARD without MULTI")
		return
	}
	x.c.Multi, x.c.Queue = false, nil
	x.ok()
}

func exec(x *call, _ int64) {
	queue, failed := x.c.Queue, x.c.Failed
	if !x.c.Multi {
		x.error("ERR EXEC without MULTI")
		return
	}
	x.c.Multi, x.c.Queue, x.c.Failed = false, nil, false
	if failed {
		x.error("EXECABORT Transaction discarded because of previous errors.")
		return
	}
	x.list(len(queue))
	changed := false
	for _, args := range queue {
		x.args, x.inExec = texts(args), true
		commands[strings.ToLower(x.args[0])].run(x, 0)
		changed = changed || x.changed
		if x.work > maxWork || len(x.out) > maxAnswer {
			break
		}
	}
	x.inExec, x.changed = false, changed
}
