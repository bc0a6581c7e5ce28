package kernel

import (
	"strconv"
	"strings"
)

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
