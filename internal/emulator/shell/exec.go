package shell

import (
	"fmt"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// exec executes an instruction.
func (s *Shell) exec(in *code.Instr) kernel.Wait {
	s.PC++
	switch in.Op {
	case code.OpWord, code.OpLit, code.OpParam, code.OpArith, code.OpField, code.OpString,
		code.OpTest1, code.OpTest2, code.OpPush, code.OpDrop, code.OpArgs:
		return s.execWord(in)
	case code.OpSub:
		return s.doSub(in)
	case code.OpStmt, code.OpEnd:
		if s.p.Signalled() {
			if w, done := s.signalled(); done {
				return w
			}
		}
		if in.Op == code.OpEnd {
			return s.endUnit()
		}
	case code.OpCmd, code.OpPrefix, code.OpSet, code.OpSetArray, code.OpAssigned, code.OpDeclare, code.OpRun:
		return s.execCommand(in)
	case code.OpRedirs:
		if !s.push(frame{Kind: frameRedir, Fail: in.A}) {
			return s.tooDeep()
		}
	case code.OpRedir:
		return s.doRedir(in.Redir)
	case code.OpUnredir, code.OpUnloop:
		f := s.pop()
		if in.Op == code.OpUnloop && in.A == 1 {
			s.Status = f.Status
		}
	case code.OpErr:
		if s.Status != 0 && s.Opts.Errexit && s.Careless == 0 {
			return s.leave(s.Status)
		}
	case code.OpCare:
		s.Careless += in.A
	case code.OpStatus:
		s.Status = in.A
	case code.OpNot:
		s.Status = int(truth(s.Status == 0))
	case code.OpJump, code.OpJumpIf, code.OpMatch, code.OpLoop, code.OpFor, code.OpForNext:
		return s.execFlow(in)
	case code.OpSubshell, code.OpAsync, code.OpPipe, code.OpProcSub:
		return s.execProcess(in)
	case code.OpLeave:
		return s.leave(s.Status)
	case code.OpFunc:
		s.define(in.Text)
		s.Status = 0
		s.PC = in.A
	case code.OpReturn:
		s.returnFrom(s.Status)
	case code.OpCond:
		return s.doCond(in)
	case code.OpLet:
		v, err := s.arith(s.popValue())
		if err != nil {
			s.complain(err.Error())
			s.Status = 1
			break
		}
		s.Status = int(truth(v == 0))
	case code.OpTime:
		s.time(in.A == 1)
	case code.OpSyntax:
		return s.fatal(in.Text, 2)
	case code.OpSelect:
		return s.foreign("select is not emulated")
	default:
		return s.foreign(in.Text)
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

func (s *Shell) execWord(in *code.Instr) kernel.Wait {
	switch in.Op {
	case code.OpWord:
		s.Words = append(s.Words, word{})
	case code.OpLit:
		w := s.builder()
		w.Parts = append(w.Parts, part{Text: kernel.Text(in.Text), Quote: in.A == code.LitQuoted, Split: in.A == code.LitSplit})
	case code.OpParam:
		return s.doParam(in.Param, in.A == 1)
	case code.OpArith:
		v, err := s.arith(s.joined(s.popWord(), code.AsText))
		if err != nil {
			status := 2
			if s.Dialect == bash {
				status = 1
			}
			return s.fatal(err.Error(), status)
		}
		s.addNumber(v, in.A == 1)
	case code.OpField:
		if in.A == 1 {
			s.Fields = append(s.Fields, s.joined(s.popWord(), code.AsText))
			break
		}
		if s.finish(s.popWord()); len(s.Fields) > maxFields {
			return s.fatal("Argument list too long", 2)
		}
	case code.OpString:
		s.pushValue(s.joined(s.popWord(), in.A))
	case code.OpTest1:
		return s.doTest1(in)
	case code.OpTest2:
		return s.doTest2(in)
	case code.OpPush:
		s.pushValue(in.Text)
	case code.OpDrop:
		s.popValue()
	case code.OpArgs:
		s.Fields = append(s.Fields, s.Args...)
	}
	return s.again()
}

func (s *Shell) execFlow(in *code.Instr) kernel.Wait {
	switch in.Op {
	case code.OpJump:
		if in.B == 1 {
			s.top().Status = s.Status
		}
		s.PC = in.A
	case code.OpJumpIf:
		if (s.Status == 0) == (in.B == 1) {
			s.PC = in.A
		}
	case code.OpMatch:
		pattern := s.popValue()
		subject := s.Values[len(s.Values)-1]
		s.extra += len(subject) / 32
		if !s.match(pattern, subject) {
			s.PC = in.A
		}
	case code.OpLoop:
		if !s.push(frame{Kind: frameLoop, Break: in.A, Continue: in.B, Unit: s.Unit}) {
			return s.tooDeep()
		}
	case code.OpFor:
		if s.top().Items = s.Fields; len(s.Fields) == 0 {
			s.Status = 0
		}
		s.Fields = nil
	case code.OpForNext:
		f := s.top()
		if len(f.Items) == 0 {
			s.PC = in.A
			break
		}
		value := f.Items[0]
		f.Items = f.Items[1:]
		if !s.set(in.Text, value) {
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
