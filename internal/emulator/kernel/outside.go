package kernel

import "slices"

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
