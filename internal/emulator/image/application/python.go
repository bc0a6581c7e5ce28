package application

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

// maxPySteps is how many operations a program may make without a pause of its outermost loop.
const maxPySteps = 20_000

// python is a run.
type python struct {
	vars     map[string]pyValue
	getenv   func(string) string
	random   func() uint64
	now      time.Time
	hostname string

	acts  []Act
	slept time.Duration
	made  int
	steps int
}

var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// pyExit is the end of a program: its text for standard error, and its code.
type pyExit struct {
	text string
	code int
}

func (e *pyExit) Error() string { return e.text }

// Step implements kernel.Program.
func (s *Python) Step(p *kernel.Process) kernel.Wait {
	for {
		acting := Scripted{Acts: s.Acts, Code: s.Code}
		wait := acting.Step(p)
		s.Acts = acting.Acts
		if wait.For != kernel.Ended || s.Ended {
			return wait
		}
		if err := s.advance(p); err != nil {
			p.Run.Program = refusal("python")
			return kernel.Wait{}
		}
	}
}

// advance runs the program up to its next pause. The error is errScript if the program is not
// emulated.
func (s *Python) advance(p *kernel.Process) error {
	return s.run(&python{getenv: p.Getenv, random: p.Random, now: p.Now(), hostname: p.Hostname()})
}

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

// count counts operations and bytes against a program's limits.
func (r *python) count(n int) error {
	if r.steps += n; r.steps > maxPySteps || len(r.acts) > maxActs || r.made > maxOutput {
		return errScript
	}
	return nil
}

func (r *python) act(a Act) {
	r.made += len(a.Out) + len(a.Err)
	r.slept += a.Sleep
	r.acts = append(r.acts, a)
}

// round runs a loop's body once, and reports whether the loop continues. After a break it does not,
// and there is no error.
func (r *python) round(body pyStatement) (more bool, err error) {
	if err := body(r); errors.Is(err, errBreak) {
		return false, nil
	} else if err != nil && !errors.Is(err, errContinue) {
		return false, err
	}
	err = r.count(1)
	return err == nil, err
}

func (r *python) while(condition pyExpression, body pyStatement) error {
	for {
		v, err := condition(r)
		if err != nil || !v.truth() {
			return err
		}
		if more, err := r.round(body); !more {
			return err
		}
	}
}

func (r *python) forEach(name string, items pyExpression, body pyStatement) error {
	all, err := items(r)
	if err != nil {
		return err
	}
	if all.Kind == 's' {
		for _, c := range all.Text {
			all.Items = append(all.Items, pyText(string(c)))
		}
	} else if all.Kind != 'l' {
		return errScript
	}
	for _, item := range all.Items {
		if err := r.set(name, item); err != nil {
			return err
		}
		if more, err := r.round(body); !more {
			return err
		}
	}
	return nil
}

func (r *python) assign(name, op string, of pyExpression) error {
	if op != "" {
		was, have := r.vars[name]
		if !have {
			return errScript
		}
		added := of
		of = func(r *python) (pyValue, error) { return r.binary(op, false, constant(was), added) }
	}
	v, err := of(r)
	if err != nil {
		return err
	}
	return r.set(name, v)
}

// set sets a variable. Values stay small, round after round, and lists hold no lists.
func (r *python) set(name string, v pyValue) error {
	if len(v.Text) > maxText || slices.ContainsFunc(v.Items, func(item pyValue) bool { return item.Kind == 'l' }) {
		return errScript
	}
	r.vars[name] = v
	return r.count(1 + len(v.Text)/16 + len(v.Items))
}

// raise ends the program with an uncaught exception: Exception("text"), or SystemExit.
func (r *python) raise(of pyExpression, line int) error {
	v, err := of(r)
	if err != nil {
		return err
	}
	if v.Kind != 'e' {
		return errScript
	}
	return pyFailure(line, v.Text)
}

func pyFailure(line int, text string) error {
	return &pyExit{fmt.Sprintf("Traceback (most recent call last):\n  File \"<string>\", line %d, in <module>\n%s\n", line, text), 1}
}

// pyValue is a value: 's' a string, 'n' an integer, 'f' another number, 'b' True or False, 'l' a
// list, 'e' an exception; 0 is None.
type pyValue struct {
	Kind   byte      `json:",omitempty"`
	Text   string    `json:",omitempty"`
	Number int64     `json:",omitempty"` // 1 for True
	Float  float64   `json:",omitempty"`
	Items  []pyValue `json:",omitempty"`
}

func pyText(s string) pyValue   { return pyValue{Kind: 's', Text: s} }
func pyInt(n int64) pyValue     { return pyValue{Kind: 'n', Number: n} }
func pyFloat(f float64) pyValue { return pyValue{Kind: 'f', Float: f} }
func pyBool(b bool) pyValue     { return pyValue{Kind: 'b', Number: map[bool]int64{true: 1}[b]} }
func (v pyValue) truth() bool {
	return v.Text != "" || v.Number != 0 || v.Float != 0 || len(v.Items) > 0
}
func (v pyValue) whole() bool     { return v.Kind == 'n' || v.Kind == 'b' }
func (v pyValue) isNumber() bool  { return v.whole() || v.Kind == 'f' }
func (v pyValue) amount() float64 { return v.Float + float64(v.Number) }

// str formats a value as print does; ok is false if that is not emulated.
func (v pyValue) str() (text string, ok bool) {
	switch v.Kind {
	case 's':
		return v.Text, true
	case 'n':
		return strconv.FormatInt(v.Number, 10), true
	case 'b':
		return map[bool]string{true: "True", false: "False"}[v.Number != 0], true
	case 0:
		return "None", true
	case 'f':
		text = strconv.FormatFloat(v.Float, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text, v.Float == 0 || v.Float > 1e-4 && v.Float < 1e15 || v.Float < -1e-4 && v.Float > -1e15
	case 'l':
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			if parts[i], ok = item.str(); !ok || item.Kind == 's' && strings.ContainsAny(item.Text, "'\\\n\t") {
				return "", false
			}
			if item.Kind == 's' {
				parts[i] = "'" + item.Text + "'"
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	}
	return "", false
}

func pyList(items []pyExpression) pyExpression {
	return func(r *python) (pyValue, error) {
		list := pyValue{Kind: 'l'}
		for _, item := range items {
			v, err := item(r)
			if err != nil {
				return v, err
			}
			list.Items = append(list.Items, v)
		}
		return list, r.count(len(items))
	}
}

func (r *python) concatenate(parts []pyExpression) (pyValue, error) {
	var b strings.Builder
	for _, part := range parts {
		v, err := part(r)
		if err != nil {
			return v, err
		}
		text, ok := v.str()
		if !ok {
			return v, errScript
		}
		b.WriteString(text)
	}
	return pyText(b.String()), r.count(1 + b.Len()/16)
}

func init() {
	kernel.Register("python", &Python{})
}
