package redis

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fixed are the settings that a running server cannot change.
var fixed = []string{"bind", "databases", "port", "daemonize", "version", "protected-mode", "tcp-backlog"}

// policies are the values of maxmemory-policy.
var policies = []string{"noeviction", "allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"}

// Set applies a line of the configuration, as in redis.conf or after "--" on the command line.
// Unknown names are stored without effect. The error concerns the value.
func (s *Server) Set(name, value string) error {
	name = strings.ToLower(name)
	switch name {
	case "maxmemory":
		n, err := bytesOf(value)
		if err != nil {
			return errors.New("argument must be a memory value")
		}
		value = formatInt(n)
	case "maxmemory-policy":
		if !slices.Contains(policies, value) {
			return errors.New("argument(s) must be one of the following: " + strings.Join(policies, ", "))
		}
	case "requirepass":
		s.Password = value
	case "replicaof", "slaveof":
		host, port, ok := strings.Cut(strings.Join(strings.Fields(value), " "), " ")
		if s.Leader = ""; ok && !strings.EqualFold(host, "no") {
			s.Leader = host + " " + port
		}
		return nil
	case "appendonly":
		if value != "yes" && value != "no" {
			return errors.New("argument must be 'yes' or 'no'")
		}
	}
	if _, known := defaults[name]; !known {
		return nil
	}
	s.Config = slices.DeleteFunc(s.Config, func(c Setting) bool { return c.Name == name })
	s.Config = append(s.Config, Setting{name, value})
	if s.room = 0; s.drops() && s.used() > s.limit() {
		s.evict(0)
	}
	return nil
}

// Setting returns the value of a setting; "" for an unknown one.
func (s *Server) Setting(name string) string { return s.setting(name) }

// bytesOf parses a size in the form of redis.conf.
//
// Source: redis 7.4 src/util.c, memtoull
func bytesOf(text string) (int64, error) {
	lower := strings.ToLower(text)
	for _, unit := range []struct {
		suffix string
		bytes  int64
	}{{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}, {"k", 1000}, {"m", 1000 * 1000}, {"g", 1000 * 1000 * 1000}, {"b", 1}, {"", 1}} {
		if digits, ok := strings.CutSuffix(lower, unit.suffix); ok {
			n, err := strconv.ParseUint(digits, 10, 32)
			return int64(n) * unit.bytes, err
		}
	}
	return 0, errInteger
}

func config(x *call, _ int64) {
	switch sub := strings.ToLower(x.arg(1)); {
	case sub == "get" && len(x.args) > 2:
		var names, all []string
		for name := range defaults {
			if name == "version" {
				continue
			}
			for _, pattern := range x.args[2:] {
				fits, steps := match(strings.ToLower(pattern), name, maxWork-x.work)
				if x.spend(steps); fits {
					names = append(names, name)
					break
				}
			}
		}
		slices.Sort(names)
		for _, name := range names {
			all = append(all, name, x.s.setting(name))
		}
		x.texts(all)
	case sub == "set" && len(x.args) > 3 && len(x.args)%2 == 0:
		x.configSet()
	case sub == "resetstat":
		x.s.Commands = 0
		x.ok()
	case sub == "rewrite":
		x.error("ERR The server is running without a config file")
	default:
		x.error("ERR unknown subcommand or wrong number of arguments for '" + x.arg(1) + "'. Try CONFIG HELP.")
	}
}

func (x *call) configSet() {
	for i := 2; i < len(x.args); i += 2 {
		name := strings.ToLower(x.arg(i))
		_, known := defaults[name]
		switch {
		case !known:
			x.error("ERR Unknown option or number of arguments for CONFIG SET - '" + x.arg(i) + "'")
			return
		case slices.Contains(fixed, name):
			x.error("ERR CONFIG SET failed (possibly related to argument '" + name + "') - can't set immutable config")
			return
		case len(x.arg(i+1)) > maxName:
			x.error("ERR CONFIG SET failed (possibly related to argument '" + name + "') - rowlock: the value is too long")
			return
		}
		if err := x.s.Set(name, x.arg(i+1)); err != nil {
			x.error("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + err.Error())
			return
		}
	}
	x.changed = true
	x.ok()
}

// commandInfo is COMMAND. COUNT, and the forms that clients send when they start, are emulated.
func commandInfo(x *call, _ int64) {
	switch {
	case x.is(1, "count"):
		x.count(len(commands))
	case x.is(1, "docs"), len(x.args) == 1, x.is(1, "info"):
		x.list(0)
	default:
		x.error("ERR rowlock: COMMAND " + strings.ToUpper(x.arg(1)) + " is not emulated")
	}
}

func timeNow(x *call, _ int64) {
	x.texts([]string{formatInt(x.now / 1000), formatInt(x.now % 1000 * 1000)})
}

func save(status string) func(*call, int64) {
	return func(x *call, _ int64) {
		x.s.Save = true
		x.s.Saved, x.s.SavedAt = x.s.Offset, x.now
		x.status(status)
	}
}

// shutdown is SHUTDOWN: the connection ends without an answer.
func shutdown(x *call, _ int64) {
	switch {
	case len(x.args) == 1 && x.s.setting("save") == "":
		x.s.Shutdown = "nosave"
	case len(x.args) == 1, x.is(1, "save"):
		x.s.Shutdown = "save"
	case x.is(1, "nosave"):
		x.s.Shutdown = "nosave"
	default:
		x.fail(errSyntax)
		return
	}
	x.c.Closed = true
}

// info is INFO, with its most common sections.
func info(x *call, _ int64) {
	x.expire()
	wanted := func(section string) bool {
		return len(x.args) == 1 || slices.ContainsFunc(x.args[1:], func(a string) bool {
			return slices.Contains([]string{section, "all", "default", "everything"}, strings.ToLower(a))
		})
	}
	var b strings.Builder
	add := func(section string, lines ...string) {
		if !wanted(strings.ToLower(section)) {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString("# " + section + "\r\n" + strings.Join(lines, "\r\n") + "\r\n")
	}
	s, up := x.s, (x.now-x.s.Started)/1000
	add("Server", "redis_version:"+s.setting("version"), "redis_mode:standalone", "os:Linux x86_64", "arch_bits:64", "process_id:1", "tcp_port:"+s.setting("port"),
		"uptime_in_seconds:"+formatInt(up), "uptime_in_days:"+formatInt(up/86400), "config_file:")
	add("Clients", "connected_clients:1", "maxclients:"+s.setting("maxclients"), "blocked_clients:0")
	add("Memory", fmt.Sprintf("used_memory:%d", s.used()), "maxmemory:"+s.setting("maxmemory"), "maxmemory_policy:"+s.setting("maxmemory-policy"))
	add("Persistence", "loading:0", fmt.Sprintf("rdb_changes_since_last_save:%d", s.Offset-s.Saved),
		fmt.Sprintf("rdb_last_save_time:%d", s.SavedAt/1000),
		"aof_enabled:"+map[bool]string{true: "1", false: "0"}[s.setting("appendonly") == "yes"])
	add("Stats", "total_commands_processed:"+formatInt(s.Commands))
	add("Replication", s.replication()...)
	var spaces []string
	for db := range databases {
		keys, expires := 0, 0
		for _, e := range s.Entries {
			if e.DB == db {
				keys++
				if e.Expires != 0 {
					expires++
				}
			}
		}
		if keys > 0 {
			spaces = append(spaces, fmt.Sprintf("db%d:keys=%d,expires=%d,avg_ttl=0", db, keys, expires))
		}
	}
	x.spend(databases * len(s.Entries))
	add("Keyspace", spaces...)
	x.text(b.String())
}
