package kernel

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// lineLimit is the longest typed line in bytes, as on Linux.
const lineLimit = 4095

// The keys that a terminal acts on.
const (
	keyInterrupt = 'C' - '@'
	keyEOF       = 'D' - '@'
	keyBackspace = 'H' - '@'
	keyKill      = 'U' - '@'
	keyWord      = 'W' - '@'
	keyQuit      = '\\' - '@'
	keyDelete    = 0x7f
)

// keys types bytes on a terminal and returns how many it took.
func (k *Kernel) keys(p *Pipe, b []byte) (n int) {
	for i, c := range b {
		if len(p.Buffer) > PipeSize-lineLimit-1 {
			return i
		}
		k.key(p, c)
	}
	return len(b)
}

func (k *Kernel) key(p *Pipe, c byte) {
	t := p.Terminal
	switch {
	case t.NoSignals && (c == keyInterrupt || c == keyQuit), t.NoLines && c != keyInterrupt && c != keyQuit:
		k.plain(p, c)
		return
	}
	switch c {
	case keyInterrupt, keyQuit:
		p.Buffer, t.Edit = nil, nil
		k.echo(t, []byte{'^', c + '@'})
		sig := SIGINT
		if c == keyQuit {
			sig = SIGQUIT
		}
		k.signalTerminal(p, sig)
	case keyEOF:
		if len(t.Edit) == 0 {
			t.EOF = true
		}
		p.Buffer, t.Edit = append(p.Buffer, t.Edit...), nil
	case keyBackspace, keyDelete:
		t.erase(k, 1)
	case keyKill:
		t.erase(k, utf8.RuneCount(t.Edit))
	case keyWord:
		rest := bytes.TrimRight(t.Edit, " ")
		t.erase(k, utf8.RuneCount(t.Edit[bytes.LastIndexByte(rest, ' ')+1:]))
	case '\r', '\n':
		p.Buffer, t.Edit = append(append(p.Buffer, t.Edit...), '\n'), nil
		k.echo(t, []byte("\r\n"))
	default:
		if len(t.Edit) >= lineLimit {
			return
		}
		t.Edit = append(t.Edit, c)
		if c < ' ' && c != '\t' {
			k.echo(t, []byte{'^', c + '@'})
			return
		}
		k.echo(t, []byte{c})
	}
}

// plain types a character that has no special meaning.
func (k *Kernel) plain(p *Pipe, c byte) {
	t := p.Terminal
	if c == '\r' {
		c = '\n'
	}
	switch {
	case t.NoLines:
		p.Buffer = append(append(p.Buffer, t.Edit...), c)
		t.Edit = nil
	case len(t.Edit) < lineLimit:
		t.Edit = append(t.Edit, c)
	}
	switch {
	case c == '\n':
		k.echo(t, []byte("\r\n"))
	case c < ' ' && c != '\t':
		k.echo(t, []byte{'^', c + '@'})
	default:
		k.echo(t, []byte{c})
	}
}

// erase removes characters from the end of the line and from the screen.
func (t *Terminal) erase(k *Kernel, characters int) {
	for ; characters > 0 && len(t.Edit) > 0; characters-- {
		_, size := utf8.DecodeLastRune(t.Edit)
		t.Edit = t.Edit[:len(t.Edit)-size]
		k.echo(t, []byte("\b \b"))
	}
}

// echo shows typed input, as far as the screen has room.
func (k *Kernel) echo(t *Terminal, b []byte) {
	if t.NoEcho {
		return
	}
	if t.Echo == 0 {
		k.Output(Written{Sandbox: t.Sandbox, PID: t.PID, At: k.Now(), Data: b})
		return
	}
	if out := k.pipe(t.Echo); out != nil && out.Readers > 0 && len(out.Buffer)+len(b) <= PipeSize {
		out.Buffer = append(out.Buffer, b...)
		k.hear(out.ID)
	}
}

// signalTerminal sends a signal to the processes of a terminal. Processes in the background ignore
// SIGINT and SIGQUIT: their shell sets that.
func (k *Kernel) signalTerminal(p *Pipe, sig Signal) {
	for _, q := range slices.Clone(k.Processes) {
		if q.Terminal == p.ID && !q.Zombie {
			k.deliver(q, sig, true)
		}
	}
}

// Resize sets the size of a terminal's screen and signals its processes.
func (k *Kernel) Resize(pipe, rows, cols int) {
	p := k.pipe(pipe)
	if p == nil || p.Terminal == nil || p.Terminal.Rows == rows && p.Terminal.Cols == cols {
		return
	}
	p.Terminal.Rows, p.Terminal.Cols = rows, cols
	k.signalTerminal(p, SIGWINCH)
}

// IsTerminal reports whether a descriptor is the process's terminal.
func (p *Process) IsTerminal(fd int) bool {
	o := p.Description(fd)
	if o == nil {
		return false
	}
	if o.Kind == OpenRead {
		return p.k.pipe(o.Pipe).Terminal != nil
	}
	return o.CRLF
}

// TerminalAt returns the terminal that a descriptor reads from or writes to; nil for none. Programs
// may change its modes.
func (p *Process) TerminalAt(fd int) *Terminal {
	if !p.IsTerminal(fd) {
		return nil
	}
	id := p.Terminal
	if o := p.Description(fd); o.Kind == OpenRead {
		id = o.Pipe
	}
	if pipe := p.k.pipe(id); pipe != nil {
		return pipe.Terminal
	}
	return nil
}

// ResizeTerminal sets the size of the screen of a descriptor's terminal.
func (p *Process) ResizeTerminal(fd, rows, cols int) {
	if o := p.Description(fd); o != nil && o.Kind == OpenRead {
		p.k.Resize(o.Pipe, rows, cols)
	}
}

// Reset restores the terminal's initial modes.
func (t *Terminal) Reset() { t.NoEcho, t.NoLines, t.NoSignals = false, false, false }

// openTerminal opens the process's terminal for reading or writing; nil if the process has none.
func (p *Process) openTerminal(writes bool) *Open {
	in := p.k.pipe(p.Terminal)
	switch {
	case in == nil || in.Terminal == nil:
		return nil
	case !writes:
		in.Readers++
		return p.k.addOpen(&Open{Kind: OpenRead, Pipe: in.ID})
	case in.Terminal.Echo == 0:
		return p.k.addOpen(&Open{Kind: OpenOutput, PID: in.Terminal.PID, Sandbox: in.Terminal.Sandbox, CRLF: true})
	}
	out := p.k.pipe(in.Terminal.Echo)
	if out == nil {
		return nil
	}
	out.Writers++
	return p.k.addOpen(&Open{Kind: OpenWrite, Pipe: out.ID, CRLF: true})
}
