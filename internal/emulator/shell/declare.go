package shell

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// named returns a declaration as an ordinary builtin, for a name that comes from an expansion.
func named(kind string) builtin {
	return func(s *Shell, args []string) kernel.Wait { return s.declare(kind, args[1:]) }
}

// flags are the options of a declaration.
type flags struct {
	export, readOnly, integer, list, table, unset, global, print, function bool
}

// declare executes export, readonly, local and declare.
func (s *Shell) declare(kind string, args []string) kernel.Wait {
	f := flags{export: kind == "export", readOnly: kind == "readonly"}
	s.Status = 0
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') {
		for _, c := range args[0][1:] {
			on := args[0][0] == '-'
			switch c {
			case 'x':
				f.export = on
				f.unset = !on
			case 'r':
				f.readOnly = true
			case 'i':
				f.integer = on
			case 'a':
				f.list = true
			case 'A':
				f.table = true
			case 'g':
				f.global = true
			case 'p':
				f.print = true
			case 'f', 'F':
				f.function = true
			case 'n':
				if kind != "export" {
					return s.foreign(kind + " -n is not emulated")
				}
				f.unset = true
			case '-':
			default:
				return s.foreign(kind + " -" + string(c) + " is not emulated")
			}
		}
		args = args[1:]
	}
	inFunction := -1
	for i := len(s.Frames) - 1; i >= 0; i-- {
		if s.Frames[i].Kind == frameFunc {
			inFunction = i
			break
		}
	}
	if kind == "local" && inFunction < 0 {
		if s.Dialect == bash {
			return s.fail("local: can only be used in a function", 1)
		}
		return s.fatal("local: not in a function", 2)
	}
	if f.function {
		s.Status = 0
		for _, a := range args {
			if _, ok := s.Funcs[a]; !ok {
				s.Status = 1
			}
		}
		return s.again()
	}
	if len(args) == 0 {
		s.showVars(kind, f)
		return s.again()
	}
	local := kind == "local" || kind != "export" && kind != "readonly" && inFunction >= 0 && !f.global
	for _, a := range args {
		if w, ok := s.declareOne(kind, a, f, local, inFunction); !ok {
			return w
		}
	}
	return s.again()
}

func (s *Shell) declareOne(kind, arg string, f flags, local bool, function int) (kernel.Wait, bool) {
	name, value, assigned := strings.Cut(arg, "=")
	plus := assigned && strings.HasSuffix(name, "+")
	name = strings.TrimSuffix(name, "+")
	if !validName(name) {
		if s.Dialect == bash {
			s.complain(kind + ": `" + arg + "': not a valid identifier")
			s.Status = 1
			return kernel.Wait{}, true
		}
		return s.fatal(kind+": "+name+": bad variable name", 2), false
	}
	if f.print {
		s.show(kind, name)
		return kernel.Wait{}, true
	}
	old := s.Vars[name]
	if local {
		frame := &s.Frames[function]
		if _, known := frame.Vars[name]; !known {
			if old != nil && old.ReadOnly {
				s.complainReadOnly(name)
				s.Status = 1
				return kernel.Wait{}, true
			}
			put(&frame.Vars, name, old)
			fresh := &variable{Unset: true}
			if old != nil && s.Dialect != bash { // a local variable starts with the outer value
				copied := *old
				fresh = &copied
			}
			s.replaceVar(name, fresh)
		}
	}
	v := variable{Unset: true}
	if cur := s.Vars[name]; cur != nil {
		v = *cur
	}
	v.Export = (v.Export || f.export) && !f.unset
	v.Integer = v.Integer || f.integer
	switch {
	case f.table && !v.IsTable:
		v = variable{IsTable: true, Export: v.Export}
	case f.list && !v.IsList:
		v.toList()
	}
	if v.ReadOnly && assigned {
		s.complainReadOnly(name)
		if s.Dialect != bash {
			return s.leave(2), false
		}
		s.Status = 1
		return kernel.Wait{}, true
	}
	s.replaceVar(name, &v)
	if assigned {
		if plus {
			value = s.appended(name, value)
		}
		if !s.set(name, value) {
			s.Status = 1
		}
	}
	if f.readOnly {
		fixed := *s.Vars[name]
		fixed.ReadOnly = true
		s.replaceVar(name, &fixed)
	}
	return kernel.Wait{}, true
}

func (s *Shell) showVars(kind string, f flags) {
	for _, name := range sortedKeys(s.Vars) {
		v := s.Vars[name]
		if kind == "export" && !v.Export || kind == "readonly" && !v.ReadOnly || kind == "local" {
			continue
		}
		s.show(kind, name)
	}
	_ = f
}

// show prints a declaration in a form that a shell can read.
func (s *Shell) show(kind, name string) {
	v := s.Vars[name]
	if v == nil {
		s.complain(kind + ": " + name + ": not found")
		s.Status = 1
		return
	}
	if s.Dialect != bash {
		text := kind + " " + name
		if !v.Unset {
			text += "=" + quote(string(v.Value))
		}
		_ = s.print(text + "\n")
		return
	}
	letters := ""
	for _, l := range []struct {
		on     bool
		letter string
	}{{v.IsList, "a"}, {v.IsTable, "A"}, {v.Integer, "i"}, {v.ReadOnly, "r"}, {v.Export, "x"}} {
		if l.on {
			letters += l.letter
		}
	}
	if letters == "" {
		letters = "-"
	}
	text := "declare -" + letters + " " + name
	double := func(v string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(v) + `"`
	}
	switch {
	case v.IsList || v.IsTable:
		keys, values := s.listOf(name, true), v.elements()
		text += "=("
		for i, k := range keys {
			if i > 0 {
				text += " "
			}
			text += "[" + k + "]=" + double(values[i])
		}
		text += ")"
	case !v.Unset:
		text += "=" + double(string(v.Value))
	}
	_ = s.print(text + "\n")
}

func (s *Shell) unset(args []string) kernel.Wait {
	args = args[1:]
	functions, variables := true, true
	s.Status = 0
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		functions, variables = args[0] == "-f", args[0] != "-f"
		args = args[1:]
	}
	for _, name := range args {
		if base, index, ok := strings.Cut(name, "["); ok && s.Dialect == bash {
			s.unsetElement(base, strings.TrimSuffix(index, "]"))
			continue
		}
		v := s.Vars[name]
		switch {
		case variables && !validName(name):
			return s.badOption("unset: " + name + ": bad variable name")
		case variables && v != nil && v.ReadOnly:
			if s.Dialect == bash {
				s.complain("unset: " + name + ": cannot unset: readonly variable")
				s.Status = 1
				continue
			}
			return s.fatal("unset: "+name+": is read only", 2)
		case variables && v != nil:
			s.replaceVar(name, nil)
		case functions:
			delete(s.Funcs, name)
		}
	}
	return s.again()
}

func (s *Shell) unsetElement(name, index string) {
	old := s.Vars[name]
	if old == nil {
		return
	}
	v := *old
	switch {
	case v.IsTable:
		v.Table = clone(v.Table)
		delete(v.Table, index)
	case v.IsList:
		v.toList()
		if i, ok := s.index(&v, index); ok {
			delete(v.List, i)
		}
	}
	s.replaceVar(name, &v)
}

func clone[K comparable, V any](m map[K]V) map[K]V {
	c := make(map[K]V, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}
