package kernel

import "cmp"

// Use counts memory that the process allocates, or frees if bytes is negative. If the sandbox
// exceeds its limit, the process gets SIGKILL, as from the kernel's OOM killer.
func (p *Process) Use(bytes int64) {
	bytes = max(bytes, -p.Bytes)
	p.Bytes += bytes
	p.box.Bytes += bytes
	if bytes > 0 && p.box.Bytes > cmp.Or(p.box.Limits.Bytes, defaultBytes) {
		p.Killed = true
		p.k.end(p, 128+int(SIGKILL), true)
	}
}

// Limit returns how many bytes of memory the processes of the sandbox may use together.
func (p *Process) Limit() int64 { return cmp.Or(p.box.Limits.Bytes, defaultBytes) }

// Memory returns how many bytes they use.
func (p *Process) Memory() int64 { return p.box.Bytes }
