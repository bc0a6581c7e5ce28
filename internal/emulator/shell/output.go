package shell

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// flush writes output that waits for room; if some is left, it returns false and what to wait for.
func (s *Shell) flush() (kernel.Wait, bool) {
	for len(s.Out) > 0 {
		o := &s.Out[0]
		n, err := s.p.Write(o.FD, o.Data)
		switch {
		case s.p.Dead():
			return kernel.Wait{}, false
		case err == kernel.ErrWouldBlock:
			o.Data = o.Data[n:]
			return kernel.Wait{For: kernel.Writable, FD: o.FD}, false
		case err != nil:
			s.Status = 1
		}
		s.Out = s.Out[1:]
	}
	s.Out = nil
	return kernel.Wait{}, true
}

// write writes to a descriptor, and keeps what that does not take for the next step.
func (s *Shell) write(fd int, data []byte) error {
	if len(data) == 0 || s.p.Dead() {
		return nil
	}
	s.extra += len(data) / 256
	if len(s.Out) > 0 {
		s.Out = append(s.Out, piece{fd, slices.Clone(data)})
		return nil
	}
	n, err := s.p.Write(fd, data)
	if err == kernel.ErrWouldBlock {
		s.Out = append(s.Out, piece{fd, slices.Clone(data[n:])})
		return nil
	}
	return err
}

// print writes to standard output.
func (s *Shell) print(text string) error { return s.write(1, []byte(text)) }

// complain prints a message in the dialect's form, with the shell's name, and the line where the
// dialect prints it.
func (s *Shell) complain(text string) {
	_ = s.write(2, []byte(s.prefix()+text+"\n"))
}

func (s *Shell) refuse(text string) kernel.Wait {
	_ = s.write(2, []byte(string(s.Name)+": "+text+"\n"))
	return kernel.Done(2)
}

// prompts reports whether the shell is interactive, and not a subshell of an interactive one.
func (s *Shell) prompts() bool { return s.Input != nil && s.Input.Prompts }

func (s *Shell) prefix() string {
	name := string(s.Name)
	switch {
	case s.Dialect == bash && s.prompts():
	case s.Dialect == bash:
		return name + ": line " + strconv.Itoa(max(s.Line, 1)) + ": "
	case s.Dialect == dash:
		return name + ": " + strconv.Itoa(max(s.Line, 1)) + ": "
	}
	return name + ": "
}

// reason returns an error's text as Unix tools print it.
func reason(err error) string { return vfs.Reason(err) }

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, vfs.ENOTDIR) }

// quote quotes a string for a shell.
func quote(v string) string { return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'" }

// trace prints a command under set -x.
func (s *Shell) trace() {
	if !s.Opts.Xtrace || len(s.Fields) == 0 {
		return
	}
	var words []string
	for _, a := range s.Prefix {
		words = append(words, a.Name+"="+s.traced(string(a.Value)))
	}
	for _, f := range s.Fields {
		words = append(words, s.traced(f))
	}
	_ = s.write(2, []byte(s.get("PS4")+strings.Join(words, " ")+"\n"))
}

func (s *Shell) traced(v string) string {
	if s.Dialect == dash {
		return v
	}
	return quoteIfNeeded(v)
}

func quoteIfNeeded(v string) string {
	if v == "" {
		return "''"
	}
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("_-./:=,+@%^", v[i]) < 0 {
			return quote(v)
		}
	}
	return v
}
