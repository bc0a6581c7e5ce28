package shell

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// stay returns the Wait of an instruction that has not ended: it is executed again.
func (s *Shell) stay(w kernel.Wait) kernel.Wait {
	s.PC--
	w.Steps += s.extra
	return w
}

// exec executes an instruction.
func (s *Shell) exec(in *instr) kernel.Wait {
	s.PC++
	switch in.op {
	case opWord, opLit, opParam, opArith, opField, opString, opTest1, opTest2, opPush, opDrop, opArgs:
		return s.execWord(in)
	case opSub:
		return s.doSub(in)
	case opStmt, opEnd:
		if s.p.Signalled() {
			if w, done := s.signalled(); done {
				return w
			}
		}
		if in.op == opEnd {
			return s.endUnit()
		}
	case opCmd, opPrefix, opSet, opSetArray, opAssigned, opDeclare, opRun:
		return s.execCommand(in)
	case opRedirs:
		if !s.push(frame{Kind: frameRedir, Fail: in.a}) {
			return s.tooDeep()
		}
	case opRedir:
		return s.doRedir(in.redir)
	case opUnredir, opUnloop:
		f := s.pop()
		if in.op == opUnloop && in.a == 1 {
			s.Status = f.Status
		}
	case opErr:
		if s.Status != 0 && s.Opts.Errexit && s.Careless == 0 {
			return s.leave(s.Status)
		}
	case opCare:
		s.Careless += in.a
	case opStatus:
		s.Status = in.a
	case opNot:
		s.Status = int(truth(s.Status == 0))
	case opJump, opJumpIf, opMatch, opLoop, opFor, opForNext:
		return s.execFlow(in)
	case opSubshell, opAsync, opPipe, opProcSub:
		return s.execProcess(in)
	case opLeave:
		return s.leave(s.Status)
	case opFunc:
		s.define(in.text)
		s.Status = 0
		s.PC = in.a
	case opReturn:
		s.returnFrom(s.Status)
	case opCond:
		return s.doCond(in)
	case opLet:
		v, err := s.arith(s.popValue())
		if err != nil {
			s.complain(err.Error())
			s.Status = 1
			break
		}
		s.Status = int(truth(v == 0))
	case opTime:
		s.time(in.a == 1)
	case opSyntax:
		return s.fatal(in.text, 2)
	case opSelect:
		return s.foreign("select is not emulated")
	default:
		return s.foreign(in.text)
	}
	return s.again()
}

// define makes the code that follows the function of a name. It drops the source of the function
// that it replaces if nothing else needs that source.
func (s *Shell) define(name string) {
	old, redefined := s.Funcs[name]
	if u := s.Units[s.Unit]; !u.Keep {
		u.Keep = true
		s.Bytes += int64(len(u.Source)) + 64
	}
	put(&s.Funcs, name, function{s.Unit, s.PC})
	if !redefined || old.Unit == s.Unit {
		return
	}
	for _, f := range s.Funcs {
		if f.Unit == old.Unit {
			return
		}
	}
	for i := range s.Frames {
		if f := &s.Frames[i]; f.Unit == old.Unit || f.Own == old.Unit {
			return
		}
	}
	s.Bytes -= int64(len(s.Units[old.Unit].Source)) + 64
	delete(s.Units, old.Unit)
}

// foreign ends the shell at something that is not emulated.
func (s *Shell) foreign(what string) kernel.Wait {
	_ = s.write(2, []byte("rowlock: "+string(s.Name)+": line "+strconv.Itoa(max(s.Line, 1))+": "+what+"\n"))
	return s.leave(2)
}

func (s *Shell) tooDeep() kernel.Wait {
	return s.fatal(fmt.Sprintf("maximum function nesting level exceeded (%d)", maxCalls), 2)
}

func (s *Shell) execWord(in *instr) kernel.Wait {
	switch in.op {
	case opWord:
		s.Words = append(s.Words, word{})
	case opLit:
		w := s.builder()
		w.Parts = append(w.Parts, part{Text: kernel.Text(in.text), Quote: in.a == litQuoted, Split: in.a == litSplit})
	case opParam:
		return s.doParam(in.param, in.a == 1)
	case opArith:
		v, err := s.arith(s.joined(s.popWord(), asText))
		if err != nil {
			status := 2
			if s.Dialect == bash {
				status = 1
			}
			return s.fatal(err.Error(), status)
		}
		s.addNumber(v, in.a == 1)
	case opField:
		if in.a == 1 {
			s.Fields = append(s.Fields, s.joined(s.popWord(), asText))
			break
		}
		if s.finish(s.popWord()); len(s.Fields) > maxFields {
			return s.fatal("Argument list too long", 2)
		}
	case opString:
		s.pushValue(s.joined(s.popWord(), in.a))
	case opTest1:
		return s.doTest1(in)
	case opTest2:
		return s.doTest2(in)
	case opPush:
		s.pushValue(in.text)
	case opDrop:
		s.popValue()
	case opArgs:
		s.Fields = append(s.Fields, s.Args...)
	}
	return s.again()
}

func (s *Shell) execFlow(in *instr) kernel.Wait {
	switch in.op {
	case opJump:
		if in.b == 1 {
			s.top().Status = s.Status
		}
		s.PC = in.a
	case opJumpIf:
		if (s.Status == 0) == (in.b == 1) {
			s.PC = in.a
		}
	case opMatch:
		pattern := s.popValue()
		subject := s.Values[len(s.Values)-1]
		s.extra += len(subject) / 32
		if !s.match(pattern, subject) {
			s.PC = in.a
		}
	case opLoop:
		if !s.push(frame{Kind: frameLoop, Break: in.a, Continue: in.b, Unit: s.Unit}) {
			return s.tooDeep()
		}
	case opFor:
		if s.top().Items = s.Fields; len(s.Fields) == 0 {
			s.Status = 0
		}
		s.Fields = nil
	case opForNext:
		f := s.top()
		if len(f.Items) == 0 {
			s.PC = in.a
			break
		}
		value := f.Items[0]
		f.Items = f.Items[1:]
		if !s.set(in.text, value) {
			return s.leave(2)
		}
	}
	return s.again()
}

// endUnit continues with the caller at the end of a source, or ends the shell.
func (s *Shell) endUnit() kernel.Wait {
	for i := len(s.Frames) - 1; i >= 0; i-- {
		if s.Frames[i].isCall() {
			s.unwind(i)
			return s.endCall()
		}
	}
	if s.Input != nil {
		return s.readNext()
	}
	return s.leave(s.Status)
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

// doSub executes a command substitution: it starts the commands, reads their output, and waits for
// them.
func (s *Shell) doSub(in *instr) kernel.Wait {
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
	s.addText(subText(b.Data), in.b == 1)
	s.Busy, s.PC = nil, in.a
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

func (s *Shell) execProcess(in *instr) kernel.Wait {
	switch in.op {
	case opSubshell:
		if s.Busy == nil {
			child, err := s.fork(s.PC)
			if err != nil {
				return s.cannotFork()
			}
			s.Busy = &busy{Kind: busyChild, PID: child.PID}
		}
		return s.waitChild(in.a)
	case opAsync:
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
		s.PC = in.a
		return s.again()
	case opProcSub:
		return s.doProcSub(in)
	}
	if s.Busy == nil {
		if w, ok := s.startPipe(in); !ok {
			return w
		}
	}
	return s.waitPipe(in)
}

// doProcSub starts commands and makes a descriptor read their output.
func (s *Shell) doProcSub(in *instr) kernel.Wait {
	r, child, wait := s.forkReading()
	if child == nil {
		return wait
	}
	s.reapJobs()
	s.Jobs = append(s.Jobs, job{PID: child.PID, Hidden: true})
	s.pushValue(strconv.Itoa(r))
	s.PC = in.a
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
func (s *Shell) startPipe(in *instr) (kernel.Wait, bool) {
	b := &busy{Kind: busyPipe}
	before := -1
	for i, st := range in.stages {
		r, w := -1, -1
		last := i == len(in.stages)-1
		if !last {
			var err error
			if r, w, err = s.p.MakePipe(10); err != nil {
				return s.fatal("pipe: "+err.Error(), 2), false
			}
		}
		child, err := s.fork(st.pc)
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
			if st.stderr {
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
func (s *Shell) waitPipe(in *instr) kernel.Wait {
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
	s.PC = in.a
	return s.again()
}

// time records the time, or prints the time that has passed.
func (s *Shell) time(end bool) {
	if !end {
		s.Times = append(s.Times, s.p.Since())
		return
	}
	if len(s.Times) == 0 {
		return
	}
	d := s.p.Since() - s.Times[len(s.Times)-1]
	s.Times = s.Times[:len(s.Times)-1]
	show := func(d time.Duration) string {
		return fmt.Sprintf("%dm%.3fs", d/time.Minute, (d % time.Minute).Seconds())
	}
	_ = s.write(2, []byte("\nreal\t"+show(d)+"\nuser\t0m0.000s\nsys\t0m0.000s\n"))
}
