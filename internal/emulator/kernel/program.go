package kernel

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Program is what a process runs. Its exported fields are its state, and must survive JSON: text in
// them is Text or Texts. Step does one small thing and returns what to wait for. It is called again
// when that has come, but may find that it has not. A program that has Ended is not called again.
type Program interface {
	Step(p *Process) Wait
}

// For is what a process waits for.
type For uint8

// Things to wait for.
const (
	Again    For = iota // nothing: the next step
	Ended               // nothing: the program has ended, with Wait.Code
	Time                // Wait.Until
	Readable            // descriptor Wait.FD can be read, or is at its end
	Writable            // descriptor Wait.FD can be written, or is broken
	Child               // the child Wait.PID ends; any child if it is 0
	Answered            // the answer to Process.Ask
	Signals             // a handled signal
	Changed             // the file Wait.Path changes, checked whenever a process has made a step
)

// Wait is the result of a Step.
type Wait struct {
	For  For    `json:",omitempty"`
	FD   int    `json:",omitempty"`
	PID  int    `json:",omitempty"`
	Code int    `json:",omitempty"`
	Path Text   `json:",omitempty"`
	Seen string `json:",omitempty"` // for Changed: what the file was like; see Process.Look

	// Until is when the wait is over in any case, since Kernel.Start; 0 means never. See
	// Process.In.
	Until time.Duration `json:",omitempty"`

	// Interruptible says that a handled signal ends the wait.
	Interruptible bool `json:",omitempty"`

	// Steps is the cost of the step besides the one that each step costs: large pieces of work cost
	// many.
	Steps int `json:",omitempty"`
}

// Done returns the Wait of a program that ends.
func Done(code int) Wait { return Wait{For: Ended, Code: code & 0xff} }

// factories make the programs that an executable file can name, by name. kinds are the types of all
// programs, by their names in JSON.
var (
	factories = map[string]func(args []string) Program{}
	kinds     = map[string]reflect.Type{}
	kindNames = map[reflect.Type]string{}
	fallback  func(name string) func(args []string) Program
)

// Register gives the programs of a type a name in JSON; example is a pointer to a struct. Call it
// from init.
func Register(kind string, example Program) {
	t := reflect.TypeOf(example).Elem()
	if _, taken := kinds[kind]; taken {
		panic("kernel: two kinds of programs are called " + kind)
	}
	kinds[kind], kindNames[t] = t, kind
}

// Provide sets what an executable file that names a program starts. Call it from init.
func Provide(name string, start func(args []string) Program) {
	if _, taken := factories[name]; taken {
		panic("kernel: two programs are called " + name)
	}
	factories[name] = start
}

// ProvideOthers sets what starts if no program was provided under a name: find returns nil for a
// name that it does not know either. Call it from init.
func ProvideOthers(find func(name string) func(args []string) Program) { fallback = find }

// Provided returns what starts a program; nil if none exists of that name.
func Provided(name string) func(args []string) Program {
	if start := factories[name]; start != nil {
		return start
	}
	if fallback != nil {
		return fallback(name)
	}
	return nil
}

// Stored is a Program that can be written as JSON: its kind and its state.
type Stored struct{ Program }

type storedProgram struct {
	Kind  string
	State json.RawMessage `json:",omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (r Stored) MarshalJSON() ([]byte, error) {
	if r.Program == nil {
		return []byte("null"), nil
	}
	kind := kindNames[reflect.TypeOf(r.Program).Elem()]
	if kind == "" {
		return nil, fmt.Errorf("program %T is not registered", r.Program)
	}
	state, err := json.Marshal(r.Program)
	if err != nil {
		return nil, err
	}
	return json.Marshal(storedProgram{Kind: kind, State: state})
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Stored) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	var s storedProgram
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	t := kinds[s.Kind]
	if t == nil {
		return fmt.Errorf("no programs of kind %q", s.Kind)
	}
	p := reflect.New(t).Interface().(Program)
	if err := json.Unmarshal(s.State, p); err != nil {
		return err
	}
	r.Program = p
	return nil
}
