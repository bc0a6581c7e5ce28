package script

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/image/pi"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// perlPiTime is how long Perl takes for a number of digits of π: five seconds for 2,000, growing
// with the square of the number. It has the first thousand digits built in.
func perlPiTime(digits int) time.Duration {
	if digits <= 1000 {
		return 50 * time.Millisecond
	}
	return 5 * time.Second * time.Duration(digits) / 2000 * time.Duration(digits) / 2000
}

var perlDialect = dialect{
	concat: '.', line: "#", expands: "$@", raw: true, quiet: strings.Fields("use no"), uncalled: strings.Fields("print say sleep exit die warn bpi"),
	call: func(s *script, name string, args []value) (value, error) {
		switch name {
		case "print", "say":
			text, err := joined(args, "")
			if s.newline || name == "say" {
				text += "\n"
			}
			s.act(Act{Out: kernel.Text(text)})
			return value{}, err
		case "warn", "die":
			text, err := joined(args, "")
			if !strings.HasSuffix(text, "\n") {
				text += " at -e line 1.\n"
			}
			s.act(Act{Err: kernel.Text(text)})
			if name == "die" {
				s.exit(255)
			}
			return value{}, err
		case "sleep":
			return value{}, s.sleep(args, 1)
		case "exit":
			return value{}, s.exitWith(args)
		case "bpi":
			return s.pi(args)
		}
		return value{}, ErrScript
	},
}

// pi is bpi of Perl's bignum: π with that many digits, the last one rounded.
func (s *script) pi(args []value) (value, error) {
	if len(args) != 1 || args[0].kind != 'n' || args[0].number < 0 || args[0].number > pi.MaxDigits {
		return value{}, ErrScript
	}
	n := int(args[0].number)
	if n == 0 {
		n = 40 // the default
	}
	if s.digits += n; s.digits > pi.MaxDigits {
		return value{}, ErrScript
	}
	s.act(Act{Sleep: perlPiTime(n)})
	return stringValue(pi.Digits(n)), nil
}

var nodeDialect = dialect{
	concat: '+', line: "//", bareReturn: true, quiet: []string{"'use strict'"}, backquote: true,
	call: func(s *script, name string, args []value) (value, error) {
		switch name {
		case "console.log", "console.info", "console.error", "console.warn":
			text, err := joined(args, " ")
			if strings.Contains(text, "%") {
				return value{}, ErrScript // it may be a format
			}
			if name == "console.error" || name == "console.warn" {
				s.act(Act{Err: kernel.Text(text + "\n")})
			} else {
				s.act(Act{Out: kernel.Text(text + "\n")})
			}
			return value{}, err
		case "process.exit":
			return value{}, s.exitWith(args)
		case "process.env[]":
			return s.variable(args, false)
		}
		return value{}, ErrScript
	},
}

var rubyDialect = dialect{
	concat: '+', line: "#", bareReturn: true, expands: "#", raw: true, quiet: strings.Fields("require"),
	uncalled: strings.Fields("puts print sleep exit exit! abort warn"),
	call: func(s *script, name string, args []value) (value, error) {
		switch name {
		case "puts", "warn":
			text, err := joined(args, "\n")
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			if name == "warn" {
				s.act(Act{Err: kernel.Text(text)})
			} else {
				s.act(Act{Out: kernel.Text(text)})
			}
			return value{}, err
		case "print":
			text, err := joined(args, "")
			s.act(Act{Out: kernel.Text(text)})
			return value{}, err
		case "abort":
			text, err := joined(args, "")
			s.act(Act{Err: kernel.Text(text + "\n")})
			s.exit(1)
			return value{}, err
		case "sleep":
			return value{}, s.sleep(args, 1)
		case "exit", "exit!":
			return value{}, s.exitWith(args)
		case "ENV[]", "ENV.fetch":
			return s.variable(args, false)
		case "Socket.gethostname":
			return stringValue(s.hostname), nil
		}
		return value{}, ErrScript
	},
}

var phpDialect = dialect{
	concat: '.', line: "//", expands: "$", raw: true, uncalled: strings.Fields("echo print exit die"),
	call: func(s *script, name string, args []value) (value, error) {
		switch name {
		case "echo", "print":
			text, err := joined(args, "")
			s.act(Act{Out: kernel.Text(text)})
			return value{}, err
		case "exit", "die":
			if len(args) == 1 && args[0].kind == 's' {
				s.act(Act{Out: kernel.Text(args[0].text)})
				s.exit(0)
				return value{}, nil
			}
			return value{}, s.exitWith(args)
		case "sleep":
			return value{}, s.sleep(args, 1)
		case "usleep":
			return value{}, s.sleep(args, 1e-6)
		case "getenv":
			return s.variable(args, false)
		case "gethostname":
			return stringValue(s.hostname), nil
		case "phpversion":
			return stringValue(s.getenv("PHP_VERSION")), nil
		}
		return value{}, ErrScript
	},
}

func (s *script) sleep(args []value, unit float64) error {
	if len(args) != 1 {
		return ErrScript
	}
	d, ok := args[0].duration()
	if !ok {
		return ErrScript
	}
	s.act(Act{Sleep: time.Duration(float64(d) * unit)})
	return nil
}

func (s *script) exitWith(args []value) error {
	switch {
	case len(args) == 0:
		s.exit(0)
	case len(args) == 1 && args[0].kind == 'n':
		s.exit(args[0].number)
	default:
		return ErrScript
	}
	return nil
}

// variable returns an environment variable. If it is not set, the result is the second argument, if
// a call may have one; without that, languages differ, and the script is not emulated.
func (s *script) variable(args []value, second bool) (value, error) {
	if len(args) == 0 || args[0].kind != 's' {
		return value{}, ErrScript
	}
	if found := s.getenv(args[0].text); found != "" {
		return stringValue(found), nil
	}
	if second && len(args) == 2 {
		return args[1], nil
	}
	return value{}, ErrScript
}

// Language is an interpreter: how its command line gives the script.
type Language struct {
	Name    string
	dialect *dialect
	Inline  []string // the options that a script follows
	Version func(version string) string
	Missing func(file string) (string, int) // the message and exit code for a missing script
}

// Languages are the languages by the names of their interpreters. Python is among them, but has no
// Run.
var Languages = map[string]*Language{
	"perl": {
		Name: "perl", dialect: &perlDialect, Inline: strings.Fields("-e -E"),
		Version: func(v string) string {
			return "\nThis is perl 5, version " + part(v, 1) + ", subversion " + part(v, 2) + " (v" + v +
				") built for x86_64-linux-gnu\n\nCopyright 1987-2024, Larry Wall\n"
		},
		Missing: func(file string) (string, int) {
			return "Can't open perl script \"" + file + "\": No such file or directory\n", 2
		},
	},
	"python": {
		Name: "python", Inline: strings.Fields("-c"),
		Version: func(v string) string { return "Python " + v + "\n" },
		Missing: func(file string) (string, int) {
			return "python3: can't open file '" + file + "': [Errno 2] No such file or directory\n", 2
		},
	},
	"node": {
		Name: "node", dialect: &nodeDialect, Inline: strings.Fields("-e --eval"),
		Version: func(v string) string { return "v" + v + "\n" },
		Missing: func(file string) (string, int) { return "Error: Cannot find module '" + file + "'\n", 1 },
	},
	"ruby": {
		Name: "ruby", dialect: &rubyDialect, Inline: strings.Fields("-e"),
		Version: func(v string) string { return "ruby " + v + " [x86_64-linux]\n" },
		Missing: func(file string) (string, int) {
			return "ruby: No such file or directory -- " + file + " (LoadError)\n", 1
		},
	},
	"php": {
		Name: "php", dialect: &phpDialect, Inline: strings.Fields("-r"),
		Version: func(v string) string { return "PHP " + v + " (cli) (NTS)\n" },
		Missing: func(file string) (string, int) { return "Could not open input file: " + file + "\n", 1 },
	},
}

// Run parses a script, and returns what it does. newline says that print ends lines. The error is
// ErrScript if the script is not emulated.
func (l *Language) Run(text string, newline bool, getenv func(string) string, hostname string) (Outcome, error) {
	s := script{dialect: *l.dialect, text: text, getenv: getenv, hostname: hostname, newline: newline}
	return s.run()
}

// part returns one of the numbers of a version.
func part(version string, i int) string {
	parts := strings.Split(version, ".")
	if i < len(parts) {
		if _, err := strconv.Atoi(parts[i]); err == nil {
			return parts[i]
		}
	}
	return "0"
}
