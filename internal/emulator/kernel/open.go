package kernel

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// OpenKind says what an open description is of.
type OpenKind uint8

// The kinds of open descriptions.
const (
	OpenNull   OpenKind = iota // /dev/null
	OpenFile                   // a file of the sandbox
	OpenRead                   // the end of a pipe that is read
	OpenWrite                  // the end of a pipe that is written
	OpenOutput                 // what Spawn gave: the container's log, or the output of a command that was executed
)

// Open is an open description, which several descriptors can share.
type Open struct {
	ID      int
	Refs    int
	Kind    OpenKind
	File    *vfs.File `json:",omitempty"`
	Pipe    int       `json:",omitempty"`
	Sandbox string    `json:",omitempty"` // whose file or output it is
	PID     int       `json:",omitempty"` // whose output it is
	Stderr  bool      `json:",omitempty"`
	CRLF    bool      `json:",omitempty"` // a terminal's screen, on which lines end with both
}

// PipeSize is how much a pipe holds.
const PipeSize = 64 << 10

// Pipe is what has been written to a pipe and not been read yet. Readers and Writers are its open ends.
type Pipe struct {
	ID      int
	Buffer  []byte `json:",omitempty"`
	Readers int
	Writers int
	Held    bool `json:",omitempty"` // a writer may come from outside

	Terminal *Terminal `json:",omitempty"` // of the pipe that a terminal's processes read
}

// takeEOF says whether somebody has typed the end of file, and forgets it.
func (p *Pipe) takeEOF() bool {
	if p.Terminal == nil || !p.Terminal.EOF {
		return false
	}
	p.Terminal.EOF = false
	return true
}

// atEnd says whether nothing more will be written.
func (p *Pipe) atEnd() bool { return p.Writers == 0 && !p.Held }

// byID finds one of the things that are kept in the order of their IDs.
func byID[T any](all []*T, id int, of func(*T) int) (int, *T) {
	i, ok := slices.BinarySearchFunc(all, id, func(t *T, id int) int { return cmp.Compare(of(t), id) })
	if !ok {
		return i, nil
	}
	return i, all[i]
}

func openID(o *Open) int { return o.ID }
func pipeID(p *Pipe) int { return p.ID }

func (k *Kernel) open(id int) *Open { _, o := byID(k.Opens, id, openID); return o }
func (k *Kernel) pipe(id int) *Pipe { _, p := byID(k.Pipes, id, pipeID); return p }

// addOpen keeps an open description, to which nothing refers yet.
func (k *Kernel) addOpen(o *Open) *Open {
	k.Serial++
	o.ID = k.Serial
	k.Opens = append(k.Opens, o)
	return o
}

func (k *Kernel) addPipe() *Pipe {
	k.Serial++
	p := &Pipe{ID: k.Serial}
	k.Pipes = append(k.Pipes, p)
	return p
}

// release takes one reference from an open description, and closes it with the last.
func (k *Kernel) release(o *Open) {
	if o.Refs--; o.Refs > 0 {
		return
	}
	i, _ := byID(k.Opens, o.ID, openID)
	k.Opens = slices.Delete(k.Opens, i, i+1)
	switch o.Kind {
	case OpenFile:
		if s := k.Sandbox(o.Sandbox); s != nil && s.FS != nil {
			s.FS.Close(o.File)
		}
	case OpenRead, OpenWrite:
		p := k.pipe(o.Pipe)
		if o.Kind == OpenRead {
			p.Readers--
		} else {
			p.Writers--
		}
		k.hear(p.ID)
		k.wakePipe(p.ID)
		k.dropPipe(p)
	}
}

// dropPipe forgets a pipe that has no open ends.
func (k *Kernel) dropPipe(p *Pipe) {
	if p.Readers+p.Writers == 0 {
		i, _ := byID(k.Pipes, p.ID, pipeID)
		k.Pipes = slices.Delete(k.Pipes, i, i+1)
	}
}

// wakePipe wakes whoever waits for a pipe.
func (k *Kernel) wakePipe(id int) {
	for _, p := range k.Processes {
		if p.Wait.For != Readable && p.Wait.For != Writable {
			continue
		}
		if o := p.Description(p.Wait.FD); o == nil || o.Pipe == id {
			k.wake(p)
		}
	}
}

// Description is what a descriptor stands for; nil if it is not open.
func (p *Process) Description(fd int) *Open {
	if fd < 0 || fd >= len(p.FDs) || p.FDs[fd] == 0 {
		return nil
	}
	return p.k.open(max(p.FDs[fd], -p.FDs[fd]))
}

// install makes a descriptor stand for an open description, and takes a reference to it.
func (p *Process) install(fd int, o *Open) {
	for fd >= len(p.FDs) {
		p.FDs = append(p.FDs, 0)
	}
	old := p.Description(fd)
	o.Refs++
	p.FDs[fd] = o.ID
	if old != nil {
		p.k.release(old)
	}
}

// free is the lowest free descriptor from lowest on.
func (p *Process) free(lowest int) (int, error) {
	for fd := lowest; fd < cmp.Or(p.box.Limits.Files, defaultFiles); fd++ {
		if fd >= len(p.FDs) || p.FDs[fd] == 0 {
			return fd, nil
		}
	}
	return 0, ErrFiles
}

// Dup makes descriptor to stand for what from stands for. It fails with ErrDescriptor or ErrFiles.
func (p *Process) Dup(from, to int) error {
	o := p.Description(from)
	switch {
	case o == nil:
		return ErrDescriptor
	case to < 0 || to >= cmp.Or(p.box.Limits.Files, defaultFiles):
		return ErrFiles
	case from != to:
		p.install(to, o)
	}
	p.FDs[to] = o.ID
	return nil
}

// Save is Dup to the lowest free descriptor from 10 on, which is closed in the program that the process becomes.
func (p *Process) Save(from int) (int, error) {
	to, err := p.free(10)
	if err != nil {
		return 0, err
	}
	if err := p.Dup(from, to); err != nil {
		return 0, err
	}
	p.FDs[to] = -p.FDs[to]
	return to, nil
}

// Close closes a descriptor. It fails with ErrDescriptor.
func (p *Process) Close(fd int) error {
	o := p.Description(fd)
	if o == nil {
		return ErrDescriptor
	}
	p.FDs[fd] = 0
	for n := len(p.FDs); n > 0 && p.FDs[n-1] == 0; n-- {
		p.FDs = p.FDs[:n-1]
	}
	p.k.release(o)
	return nil
}

// MakePipe makes a pipe of two descriptors, the lowest that are free from lowest on. It fails with ErrFiles.
func (p *Process) MakePipe(lowest int) (read, write int, err error) {
	if read, err = p.free(lowest); err != nil {
		return 0, 0, err
	}
	pipe := p.k.addPipe()
	pipe.Readers, pipe.Writers = 1, 1
	p.install(read, p.k.addOpen(&Open{Kind: OpenRead, Pipe: pipe.ID}))
	if write, err = p.free(lowest); err != nil {
		pipe.Writers = 0
		_ = p.Close(read)
		return 0, 0, err
	}
	p.install(write, p.k.addOpen(&Open{Kind: OpenWrite, Pipe: pipe.ID}))
	return read, write, nil
}

// MakeInput makes a descriptor from which text is read, such as a here-document. It fails with ErrFiles.
func (p *Process) MakeInput(text string) (int, error) {
	read, write, err := p.MakePipe(10)
	if err != nil {
		return 0, err
	}
	p.k.pipe(p.Description(read).Pipe).Buffer = []byte(text)
	return read, p.Close(write)
}

// OpenPath opens a file, relative to the process's directory, as the lowest free descriptor from lowest on. It fails with
// an error of vfs or ErrFiles.
func (p *Process) OpenPath(name string, flags vfs.Flags, perm uint32, lowest int) (int, error) {
	fd, err := p.free(lowest)
	if err != nil {
		return 0, err
	}
	if o := p.special(p.Path(name)); o != nil {
		p.install(fd, o)
		return fd, nil
	}
	f, err := p.FS().Open(p.Path(name), flags, perm)
	if err != nil {
		return 0, err
	}
	o := &Open{Kind: OpenFile, File: f, Sandbox: p.Sandbox}
	if f.Device != "" {
		p.box.FS.Close(f)
		switch f.Device {
		case "null":
			o = &Open{Kind: OpenNull}
		case "stdin", "stdout", "stderr":
			if o = p.Description(map[string]int{"stdin": 0, "stdout": 1, "stderr": 2}[f.Device]); o == nil {
				return 0, vfs.ENXIO
			}
			p.install(fd, o)
			return fd, nil
		case "tty":
			if o = p.openTerminal(flags&(vfs.Write|vfs.Append) != 0); o == nil {
				return 0, vfs.ENXIO
			}
			p.install(fd, o)
			return fd, nil
		case "zero", "full", "random", "urandom":
		default:
			return 0, vfs.ENXIO
		}
	}
	p.install(fd, p.k.addOpen(o))
	return fd, nil
}

// ErrWouldBlock says that a descriptor has nothing to read yet, or takes nothing more.
var ErrWouldBlock = errors.New("Resource temporarily unavailable")

// Read reads what is there, at most limit bytes. It fails with io.EOF at the end, ErrWouldBlock where a writer may still
// come, ErrDescriptor, or an error of vfs.
func (p *Process) Read(fd, limit int) ([]byte, error) { return p.read(fd, limit, false) }

// ReadLine is Read up to and with the next newline.
func (p *Process) ReadLine(fd, limit int) ([]byte, error) { return p.read(fd, limit, true) }

func (p *Process) read(fd, limit int, line bool) ([]byte, error) {
	o := p.Description(fd)
	if o == nil {
		return nil, ErrDescriptor
	}
	switch o.Kind {
	case OpenNull:
		return nil, io.EOF
	case OpenRead:
		pipe := p.k.pipe(o.Pipe)
		if len(pipe.Buffer) == 0 {
			if pipe.takeEOF() || pipe.atEnd() {
				return nil, io.EOF
			}
			return nil, ErrWouldBlock
		}
		n := upTo(pipe.Buffer, limit, line || pipe.Terminal != nil)
		got := slices.Clone(pipe.Buffer[:n])
		pipe.Buffer = pipe.Buffer[n:]
		p.k.hear(pipe.ID)
		p.k.wakePipe(pipe.ID)
		return got, nil
	case OpenFile:
		before := o.File.Offset
		fs := p.FS()
		size := min(limit, PipeSize)
		if o.File.Device == "" { // most files are small
			size = min(size, max(len(fs.Content(o.File))-int(before), 1))
		}
		buf := make([]byte, size)
		n, err := fs.Read(o.File, buf)
		if n > 0 && line {
			n = upTo(buf[:n], n, true)
			_ = fs.Seek(o.File, before+int64(n))
		}
		if n > 0 {
			return buf[:n], nil
		}
		if err == nil && limit > 0 {
			err = io.EOF
		}
		return nil, err
	}
	return nil, ErrDescriptor
}

func upTo(s []byte, limit int, line bool) int {
	n := min(len(s), limit)
	if line {
		if i := bytes.IndexByte(s[:n], '\n'); i >= 0 {
			return i + 1
		}
	}
	return n
}

// Write writes as much as the descriptor takes. It fails with ErrWouldBlock when that is less than all, vfs.EPIPE, after
// SIGPIPE, where nobody reads a pipe, vfs.EIO where nobody sees the screen, ErrDescriptor, or an error of vfs.
func (p *Process) Write(fd int, data []byte) (int, error) {
	o := p.Description(fd)
	if o == nil {
		return 0, ErrDescriptor
	}
	switch o.Kind {
	case OpenNull:
		return len(data), nil
	case OpenOutput:
		if len(data) > 0 {
			data := data
			p.k.logged += int64(len(data))
			if o.CRLF {
				data, _ = crlf(data, 2*len(data))
			}
			p.k.Output(Written{Sandbox: o.Sandbox, PID: o.PID, Stderr: o.Stderr, At: p.k.Now(), Data: data})
		}
		return len(data), nil
	case OpenFile:
		return p.FS().Write(o.File, data)
	case OpenWrite:
		pipe := p.k.pipe(o.Pipe)
		if pipe.Readers == 0 && o.CRLF {
			return 0, vfs.EIO // a terminal that has been hung up
		}
		if pipe.Readers == 0 {
			p.k.deliver(p, SIGPIPE, false)
			return 0, vfs.EPIPE
		}
		n := max(0, min(len(data), PipeSize-len(pipe.Buffer)))
		taken := data[:n]
		if o.CRLF {
			taken, n = crlf(data, PipeSize-len(pipe.Buffer))
		}
		if n > 0 {
			pipe.Buffer = append(pipe.Buffer, taken...)
			p.k.hear(pipe.ID)
			p.k.wakePipe(pipe.ID)
		}
		if n < len(data) {
			return n, ErrWouldBlock
		}
		return n, nil
	}
	return 0, ErrDescriptor
}
