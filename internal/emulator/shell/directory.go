package shell

import (
	"path"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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
