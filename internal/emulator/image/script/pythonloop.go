package script

import (
	"errors"
	"slices"
)

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
		return ErrScript
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
			return ErrScript
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
	if len(v.Text) > maxString || slices.ContainsFunc(v.Items, func(item pyValue) bool { return item.Kind == 'l' }) {
		return ErrScript
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
		return ErrScript
	}
	return pyFailure(line, v.Text)
}
