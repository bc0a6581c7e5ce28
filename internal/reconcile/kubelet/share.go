package kubelet

import "time"

// How much of a process's time a Pod gets: so many steps a sync, and so many in the long run before its machine is busy. A step
// takes about a microsecond of CPU time, and the other costs of a sync are counted in steps as well. Nothing that a Pod does
// depends on this: a machine that is run in pieces does the same as one that is run at once.
const (
	// BacklogSteps are the share of a Pod whose machine is busy.
	BacklogSteps = 50_000

	// creditSteps are what a new machine may use before it is busy. In a second of cluster time earnedSteps are added to what a
	// machine may use, up to savedSteps besides the credit: more than a sync foresees, so that the next may run that.
	creditSteps = 5_000
	earnedSteps = 1_000
	savedSteps  = BacklogSteps - creditSteps

	// syncSteps are what reading and writing a small machine count, and stepBytes how many bytes of a large one count a step more.
	syncSteps = 300
	stepBytes = 64
)

// Share is how many steps a sync of the Pod may run at the time; 0 says that its machine is busy: it has used more than its
// share, and waits behind others. remembered is what the Pod's last plan left.
//
// For example, a machine that has rested for long may run 50,000 steps. One that has run 300,000 in its first second is busy for
// five minutes, if it rests from then on. A machine that never rests is busy for about three quarters of an hour: the longer it
// runs, the slower its CPU is, until it earns more than it uses.
func Share(remembered []byte, now time.Time) int64 {
	m, err := decodeMemory(remembered)
	if err != nil { // a damaged one is replaced
		return creditSteps
	}
	return m.share(now)
}

func (m *memory) share(now time.Time) int64 {
	if m.Paid.IsZero() {
		return creditSteps
	}
	saved := min(now.Sub(m.Paid), savedSteps*time.Second/earnedSteps)
	return max(creditSteps+int64(saved/(time.Second/earnedSteps)), 0)
}

// share is how many steps this sync may run.
func (k *sync) share() int64 {
	if k.Steps > 0 {
		return k.Steps
	}
	return BacklogSteps
}

// charge counts what the sync has cost; size is of the machine, in bytes before it is compressed.
func (k *sync) charge(size int) {
	k.memory.pay(k.now.Time, k.spent+syncSteps+int64(size/stepBytes))
}

// pay counts steps against the Pod's share.
func (m *memory) pay(now time.Time, steps int64) {
	if earliest := now.Add(-savedSteps * time.Second / earnedSteps); m.Paid.IsZero() {
		m.Paid = now
	} else if m.Paid.Before(earliest) {
		m.Paid = earliest
	}
	m.Paid = m.Paid.Add(time.Duration(steps) * time.Second / earnedSteps).UTC()
}
