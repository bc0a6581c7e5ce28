package kernel

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// OpenKind says what an open description refers to.
type OpenKind uint8

// The kinds of open descriptions.
const (
	OpenNull   OpenKind = iota // /dev/null
	OpenFile                   // a file of the sandbox
	OpenRead                   // the read end of a pipe
	OpenWrite                  // the write end of a pipe
	OpenOutput                 // the output from Spawn: the container's log, or the output of an executed command
)

// Open is an open description, which several descriptors can share.
type Open struct {
	ID      int
	Refs    int
	Kind    OpenKind
	File    *vfs.File `json:",omitempty"`
	Pipe    int       `json:",omitempty"`
	Sandbox string    `json:",omitempty"` // the owner of the file or output
	PID     int       `json:",omitempty"` // the process whose output it is
	Stderr  bool      `json:",omitempty"`
	CRLF    bool      `json:",omitempty"` // a terminal's screen, where lines end with CR LF
}

// PipeSize is how many bytes a pipe holds.
const PipeSize = 64 << 10

// Pipe holds what was written to a pipe and not read yet. Readers and Writers count its open ends.
type Pipe struct {
	ID      int
	Buffer  []byte `json:",omitempty"`
	Readers int
	Writers int
	Held    bool `json:",omitempty"` // a writer may come from outside

	Terminal *Terminal `json:",omitempty"` // of the pipe that a terminal's processes read
}

// takeEOF reports whether the end of file was typed, and clears it.
func (p *Pipe) takeEOF() bool {
	if p.Terminal == nil || !p.Terminal.EOF {
		return false
	}
	p.Terminal.EOF = false
	return true
}

// atEnd reports whether nothing more will be written.
func (p *Pipe) atEnd() bool { return p.Writers == 0 && !p.Held }

// byID finds an element of a list that is ordered by ID.
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

// addOpen adds an open description without references.
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

// release drops one reference to an open description, and closes it with the last one.
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

// dropPipe removes a pipe that has no open ends.
func (k *Kernel) dropPipe(p *Pipe) {
	if p.Readers+p.Writers == 0 {
		i, _ := byID(k.Pipes, p.ID, pipeID)
		k.Pipes = slices.Delete(k.Pipes, i, i+1)
	}
}

// wakePipe wakes the processes that wait for a pipe.
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

// Description returns the open description of a descriptor; nil if it is not open.
func (p *Process) Description(fd int) *Open {
	if fd < 0 || fd >= len(p.FDs) || p.FDs[fd] == 0 {
		return nil
	}
	return p.k.open(max(p.FDs[fd], -p.FDs[fd]))
}

// install makes a descriptor refer to an open description, and adds a reference to that.
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

// free returns the lowest free descriptor that is at least lowest.
func (p *Process) free(lowest int) (int, error) {
	for fd := lowest; fd < cmp.Or(p.box.Limits.Files, defaultFiles); fd++ {
		if fd >= len(p.FDs) || p.FDs[fd] == 0 {
			return fd, nil
		}
	}
	return 0, ErrFiles
}

// Dup makes descriptor to refer to what from refers to. It fails with ErrDescriptor or ErrFiles.
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

// Save is Dup to the lowest free descriptor that is at least 10. Exec closes it.
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

// MakePipe opens a pipe at two descriptors, the lowest free ones that are at least lowest. It fails
// with ErrFiles.
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

// MakeInput opens a descriptor that reads text, such as a here-document. It fails with ErrFiles.
func (p *Process) MakeInput(text string) (int, error) {
	read, write, err := p.MakePipe(10)
	if err != nil {
		return 0, err
	}
	p.k.pipe(p.Description(read).Pipe).Buffer = []byte(text)
	return read, p.Close(write)
}

// OpenPath opens a file, relative to the process's directory, at the lowest free descriptor that is
// at least lowest. It fails with an error of vfs or ErrFiles.
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

// ErrWouldBlock says that a descriptor has nothing to read yet, or takes no more output.
var ErrWouldBlock = errors.New("Resource temporarily unavailable")

// Read reads what is available, at most limit bytes. It fails with io.EOF at the end, ErrWouldBlock
// if there may be more later, ErrDescriptor, or an error of vfs.
func (p *Process) Read(fd, limit int) ([]byte, error) { return p.read(fd, limit, false) }

// ReadLine is Read up to and including the next newline.
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

// Write writes as much as the descriptor takes. It fails with ErrWouldBlock if that is not
// everything; with vfs.EPIPE, after SIGPIPE, if the pipe has no reader; with vfs.EIO if the
// terminal was hung up; with ErrDescriptor; or with an error of vfs.
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
			return 0, vfs.EIO // a terminal that was hung up
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
