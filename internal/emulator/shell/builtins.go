package shell

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// In init, because the builtins refer to the table.
func init() {
	builtins = map[string]builtin{
		":": status(0), "true": status(0), "false": status(1), "cd": (*Shell).cd, "pwd": (*Shell).pwd,
		"echo": (*Shell).echo, "printf": (*Shell).printf, "test": (*Shell).utility, "[": (*Shell).utility,
		"exit": (*Shell).exit, "return": (*Shell).doReturn, "break": loops(true), "continue": loops(false),
		"eval": (*Shell).eval, ".": (*Shell).dot, "source": (*Shell).dot, "exec": (*Shell).execBuiltin,
		"export": named("export"), "readonly": named("readonly"), "local": named("local"), "declare": named("declare"), "typeset": named("declare"),
		"unset": (*Shell).unset, "set": (*Shell).setBuiltin, "shift": (*Shell).shift, "trap": (*Shell).trap, "wait": (*Shell).wait,
		"kill": (*Shell).kill, "jobs": (*Shell).jobs, "type": (*Shell).typeOf, "command": (*Shell).command, "umask": (*Shell).umask,
		"ulimit": (*Shell).ulimit, "read": (*Shell).read, "getopts": (*Shell).getopts, "let": (*Shell).let, "times": (*Shell).times,
		"hash": status(0), "alias": (*Shell).alias, "unalias": status(0), "shopt": (*Shell).shopt, "builtin": (*Shell).builtinBuiltin,
		"disown": status(0), "fg": (*Shell).noJobs, "bg": (*Shell).noJobs, "mapfile": (*Shell).mapfile, "readarray": (*Shell).mapfile,
	}
	for _, name := range []string{"pushd", "popd", "dirs", "compgen", "complete", "bind", "caller", "enable", "suspend", "fc", "history"} {
		builtins[name] = func(s *Shell, _ []string) kernel.Wait { return s.foreign(name + " is not emulated") }
	}
}

func status(code int) builtin {
	return func(s *Shell, _ []string) kernel.Wait {
		s.Status = code
		return s.again()
	}
}
