package shell

import (
	"errors"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// execCommand executes the instructions of simple commands.
func (s *Shell) execCommand(in *code.Instr) kernel.Wait {
	switch in.Op {
	case code.OpCmd:
		s.Fields, s.Prefix, s.SubStatus = nil, nil, 0
	case code.OpPrefix:
		value := s.popValue()
		if in.B == 1 {
			value = s.get(in.Text) + value
		}
		s.Prefix = append(s.Prefix, assignment{in.Text, kernel.Text(value)})
	case code.OpSet:
		return s.doSet(in)
	case code.OpSetArray:
		return s.doSetArray(in)
	case code.OpAssigned:
		s.Status = s.SubStatus
	case code.OpDeclare:
		s.trace()
		return s.declare(s.Fields[0], s.Fields[1:])
	case code.OpRun:
		return s.run1(in)
	}
	return s.again()
}

// run1 runs the command in the fields.
func (s *Shell) run1(in *code.Instr) kernel.Wait {
	if s.Busy != nil && s.Busy.Kind == busyChild {
		return s.waitChild(s.PC)
	}
	if len(s.Fields) == 0 { // all words expanded to nothing
		for _, a := range s.Prefix {
			if !s.set(a.Name, string(a.Value)) {
				return s.leave(1)
			}
		}
		s.Status = s.SubStatus
		return s.again()
	}
	if s.Busy == nil {
		s.trace()
	}
	name := s.Fields[0]
	if f, ok := s.Funcs[name]; ok {
		return s.call(name, f)
	}
	if b := s.builtin(name); b != nil {
		return s.runBuiltin(name, b)
	}
	return s.start1(in.A == 1)
}

// call calls a function.
func (s *Shell) call(name string, f function) kernel.Wait {
	args := s.Args
	if !s.push(frame{Kind: frameFunc, Unit: s.Unit, PC: s.PC, Args: &args, Name: kernel.Text(name)}) {
		return s.tooDeep()
	}
	s.keepPrefix()
	s.Args = s.Fields[1:]
	s.Fields, s.Prefix = nil, nil
	s.jump(f.Unit, f.PC)
	return s.again()
}

// start1 starts the program that the fields name: in a child or, if nothing follows, in place of
// the shell.
func (s *Shell) start1(tail bool) kernel.Wait {
	name := s.Fields[0]
	args, env := slices.Clone(s.Fields), s.environ()
	path := s.get("PATH")
	if i := slices.IndexFunc(s.Prefix, func(a assignment) bool { return a.Name == "PATH" }); i >= 0 {
		path = string(s.Prefix[i].Value)
	}
	file, err := kernel.LookPath(s.p.FS(), name, path, s.p.Cwd)
	if err != nil {
		s.Status = s.notFound(name, err)
		return s.again()
	}
	s.extra += 10
	if tail && len(s.Out) == 0 && s.noTraps() {
		w, err := s.p.Exec(file, args, env)
		if err == nil {
			return w
		}
		if !errors.Is(err, kernel.ErrFormat) {
			s.Status = s.notFound(name, err)
			return s.again()
		}
	}
	child, err := s.p.Start(file, args, env)
	switch {
	case errors.Is(err, kernel.ErrProcesses):
		return s.cannotFork()
	case errors.Is(err, kernel.ErrFormat):
		child, err = s.startScript(file, args, env)
		if err != nil {
			s.Status = s.notFound(name, err)
			return s.again()
		}
	case err != nil:
		s.Status = s.notFound(name, err)
		return s.again()
	}
	s.Busy = &busy{Kind: busyChild, PID: child.PID}
	return s.stay(kernel.Wait{For: kernel.Child, PID: child.PID})
}

// noTraps reports whether no trap is set; a program in the shell's place would not run traps.
func (s *Shell) noTraps() bool {
	for _, action := range s.Traps {
		if action != "" {
			return false
		}
	}
	return true
}

// startScript starts a script that does not name its interpreter.
func (s *Shell) startScript(file string, args, env []string) (*kernel.Process, error) {
	content, err := s.p.FS().ReadFile(s.p.Path(file))
	if err != nil {
		return nil, err
	}
	if kernel.BinaryName(content) != "" || slices.Contains(content[:min(len(content), 256)], 0) {
		return nil, kernel.ErrFormat
	}
	child, err := s.p.Fork(&Shell{Dialect: s.Dialect})
	if err != nil {
		return nil, err
	}
	child.Args, child.Env = append([]string{string(s.Dialect), file}, args[1:]...), env
	return child, nil
}

// notFound reports why a command could not be started, and returns its status.
func (s *Shell) notFound(name string, err error) int {
	slash := strings.Contains(name, "/")
	switch {
	case isMissing(err) && s.Dialect == bash && !slash:
		s.complain(name + ": command not found")
		return 127
	case isMissing(err) && s.Dialect != bash:
		s.complain(name + ": not found")
		return 127
	case isMissing(err):
		s.complain(name + ": No such file or directory")
		return 127
	}
	text := reason(err)
	if info, err := s.p.FS().Stat(s.p.Path(name)); err == nil && info.IsDir() && s.Dialect == bash {
		text = "Is a directory"
	}
	if errors.Is(err, kernel.ErrFormat) && s.Dialect == bash {
		text = "cannot execute binary file: Exec format error"
	}
	s.complain(name + ": " + text)
	return 126
}
