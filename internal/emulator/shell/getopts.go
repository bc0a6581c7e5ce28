package shell

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// getopts parses the next option of the arguments.
func (s *Shell) getopts(args []string) kernel.Wait {
	if len(args) < 3 {
		return s.fail("getopts: usage: getopts optstring name [arg ...]", 2)
	}
	spec, name := args[1], args[2]
	list := []string(s.Args)
	if len(args) > 3 {
		list = args[3:]
	}
	silent := strings.HasPrefix(spec, ":")
	index, _ := strconv.Atoi(s.get("OPTIND"))
	index = max(index, 1)
	done := func(opt, arg string, at, status int) kernel.Wait {
		keep := s.OptAt
		s.set(name, opt)
		s.set("OPTARG", arg)
		if s.get("OPTIND") != strconv.Itoa(at) {
			s.set("OPTIND", strconv.Itoa(at))
		}
		s.OptAt, s.Status = keep, status
		return s.again()
	}
	if s.OptAt == 0 {
		if index > len(list) || len(list[index-1]) < 2 || list[index-1][0] != '-' {
			return done("?", "", index, 1)
		}
		if list[index-1] == "--" {
			return done("?", "", index+1, 1)
		}
		s.OptAt = 1
	}
	if index > len(list) || s.OptAt >= len(list[index-1]) {
		s.OptAt = 0
		return done("?", "", index, 1)
	}
	word := list[index-1]
	c := word[s.OptAt]
	s.OptAt++
	rest := word[s.OptAt:]
	next := index
	if rest == "" {
		next, s.OptAt = index+1, 0
	}
	at := strings.IndexByte(strings.TrimPrefix(spec, ":"), c)
	if at < 0 || c == ':' {
		if silent {
			return done("?", string(c), next, 0)
		}
		s.complainOption("Illegal option -"+string(c), "illegal option -- "+string(c))
		return done("?", "", next, 0)
	}
	if after := strings.TrimPrefix(spec, ":")[at+1:]; !strings.HasPrefix(after, ":") {
		return done(string(c), "", next, 0)
	}
	s.OptAt = 0
	switch {
	case rest != "":
		return done(string(c), rest, index+1, 0)
	case index < len(list):
		return done(string(c), list[index], index+2, 0)
	case silent:
		return done(":", string(c), index+1, 0)
	}
	s.complainOption("No arg for -"+string(c)+" option", "option requires an argument -- "+string(c))
	return done("?", "", index+1, 0)
}

func (s *Shell) complainOption(plain, gnu string) {
	if s.Dialect == bash {
		_ = s.write(2, []byte(string(s.Name)+": "+gnu+"\n"))
		return
	}
	_ = s.write(2, []byte(plain+"\n"))
}
