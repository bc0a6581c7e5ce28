package script

import (
	"errors"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Python runs a Python program, as far as pyParser knows the language. It runs up to the end, or up
// to the end of a round of a while loop at the outermost level; it then writes and sleeps as that
// part did, and continues with the variables.
type Python struct {
	Text  kernel.Text
	Acts  []Act              `json:",omitempty"`
	Vars  map[string]pyValue `json:",omitempty"`
	At    int                `json:",omitempty"` // the next statement
	Ended bool               `json:",omitempty"`
	Code  int                `json:",omitempty"`
}

// Advance runs the program up to its next pause. The error is ErrScript if the program is not
// emulated.
func (s *Python) Advance(h Host) error { return s.run(&python{Host: h}) }

func (s *Python) run(r *python) error {
	program, err := parsePython(string(s.Text))
	if err != nil {
		return err
	}
	if s.Vars == nil {
		s.Vars = map[string]pyValue{}
	}
	r.vars = s.Vars
	for s.At < len(program.statements) && r.slept == 0 {
		goesOn := true
		if loop := program.loops[s.At]; loop != nil {
			var v pyValue
			v, err = loop(r)
			goesOn = err == nil && v.truth()
		}
		if err == nil && goesOn {
			err = program.statements[s.At](r)
		}
		if program.loops[s.At] == nil || !goesOn || errors.Is(err, errBreak) {
			s.At++
		}
		if errors.Is(err, errBreak) || errors.Is(err, errContinue) {
			err = nil
		}
		if err == nil {
			err = r.count(1)
		}
		if err != nil {
			break
		}
	}
	s.Acts = r.acts
	var exit *pyExit
	switch {
	case errors.As(err, &exit):
		s.Ended, s.Code = true, exit.code
		if exit.text != "" {
			s.Acts = append(s.Acts, Act{Err: kernel.Text(exit.text)})
		}
		return nil
	case err != nil:
		return err
	}
	s.Ended = s.At >= len(program.statements)
	return nil
}
