package shell

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
)

// builtin is a command of the shell itself. It sets the status, and returns what to wait for. If it
// has stayed at its instruction, it is called again.
type builtin func(s *Shell, args []string) kernel.Wait

// specials are POSIX' special builtins, whose errors end the shell.
var specials = map[string]bool{
	":": true, ".": true, "break": true, "continue": true, "eval": true, "exec": true, "exit": true, "export": true, "readonly": true,
	"return": true, "set": true, "shift": true, "times": true, "trap": true, "unset": true, "source": true,
}

// moving are the builtins that jump elsewhere: what they start keeps the variables assigned before
// them.
var moving = map[string]bool{"eval": true, ".": true, "source": true, "exec": true, "exit": true, "return": true, "break": true, "continue": true, "command": true, "builtin": true}

var builtins map[string]builtin

// In init, because the builtins refer to the table.
func init() {
	builtins = map[string]builtin{
		":": status(0), "true": status(0), "false": status(1), "cd": (*Shell).cd, "pwd": (*Shell).pwd,
		"echo": (*Shell).echo, "printf": (*Shell).printf, "test": (*Shell).utility, "[": (*Shell).utility,
		"exit": (*Shell).exit, "return": (*Shell).doReturn, "break": loops(true), "continue": loops(false),
		"eval": (*Shell).eval, ".": (*Shell).dot, "source": (*Shell).dot, "exec": (*Shell).execBuiltin,
		"export": named("export"), "readonly": named("readonly"), "local": named("local"), "declare": named("declare"), "typeset": named("declare"),
		"unset": (*Shell).unset, "set": (*Shell).setBuiltin, "shift": (*Shell).shift, "trap": (*Shell).trap, "wait": (*Shell).wait,
		"kill": (*Shell).kill, "jobs": (*Shell).jobs, "type": (*Shell).typeOf, "command": (*Shell).command, "umask": (*Shell).umask,
		"ulimit": (*Shell).ulimit, "read": (*Shell).read, "getopts": (*Shell).getopts, "let": (*Shell).let, "times": (*Shell).times,
		"hash": status(0), "alias": (*Shell).alias, "unalias": status(0), "shopt": (*Shell).shopt, "builtin": (*Shell).builtinBuiltin,
		"disown": status(0), "fg": (*Shell).noJobs, "bg": (*Shell).noJobs, "mapfile": (*Shell).mapfile, "readarray": (*Shell).mapfile,
	}
	for _, name := range []string{"pushd", "popd", "dirs", "compgen", "complete", "bind", "caller", "enable", "suspend", "fc", "history"} {
		builtins[name] = func(s *Shell, _ []string) kernel.Wait { return s.foreign(name + " is not emulated") }
	}
}

// onlyBash are the builtins that only bash has, and notDash those that dash does not have.
var (
	onlyBash = map[string]bool{
		"declare": true, "typeset": true, "shopt": true, "builtin": true, "disown": true, "mapfile": true, "readarray": true, "pushd": true, "popd": true,
		"dirs": true, "compgen": true, "complete": true, "bind": true, "caller": true, "enable": true, "suspend": true, "fc": true, "history": true,
	}
	notDash = map[string]bool{"let": true, "source": true}
)

// builtin returns a builtin of the dialect; nil for none.
func (s *Shell) builtin(name string) builtin {
	if onlyBash[name] && s.Dialect != bash || notDash[name] && s.Dialect == dash {
		return nil
	}
	return builtins[name]
}

func status(code int) builtin {
	return func(s *Shell, _ []string) kernel.Wait {
		s.Status = code
		return s.again()
	}
}

// runBuiltin runs a builtin with the variables that the command assigns.
func (s *Shell) runBuiltin(name string, b builtin) kernel.Wait {
	args := s.Fields
	if len(s.Prefix) == 0 || moving[name] {
		return b(s, args)
	}
	if specials[name] {
		for _, a := range s.Prefix {
			s.set(a.Name, string(a.Value))
		}
		return b(s, args)
	}
	if !s.push(frame{Kind: frameVars}) {
		return s.tooDeep()
	}
	s.keepPrefix()
	w := b(s, args)
	if f := s.top(); f != nil && f.Kind == frameVars {
		s.pop()
	}
	return w
}

// fail ends a builtin with a message.
func (s *Shell) fail(text string, status int) kernel.Wait {
	s.complain(text)
	s.Status = status
	return s.again()
}

// utility runs a utility that needs no input, as a builtin.
func (s *Shell) utility(args []string) kernel.Wait { return s.utilityTo(args, output{s, 1}) }

func (s *Shell) utilityTo(args []string, stdout io.Writer) kernel.Wait {
	u, ok := catalogue.Lookup(args[0])
	if !ok || u.IsStream() {
		return s.start1(false)
	}
	c := s.p.Call(args, nil)
	c.GNU = s.Dialect == bash
	var wrong bytes.Buffer
	c.Stdout, c.Stderr = stdout, &wrong
	s.Status = u.Run(c, nil)
	for line := range strings.Lines(wrong.String()) {
		s.complain(s.worded(args[0], strings.TrimSuffix(line, "\n")))
	}
	s.extra += int(c.Steps() / 16)
	return s.again()
}

// worded turns a utility's message into that of a shell with the utility as a builtin.
func (s *Shell) worded(name, text string) string {
	rest, ok := strings.CutPrefix(text, name+": ")
	if !ok {
		return text
	}
	number, bad := strings.CutSuffix(rest, ": bad number")
	switch {
	case bad && s.Dialect == dash:
		return name + ": Illegal number: " + number
	case bad && s.Dialect == bash:
		return name + ": " + number + ": integer expression expected"
	case s.Dialect == ash:
		return rest
	}
	return text
}

// output is a descriptor of the shell, as a writer.
type output struct {
	s  *Shell
	fd int
}

func (o output) Write(data []byte) (int, error) {
	if err := o.s.write(o.fd, data); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (s *Shell) echo(args []string) kernel.Wait {
	plain := s.Dialect != dash
	for i, a := range args[1:] {
		if i == 0 && strings.HasPrefix(a, "-") || s.Dialect == dash && strings.Contains(a, `\`) {
			plain = false
		} else if s.Dialect == dash && i == 0 {
			plain = true
		}
		if !plain {
			break
		}
	}
	if plain || len(args) == 1 {
		s.Status = 0
		if err := s.print(strings.Join(args[1:], " ") + "\n"); err != nil {
			return s.fail("echo: write error: "+reason(err), 1)
		}
		return s.again()
	}
	if s.Dialect == dash {
		end := "\n"
		rest := args[1:]
		if rest[0] == "-n" {
			end, rest = "", rest[1:]
		}
		return s.utility([]string{"printf", "%b" + end, strings.Join(rest, " ")})
	}
	return s.utility(args)
}

func (s *Shell) printf(args []string) kernel.Wait {
	if len(args) > 2 && args[1] == "-v" && s.Dialect == bash {
		name := args[2]
		var b bytes.Buffer
		w := s.utilityTo(append([]string{"printf"}, args[3:]...), &b)
		s.set(name, b.String())
		return w
	}
	return s.utility(args)
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

// count parses the optional number of exit, return, break, continue and shift.
func (s *Shell) count(args []string, without int) (int, bool) {
	if len(args) < 2 {
		return without, true
	}
	n, err := strconv.Atoi(args[1])
	return n, err == nil
}

func (s *Shell) exit(args []string) kernel.Wait {
	n, ok := s.count(args, s.exitNow())
	if !ok {
		return s.badNumber("exit", args[1])
	}
	return s.leave(n)
}

// exitNow returns the default status of exit: in a trap, the status before the trap.
func (s *Shell) exitNow() int {
	for _, f := range slices.Backward(s.Frames) {
		if f.Kind == frameExit || f.Kind == frameTrap {
			return f.Status
		}
	}
	return s.Status
}

func (s *Shell) badNumber(name, arg string) kernel.Wait {
	if s.Dialect == bash {
		return s.fatal(name+": "+arg+": numeric argument required", 2)
	}
	return s.fatal(name+": Illegal number: "+arg, 2)
}

func (s *Shell) doReturn(args []string) kernel.Wait {
	n, ok := s.count(args, s.Status)
	switch {
	case !ok:
		return s.badNumber("return", args[1])
	case s.returnFrom(n & 0xff):
		return s.again()
	case s.Dialect == bash && s.Sub == 0:
		return s.fail("return: can only `return' from a function or sourced script", 2)
	}
	return s.leave(n)
}

func loops(leave bool) builtin {
	return func(s *Shell, args []string) kernel.Wait {
		n, ok := s.count(args, 1)
		if !ok || n < 1 {
			return s.badNumber(args[0], args[1])
		}
		s.Status = 0
		i := s.loopAt(n)
		if i < 0 && s.Dialect == bash {
			s.complain(args[0] + ": only meaningful in a `for', `while', or `until' loop")
		}
		if i >= 0 {
			s.Frames[i].Status = 0
		}
		if leave {
			s.breakLoop(n)
		} else {
			s.continueLoop(n)
		}
		return s.again()
	}
}

// source runs a text at the shell's position, and then returns there.
func (s *Shell) source(kind frameKind, text string, args []string) kernel.Wait {
	id := s.add(text, false)
	f := frame{Kind: kind, Unit: s.Unit, PC: s.PC, Own: id}
	if args != nil {
		old := s.Args
		f.Args = &old
	}
	if !s.push(f) {
		s.drop(id)
		return s.tooDeep()
	}
	if args != nil {
		s.Args = args
	}
	s.keepPrefix()
	s.Fields, s.Prefix, s.Status = nil, nil, 0
	s.jump(id, 0)
	return s.again()
}

func (s *Shell) eval(args []string) kernel.Wait {
	if len(args) > 1 && args[1] == "--" {
		args = args[1:]
	}
	text := strings.Join(args[1:], " ")
	if strings.TrimSpace(text) == "" {
		s.Status = 0
		return s.again()
	}
	return s.source(frameEval, text, nil)
}

func (s *Shell) dot(args []string) kernel.Wait {
	if len(args) < 2 {
		return s.fail(args[0]+": filename argument required", 2)
	}
	name := args[1]
	file := s.p.Path(name)
	if !strings.Contains(name, "/") {
		for _, dir := range strings.Split(s.get("PATH"), ":") {
			if info, err := s.p.FS().Stat(path.Join(s.p.Path(dir), name)); err == nil && info.IsRegular() {
				file = path.Join(s.p.Path(dir), name)
				break
			}
		}
	}
	content, err := s.p.FS().ReadFile(file)
	if err != nil {
		switch s.Dialect {
		case bash:
			return s.fail(name+": "+reason(err), 1)
		case dash:
			return s.fatal(".: cannot open "+name+": No such file", 2)
		}
		return s.fatal(".: can't open '"+name+"': "+reason(err), 2)
	}
	var rest []string
	if len(args) > 2 && s.Dialect != dash {
		rest = slices.Clone(args[2:])
	}
	return s.source(frameSource, string(content), rest)
}

func (s *Shell) execBuiltin(args []string) kernel.Wait {
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	s.keepRedirs()
	if len(args) == 0 {
		for _, a := range s.Prefix {
			s.set(a.Name, string(a.Value))
		}
		s.Status = 0
		return s.again()
	}
	name := args[0]
	if strings.HasPrefix(name, "-") {
		return s.foreign("exec " + name + " is not emulated")
	}
	file, err := kernel.LookPath(s.p.FS(), name, s.get("PATH"), s.p.Cwd)
	if err == nil {
		var w kernel.Wait
		if w, err = s.p.Exec(file, slices.Clone(args), s.environ()); err == nil {
			return w
		}
	}
	if isMissing(err) && s.Dialect != dash {
		s.complain("exec: " + name + ": not found")
		return s.leave(127)
	}
	if isMissing(err) {
		s.complain("exec: " + name + ": not found")
		return s.leave(127)
	}
	s.complain("exec: " + name + ": " + reason(err))
	return s.leave(126)
}

func (s *Shell) shift(args []string) kernel.Wait {
	n, ok := s.count(args, 1)
	if !ok || n < 0 {
		return s.badNumber("shift", args[1])
	}
	if n > len(s.Args) {
		if s.Dialect == dash {
			return s.fatal("shift: can't shift that many", 2)
		}
		s.Status = 1
		return s.again()
	}
	s.Args = s.Args[n:]
	s.Status = 0
	return s.again()
}

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
					return s.badOption("set: " + map[dialect]string{bash: args[0] + ": invalid option name"}[s.Dialect] + map[dialect]string{dash: "Illegal option -o " + args[0], ash: "illegal option -o " + args[0]}[s.Dialect])
				}
				args = args[1:]
			case !s.Opts.letter(c, a[0] == '-'):
				return s.badOption("set: illegal option " + a[:1] + string(c))
			}
		}
	}
	return s.again()
}

func (s *Shell) badOption(text string) kernel.Wait {
	if s.Dialect == bash {
		return s.fail(text, 2)
	}
	return s.fatal(text, 2)
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

func (s *Shell) let(args []string) kernel.Wait {
	for _, a := range args[1:] {
		v, err := s.arith(a)
		if err != nil {
			return s.fail("let: "+err.Error(), 1)
		}
		s.Status = int(truth(v == 0))
	}
	return s.again()
}

func (s *Shell) times([]string) kernel.Wait {
	_ = s.print("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n")
	s.Status = 0
	return s.again()
}

func (s *Shell) alias(args []string) kernel.Wait {
	if len(args) == 1 || s.Dialect == bash { // bash does not use aliases in scripts
		s.Status = 0
		return s.again()
	}
	return s.foreign("alias is not emulated")
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

func (s *Shell) noJobs(args []string) kernel.Wait {
	return s.fail(args[0]+": no job control", 1)
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
