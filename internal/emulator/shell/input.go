package shell

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// readInput starts to read commands from standard input.
func (s *Shell) readInput(interactive bool) kernel.Wait {
	s.Begun, s.Input = true, &input{Reading: true, Prompts: interactive}
	if interactive {
		s.p.Handle(kernel.SIGINT)
		s.p.Handle(kernel.SIGTERM) // has no effect
		s.Vars["PS1"] = &variable{Value: kernel.Text(s.usualPrompt())}
	}
	return s.again()
}

// readNext starts to read the next command after the last one has run.
func (s *Shell) readNext() kernel.Wait {
	s.drop(s.Unit)
	s.Input.Reading = true
	return s.again()
}

// readCommand reads until there is a complete command, and starts it.
func (s *Shell) readCommand() kernel.Wait {
	in := s.Input
	if s.p.Signalled() {
		if w, done := s.signalled(); done {
			return w
		}
	}
	if in.Prompts && !in.Prompted {
		in.Prompted = true
		_ = s.write(2, []byte(s.prompt()))
		return s.again()
	}
	data, err := s.p.ReadLine(0, 4096)
	switch {
	case err == kernel.ErrWouldBlock:
		return kernel.Wait{For: kernel.Readable, Interruptible: true}
	case err != nil && len(in.Text) > 0:
		return s.runCommand() // running it reports that it is incomplete
	case err != nil:
		if in.Prompts && s.Dialect == bash {
			_ = s.write(2, []byte("exit\n"))
		}
		s.Input = nil
		return s.leave(s.Status)
	}
	if in.Text = append(in.Text, data...); len(in.Text) > code.MaxSource {
		return s.refuse(code.ErrLong.Error())
	}
	if !strings.HasSuffix(string(data), "\n") {
		return s.again()
	}
	in.Prompted = false
	if s.extra += 1 + len(data)/16; !s.isWhole(string(data)) {
		return s.again()
	}
	return s.runCommand()
}

// isWhole reports whether the text consists of complete commands; line is the last line that was
// added to it.
func (s *Shell) isWhole(line string) bool {
	in := s.Input
	if in.Until != "" && strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t") != in.Until {
		return false
	}
	in.Until = ""
	text := strings.TrimSuffix(string(in.Text), "\n")
	if code.Check(text) != nil {
		return true // running it reports the error
	}
	if end := len(text) - len(strings.TrimRight(text, `\`)); end%2 == 1 {
		return false
	}
	s.extra += 10 + len(text)/8
	_, err := code.Parse(s.Dialect, text+"\n")
	var open syntax.ParseError
	if errors.As(err, &open) {
		if rest, ok := strings.CutPrefix(open.Text, "unclosed here-document `"); ok {
			in.Until = strings.TrimSuffix(rest, "`")
			return false
		}
	}
	return !syntax.IsIncomplete(err)
}

// runCommand runs the text that was read.
func (s *Shell) runCommand() kernel.Wait {
	in := s.Input
	text := string(in.Text)
	id := s.add(text, false)
	s.Units[id].Before = in.Lines
	in.Lines += strings.Count(text, "\n")
	in.Text, in.Until, in.Reading = nil, "", false
	s.jump(id, 0)
	return s.again()
}

// signalled handles a signal that has arrived: by its trap or, in an interactive shell, by
// abandoning the current command. It returns false if there is nothing to do.
func (s *Shell) signalled() (kernel.Wait, bool) {
	if s.prompts() && s.p.HasSignal(kernel.SIGINT) && s.Traps[int(kernel.SIGINT)] == "" {
		for s.p.Signalled() {
			s.p.TakeSignal()
		}
		_ = s.write(2, []byte("\n"))
		return s.abandon(128 + int(kernel.SIGINT)), true
	}
	if s.Input == nil || !s.Input.Reading {
		return s.again(), s.trapped()
	}
	id := s.add("", false) // the trap returns to it
	s.jump(id, 1)
	if s.trapped() {
		s.Input.Reading = false
		return s.again(), true
	}
	s.drop(id)
	return kernel.Wait{}, false
}

// usualPrompt returns the default of PS1.
func (s *Shell) usualPrompt() string {
	switch {
	case s.Dialect == dash && s.p.UID() == 0:
		return "# "
	case s.Dialect == dash:
		return "$ "
	case s.Dialect == ash:
		return `\w \$ `
	case s.p.GNU():
		return `\u@\h:\w\$ `
	}
	return `\s-\v\$ `
}

// prompt returns the prompt for the next line.
func (s *Shell) prompt() string {
	if len(s.Input.Text) > 0 {
		return s.get("PS2")
	}
	text := s.get("PS1")
	if s.Dialect == dash {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		b.WriteString(s.escape(text[i]))
	}
	return b.String()
}

// escape expands a letter after a backslash in a prompt.
func (s *Shell) escape(letter byte) string {
	switch letter {
	case 'u':
		return s.user()
	case 'h', 'H':
		return s.p.Hostname()
	case 'w', 'W':
		dir := s.get("PWD")
		home := s.get("HOME")
		switch rest, below := strings.CutPrefix(dir, home); {
		case home != "" && home != "/" && below && (rest == "" || rest[0] == '/'):
			dir = "~" + rest
		}
		if letter == 'W' && dir != "/" {
			return path.Base(dir)
		}
		return dir
	case '$':
		if s.p.UID() == 0 {
			return "#"
		}
		return "$"
	case 's':
		return path.Base(string(s.Name))
	case 'v', 'V':
		return "5.2"
	case 'n':
		return "\n"
	case 't':
		return s.p.Now().UTC().Format("15:04:05")
	case '[', ']':
		return ""
	case 'e':
		return "\x1b"
	}
	return string(letter)
}

// user returns the name of the shell's user.
func (s *Shell) user() string {
	uid := strconv.Itoa(s.p.UID())
	content, err := s.p.FS().ReadFile("/etc/passwd")
	if err != nil {
		return "I have no name!"
	}
	for line := range strings.SplitSeq(string(content), "\n") {
		if f := strings.Split(line, ":"); len(f) > 2 && f[2] == uid {
			return f[0]
		}
	}
	return "I have no name!"
}
