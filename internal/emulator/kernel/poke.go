package kernel

// Poke lets a process make its next step now, whatever it waits for, as its program was changed from outside.
func (k *Kernel) Poke(p *Process) {
	if !p.Dead() && (!p.Timed || p.At > k.Clock) {
		k.wake(p)
	}
}
