package kernel

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

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

// crlf ends lines with CR LF, as a screen needs. It converts as many bytes of data as fit into
// room, and returns how many.
func crlf(data []byte, room int) (out []byte, n int) {
	for n < len(data) {
		c := data[n]
		if need := 1; c == '\n' {
			need = 2
			if len(out)+need > room {
				break
			}
			out = append(out, '\r', c)
		} else {
			if len(out)+need > room {
				break
			}
			out = append(out, c)
		}
		n++
	}
	return out, n
}
