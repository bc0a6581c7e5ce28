package shell

import (
	"fmt"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

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
