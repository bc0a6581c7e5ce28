package shell

import "github.com/rowlock/rowlock/internal/emulator/kernel"

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
var moving = map[string]bool{
	"eval": true, ".": true, "source": true, "exec": true, "exit": true, "return": true, "break": true,
	"continue": true, "command": true, "builtin": true,
}

var builtins map[string]builtin

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

func (s *Shell) badOption(text string) kernel.Wait {
	if s.Dialect == bash {
		return s.fail(text, 2)
	}
	return s.fatal(text, 2)
}
