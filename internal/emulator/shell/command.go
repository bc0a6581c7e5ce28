package shell

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// reason returns an error's text as Unix tools print it.
func reason(err error) string { return vfs.Reason(err) }

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, vfs.ENOTDIR) }

// execCommand executes the instructions of simple commands.
func (s *Shell) execCommand(in *instr) kernel.Wait {
	switch in.op {
	case opCmd:
		s.Fields, s.Prefix, s.SubStatus = nil, nil, 0
	case opPrefix:
		value := s.popValue()
		if in.b == 1 {
			value = s.get(in.text) + value
		}
		s.Prefix = append(s.Prefix, assignment{in.text, kernel.Text(value)})
	case opSet:
		return s.doSet(in)
	case opSetArray:
		return s.doSetArray(in)
	case opAssigned:
		s.Status = s.SubStatus
	case opDeclare:
		s.trace()
		return s.declare(s.Fields[0], s.Fields[1:])
	case opRun:
		return s.run1(in)
	}
	return s.again()
}

func (s *Shell) doSet(in *instr) kernel.Wait {
	value := s.popValue()
	ok := false
	if in.a == 1 {
		ok = s.setElement(in.text, s.popValue(), value, in.b == 1)
	} else {
		if in.b == 1 {
			value = s.appended(in.text, value)
		}
		ok = s.set(in.text, value)
	}
	if s.Opts.Xtrace {
		_ = s.write(2, []byte(s.get("PS4")+in.text+"="+s.traced(value)+"\n"))
	}
	if !ok {
		return s.leave(map[dialect]int{bash: 1, dash: 2, ash: 2}[s.Dialect])
	}
	s.Status = s.SubStatus
	return s.again()
}

// appended returns the result of NAME+=value.
func (s *Shell) appended(name, value string) string {
	old := s.get(name)
	if v := s.Vars[name]; v != nil && v.Integer {
		return "(" + old + ")+(" + value + ")"
	}
	return old + value
}

func (s *Shell) doSetArray(in *instr) kernel.Wait {
	v := variable{}
	if old := s.Vars[in.text]; old != nil {
		v = *old
	}
	if v.ReadOnly {
		s.complainReadOnly(in.text)
		return s.leave(1)
	}
	v.Unset = false
	plus := in.b == 1
	switch {
	case in.a >= 0:
		pairs := s.Values[len(s.Values)-2*in.a:]
		if !plus {
			v.List, v.Table, v.Value = nil, nil, ""
			v.IsList = !v.IsTable
			s.replaceVar(in.text, &v)
		}
		for i := 0; i < len(pairs); i += 2 {
			if !s.setElement(in.text, pairs[i], pairs[i+1], false) {
				return s.leave(1)
			}
		}
		s.Values = s.Values[:len(s.Values)-2*in.a]
		return s.again()
	case v.IsTable:
		return s.foreign("an associative array from words without keys is not emulated")
	case plus:
		v.toList()
	default:
		v.IsList, v.List, v.Value = true, nil, ""
	}
	next := 0
	if all := v.indices(); len(all) > 0 {
		next = all[len(all)-1] + 1
	}
	for _, f := range s.Fields {
		put(&v.List, next, kernel.Text(f))
		next++
	}
	s.extra += len(v.List) / 8
	s.replaceVar(in.text, &v)
	s.Fields = nil
	s.Status = s.SubStatus
	return s.again()
}

// trace prints a command under set -x.
func (s *Shell) trace() {
	if !s.Opts.Xtrace || len(s.Fields) == 0 {
		return
	}
	var words []string
	for _, a := range s.Prefix {
		words = append(words, a.Name+"="+s.traced(string(a.Value)))
	}
	for _, f := range s.Fields {
		words = append(words, s.traced(f))
	}
	_ = s.write(2, []byte(s.get("PS4")+strings.Join(words, " ")+"\n"))
}

func (s *Shell) traced(v string) string {
	if s.Dialect == dash {
		return v
	}
	return quoteIfNeeded(v)
}

func quoteIfNeeded(v string) string {
	if v == "" {
		return "''"
	}
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("_-./:=,+@%^", v[i]) < 0 {
			return quote(v)
		}
	}
	return v
}

// run1 runs the command in the fields.
func (s *Shell) run1(in *instr) kernel.Wait {
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
	return s.start1(in.a == 1)
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

// keepPrefix assigns the command's variables until the frame on top ends.
func (s *Shell) keepPrefix() {
	f := s.top()
	for _, a := range s.Prefix {
		if _, ok := f.Vars[a.Name]; !ok {
			put(&f.Vars, a.Name, s.Vars[a.Name])
		}
		v := variable{Value: a.Value, Export: true}
		if old := s.Vars[a.Name]; old != nil && old.ReadOnly {
			s.complainReadOnly(a.Name)
			continue
		}
		s.replaceVar(a.Name, &v)
	}
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

// doRedir makes a redirection.
func (s *Shell) doRedir(r *redir) kernel.Wait {
	target := s.popValue()
	fd := r.fd
	if fd < 0 {
		fd = 1
		switch r.op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.RdrInOut, syntax.DplIn:
			fd = 0
		}
	}
	if text := s.redirect(r, fd, target); text != "" {
		s.complain(text)
		return s.redirFailed()
	}
	return s.again()
}

// redirFailed continues after the command whose redirection failed. If that is a special builtin,
// the shell ends.
func (s *Shell) redirFailed() kernel.Wait {
	s.Status = 1
	if s.Dialect == dash {
		s.Status = 2
	}
	for i := len(s.Frames) - 1; i >= 0; i-- {
		if s.Frames[i].Kind == frameRedir {
			s.unwind(i)
			s.PC = s.Frames[i].Fail
			s.pop()
			break
		}
	}
	if len(s.Fields) > 0 && (s.Fields[0] == "exec" || s.Dialect != bash && specials[s.Fields[0]]) {
		return s.leave(s.Status)
	}
	return s.again()
}

// redirect makes one redirection and returns the error text, "" for none.
func (s *Shell) redirect(r *redir, fd int, target string) string {
	if fd > 250 {
		return strconv.Itoa(fd) + ": Bad file descriptor"
	}
	if r.proc {
		from, err := strconv.Atoi(target)
		if err != nil {
			return target + ": Bad file descriptor"
		}
		return s.moveFD(from, fd)
	}
	flags, both := vfs.Flags(0), false
	switch r.op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if r.op == syntax.WordHdoc {
			target += "\n"
		}
		from, err := s.p.MakeInput(target)
		if err != nil {
			return reason(err)
		}
		return s.moveFD(from, fd)
	case syntax.DplIn, syntax.DplOut:
		if target == "-" {
			s.keepFD(fd)
			_ = s.p.Close(fd)
			return ""
		}
		from, err := strconv.Atoi(target)
		if err == nil {
			if s.p.Description(from) == nil {
				return target + ": Bad file descriptor"
			}
			s.keepFD(fd)
			if err := s.p.Dup(from, fd); err != nil {
				return target + ": " + reason(err)
			}
			return ""
		}
		if r.op == syntax.DplIn || r.fd >= 0 {
			return target + ": ambiguous redirect"
		}
		flags, both = vfs.Write|vfs.Create|vfs.Truncate, true
	case syntax.RdrAll:
		flags, both = vfs.Write|vfs.Create|vfs.Truncate, true
	case syntax.AppAll:
		flags, both = vfs.Write|vfs.Append|vfs.Create, true
	case syntax.RdrOut, syntax.RdrClob:
		flags = vfs.Write | vfs.Create | vfs.Truncate
	case syntax.AppOut:
		flags = vfs.Write | vfs.Append | vfs.Create
	case syntax.RdrIn:
	case syntax.RdrInOut:
		flags = vfs.ReadWrite | vfs.Create
	default:
		return "rowlock: this redirection is not emulated"
	}
	return s.openTo(r, fd, target, flags, both)
}

func (s *Shell) openTo(r *redir, fd int, target string, flags vfs.Flags, both bool) string {
	if strings.HasPrefix(target, "/dev/tcp/") || strings.HasPrefix(target, "/dev/udp/") {
		return "rowlock: " + target + " is not emulated"
	}
	if s.Opts.Noclobber && r.op == syntax.RdrOut {
		if info, err := s.p.FS().Stat(s.p.Path(target)); err == nil && info.IsRegular() {
			return s.cannotOpen(target, vfs.EEXIST, true)
		}
	}
	from, err := s.p.OpenPath(target, flags, 0o666, 10)
	if err != nil {
		return s.cannotOpen(target, err, flags&vfs.Create != 0)
	}
	text := s.moveFD(from, fd)
	if text == "" && both {
		s.keepFD(2)
		_ = s.p.Dup(1, 2)
	}
	return text
}

// cannotOpen returns the message for a file of a redirection that cannot be opened.
func (s *Shell) cannotOpen(target string, err error, create bool) string {
	text := reason(err)
	verb := map[bool]string{true: "create", false: "open"}[create]
	missing := isMissing(err) && !errors.Is(err, vfs.ENOTDIR)
	switch s.Dialect {
	case bash:
		if errors.Is(err, vfs.EEXIST) {
			return target + ": cannot overwrite existing file"
		}
		return target + ": " + text
	case dash:
		if missing {
			text = map[bool]string{true: "Directory nonexistent", false: "No such file"}[create]
		}
		return "cannot " + verb + " " + target + ": " + text
	}
	if missing {
		text = map[bool]string{true: "nonexistent directory", false: "no such file"}[create]
	}
	return "can't " + verb + " " + target + ": " + text
}

// keepFD saves a descriptor, to be restored with the frame on top.
func (s *Shell) keepFD(fd int) {
	f := s.top()
	saved := -1
	if s.p.Description(fd) != nil {
		if to, err := s.p.Save(fd); err == nil {
			saved = to
		}
	}
	f.FDs = append(f.FDs, savedFD{fd, saved})
}

// moveFD moves a descriptor: to refers to what from did, and from is closed.
func (s *Shell) moveFD(from, to int) string {
	if from == to {
		s.top().FDs = append(s.top().FDs, savedFD{to, -1})
		return ""
	}
	s.keepFD(to)
	err := s.p.Dup(from, to)
	_ = s.p.Close(from)
	if err != nil {
		return reason(err)
	}
	return ""
}

// keepRedirs makes the redirections of exec permanent.
func (s *Shell) keepRedirs() {
	f := s.top()
	if f == nil || f.Kind != frameRedir {
		return
	}
	for _, saved := range f.FDs {
		if saved.Saved >= 0 {
			_ = s.p.Close(saved.Saved)
		}
	}
	f.FDs = nil
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
