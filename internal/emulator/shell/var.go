package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// replaceVar sets a variable, or removes it if v is nil, and counts its memory.
func (s *Shell) replaceVar(name string, v *variable) {
	s.Bytes += v.size() - s.Vars[name].size()
	if v == nil {
		delete(s.Vars, name)
		return
	}
	s.Vars[name] = v
}

// lookup returns the value of a parameter, and whether it is set.
func (s *Shell) lookup(name string) (string, bool) {
	if v := s.Vars[name]; v != nil {
		switch {
		case v.IsList:
			e, ok := v.List[0]
			return string(e), ok
		case v.IsTable:
			e, ok := v.Table["0"]
			return string(e), ok
		}
		return string(v.Value), !v.Unset
	}
	return s.special(name)
}

// special returns the value of a parameter that is not a variable.
func (s *Shell) special(name string) (string, bool) {
	if len(name) == 1 {
		switch name[0] {
		case '?':
			return strconv.Itoa(s.Status), true
		case '$':
			return strconv.Itoa(s.PID), true
		case '!':
			if s.LastJob == 0 {
				return "", false
			}
			return strconv.Itoa(s.LastJob), true
		case '#':
			return strconv.Itoa(len(s.Args)), true
		case '0':
			return string(s.Name), true
		case '-':
			if s.Dialect == bash {
				return s.Opts.letters() + "hB", true
			}
			return s.Opts.letters(), true
		case '@', '*':
			return strings.Join(s.Args, s.joiner()), len(s.Args) > 0
		}
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n > 0 && n <= len(s.Args) {
			return s.Args[n-1], true
		}
		return "", false
	}
	switch name {
	case "LINENO":
		return strconv.Itoa(s.Line), true
	}
	if s.Dialect == dash {
		return "", false
	}
	switch name {
	case "RANDOM":
		return strconv.FormatUint(s.p.Random()>>20&0x7fff, 10), true
	case "SECONDS":
		if s.Dialect == bash {
			return strconv.Itoa(int((s.p.Since() - s.Since) / time.Second)), true
		}
	case "EPOCHSECONDS":
		return strconv.FormatInt(s.p.Now().Unix(), 10), true
	case "EPOCHREALTIME":
		return strconv.FormatInt(s.p.Now().Unix(), 10) + "." + strconv.Itoa(1_000_000 + s.p.Now().Nanosecond()/1000)[1:], true
	case "BASHPID":
		return strconv.Itoa(s.p.PID), s.Dialect == bash
	case "FUNCNAME":
		for _, f := range slices.Backward(s.Frames) {
			if f.Kind == frameFunc {
				return string(f.Name), true
			}
		}
	}
	return "", false
}

// get returns the value of a variable; "" if it is not set.
func (s *Shell) get(name string) string {
	v, _ := s.lookup(name)
	return v
}

func (s *Shell) joiner() string {
	ifs, set := s.lookup("IFS")
	switch {
	case !set:
		return " "
	case ifs == "":
		return ""
	}
	return ifs[:1]
}

// set assigns a variable; if that is not allowed, it prints a message and returns false.
func (s *Shell) set(name, value string) bool {
	old := s.Vars[name]
	if old == nil {
		switch name {
		case "SECONDS":
			if s.Dialect == bash {
				n, _ := strconv.Atoi(value)
				s.Since = s.p.Since() - time.Duration(n)*time.Second
				return true
			}
		case "RANDOM", "EPOCHSECONDS", "LINENO":
			if s.Dialect == bash {
				return true
			}
		}
		s.replaceVar(name, &variable{Value: kernel.Text(value), Export: s.Opts.Allexport})
		return true
	}
	if old.ReadOnly {
		s.complainReadOnly(name)
		return false
	}
	v := *old
	v.Unset = false
	switch {
	case v.IsList:
		v.List = maps.Clone(v.List)
		put(&v.List, 0, kernel.Text(value))
	case v.IsTable:
		v.Table = maps.Clone(v.Table)
		put(&v.Table, "0", kernel.Text(value))
	case v.Integer:
		n, err := s.arith(value)
		if err != nil {
			s.complain(err.Error())
			return false
		}
		v.Value = kernel.Text(strconv.FormatInt(n, 10))
	default:
		v.Value = kernel.Text(value)
	}
	v.Export = v.Export || s.Opts.Allexport
	s.replaceVar(name, &v)
	if name == "OPTIND" {
		s.OptAt = 0
	}
	return true
}

func (s *Shell) complainReadOnly(name string) {
	if s.Dialect == bash {
		s.complain(name + ": readonly variable")
		return
	}
	s.complain(name + ": is read only")
}

// setElement assigns an element of an array, or appends to it.
func (s *Shell) setElement(name, index, value string, plus bool) bool {
	v := variable{}
	if old := s.Vars[name]; old != nil {
		v = *old
	}
	if v.ReadOnly {
		s.complainReadOnly(name)
		return false
	}
	s.extra += (len(v.List) + len(v.Table)) / 4
	v.Unset = false
	if v.IsTable {
		v.Table = maps.Clone(v.Table)
		if plus {
			value = string(v.Table[index]) + value
		}
		put(&v.Table, index, kernel.Text(value))
		s.replaceVar(name, &v)
		return true
	}
	v.toList()
	i, ok := s.index(&v, index)
	if !ok {
		s.complain(name + "[" + index + "]: bad array subscript")
		return false
	}
	if plus {
		value = string(v.List[i]) + value
	}
	put(&v.List, i, kernel.Text(value))
	s.replaceVar(name, &v)
	return true
}

// index returns the value of an index expression; a negative one counts from the end.
func (s *Shell) index(v *variable, expr string) (int, bool) {
	n, err := s.arith(expr)
	if err != nil {
		return 0, false
	}
	if n < 0 {
		if all := v.indices(); len(all) > 0 {
			n += int64(all[len(all)-1]) + 1
		}
	}
	return int(n), n >= 0 && n < 1<<31
}

// element returns an element of an array, and whether it is set.
func (s *Shell) element(name, index string) (string, bool) {
	v := s.Vars[name]
	if name == "PIPESTATUS" && v == nil {
		i, err := strconv.Atoi(index)
		if err == nil && i >= 0 && i < len(s.Pipes) {
			return strconv.Itoa(s.Pipes[i]), true
		}
		return "", false
	}
	if v == nil && index == "0" {
		return s.special(name)
	}
	if v != nil && v.IsTable {
		e, ok := v.Table[index]
		return string(e), ok
	}
	if v == nil {
		v = &variable{Unset: true}
	}
	i, ok := s.index(v, index)
	if !ok {
		return "", false
	}
	if v.IsList {
		e, ok := v.List[i]
		return string(e), ok
	}
	if i == 0 && !v.Unset {
		return string(v.Value), true
	}
	return "", false
}

// environ returns the environment for programs that the shell starts.
func (s *Shell) environ() []string {
	env := make([]string, 0, len(s.Vars)+len(s.Foreign)+len(s.Prefix))
	for name, v := range s.Vars {
		if v.Export && !v.Unset && !v.IsList && !v.IsTable && !s.prefixed(name) {
			env = append(env, name+"="+string(v.Value))
		}
	}
	env = append(env, s.Foreign...)
	slices.Sort(env)
	for i, a := range s.Prefix {
		if !slices.ContainsFunc(s.Prefix[i+1:], func(b assignment) bool { return a.Name == b.Name }) {
			env = append(env, a.Name+"="+string(a.Value))
		}
	}
	return env
}

func (s *Shell) prefixed(name string) bool {
	return slices.ContainsFunc(s.Prefix, func(a assignment) bool { return a.Name == name })
}

// listOf returns the elements of a variable, or their indices.
func (s *Shell) listOf(name string, keys bool) []string {
	v := s.Vars[name]
	switch {
	case v == nil && name == "PIPESTATUS":
		var all []string
		for i, code := range s.Pipes {
			if keys {
				code = i
			}
			all = append(all, strconv.Itoa(code))
		}
		return all
	case v == nil:
		return nil
	case !keys:
		s.extra += (len(v.List) + len(v.Table)) / 8
		return v.elements()
	case v.IsTable:
		return slices.Sorted(maps.Keys(v.Table))
	case v.IsList:
		var all []string
		for _, i := range v.indices() {
			all = append(all, strconv.Itoa(i))
		}
		return all
	}
	return []string{"0"}
}
