package script

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// named parses a variable, a named constant or a call.
func (p *pyParser) named(t pyToken) (pyExpression, error) {
	switch t.text {
	case "True", "False":
		return constant(pyBool(t.text == "True")), nil
	case "None":
		return constant(pyValue{}), nil
	}
	name, imported := p.names[t.text]
	if !imported {
		name = t.text
	}
	for imported && p.takes(".") {
		name += "." + p.here().text
		p.at++
	}
	switch {
	case p.takes("("):
		args, keywords, err := p.arguments()
		if err != nil {
			return nil, err
		}
		if !slices.Contains(pyCalls, name) && !strings.HasSuffix(name, "Error") {
			return nil, ErrScript
		}
		return func(r *python) (pyValue, error) { return r.call(name, args, keywords, t.line) }, nil
	case name == "os.environ" && p.takes("["):
		args, err := p.list("]")
		return func(r *python) (pyValue, error) { return r.call("os.environ[]", args, nil, t.line) }, err
	case imported && name != "sys.stderr" && name != "sys.stdout":
		return nil, ErrScript
	case imported:
		return constant(pyText(name)), nil
	}
	return func(r *python) (pyValue, error) {
		v, have := r.vars[name]
		if !have {
			return v, ErrScript
		}
		return v, nil
	}, nil
}

// arguments parses those of a call, up to its closing parenthesis.
func (p *pyParser) arguments() (args []pyExpression, keywords map[string]pyExpression, err error) {
	keywords = map[string]pyExpression{}
	for !p.takes(")") {
		t, keyword := p.here(), false
		if next := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.kind == 'a' && next.kind == 'o' && next.text == "=" {
			p.at, keyword = p.at+2, true
		}
		v, err := p.expression(0)
		if err != nil || !p.takes(",") && p.here().text != ")" {
			return nil, nil, ErrScript
		}
		if keyword {
			keywords[t.text] = v
		} else {
			args = append(args, v)
		}
	}
	return args, keywords, nil
}

// postfix parses what follows a value: an index, or a method of a string.
func (p *pyParser) postfix(v pyExpression) (pyExpression, error) {
	for {
		of := v
		switch {
		case p.takes("["):
			index, err := p.list("]")
			if err != nil || len(index) != 1 {
				return nil, ErrScript
			}
			v = func(r *python) (pyValue, error) { return r.item(of, index[0]) }
		case p.takes("."):
			method := p.here().text
			if p.at++; !slices.Contains(strings.Fields("upper lower strip split"), method) || !p.takes("(") || !p.takes(")") {
				return nil, ErrScript
			}
			v = func(r *python) (pyValue, error) { return r.method(of, method) }
		default:
			return v, nil
		}
	}
}

func (r *python) item(of, index pyExpression) (pyValue, error) {
	list, err := of(r)
	if err != nil {
		return list, err
	}
	at, err := index(r)
	if err != nil {
		return at, err
	}
	n := at.Number
	if n < 0 {
		n += int64(len(list.Items))
	}
	if list.Kind != 'l' || at.Kind != 'n' || n < 0 || n >= int64(len(list.Items)) {
		return at, ErrScript
	}
	return list.Items[n], nil
}

func (r *python) method(of pyExpression, name string) (pyValue, error) {
	v, err := of(r)
	if err != nil || v.Kind != 's' {
		return v, orNotEmulated(err)
	}
	switch name {
	case "upper":
		return pyText(strings.ToUpper(v.Text)), nil
	case "lower":
		return pyText(strings.ToLower(v.Text)), nil
	case "strip":
		return pyText(strings.TrimSpace(v.Text)), nil
	}
	list := pyValue{Kind: 'l'}
	for _, word := range strings.Fields(v.Text) {
		list.Items = append(list.Items, pyText(word))
	}
	return list, r.count(len(list.Items))
}

// orNotEmulated returns err or, if that is nil, ErrScript.
func orNotEmulated(err error) error {
	if err != nil {
		return err
	}
	return ErrScript
}

// pyCalls are the emulated functions.
var pyCalls = strings.Fields(`print int float str len range bool abs exit quit Exception SystemExit time.sleep time.time time.ctime sys.exit os._exit
	os.environ.get os.getenv sys.stdout.flush sys.stdout.write sys.stderr.write socket.gethostname platform.node
	datetime.datetime.now random.random random.randint random.choice random.uniform`)

func (r *python) call(name string, of []pyExpression, keywords map[string]pyExpression, line int) (pyValue, error) {
	list, err := pyList(of)(r)
	if err != nil {
		return list, err
	}
	args := list.Items
	if name == "print" {
		return pyValue{}, r.print(args, keywords)
	}
	if len(keywords) > 0 {
		return pyValue{}, ErrScript
	}
	switch name {
	case "sys.exit", "exit", "quit", "os._exit", "SystemExit":
		return pyValue{}, pyEnds(args)
	case "time.sleep":
		if len(args) == 1 && args[0].isNumber() && args[0].amount() >= 0 && args[0].amount() < 1e9 {
			r.act(Act{Sleep: time.Duration(args[0].amount() * float64(time.Second))})
			return pyValue{}, r.count(1)
		}
	case "sys.stdout.flush":
		return pyValue{}, nil
	case "sys.stdout.write", "sys.stderr.write":
		if len(args) == 1 && args[0].Kind == 's' {
			r.write(name == "sys.stderr.write", args[0].Text)
			return pyInt(int64(len(args[0].Text))), r.count(1)
		}
	case "os.environ.get", "os.getenv", "os.environ[]":
		return r.environment(name, args, line)
	case "socket.gethostname", "platform.node":
		return pyText(r.Hostname), nil
	case "time.time":
		return pyFloat(float64(r.Now.Add(r.slept).UnixMicro()) / 1e6), nil
	case "time.ctime":
		return pyText(r.Now.Add(r.slept).UTC().Format("Mon Jan _2 15:04:05 2006")), nil
	case "datetime.datetime.now":
		return pyText(r.Now.Add(r.slept).UTC().Format("2006-01-02 15:04:05.000000")), nil
	}
	if strings.HasPrefix(name, "random.") {
		return r.drawn(name, args)
	}
	if name == "Exception" || strings.HasSuffix(name, "Error") {
		return pyException(name, args)
	}
	return r.converted(name, args, line)
}

func pyException(name string, args []pyValue) (pyValue, error) {
	text := name
	if len(args) == 1 && args[0].Kind == 's' {
		text += ": " + args[0].Text
	} else if len(args) > 0 {
		return pyValue{}, ErrScript
	}
	return pyValue{Kind: 'e', Text: text}, nil
}

// pyEnds returns the end that sys.exit causes.
func pyEnds(args []pyValue) error {
	switch {
	case len(args) == 0 || len(args) == 1 && args[0].Kind == 0:
		return &pyExit{}
	case len(args) == 1 && args[0].whole():
		return &pyExit{code: int(args[0].Number & 0xff)}
	case len(args) == 1 && args[0].Kind == 's':
		return &pyExit{args[0].Text + "\n", 1}
	}
	return ErrScript
}

// environment returns an environment variable.
func (r *python) environment(name string, args []pyValue, line int) (pyValue, error) {
	if len(args) == 0 || len(args) > 2 || args[0].Kind != 's' {
		return pyValue{}, ErrScript
	}
	found := r.Getenv(args[0].Text)
	switch {
	case found != "":
		return pyText(strings.ToValidUTF8(found, "\uFFFD")), nil
	case name == "os.environ[]":
		return pyValue{}, pyFailure(line, "KeyError: '"+args[0].Text+"'")
	case len(args) == 2:
		return args[1], nil
	}
	return pyValue{}, nil
}

func (r *python) write(stderr bool, text string) {
	if stderr {
		r.act(Act{Err: kernel.Text(text)})
	} else {
		r.act(Act{Out: kernel.Text(text)})
	}
}

func (r *python) print(args []pyValue, keywords map[string]pyExpression) error {
	between, end, stderr := " ", "\n", false
	for name, of := range keywords {
		v, err := of(r)
		switch {
		case err != nil:
			return err
		case name == "sep" && v.Kind == 's':
			between = v.Text
		case name == "end" && v.Kind == 's':
			end = v.Text
		case name == "file" && (v.Text == "sys.stderr" || v.Text == "sys.stdout"):
			stderr = v.Text == "sys.stderr"
		case name != "flush":
			return ErrScript
		}
	}
	parts := make([]string, len(args))
	for i, arg := range args {
		text, ok := arg.str()
		if !ok {
			return ErrScript
		}
		parts[i] = text
	}
	text := strings.Join(parts, between) + end
	if len(text) > maxString {
		return ErrScript
	}
	r.write(stderr, text)
	return r.count(1)
}

// drawn returns a random value.
func (r *python) drawn(name string, args []pyValue) (pyValue, error) {
	f := float64(r.Random()>>11) / (1 << 53)
	switch {
	case name == "random.random" && len(args) == 0:
		return pyFloat(f), nil
	case name == "random.choice" && len(args) == 1 && len(args[0].Items) > 0:
		return args[0].Items[int(f*float64(len(args[0].Items)))], nil
	case name == "random.uniform" && len(args) == 2 && args[0].isNumber() && args[1].isNumber():
		return pyFloat(args[0].amount() + f*(args[1].amount()-args[0].amount())), nil
	case name == "random.randint" && len(args) == 2 && args[0].Kind == 'n' && args[1].Kind == 'n' && args[0].Number <= args[1].Number:
		return pyInt(args[0].Number + int64(f*float64(args[1].Number-args[0].Number+1))), nil
	}
	return pyValue{}, ErrScript
}

// converted returns the result of one of the functions that need no import.
func (r *python) converted(name string, args []pyValue, line int) (pyValue, error) {
	if name == "range" {
		return r.numbers(args)
	}
	if len(args) != 1 {
		return pyValue{}, ErrScript
	}
	v := args[0]
	switch {
	case name == "str":
		text, ok := v.str()
		if !ok {
			return v, ErrScript
		}
		return pyText(text), nil
	case name == "bool":
		return pyBool(v.truth()), nil
	case name == "int" && v.isNumber():
		return pyInt(int64(v.amount())), nil
	case name == "int" && v.Kind == 's':
		n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 10, 64)
		if err != nil {
			return v, pyFailure(line, "ValueError: invalid literal for int() with base 10: '"+v.Text+"'")
		}
		return pyInt(n), nil
	case name == "int" && v.Kind == 0:
		return v, pyFailure(line, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
	case name == "float" && v.isNumber():
		return pyFloat(v.amount()), nil
	case name == "float" && v.Kind == 's':
		f, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return v, ErrScript
		}
		return pyFloat(f), nil
	case name == "abs" && v.Kind == 'n':
		return pyInt(max(v.Number, -v.Number)), nil
	case name == "len" && v.Kind == 's':
		return pyInt(int64(len([]rune(v.Text)))), nil
	case name == "len" && v.Kind == 'l':
		return pyInt(int64(len(v.Items))), nil
	}
	return v, ErrScript
}

// numbers returns the result of range.
func (r *python) numbers(args []pyValue) (pyValue, error) {
	if len(args) < 1 || len(args) > 3 || slices.ContainsFunc(args, func(v pyValue) bool { return v.Kind != 'n' }) {
		return pyValue{}, ErrScript
	}
	from, to, step := int64(0), args[0].Number, int64(1)
	if len(args) > 1 {
		from, to = args[0].Number, args[1].Number
	}
	if len(args) > 2 {
		step = args[2].Number
	}
	list := pyValue{Kind: 'l'}
	for n := from; step > 0 && n < to || step < 0 && n > to; n += step {
		if list.Items = append(list.Items, pyInt(n)); r.count(1) != nil {
			return list, ErrScript
		}
	}
	if step == 0 {
		return list, ErrScript
	}
	return list, nil
}
