package kernel

import (
	"cmp"
	"slices"
)

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

// Listen makes Run return with KindHeard when a process writes to one of these pipes, reads from it
// or closes it. The next Listen replaces it. It is not part of the state.
func (k *Kernel) Listen(ends ...Ends) { k.listened, k.heard = ends, false }

func (k *Kernel) hear(pipe int) {
	k.heard = k.heard || slices.ContainsFunc(k.listened, func(e Ends) bool { return e.has(pipe) })
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
