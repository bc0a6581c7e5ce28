package shell

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

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

// forkReading starts a child that runs the next instructions, and returns the descriptor r that
// reads its standard output. If that fails, child is nil, and the step returns wait.
func (s *Shell) forkReading() (r int, child *kernel.Process, wait kernel.Wait) {
	r, w, err := s.p.MakePipe(10)
	if err != nil {
		return 0, nil, s.fatal("pipe: "+err.Error(), 2)
	}
	if child, err = s.fork(s.PC); err != nil {
		return 0, nil, s.cannotFork()
	}
	_ = child.Dup(w, 1)
	_ = child.Close(w)
	_ = child.Close(r)
	_ = s.p.Close(w)
	return r, child, kernel.Wait{}
}

// cannotFork handles a failed fork as the dialect does.
func (s *Shell) cannotFork() kernel.Wait {
	switch s.Dialect {
	case bash:
		return s.fatal("fork: Resource temporarily unavailable", 254)
	case dash:
		return s.fatal("Cannot fork", 2)
	}
	return s.fatal("can't fork: Resource temporarily unavailable", 2)
}

// doSub executes a command substitution: it starts the commands, reads their output, and waits for
// them.
func (s *Shell) doSub(in *code.Instr) kernel.Wait {
	b := s.Busy
	if b == nil {
		r, child, wait := s.forkReading()
		if child == nil {
			return wait
		}
		s.Busy = &busy{Kind: busySub, FD: r, PID: child.PID}
		return s.stay(kernel.Wait{For: kernel.Readable, FD: r})
	}
	for b.FD >= 0 {
		data, err := s.p.Read(b.FD, kernel.PipeSize)
		if err == kernel.ErrWouldBlock {
			return s.stay(kernel.Wait{For: kernel.Readable, FD: b.FD})
		}
		if err != nil {
			_ = s.p.Close(b.FD)
			b.FD = -1
			break
		}
		b.Data = append(b.Data, data...)
		s.extra += len(data) / 64
		if len(b.Data) > 1<<20 {
			return s.stay(kernel.Wait{})
		}
	}
	child, found := s.p.Reap(b.PID)
	if child == nil && found {
		return s.stay(kernel.Wait{For: kernel.Child, PID: b.PID})
	}
	s.SubStatus = 0
	if child != nil {
		s.SubStatus = child.Code
	}
	s.Status = s.SubStatus
	s.addText(subText(b.Data), in.B == 1)
	s.Busy, s.PC = nil, in.A
	return s.again()
}

// subText returns the text that a substitution makes of output: without final newlines, and without
// null bytes.
func subText(data []byte) string {
	end := len(data)
	for end > 0 && data[end-1] == '\n' {
		end--
	}
	data = slices.DeleteFunc(data[:end], func(c byte) bool { return c == 0 })
	return string(data)
}

func (s *Shell) execProcess(in *code.Instr) kernel.Wait {
	switch in.Op {
	case code.OpSubshell:
		if s.Busy == nil {
			child, err := s.fork(s.PC)
			if err != nil {
				return s.cannotFork()
			}
			s.Busy = &busy{Kind: busyChild, PID: child.PID}
		}
		return s.waitChild(in.A)
	case code.OpAsync:
		child, err := s.fork(s.PC)
		if err != nil {
			return s.cannotFork()
		}
		if fd, err := child.OpenPath("/dev/null", 0, 0, 10); err == nil {
			_ = child.Dup(fd, 0)
			_ = child.Close(fd)
		}
		child.Ignore(kernel.SIGINT)
		child.Ignore(kernel.SIGQUIT)
		s.reapJobs()
		s.LastJob = child.PID
		s.Jobs = append(s.Jobs, job{PID: child.PID})
		s.Status = 0
		s.PC = in.A
		return s.again()
	case code.OpProcSub:
		return s.doProcSub(in)
	}
	if s.Busy == nil {
		if w, ok := s.startPipe(in); !ok {
			return w
		}
	}
	return s.waitPipe(in)
}

// reapJobs records which processes in the background have ended.
func (s *Shell) reapJobs() {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.Done {
			continue
		}
		child, found := s.p.Reap(j.PID)
		switch {
		case child != nil:
			j.Done, j.Status = true, child.Code
			if s.Dialect != bash {
				s.reportSignal(child)
			}
		case !found:
			j.Done, j.Status = true, 127
		}
	}
	many := len(s.Jobs) > 100
	s.Jobs = slices.DeleteFunc(s.Jobs, func(j job) bool { return j.Done && (j.Hidden || many && j.PID != s.LastJob) })
}

// doProcSub starts commands and makes a descriptor read their output.
func (s *Shell) doProcSub(in *code.Instr) kernel.Wait {
	r, child, wait := s.forkReading()
	if child == nil {
		return wait
	}
	s.reapJobs()
	s.Jobs = append(s.Jobs, job{PID: child.PID, Hidden: true})
	s.pushValue(strconv.Itoa(r))
	s.PC = in.A
	return s.again()
}

// waitChild waits for a subshell or a program, and then continues at pc with its status.
func (s *Shell) waitChild(pc int) kernel.Wait {
	child, found := s.p.Reap(s.Busy.PID)
	if child == nil && found {
		return s.stay(kernel.Wait{For: kernel.Child, PID: s.Busy.PID})
	}
	s.Busy = nil
	if child != nil {
		s.Status = child.Code
		s.reportSignal(child)
	}
	s.PC = pc
	return s.again()
}

// reportSignal prints that a signal has ended a program in the foreground.
func (s *Shell) reportSignal(child *kernel.Process) {
	sig := kernel.Signal(child.Code - 128)
	if sig <= 0 || sig > 31 || sig == kernel.SIGINT || sig == kernel.SIGPIPE || !child.Killed {
		return
	}
	if s.Dialect == bash && sig != kernel.SIGTERM {
		s.complain(fmt.Sprintf("%5d %-23s %s", child.PID, sig.Describe(), joinArgs(child.Args)))
		return
	}
	_ = s.write(2, []byte(sig.Describe()+"\n"))
}

func joinArgs(args []string) string {
	text := ""
	for i, a := range args {
		if i > 0 {
			text += " "
		}
		text += a
	}
	return text
}

// startPipe starts the stages of a pipeline.
func (s *Shell) startPipe(in *code.Instr) (kernel.Wait, bool) {
	b := &busy{Kind: busyPipe}
	before := -1
	for i, st := range in.Stages {
		r, w := -1, -1
		last := i == len(in.Stages)-1
		if !last {
			var err error
			if r, w, err = s.p.MakePipe(10); err != nil {
				return s.fatal("pipe: "+err.Error(), 2), false
			}
		}
		child, err := s.fork(st.PC)
		if err != nil {
			for _, fd := range []int{before, r, w} {
				_ = s.p.Close(fd)
			}
			return s.cannotFork(), false
		}
		if before >= 0 {
			_ = child.Dup(before, 0)
		}
		if w >= 0 {
			_ = child.Dup(w, 1)
			if st.Stderr {
				_ = child.Dup(w, 2)
			}
		}
		for _, fd := range []int{before, r, w} {
			_ = child.Close(fd)
		}
		_ = s.p.Close(before)
		_ = s.p.Close(w)
		before = r
		b.PIDs = append(b.PIDs, child.PID)
	}
	b.Codes = make([]int, len(b.PIDs))
	s.Busy = b
	return kernel.Wait{}, true
}

// waitPipe waits for the stages of a pipeline, and then continues after it.
func (s *Shell) waitPipe(in *code.Instr) kernel.Wait {
	b := s.Busy
	for i, pid := range b.PIDs {
		if pid == 0 {
			continue
		}
		child, found := s.p.Reap(pid)
		if child == nil && found {
			return s.stay(kernel.Wait{For: kernel.Child, PID: pid})
		}
		b.PIDs[i] = 0
		if child != nil {
			b.Codes[i] = child.Code
			if i == len(b.PIDs)-1 {
				s.reportSignal(child)
			}
		}
	}
	s.Busy = nil
	s.Pipes = b.Codes
	s.Status = b.Codes[len(b.Codes)-1]
	if s.Opts.Pipefail {
		for _, code := range b.Codes {
			if code != 0 {
				s.Status = code
			}
		}
	}
	s.PC = in.A
	return s.again()
}
