package application

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// redisOptions are the options of redis-cli.
type redisOptions struct {
	Host           kernel.Text
	Port           int
	User, Password kernel.Text `json:",omitempty"`
	Warns          bool        `json:",omitempty"` // the password was on the command line
	Number         int         `json:",omitempty"` // of the database

	Raw, Pretty bool          `json:",omitempty"`
	Strict      bool          `json:",omitempty"` // -e
	FromInput   bool          `json:",omitempty"` // -x
	Times       int           `json:",omitempty"` // -1: for ever
	Every       time.Duration `json:",omitempty"`
	Args        kernel.Texts  `json:",omitempty"` // the command; nil if it is read from standard input
}

// versionOfRedis stands for the output of --version.
const versionOfRedis = "version"

// parseRedisOptions parses a command line without the program's name. If redis-cli ends at once,
// said is its output.
//
// Source: redis 7.4 src/redis-cli.c, parseOptions
func parseRedisOptions(args []string, password string) (o *redisOptions, said kernel.Program) {
	o = &redisOptions{Host: "127.0.0.1", Port: 6379, Password: kernel.Text(password), Times: 1}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name := args[0]
		if args = args[1:]; o.flag(name) {
			continue
		}
		switch name {
		case "-v", "--version":
			return nil, &Said{Out: versionOfRedis}
		case "-h", "-p", "-a", "--pass", "--user", "-u", "-n", "-r", "-i", "-t", "-D", "-d", "--pattern":
		default:
			if len(name) == 1 || name == "--help" || !isRedisOption(name) {
				return nil, &Said{Err: kernel.Text("Unrecognized option or bad number of args for: '" + name + "'\n"), Code: 1}
			}
			return nil, notEmulated("redis-cli", name)
		}
		if len(args) == 0 {
			if name == "-h" {
				return nil, notEmulated("redis-cli", "without arguments behind -h")
			}
			return nil, &Said{Err: kernel.Text("Unrecognized option or bad number of args for: '" + name + "'\n"), Code: 1}
		}
		value := args[0]
		if args = args[1:]; !o.set(name, value) {
			return nil, &Said{Err: kernel.Text("Invalid value for " + name + ": " + value + "\n"), Code: 1}
		}
	}
	if len(args) > 0 {
		o.Args = args
	}
	if o.FromInput && o.Args == nil {
		return nil, notEmulated("redis-cli -x", "without a command")
	}
	return o, nil
}

// flag sets an option without a value.
func (o *redisOptions) flag(name string) bool {
	switch name {
	case "--raw":
		o.Raw = true
	case "--no-raw":
		o.Pretty = true
	case "--no-auth-warning":
		o.Warns = false
	case "-e":
		o.Strict = true
	case "-x":
		o.FromInput = true
	case "-c", "-2", "-4": // no effect: there are no clusters, RESP3 or IPv6
	default:
		return false
	}
	return true
}

// isRedisOption reports whether redis-cli has an option that is not emulated here.
func isRedisOption(name string) bool {
	return strings.Contains(" -s -3 -6 -X --json --quoted-json --csv --tls --stat --latency --latency-history "+
		"--latency-dist --lru-test --replica --rdb --functions-rdb --pipe --bigkeys --memkeys --hotkeys --scan "+
		"--intrinsic-latency --eval --ldb --ldb-sync-mode --cluster --sentinel --verbose --show-pushes --askpass "+
		"--quoted-input ", " "+name+" ")
}

// set sets an option with a value.
func (o *redisOptions) set(name, value string) (ok bool) {
	n, err := strconv.Atoi(value)
	switch name {
	case "-h":
		o.Host = kernel.Text(value)
	case "-p":
		o.Port = n
		return err == nil && n > 0 && n < 65536
	case "-a", "--pass":
		o.Password, o.Warns = kernel.Text(value), true
	case "--user":
		o.User = kernel.Text(value)
	case "-n":
		o.Number = n
		return err == nil
	case "-r":
		o.Times = n
		return err == nil && n >= -1 && n != 0
	case "-i":
		f, err := strconv.ParseFloat(value, 64)
		o.Every = time.Duration(min(max(f, 0), 1e6) * float64(time.Second))
		return err == nil
	case "-u":
		return o.uri(value)
	}
	return true
}

// uri parses redis://user:password@host:port/db.
func (o *redisOptions) uri(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" {
		return false
	}
	if u.Hostname() != "" {
		o.Host = kernel.Text(u.Hostname())
	}
	if u.Port() != "" {
		if o.Port, err = strconv.Atoi(u.Port()); err != nil || o.Port < 1 || o.Port > 65535 {
			return false
		}
	}
	if password, has := u.User.Password(); has {
		o.User, o.Password, o.Warns = kernel.Text(u.User.Username()), kernel.Text(password), true
	}
	if db := strings.Trim(u.Path, "/"); db != "" {
		o.Number, err = strconv.Atoi(db)
	}
	return err == nil
}
