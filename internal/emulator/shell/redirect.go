package shell

import (
	"errors"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// doRedir makes a redirection.
func (s *Shell) doRedir(r *code.Redir) kernel.Wait {
	target := s.popValue()
	fd := r.FD
	if fd < 0 {
		fd = 1
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.RdrInOut, syntax.DplIn:
			fd = 0
		}
	}
	if text := s.redirect(r, fd, target); text != "" {
		s.complain(text)
		return s.redirFailed()
	}
	return s.again()
}

// redirFailed continues after the command whose redirection failed. If that is a special builtin,
// the shell ends.
func (s *Shell) redirFailed() kernel.Wait {
	s.Status = 1
	if s.Dialect == dash {
		s.Status = 2
	}
	for i := len(s.Frames) - 1; i >= 0; i-- {
		if s.Frames[i].Kind == frameRedir {
			s.unwind(i)
			s.PC = s.Frames[i].Fail
			s.pop()
			break
		}
	}
	if len(s.Fields) > 0 && (s.Fields[0] == "exec" || s.Dialect != bash && specials[s.Fields[0]]) {
		return s.leave(s.Status)
	}
	return s.again()
}

// redirect makes one redirection and returns the error text, "" for none.
func (s *Shell) redirect(r *code.Redir, fd int, target string) string {
	if fd > 250 {
		return strconv.Itoa(fd) + ": Bad file descriptor"
	}
	if r.Proc {
		from, err := strconv.Atoi(target)
		if err != nil {
			return target + ": Bad file descriptor"
		}
		return s.moveFD(from, fd)
	}
	flags, both := vfs.Flags(0), false
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if r.Op == syntax.WordHdoc {
			target += "\n"
		}
		from, err := s.p.MakeInput(target)
		if err != nil {
			return reason(err)
		}
		return s.moveFD(from, fd)
	case syntax.DplIn, syntax.DplOut:
		if target == "-" {
			s.keepFD(fd)
			_ = s.p.Close(fd)
			return ""
		}
		from, err := strconv.Atoi(target)
		if err == nil {
			if s.p.Description(from) == nil {
				return target + ": Bad file descriptor"
			}
			s.keepFD(fd)
			if err := s.p.Dup(from, fd); err != nil {
				return target + ": " + reason(err)
			}
			return ""
		}
		if r.Op == syntax.DplIn || r.FD >= 0 {
			return target + ": ambiguous redirect"
		}
		flags, both = vfs.Write|vfs.Create|vfs.Truncate, true
	case syntax.RdrAll:
		flags, both = vfs.Write|vfs.Create|vfs.Truncate, true
	case syntax.AppAll:
		flags, both = vfs.Write|vfs.Append|vfs.Create, true
	case syntax.RdrOut, syntax.RdrClob:
		flags = vfs.Write | vfs.Create | vfs.Truncate
	case syntax.AppOut:
		flags = vfs.Write | vfs.Append | vfs.Create
	case syntax.RdrIn:
	case syntax.RdrInOut:
		flags = vfs.ReadWrite | vfs.Create
	default:
		return "rowlock: this redirection is not emulated"
	}
	return s.openTo(r, fd, target, flags, both)
}

func (s *Shell) openTo(r *code.Redir, fd int, target string, flags vfs.Flags, both bool) string {
	if strings.HasPrefix(target, "/dev/tcp/") || strings.HasPrefix(target, "/dev/udp/") {
		return "rowlock: " + target + " is not emulated"
	}
	if s.Opts.Noclobber && r.Op == syntax.RdrOut {
		if info, err := s.p.FS().Stat(s.p.Path(target)); err == nil && info.IsRegular() {
			return s.cannotOpen(target, vfs.EEXIST, true)
		}
	}
	from, err := s.p.OpenPath(target, flags, 0o666, 10)
	if err != nil {
		return s.cannotOpen(target, err, flags&vfs.Create != 0)
	}
	text := s.moveFD(from, fd)
	if text == "" && both {
		s.keepFD(2)
		_ = s.p.Dup(1, 2)
	}
	return text
}

// cannotOpen returns the message for a file of a redirection that cannot be opened.
func (s *Shell) cannotOpen(target string, err error, create bool) string {
	text := reason(err)
	verb := map[bool]string{true: "create", false: "open"}[create]
	missing := isMissing(err) && !errors.Is(err, vfs.ENOTDIR)
	switch s.Dialect {
	case bash:
		if errors.Is(err, vfs.EEXIST) {
			return target + ": cannot overwrite existing file"
		}
		return target + ": " + text
	case dash:
		if missing {
			text = map[bool]string{true: "Directory nonexistent", false: "No such file"}[create]
		}
		return "cannot " + verb + " " + target + ": " + text
	}
	if missing {
		text = map[bool]string{true: "nonexistent directory", false: "no such file"}[create]
	}
	return "can't " + verb + " " + target + ": " + text
}

// keepFD saves a descriptor, to be restored with the frame on top.
func (s *Shell) keepFD(fd int) {
	f := s.top()
	saved := -1
	if s.p.Description(fd) != nil {
		if to, err := s.p.Save(fd); err == nil {
			saved = to
		}
	}
	f.FDs = append(f.FDs, savedFD{fd, saved})
}

// moveFD moves a descriptor: to refers to what from did, and from is closed.
func (s *Shell) moveFD(from, to int) string {
	if from == to {
		s.top().FDs = append(s.top().FDs, savedFD{to, -1})
		return ""
	}
	s.keepFD(to)
	err := s.p.Dup(from, to)
	_ = s.p.Close(from)
	if err != nil {
		return reason(err)
	}
	return ""
}

// keepRedirs makes the redirections of exec permanent.
func (s *Shell) keepRedirs() {
	f := s.top()
	if f == nil || f.Kind != frameRedir {
		return
	}
	for _, saved := range f.FDs {
		if saved.Saved >= 0 {
			_ = s.p.Close(saved.Saved)
		}
	}
	f.FDs = nil
}
