package program

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("tool", &Tool{})
	kernel.ProvideOthers(func(name string) func([]string) kernel.Program {
		if _, ok := catalogue.Lookup(name); !ok {
			return nil
		}
		return func([]string) kernel.Program { return &Tool{Name: name} }
	})
}

// Tool runs a utility as a program: it passes the input to it, piece by piece, and writes its
// output as the descriptors take it.
type Tool struct {
	Name string

	Input []byte  `json:",omitempty"` // of a Whole, as far as it was read
	Out   []piece `json:",omitempty"` // still to write

	// State is the state of a Stream, and Next what it asks for, once Begun.
	State json.RawMessage `json:",omitempty"`
	Begun bool            `json:",omitempty"`
	Next  utility.Next    `json:",omitempty"`

	Ended  bool         `json:",omitempty"`
	Code   int          `json:",omitempty"`
	Child  int          `json:",omitempty"` // pid of the command that a Stream runs
	Status int          `json:",omitempty"` // the command's exit code
	Want   kernel.Texts `json:",omitempty"` // the command to run

	stream utility.Stream
}

// piece is output that waits for room.
type piece struct {
	FD   int
	Data []byte
}

// MarshalJSON implements json.Marshaler.
func (t *Tool) MarshalJSON() ([]byte, error) {
	type plain Tool
	copied := plain(*t)
	if t.stream != nil {
		state, err := json.Marshal(t.stream)
		if err != nil {
			return nil, err
		}
		copied.State = state
	}
	return json.Marshal(copied)
}

// bytesPerStep is how many bytes a program copies in a step, from a pipe or into one. The utility's
// own work on them costs in addition, as utility.Call.Steps.
const bytesPerStep = 2048

// maxInput bounds what a Whole may read, in bytes; utilities hold it in memory.
const maxInput = 8 << 20

// Step implements kernel.Program.
func (t *Tool) Step(p *kernel.Process) kernel.Wait {
	if w, ok := t.flush(p); !ok {
		return w
	}
	if t.Ended {
		return kernel.Done(t.Code)
	}
	if len(t.Want) > 0 {
		return t.run(p)
	}
	if t.Child != 0 {
		child, found := p.Reap(t.Child)
		if child == nil && found {
			return kernel.Wait{For: kernel.Child, PID: t.Child}
		}
		t.Child, t.Status = 0, 0
		if child != nil {
			t.Status = child.Code
		}
	}
	u, ok := catalogue.Lookup(t.Name)
	if !ok {
		return fail(p, "applet not found")
	}
	if u.IsStream() {
		return t.chunk(p, u)
	}
	return t.whole(p, u)
}

// flush writes waiting output; if some is left, it returns false and what to wait for.
func (t *Tool) flush(p *kernel.Process) (kernel.Wait, bool) {
	steps := 0
	for len(t.Out) > 0 {
		o := &t.Out[0]
		n, err := p.Write(o.FD, o.Data)
		steps += n / bytesPerStep
		p.Use(-int64(n))
		switch {
		case p.Dead():
			return kernel.Wait{}, false
		case errors.Is(err, kernel.ErrWouldBlock):
			o.Data = o.Data[n:]
			return kernel.Wait{For: kernel.Writable, FD: o.FD, Steps: steps}, false
		case err != nil:
			t.Out = nil
			if o.FD != 2 {
				_, _ = p.Write(2, []byte(name(p)+": write error: "+vfs.Reason(err)+"\n"))
			}
			return kernel.Done(1), false
		}
		t.Out = t.Out[1:]
	}
	t.Out = nil
	return kernel.Wait{}, true
}

// sink keeps a utility's output for the next step.
type sink struct {
	t  *Tool
	p  *kernel.Process
	fd int
}

func (s sink) Write(data []byte) (int, error) {
	s.p.Use(int64(len(data)))
	if n := len(s.t.Out); n > 0 && s.t.Out[n-1].FD == s.fd {
		s.t.Out[n-1].Data = append(s.t.Out[n-1].Data, data...)
	} else {
		s.t.Out = append(s.t.Out, piece{s.fd, append([]byte(nil), data...)})
	}
	return len(data), nil
}

func (t *Tool) call(p *kernel.Process) *utility.Call {
	c := p.Call(p.Args, p.Env)
	c.Stdout, c.Stderr, c.Status = sink{t, p, 1}, sink{t, p, 2}, t.Status
	return c
}

// whole reads all input, if the utility needs it, and calls the utility once.
func (t *Tool) whole(p *kernel.Process, u utility.Utility) kernel.Wait {
	c := t.call(p)
	if u.ReadsStdin(p.Args) {
		data, err := p.Read(0, kernel.PipeSize)
		switch {
		case errors.Is(err, kernel.ErrWouldBlock):
			return kernel.Wait{For: kernel.Readable}
		case err == nil:
			p.Use(int64(len(data)))
			if t.Input = append(t.Input, data...); len(t.Input) > maxInput {
				return fail(p, "rowlock: more than 8 MiB of input are not emulated")
			}
			return kernel.Wait{Steps: len(data) / bytesPerStep}
		case !errors.Is(err, io.EOF):
			return fail(p, "read error: "+vfs.Reason(err))
		}
	}
	t.Code, t.Ended = u.Run(c, t.Input), true
	steps := len(t.Input)/bytesPerStep + int(c.Steps()/utility.StepsPerMicro)
	p.Use(-int64(len(t.Input)))
	t.Input = nil
	return t.ended(p, steps)
}

// ended returns the Wait of a step after which the utility may be done: the process ends if the
// output can be written at once.
func (t *Tool) ended(p *kernel.Process, steps int) kernel.Wait {
	for _, o := range t.Out {
		steps += len(o.Data) / bytesPerStep
	}
	if t.Ended {
		w, ok := t.flush(p)
		if !ok {
			w.Steps += steps
			return w
		}
		w = kernel.Done(t.Code)
		w.Steps = steps
		return w
	}
	return kernel.Wait{Steps: steps}
}

// chunk calls a Stream with the next piece of its input.
func (t *Tool) chunk(p *kernel.Process, u utility.Utility) kernel.Wait {
	if t.stream == nil {
		t.stream = u.Stream()
		if len(t.State) > 0 {
			if err := json.Unmarshal(t.State, t.stream); err != nil {
				return fail(p, "rowlock: "+err.Error())
			}
			t.State = nil
		}
	}
	var in []byte
	eof := false
	if t.Begun && t.Next == utility.Input {
		data, err := p.Read(0, kernel.PipeSize)
		switch {
		case errors.Is(err, kernel.ErrWouldBlock):
			return kernel.Wait{For: kernel.Readable}
		case err != nil && !errors.Is(err, io.EOF):
			return fail(p, "read error: "+vfs.Reason(err))
		}
		in, eof = data, err != nil
	}
	t.Begun = true
	c := t.call(p)
	next, exit := t.stream.Chunk(c, in, eof)
	t.Next = next
	switch next {
	case utility.Done:
		t.Ended, t.Code = true, exit
	case utility.Exec:
		t.Want = c.Child
	}
	return t.ended(p, len(in)/bytesPerStep+int(c.Steps()/utility.StepsPerMicro))
}

// run starts the command that a Stream asks for.
func (t *Tool) run(p *kernel.Process) kernel.Wait {
	want := t.Want
	t.Want = nil
	child, status := start(p, want, p.Env)
	if child == nil {
		t.Status, t.Child = status, 0
		return kernel.Wait{}
	}
	t.Child = child.PID
	return kernel.Wait{For: kernel.Child, PID: child.PID}
}

// find returns the file of a command in the process's PATH.
func find(p *kernel.Process, command string) (string, error) {
	path := p.Getenv("PATH")
	if path == "" {
		path = kernel.DefaultPath
	}
	return kernel.LookPath(p.FS(), command, path, p.Cwd)
}

// start starts a command in a child. If that fails, it prints why, and returns the status that a
// shell would set.
func start(p *kernel.Process, args, env []string) (*kernel.Process, int) {
	file, err := find(p, args[0])
	if err == nil {
		var child *kernel.Process
		if child, err = p.Start(file, args, env); err == nil {
			return child, 0
		}
	}
	return nil, refuse(p, args[0], err)
}

// become makes the process run a command. If that fails, it prints why and ends.
func become(p *kernel.Process, args, env []string) kernel.Wait {
	file, err := find(p, args[0])
	if err == nil {
		var w kernel.Wait
		if w, err = p.Exec(file, args, env); err == nil {
			return w
		}
	}
	return kernel.Done(refuse(p, args[0], err))
}

// refuse prints why a command cannot be run, and returns the status.
func refuse(p *kernel.Process, command string, err error) int {
	complain(p, "can't execute '"+command+"': "+vfs.Reason(err))
	if errors.Is(err, vfs.ENOENT) || errors.Is(err, vfs.ENOTDIR) {
		return 127
	}
	return 126
}
