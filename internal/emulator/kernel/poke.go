package kernel

// Poke makes a process take its next step now, whatever it waits for, because its program was
// changed from outside.
func (k *Kernel) Poke(p *Process) {
	if !p.Dead() && (!p.Timed || p.At > k.Clock) {
		k.wake(p)
	}
}
