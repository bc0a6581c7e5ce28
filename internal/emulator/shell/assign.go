package shell

import (
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

func (s *Shell) doSet(in *code.Instr) kernel.Wait {
	value := s.popValue()
	ok := false
	if in.A == 1 {
		ok = s.setElement(in.Text, s.popValue(), value, in.B == 1)
	} else {
		if in.B == 1 {
			value = s.appended(in.Text, value)
		}
		ok = s.set(in.Text, value)
	}
	if s.Opts.Xtrace {
		_ = s.write(2, []byte(s.get("PS4")+in.Text+"="+s.traced(value)+"\n"))
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

func (s *Shell) doSetArray(in *code.Instr) kernel.Wait {
	v := variable{}
	if old := s.Vars[in.Text]; old != nil {
		v = *old
	}
	if v.ReadOnly {
		s.complainReadOnly(in.Text)
		return s.leave(1)
	}
	v.Unset = false
	plus := in.B == 1
	switch {
	case in.A >= 0:
		pairs := s.Values[len(s.Values)-2*in.A:]
		if !plus {
			v.List, v.Table, v.Value = nil, nil, ""
			v.IsList = !v.IsTable
			s.replaceVar(in.Text, &v)
		}
		for i := 0; i < len(pairs); i += 2 {
			if !s.setElement(in.Text, pairs[i], pairs[i+1], false) {
				return s.leave(1)
			}
		}
		s.Values = s.Values[:len(s.Values)-2*in.A]
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
	s.replaceVar(in.Text, &v)
	s.Fields = nil
	s.Status = s.SubStatus
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
