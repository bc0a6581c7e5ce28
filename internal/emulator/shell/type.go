package shell

import (
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

var keywords = []string{
	"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "{", "}", "!",
	"[[", "]]", "function", "time",
}

// typeOf prints what a name is.
func (s *Shell) typeOf(args []string) kernel.Wait {
	s.Status = 0
	short := false
	for _, name := range args[1:] {
		switch name {
		case "-t":
			short = true
			continue
		case "-p", "-a", "-P":
			return s.foreign("type " + name + " is not emulated")
		}
		kind, file := s.kindOf(name)
		switch {
		case kind == "":
			if short {
				s.Status = 1
				continue
			}
			text := name + ": not found"
			if s.Dialect == bash {
				s.complain("type: " + text)
			} else {
				_ = s.print(text + "\n")
			}
			s.Status = 1
			if s.Dialect != bash {
				s.Status = 127
			}
		case short:
			_ = s.print(kind + "\n")
		case kind == "file":
			_ = s.print(name + " is " + file + "\n")
		default:
			long := map[string]string{"keyword": "a shell keyword", "function": "a function", "builtin": "a shell builtin"}[kind]
			if s.Dialect == dash && kind == "function" || s.Dialect == ash && kind == "function" {
				long = "a shell function"
			}
			if s.Dialect != bash && kind == "builtin" && specials[name] {
				long = "a special shell builtin"
			}
			_ = s.print(name + " is " + long + "\n")
		}
	}
	return s.again()
}

func (s *Shell) kindOf(name string) (kind, file string) {
	if slices.Contains(keywords, name) {
		return "keyword", ""
	}
	if _, ok := s.Funcs[name]; ok {
		return "function", ""
	}
	if s.builtin(name) != nil {
		return "builtin", ""
	}
	if file, err := kernel.LookPath(s.p.FS(), name, s.get("PATH"), s.p.Cwd); err == nil {
		if info, err := s.p.FS().Stat(s.p.Path(file)); err == nil && !info.IsDir() && s.p.FS().Access(s.p.Path(file), 1) == nil {
			return "file", file
		}
	}
	return "", ""
}

// command runs a command that is not a function, or prints what a name is.
func (s *Shell) command(args []string) kernel.Wait {
	rest := args[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		switch rest[0] {
		case "-v":
			s.Status = 0
			for _, name := range rest[1:] {
				kind, file := s.kindOf(name)
				switch kind {
				case "":
					s.Status = 127
					if s.Dialect == bash {
						s.Status = 1
					}
				case "file":
					_ = s.print(file + "\n")
				default:
					_ = s.print(name + "\n")
				}
			}
			return s.again()
		case "-V":
			return s.typeOf(append([]string{"type"}, rest[1:]...))
		case "-p", "--":
			rest = rest[1:]
			continue
		}
		return s.fail("command: illegal option "+rest[0], 2)
	}
	if len(rest) == 0 {
		s.Status = 0
		return s.again()
	}
	s.Fields = rest
	if b := s.builtin(rest[0]); b != nil {
		return s.runBuiltin(rest[0], b)
	}
	return s.start1(false)
}

func (s *Shell) builtinBuiltin(args []string) kernel.Wait {
	if len(args) < 2 {
		s.Status = 0
		return s.again()
	}
	if b := s.builtin(args[1]); b != nil {
		s.Fields = args[1:]
		return b(s, args[1:])
	}
	return s.fail("builtin: "+args[1]+": not a shell builtin", 1)
}
