package kernel

import "slices"

// Ends are the IDs of the pipes that connect a process to a client outside the Pod; 0 means none.
// On a terminal, Out is its screen and there is no Err.
type Ends struct {
	In  int `json:"in,omitempty"`
	Out int `json:"out,omitempty"`
	Err int `json:"err,omitempty"`
}

// has reports whether a pipe is one of them.
func (e Ends) has(pipe int) bool {
	return pipe != 0 && (pipe == e.In || pipe == e.Out || pipe == e.Err)
}

// join gives a process the descriptors 0 to 2 that Spawn specifies.
func (k *Kernel) join(p *Process, io *Stdio) {
	in := &Open{Kind: OpenNull}
	if io.Stdin != nil || io.Held || io.TTY {
		pipe := k.addPipe()
		pipe.Buffer, pipe.Held = slices.Clone(io.Stdin), io.Held || io.TTY
		pipe.Readers++
		in = &Open{Kind: OpenRead, Pipe: pipe.ID}
		io.ends.In = pipe.ID
		if io.TTY {
			pipe.Terminal = &Terminal{Sandbox: p.Sandbox, PID: p.PID}
			p.Terminal = pipe.ID
		}
	}
	p.install(0, k.addOpen(in))
	if !io.Joined {
		p.install(1, k.addOpen(&Open{Kind: OpenOutput, PID: p.PID, Sandbox: p.Sandbox, CRLF: io.TTY}))
		p.install(2, k.addOpen(&Open{Kind: OpenOutput, PID: p.PID, Sandbox: p.Sandbox, Stderr: !io.TTY, CRLF: io.TTY}))
		return
	}
	out := k.outward()
	io.ends.Out = out.ID
	p.install(1, k.addOpen(&Open{Kind: OpenWrite, Pipe: out.ID, CRLF: io.TTY}))
	out.Writers++
	if io.TTY {
		k.pipe(io.ends.In).Terminal.Echo = out.ID
		p.install(2, p.Description(1))
		return
	}
	err := k.outward()
	io.ends.Err = err.ID
	p.install(2, k.addOpen(&Open{Kind: OpenWrite, Pipe: err.ID}))
	err.Writers++
}

// outward adds a pipe that is read from outside.
func (k *Kernel) outward() *Pipe {
	p := k.addPipe()
	p.Readers = 1
	return p
}

// Feed writes to a pipe as far as there is room, and returns how many bytes it took. If the pipe
// has no reader, it takes everything and drops it. A terminal edits its line, echoes, and turns
// Ctrl-C into a signal. Feed is an input: see [Kernel.Spawn].
func (k *Kernel) Feed(pipe int, b []byte) (n int) {
	p := k.pipe(pipe)
	if p == nil || p.Readers == 0 {
		return len(b)
	}
	if p.Terminal != nil {
		n = k.keys(p, b)
	} else {
		n = max(0, min(len(b), PipeSize-len(p.Buffer)))
		p.Buffer = append(p.Buffer, b[:n]...)
	}
	if n > 0 {
		k.wakePipe(pipe)
	}
	return n
}

// CloseFeed ends the input of a pipe from outside: its reader finds the end of file. Terminals stay
// open.
func (k *Kernel) CloseFeed(pipe int) {
	if p := k.pipe(pipe); p != nil && p.Terminal == nil {
		p.Held = false
		k.wakePipe(pipe)
	}
}

// Drain takes up to limit bytes from a pipe that is read from outside, and reports whether nothing
// more will come.
func (k *Kernel) Drain(pipe, limit int) (b []byte, ended bool) {
	p := k.pipe(pipe)
	if p == nil {
		return nil, true
	}
	if n := min(len(p.Buffer), limit); n > 0 {
		b = slices.Clone(p.Buffer[:n])
		p.Buffer = p.Buffer[n:]
		k.wakePipe(pipe)
	}
	return b, len(p.Buffer) == 0 && p.Writers == 0
}

// Holds reports whether a pipe that is read from outside has bytes to drain, and whether nothing
// more will come.
func (k *Kernel) Holds(pipe int) (some, ended bool) {
	p := k.pipe(pipe)
	return p != nil && len(p.Buffer) > 0, p == nil || len(p.Buffer) == 0 && p.Writers == 0
}

// TakesInput reports whether Feed would take anything.
func (k *Kernel) TakesInput(pipe int) bool {
	p := k.pipe(pipe)
	switch {
	case p == nil || p.Readers == 0:
		return true
	case p.Terminal != nil:
		return len(p.Buffer) <= PipeSize-lineLimit-1
	}
	return len(p.Buffer) < PipeSize
}

// Leave closes the outer ends of pipes: writers get SIGPIPE, readers the end of file, and the
// processes of a terminal SIGHUP.
func (k *Kernel) Leave(e Ends) {
	if in := k.pipe(e.In); in != nil {
		if in.Terminal != nil {
			k.signalTerminal(in, SIGHUP)
		}
		in.Held = false
		k.wakePipe(e.In)
	}
	for _, id := range []int{e.Out, e.Err} {
		p := k.pipe(id)
		if p == nil {
			continue
		}
		p.Readers, p.Buffer = p.Readers-1, nil
		k.wakePipe(id)
		k.dropPipe(p)
	}
}

// Computes reports whether any process is ready for its next step.
func (k *Kernel) Computes() bool {
	return len(k.queue) > 0 && slices.ContainsFunc(k.queue, func(p *Process) bool { return p.Wait.For == Again })
}

// Listen makes Run return with KindHeard when a process writes to one of these pipes, reads from it
// or closes it. The next Listen replaces it. It is not part of the state.
func (k *Kernel) Listen(ends ...Ends) { k.listened, k.heard = ends, false }

func (k *Kernel) hear(pipe int) {
	k.heard = k.heard || slices.ContainsFunc(k.listened, func(e Ends) bool { return e.has(pipe) })
}
