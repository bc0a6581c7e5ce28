package shell

import (
	syntaxre "regexp/syntax"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/regex"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// doCond executes a test of [[ ]].
func (s *Shell) doCond(in *code.Instr) kernel.Wait {
	if in.Unary != 0 {
		is, known := s.unaryTest(in.Unary, s.popValue())
		if !known {
			return s.foreign("[[ " + in.Unary.String() + " ]] is not emulated")
		}
		s.Status = int(truth(!is))
		return s.again()
	}
	right := s.popValue()
	left := s.popValue()
	is := false
	switch in.Binary {
	case syntax.TsMatch, syntax.TsMatchShort:
		is = s.match(right, left)
	case syntax.TsNoMatch:
		is = !s.match(right, left)
	case syntax.TsReMatch:
		return s.regexpTest(left, right)
	case syntax.TsBefore:
		is = left < right
	case syntax.TsAfter:
		is = left > right
	case syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno:
		is = s.fileTest(in.Binary, left, right)
	default:
		a, err := s.arith(left)
		var b int64
		if err == nil {
			b, err = s.arith(right)
		}
		if err != nil {
			return s.fail("[[: "+err.Error(), 1)
		}
		switch in.Binary {
		case syntax.TsEql:
			is = a == b
		case syntax.TsNeq:
			is = a != b
		case syntax.TsLeq:
			is = a <= b
		case syntax.TsGeq:
			is = a >= b
		case syntax.TsLss:
			is = a < b
		case syntax.TsGtr:
			is = a > b
		}
	}
	s.extra += (len(left) + len(right)) / 32
	s.Status = int(truth(!is))
	return s.again()
}

// maxGroups bounds how many groups of a pattern =~ keeps.
const maxGroups = 500

// regexpTest executes =~ and sets BASH_REMATCH.
func (s *Shell) regexpTest(text, pattern string) kernel.Wait {
	s.extra += 20
	if len(pattern) > 1<<10 {
		return s.foreign("a regular expression of more than a kilobyte is not emulated")
	}
	re, err := regex.Compile(pattern, syntaxre.POSIX)
	if err != nil {
		if re, err = regex.Compile(pattern, syntaxre.Perl); err != nil {
			s.Status = 2
			return s.again()
		}
	}
	s.bill(re.Cost())
	found := re.Find(s.bill, text, 0, maxGroups)
	v := variable{IsList: true}
	for i := 0; i < len(found); i += 2 {
		f := ""
		if found[i] >= 0 {
			f = text[found[i]:found[i+1]]
		}
		put(&v.List, i/2, kernel.Text(f))
	}
	if s.Dialect == bash {
		s.replaceVar("BASH_REMATCH", &v)
	}
	s.Status = int(truth(found == nil))
	return s.again()
}

func (s *Shell) fileTest(op syntax.BinTestOperator, left, right string) bool {
	a, err1 := s.p.FS().Stat(s.p.Path(left))
	b, err2 := s.p.FS().Stat(s.p.Path(right))
	switch op {
	case syntax.TsNewer:
		return err1 == nil && (err2 != nil || a.MTime.After(b.MTime))
	case syntax.TsOlder:
		return err2 == nil && (err1 != nil || a.MTime.Before(b.MTime))
	}
	return err1 == nil && err2 == nil && a.Same(b)
}

// unaryTest evaluates a test of one word; known is false if the test is not emulated.
func (s *Shell) unaryTest(op syntax.UnTestOperator, arg string) (is, known bool) {
	switch op {
	case syntax.TsEmpStr:
		return arg == "", true
	case syntax.TsNempStr:
		return arg != "", true
	case syntax.TsVarSet:
		if name, index, ok := strings.Cut(arg, "["); ok {
			_, is = s.element(name, strings.TrimSuffix(index, "]"))
			return is, true
		}
		_, is = s.lookup(arg)
		return is, true
	case syntax.TsOptSet:
		return s.Opts.on(arg), true
	case syntax.TsFdTerm:
		_, err := strconv.Atoi(arg)
		return false, err == nil
	case syntax.TsSmbLink:
		info, err := s.p.FS().Lstat(s.p.Path(arg))
		return err == nil && info.IsLink(), true
	}
	info, err := s.p.FS().Stat(s.p.Path(arg))
	if err != nil {
		return false, op != syntax.TsModif && op != syntax.TsRefVar
	}
	access := func(right uint32) bool { return s.p.FS().Access(s.p.Path(arg), right) == nil }
	kind := info.Mode & vfs.ModeType
	switch op {
	case syntax.TsExists:
		return true, true
	case syntax.TsRegFile:
		return info.IsRegular(), true
	case syntax.TsDirect:
		return info.IsDir(), true
	case syntax.TsCharSp:
		return kind == vfs.ModeChar, true
	case syntax.TsBlckSp:
		return kind == vfs.ModeBlock, true
	case syntax.TsNmPipe:
		return kind == vfs.ModeFIFO, true
	case syntax.TsSocket:
		return kind == vfs.ModeSocket, true
	case syntax.TsSticky:
		return info.Mode&vfs.ModeSticky != 0, true
	case syntax.TsGIDSet:
		return info.Mode&vfs.ModeSetGID != 0, true
	case syntax.TsUIDSet:
		return info.Mode&vfs.ModeSetUID != 0, true
	case syntax.TsGrpOwn:
		return info.GID == s.p.GID(), true
	case syntax.TsUsrOwn:
		return info.UID == s.p.UID(), true
	case syntax.TsRead:
		return access(4), true
	case syntax.TsWrite:
		return access(2), true
	case syntax.TsExec:
		return access(1), true
	case syntax.TsNoEmpty:
		return info.Size > 0, true
	}
	return false, false
}
