package kernel

import "time"

// Replaced says that a sandbox's stand-in has replaced a main program that is not emulated.
type Replaced struct {
	Sandbox string
	What    string        // the program, as Process.Replace was told
	At      time.Duration // since Kernel.Start
}

// Replace has the sandbox's stand-in go on in place of the program, which is not emulated; what names it. It is false
// where the process is not the main one, or the sandbox has no stand-in. A Step that has called it returns the zero Wait.
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

// reported takes the first replacement that has not been reported yet. It returns false if all have been.
func (k *Kernel) reported() (r Replaced, ok bool) {
	if len(k.Replaced) == 0 {
		return Replaced{}, false
	}
	r, k.Replaced = k.Replaced[0], k.Replaced[1:]
	return r, true
}
