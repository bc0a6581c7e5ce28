package script

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Host is what a program can ask of the container that it runs in.
type Host struct {
	Getenv   func(string) string
	Random   func() uint64
	Now      time.Time
	Hostname string
}

// python is a run.
type python struct {
	Host
	vars map[string]pyValue

	acts  []Act
	slept time.Duration
	made  int
	steps int
}

// maxPySteps is how many operations a program may make without a pause of its outermost loop.
const maxPySteps = 20_000

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

func pyFailure(line int, text string) error {
	return &pyExit{fmt.Sprintf("Traceback (most recent call last):\n  File \"<string>\", line %d, in <module>\n%s\n", line, text), 1}
}

type (
	pyExpression func(*python) (pyValue, error)
	pyStatement  func(*python) error
)

// count counts operations and bytes against a program's limits.
func (r *python) count(n int) error {
	if r.steps += n; r.steps > maxPySteps || len(r.acts) > maxActs || r.made > maxOutput {
		return ErrScript
	}
	return nil
}

func (r *python) act(a Act) {
	r.made += len(a.Out) + len(a.Err)
	r.slept += a.Sleep
	r.acts = append(r.acts, a)
}

func constant(v pyValue) pyExpression { return func(*python) (pyValue, error) { return v, nil } }

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
			return v, ErrScript
		}
		b.WriteString(text)
	}
	return pyText(b.String()), r.count(1 + b.Len()/16)
}
