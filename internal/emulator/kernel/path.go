package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Path returns a path as the process sees it, made absolute but otherwise unchanged.
func (p *Process) Path(name string) string {
	if name == "" {
		return ""
	}
	return absolute(name, p.Cwd)
}

func absolute(name, cwd string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return strings.TrimSuffix(cwd, "/") + "/" + name
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

// special returns the open description that a path below /dev or /proc names; nil if it names none.
func (p *Process) special(name string) *Open {
	switch name {
	case "/dev/stdin":
		return p.Description(0)
	case "/dev/stdout":
		return p.Description(1)
	case "/dev/stderr":
		return p.Description(2)
	}
	if rest, ok := strings.CutPrefix(name, "/dev/fd/"); ok {
		name = "/proc/self/fd/" + rest
	}
	parts := strings.Split(name, "/")
	if len(parts) != 5 || parts[1] != "proc" || parts[3] != "fd" {
		return nil
	}
	q := p
	if parts[2] != "self" {
		pid, err := strconv.Atoi(parts[2])
		if q = p.k.reached(p.box, pid); err != nil || q == nil {
			return nil
		}
	}
	fd, err := strconv.Atoi(parts[4])
	if err != nil {
		return nil
	}
	return q.Description(fd)
}

// Look returns a summary of a file, for comparison: its size and modification time; "" if it does
// not exist.
func (p *Process) Look(name string) string {
	info, err := p.box.FS.Stat(p.Path(name))
	if err != nil || info.Device != "" {
		return ""
	}
	return fmt.Sprint(info.Tree, info.Ino, info.Size, info.MTime.UnixNano())
}
