package shell

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("shell", &Shell{})
	for _, name := range []string{"sh", "ash", "dash", "bash"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Shell{Dialect: dialectOf(name)} })
	}
}

// dialectOf returns the dialect of a program by its name; "" for "sh", whose dialect depends on the
// image.
func dialectOf(name string) dialect {
	if name == "sh" {
		return ""
	}
	return dialect(name)
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

// Shell is a running shell.
type Shell struct {
	Dialect dialect
	Name    kernel.Text  `json:",omitempty"` // $0
	Args    kernel.Texts `json:",omitempty"` // $1 …
	Begun   bool         `json:",omitempty"`
	Input   *input       `json:",omitempty"` // nil unless its commands come from standard input

	// Units are the sources in use, by number. Unit and PC are the position of the next
	// instruction.
	Units    map[int]*unit
	LastUnit int
	Unit     int
	PC       int
	Line     int `json:",omitempty"`

	Vars  map[string]*variable
	Funcs map[string]function `json:",omitempty"`

	// Foreign holds the parts of the environment whose names no variable can have; dash drops them.
	Foreign kernel.Texts `json:",omitempty"`
	Opts    options      `json:",omitzero"`

	Status   int     `json:",omitempty"` // $?
	Frames   []frame `json:",omitempty"` // the loops, functions, redirections … that it is in
	Calls    int     `json:",omitempty"` // how many of the frames are functions, sources and evals
	Careless int     `json:",omitempty"` // above 0: a status that is not 0 is not fatal

	// The unfinished words, the finished values and fields, and the command's assignments.
	Words     []word       `json:",omitempty"`
	Values    kernel.Texts `json:",omitempty"`
	Fields    kernel.Texts `json:",omitempty"`
	Prefix    []assignment `json:",omitempty"`
	SubStatus int          `json:",omitempty"` // of the command's last substitution

	Busy *busy   `json:",omitempty"` // the unfinished instruction; nil for none
	Out  []piece `json:",omitempty"` // output that is still to write

	Traps   map[int]kernel.Text `json:",omitempty"` // by signal; 0 is EXIT
	Leaving bool                `json:",omitempty"` // the trap for EXIT has started
	Sub     int                 `json:",omitempty"` // the depth of subshells
	Jobs    []job               `json:",omitempty"`
	LastJob int                 `json:",omitempty"` // $!
	PID     int                 `json:",omitempty"` // $$
	Since   time.Duration       `json:",omitempty"` // when $SECONDS was 0
	Times   []time.Duration     `json:",omitempty"` // the starts of the current time commands
	Pipes   []int               `json:",omitempty"` // PIPESTATUS
	OptAt   int                 `json:",omitempty"` // of getopts: the position in a word
	Bytes   int64               `json:",omitempty"` // memory counted so far

	p        *kernel.Process // during a step
	code     *code           // of Unit
	before   int             // lines before Unit
	extra    int             // what the step costs in addition
	unbilled int64           // work of the file system, which the kernel counts
	spent    int             // the step's units of work: see spend
}

// unit is a source in use.
type unit struct {
	Source kernel.Text
	Before int  `json:",omitempty"` // lines of the script before it
	Tail   bool `json:",omitempty"`
	Keep   bool `json:",omitempty"` // it defines a function

	code *code
}

type function struct{ Unit, PC int }

// options are the options of set.
type options struct {
	Errexit   bool `json:",omitempty"`
	Nounset   bool `json:",omitempty"`
	Xtrace    bool `json:",omitempty"`
	Noglob    bool `json:",omitempty"`
	Pipefail  bool `json:",omitempty"`
	Allexport bool `json:",omitempty"`
	Noclobber bool `json:",omitempty"`
	Noexec    bool `json:",omitempty"`
	Verbose   bool `json:",omitempty"`
	Nullglob  bool `json:",omitempty"`
	Lastpipe  bool `json:",omitempty"`
}

// assignment is one of NAME=value before a command.
type assignment struct {
	Name  string
	Value kernel.Text
}

// piece is output that waits for room.
type piece struct {
	FD   int
	Data []byte
}

// job is a process in the background.
type job struct {
	PID    int
	Done   bool        `json:",omitempty"`
	Status int         `json:",omitempty"`
	Text   kernel.Text `json:",omitempty"`
	Hidden bool        `json:",omitempty"` // of <( ): wait and jobs ignore it
}

// busy is the state of an unfinished instruction.
type busy struct {
	Kind  busyKind
	FD    int           `json:",omitempty"`
	PID   int           `json:",omitempty"`
	PIDs  []int         `json:",omitempty"`
	Codes []int         `json:",omitempty"`
	Data  []byte        `json:",omitempty"`
	Until time.Duration `json:",omitempty"`
	Text  kernel.Text   `json:",omitempty"`

	Silent bool `json:",omitempty"` // read -s has turned the terminal's echo off
}

type busyKind uint8

const (
	busyChild busyKind = iota + 1 // waiting for a program or a subshell
	busySub                       // reading the output of a substitution
	busyPipe                      // waiting for the stages of a pipeline
	busyRead                      // the builtin read
	busyWait                      // the builtin wait
	busyInput                     // a utility that needs all of its input
)

// again returns the Wait of a step after which the next one may come at once.
func (s *Shell) again() kernel.Wait { return kernel.Wait{Steps: s.extra} }

// Step implements kernel.Program: it executes one instruction.
func (s *Shell) Step(p *kernel.Process) (w kernel.Wait) {
	s.p, s.extra, s.spent, s.unbilled = p, 0, 0, 0
	defer func() {
		w.Steps = max(w.Steps, s.extra) + s.spent/unitsPerStep
		s.p = nil
	}()
	defer s.contained(&w)
	if !s.Begun {
		return s.begin()
	}
	if len(s.Out) > 0 {
		if w, ok := s.flush(); !ok {
			return w
		}
	}
	if s.Input != nil && s.Input.Reading {
		return s.readCommand()
	}
	if s.code == nil {
		s.enter()
	}
	in := &s.code.ins[s.PC]
	if in.line > 0 {
		s.Line = in.line + s.before
	}
	w = s.exec(in)
	s.account()
	return w
}

// enter gets the code of the current unit.
func (s *Shell) enter() {
	u := s.Units[s.Unit]
	if u.code == nil {
		u.code = compiled(s.Dialect, string(u.Source), u.Tail)
	}
	s.code, s.before = u.code, u.Before
}

// add adds a source to be run. Its cost grows with its length.
func (s *Shell) add(source string, tail bool) int {
	s.LastUnit++
	s.Units[s.LastUnit] = &unit{Source: kernel.Text(source), Tail: tail}
	s.extra += 10 + len(source)/16
	return s.LastUnit
}

// drop removes a source that has run, unless it defines a function.
func (s *Shell) drop(id int) {
	if u := s.Units[id]; u != nil && !u.Keep {
		delete(s.Units, id)
	}
}

// jump continues at pc in a unit.
func (s *Shell) jump(id, pc int) { s.Unit, s.PC, s.code = id, pc, nil }

// flush writes output that waits for room; if some is left, it returns false and what to wait for.
func (s *Shell) flush() (kernel.Wait, bool) {
	for len(s.Out) > 0 {
		o := &s.Out[0]
		n, err := s.p.Write(o.FD, o.Data)
		switch {
		case s.p.Dead():
			return kernel.Wait{}, false
		case err == kernel.ErrWouldBlock:
			o.Data = o.Data[n:]
			return kernel.Wait{For: kernel.Writable, FD: o.FD}, false
		case err != nil:
			s.Status = 1
		}
		s.Out = s.Out[1:]
	}
	s.Out = nil
	return kernel.Wait{}, true
}

// write writes to a descriptor, and keeps what that does not take for the next step.
func (s *Shell) write(fd int, data []byte) error {
	if len(data) == 0 || s.p.Dead() {
		return nil
	}
	s.extra += len(data) / 256
	if len(s.Out) > 0 {
		s.Out = append(s.Out, piece{fd, slices.Clone(data)})
		return nil
	}
	n, err := s.p.Write(fd, data)
	if err == kernel.ErrWouldBlock {
		s.Out = append(s.Out, piece{fd, slices.Clone(data[n:])})
		return nil
	}
	return err
}

// print writes to standard output.
func (s *Shell) print(text string) error { return s.write(1, []byte(text)) }

// complain prints a message in the dialect's form, with the shell's name, and the line where the
// dialect prints it.
func (s *Shell) complain(text string) {
	_ = s.write(2, []byte(s.prefix()+text+"\n"))
}

func (s *Shell) prefix() string {
	name := string(s.Name)
	switch {
	case s.Dialect == bash && s.prompts():
	case s.Dialect == bash:
		return name + ": line " + strconv.Itoa(max(s.Line, 1)) + ": "
	case s.Dialect == dash:
		return name + ": " + strconv.Itoa(max(s.Line, 1)) + ": "
	}
	return name + ": "
}

// fatal prints a message and ends the shell; an interactive shell continues with the next command.
func (s *Shell) fatal(text string, status int) kernel.Wait {
	s.complain(text)
	if s.prompts() && !s.Leaving {
		return s.abandon(status)
	}
	return s.leave(status)
}

// leave ends the shell, after the trap for EXIT.
func (s *Shell) leave(status int) kernel.Wait {
	s.Status = status & 0xff
	if action, ok := s.Traps[0]; ok && !s.Leaving && action != "" {
		s.Leaving = true
		delete(s.Traps, 0)
		s.unwind(-1)
		s.Careless = 0
		s.Words, s.Values, s.Fields, s.Prefix, s.Busy = nil, nil, nil, nil, nil
		id := s.add(string(action), false)
		s.push(frame{Kind: frameExit, Status: s.Status, Own: id})
		s.jump(id, 0)
		return s.again()
	}
	if len(s.Out) > 0 {
		s.Leaving = true
		s.Traps = nil
		s.Frames, s.Busy = []frame{{Kind: frameExit, Status: s.Status}}, nil
		s.jump(s.add("", false), 0)
		return s.again()
	}
	return kernel.Done(s.Status)
}

// account counts the shell's memory, in the parts that can grow.
func (s *Shell) account() {
	if s.p.Dead() || s.p.Run.Program != kernel.Program(s) {
		return
	}
	n := s.Bytes
	for _, v := range s.Values {
		n += int64(len(v))
	}
	s.spend(len(s.Values) + len(s.Out))
	for i := range s.Words {
		s.spend(1 + len(s.Words[i].Parts))
		n += int64(s.Words[i].size())
	}
	for _, o := range s.Out {
		n += int64(len(o.Data))
	}
	if s.Busy != nil {
		n += int64(len(s.Busy.Data))
	}
	n += int64(16 * (len(s.Fields) + len(s.Frames)))
	if d := n - s.p.Bytes; d > 1<<12 || d < -1<<14 {
		s.p.Use(d)
	}
}

// subshell returns a copy of the shell for a child that begins at pc.
func (s *Shell) subshell(pc int) *Shell {
	c := *s
	c.p, c.code, c.extra, c.spent = nil, nil, 0, 0
	c.Units = make(map[int]*unit, len(s.Units))
	for id, u := range s.Units {
		copied := *u
		c.Units[id] = &copied
	}
	c.Vars, c.Funcs = maps.Clone(s.Vars), maps.Clone(s.Funcs)
	c.Args = slices.Clone(s.Args)
	c.PC, c.Sub = pc, s.Sub+1
	c.Frames, c.Calls, c.Busy, c.Out, c.Jobs, c.Leaving = nil, 0, nil, nil, nil, false
	c.Words, c.Values, c.Fields, c.Prefix, c.Times = nil, nil, nil, nil, nil
	c.Input = nil
	c.Traps = nil
	for sig, action := range s.Traps {
		if action == "" {
			if c.Traps == nil {
				c.Traps = map[int]kernel.Text{}
			}
			c.Traps[sig] = ""
		}
	}
	return &c
}

// fork starts a child that runs the instructions from pc on.
func (s *Shell) fork(pc int) (*kernel.Process, error) {
	s.extra += 5 + (len(s.Vars)+len(s.Units)+len(s.Funcs)+len(s.Args))/8
	child, err := s.p.Fork(s.subshell(pc))
	if err != nil {
		return nil, err
	}
	child.Use(s.p.Bytes)
	return child, nil
}

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

func (s *Shell) refuse(text string) kernel.Wait {
	_ = s.write(2, []byte(string(s.Name)+": "+text+"\n"))
	return kernel.Done(2)
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
