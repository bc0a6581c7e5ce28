package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// begin parses the shell's arguments and starts its script.
func (s *Shell) begin() kernel.Wait {
	if s.Dialect == "" {
		s.Dialect = s.system()
	}
	s.start()
	args := s.p.Args
	s.Name = kernel.Text(args[0])
	rest := args[1:]
	command, fromInput, interactive, done := false, false, false, false
	for len(rest) > 0 && len(rest[0]) > 1 && (rest[0][0] == '-' || rest[0][0] == '+') && !done {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			done = true
			continue
		case arg == "--login" || arg == "--norc" || arg == "--noprofile" || arg == "--posix":
			continue
		case arg == "--version" && s.Dialect == bash:
			_ = s.print("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n")
			return kernel.Done(0)
		}
		for _, c := range arg[1:] {
			switch {
			case c == 'c':
				command = true
			case c == 's':
				fromInput = true
			case c == 'i':
				interactive = true
			case c == 'l' || c == 'm':
			case c == 'o' || c == 'O':
				if len(rest) == 0 {
					continue
				}
				if c == 'o' && !s.Opts.set(rest[0], arg[0] == '-') {
					return s.refuse("illegal option -o " + rest[0])
				}
				rest = rest[1:]
			case !s.Opts.letter(byte(c), arg[0] == '-'):
				return s.refuse("illegal option " + arg[:1] + string(c))
			}
		}
	}
	if len(rest) > 0 && rest[0] == "-" && !done {
		rest = rest[1:]
	}
	switch {
	case command:
		if len(rest) == 0 {
			return s.refuse(map[dialect]string{bash: "-c: option requires an argument", dash: "-c requires an argument", ash: "-c requires an argument"}[s.Dialect])
		}
		if len(rest) > 1 {
			s.Name, s.Args = kernel.Text(rest[1]), slices.Clone(rest[2:])
		}
		return s.run(rest[0], true)
	case len(rest) == 0 || fromInput:
		s.Args = slices.Clone(rest)
		return s.readInput(interactive || s.p.IsTerminal(0) && s.p.IsTerminal(2))
	}
	s.Name, s.Args = kernel.Text(rest[0]), slices.Clone(rest[1:])
	return s.runFile(rest[0])
}

// system returns the dialect of /bin/sh: busybox' if its programs are there, otherwise dash's if
// there is one.
func (s *Shell) system() dialect {
	if !s.p.GNU() {
		return ash
	}
	if _, err := s.p.FS().Stat("/bin/dash"); err == nil {
		return dash
	}
	return bash
}

// start sets the shell's initial variables.
func (s *Shell) start() {
	s.Units, s.Vars = map[int]*unit{}, make(map[string]*variable, len(s.p.Env)+8)
	s.PID, s.Since = s.p.PID, s.p.Since()
	for _, e := range s.p.Env {
		switch name, value, ok := strings.Cut(e, "="); {
		case ok && validName(name):
			s.Vars[name] = &variable{Value: kernel.Text(value), Export: true}
		case ok && name != "" && s.Dialect != dash:
			s.Foreign = append(s.Foreign, e)
		}
	}
	s.Vars["IFS"] = &variable{Value: " \t\n"}
	s.Vars["PWD"] = &variable{Value: kernel.Text(s.p.Cwd), Export: s.Vars["PWD"] != nil}
	s.Vars["OPTIND"] = &variable{Value: "1"}
	s.Vars["PPID"] = &variable{Value: kernel.Text(strconv.Itoa(s.p.Parent))}
	s.Vars["PS1"] = &variable{Value: "$ "}
	s.Vars["PS2"] = &variable{Value: "> "}
	s.Vars["PS4"] = &variable{Value: "+ "}
	if s.Vars["PATH"] == nil {
		s.Vars["PATH"] = &variable{Value: kernel.DefaultPath}
	}
	if s.Dialect == bash {
		s.Vars["BASH"] = &variable{Value: "/bin/bash"}
		s.Vars["BASH_VERSION"] = &variable{Value: "5.2.15(1)-release"}
		s.Vars["HOSTNAME"] = &variable{Value: kernel.Text(s.p.Hostname()), Export: s.Vars["HOSTNAME"] != nil}
		s.Vars["UID"] = &variable{Value: kernel.Text(strconv.Itoa(s.p.UID())), ReadOnly: true}
		s.Vars["EUID"] = s.Vars["UID"]
		s.Vars["OSTYPE"] = &variable{Value: "linux-gnu"}
	}
	for sig := kernel.Signal(1); sig < 32; sig++ {
		if s.p.Ignores(sig) {
			s.setTrap(int(sig), "")
		}
	}
}

// run starts a source.
func (s *Shell) run(source string, tail bool) kernel.Wait {
	s.Begun = true
	s.jump(s.add(source, tail), 0)
	return s.again()
}

// runFile starts the script in a file.
func (s *Shell) runFile(name string) kernel.Wait {
	file := name
	if !strings.Contains(name, "/") {
		if _, err := s.p.FS().Stat(s.p.Path(name)); err != nil {
			if found, err := kernel.LookPath(s.p.FS(), name, s.get("PATH"), s.p.Cwd); err == nil {
				file = found
			}
		}
	}
	content, err := s.p.FS().ReadFile(s.p.Path(file))
	if err != nil {
		status := 2
		text := name + ": " + reason(err)
		switch {
		case s.Dialect == bash && isMissing(err):
			status = 127
		case s.Dialect == bash:
			status = 126
		case isMissing(err):
			text = map[dialect]string{dash: "cannot open " + name + ": No such file", ash: "can't open '" + name + "': No such file or directory"}[s.Dialect]
		}
		s.Name = kernel.Text(path.Base(s.p.Args[0]))
		_ = s.write(2, []byte(s.p.Args[0]+": "+map[dialect]string{dash: "0: "}[s.Dialect]+text+"\n"))
		return kernel.Done(status)
	}
	if kernel.BinaryName(content) != "" {
		_ = s.write(2, []byte(s.p.Args[0]+": "+name+": cannot execute binary file\n"))
		return kernel.Done(126)
	}
	return s.run(string(content), false)
}
