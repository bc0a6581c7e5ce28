package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func (s *Shell) setBuiltin(args []string) kernel.Wait {
	args = args[1:]
	if len(args) == 0 {
		for _, name := range sortedKeys(s.Vars) {
			if v := s.Vars[name]; !v.Unset && !v.IsList && !v.IsTable {
				_ = s.print(name + "=" + quote(string(v.Value)) + "\n")
			}
		}
		s.Status = 0
		return s.again()
	}
	s.Status = 0
	for len(args) > 0 {
		a := args[0]
		if a == "--" || a == "-" {
			s.Args = slices.Clone(args[1:])
			return s.again()
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			s.Args = slices.Clone(args)
			return s.again()
		}
		args = args[1:]
		for _, c := range []byte(a[1:]) {
			switch {
			case c == 'o' && len(args) == 0:
				s.showOptions(a[0] == '-')
			case c == 'o':
				if !s.Opts.set(args[0], a[0] == '-') {
					return s.badOption("set: " + map[dialect]string{
						bash: args[0] + ": invalid option name",
						dash: "Illegal option -o " + args[0],
						ash:  "illegal option -o " + args[0],
					}[s.Dialect])
				}
				args = args[1:]
			case !s.Opts.letter(c, a[0] == '-'):
				return s.badOption("set: illegal option " + a[:1] + string(c))
			}
		}
	}
	return s.again()
}

func (s *Shell) showOptions(plain bool) {
	for _, name := range []string{"allexport", "errexit", "noclobber", "noexec", "noglob", "nounset", "pipefail", "verbose", "xtrace"} {
		on := s.Opts.on(name)
		if plain {
			_ = s.print(name + strings.Repeat(" ", 16-len(name)) + map[bool]string{true: "on", false: "off"}[on] + "\n")
		} else {
			_ = s.print("set " + map[bool]string{true: "-", false: "+"}[on] + "o " + name + "\n")
		}
	}
}

func (s *Shell) shopt(args []string) kernel.Wait {
	on := true
	s.Status = 0
	for _, a := range args[1:] {
		switch a {
		case "-s":
			on = true
		case "-u":
			on = false
		case "-q", "extglob", "expand_aliases", "inherit_errexit", "nocasematch", "globstar", "dotglob", "failglob":
			if a != "-q" && a != "extglob" && on {
				return s.foreign("shopt -s " + a + " is not emulated")
			}
		case "nullglob":
			s.Opts.Nullglob = on
		case "lastpipe":
			if on {
				return s.foreign("shopt -s lastpipe is not emulated")
			}
		}
	}
	return s.again()
}

func (s *Shell) alias(args []string) kernel.Wait {
	if len(args) == 1 || s.Dialect == bash { // bash does not use aliases in scripts
		s.Status = 0
		return s.again()
	}
	return s.foreign("alias is not emulated")
}

func (s *Shell) umask(args []string) kernel.Wait {
	s.Status = 0
	if len(args) == 1 {
		text := "0000" + strconv.FormatUint(uint64(s.p.Umask), 8)
		_ = s.print(text[len(text)-4:] + "\n")
		return s.again()
	}
	n, err := strconv.ParseUint(args[1], 8, 32)
	if err != nil || n > 0o777 {
		return s.fail("umask: "+args[1]+": only octal numbers are emulated", 1)
	}
	s.p.Umask = uint32(n)
	return s.again()
}

func (s *Shell) ulimit(args []string) kernel.Wait {
	s.Status = 0
	if len(args) > 2 {
		return s.again() // limits below the sandbox's are not stored
	}
	if len(args) == 2 && args[1] == "-n" {
		_ = s.print("256\n")
	} else {
		_ = s.print("unlimited\n")
	}
	return s.again()
}

func (s *Shell) cd(args []string) kernel.Wait {
	args = args[1:]
	for len(args) > 0 && (args[0] == "-P" || args[0] == "-L" || args[0] == "--") {
		args = args[1:]
	}
	dir, say := "", false
	switch {
	case len(args) == 0:
		if dir = s.get("HOME"); dir == "" {
			if s.Dialect == bash {
				return s.fail("cd: HOME not set", 1)
			}
			s.Status = 0
			return s.again()
		}
	case args[0] == "-":
		if dir, say = s.get("OLDPWD"), true; dir == "" {
			return s.fail("cd: OLDPWD not set", 1)
		}
	case len(args) > 1 && s.Dialect == bash:
		return s.fail("cd: too many arguments", 1)
	default:
		dir = args[0]
	}
	full := path.Clean(s.p.Path(dir))
	info, err := s.p.FS().Stat(s.p.Path(dir) + "/.")
	if err == nil {
		err = s.p.FS().Access(full, 1)
	}
	if err != nil || !info.IsDir() {
		switch s.Dialect {
		case bash:
			return s.fail("cd: "+dir+": "+reason(err), 1)
		case dash:
			return s.fail("cd: can't cd to "+dir, 2)
		}
		return s.fail("cd: can't cd to "+dir+": "+reason(err), 2)
	}
	old := s.p.Cwd
	s.p.Cwd = full
	s.set("OLDPWD", old)
	s.set("PWD", full)
	if say {
		_ = s.print(full + "\n")
	}
	s.Status = 0
	return s.again()
}

func (s *Shell) pwd([]string) kernel.Wait {
	_ = s.print(s.p.Cwd + "\n")
	s.Status = 0
	return s.again()
}
