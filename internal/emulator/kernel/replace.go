package kernel

// Replace makes the sandbox's stand-in continue in place of the program, which is not emulated;
// what names the program. It returns false if the process is not the main one, or if the sandbox
// has no stand-in. A Step that has called Replace returns the zero Wait.
func (p *Process) Replace(what string) bool {
	if !p.isMain() || p.box.StandIn.Program == nil {
		return false
	}
	p.Run, p.box.StandIn = p.box.StandIn, Stored{}
	p.Handled, p.Ignored, p.Pending = 0, 0, 0
	p.Use(-p.Bytes)
	p.k.Replaced = append(p.k.Replaced, Replaced{Sandbox: p.Sandbox, What: what, At: p.k.Clock})
	return true
}

// reported returns and removes the first replacement that was not reported yet; ok is false if
// there is none.
func (k *Kernel) reported() (r Replaced, ok bool) {
	if len(k.Replaced) == 0 {
		return Replaced{}, false
	}
	r, k.Replaced = k.Replaced[0], k.Replaced[1:]
	return r, true
}
