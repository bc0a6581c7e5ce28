package memory

import "time"

// Limits on how much of a process's time a Pod gets: the steps of one sync, and the steps in the
// long run before its machine is busy. A step takes about a microsecond of CPU time, and the other
// costs of a sync are counted in steps as well. They never affect what a Pod does: a machine that
// is run in pieces does the same as one that is run at once.
const (
	// BacklogSteps is the share of a Pod whose machine is busy.
	BacklogSteps = 50_000

	// CreditSteps is what a new machine may use before it is busy. Each second of cluster time adds
	// earnedSteps, up to savedSteps beyond the credit. That is more than a sync looks ahead, so
	// that the next sync can run those steps.
	CreditSteps = 5_000
	earnedSteps = 1_000
	savedSteps  = BacklogSteps - CreditSteps

	// syncSteps is the cost of reading and writing a small machine. stepBytes is how many bytes of
	// a large one cost one step more.
	syncSteps = 300
	stepBytes = 64
)

// Share is how many steps a sync of the Pod may run at this time; 0 means that its machine is busy:
// it has used more than its share, and waits behind others. remembered is the memory that the Pod's
// last plan stored.
//
// For example, a machine that has rested for long may run 50,000 steps. One that has run 300,000 in
// its first second is busy for five minutes, if it rests from then on. A machine that never rests
// is busy for about three quarters of an hour: the longer it runs, the slower its CPU is, until it
// earns more than it uses.
func Share(remembered []byte, now time.Time) int64 {
	m, err := Decode(remembered)
	if err != nil { // a damaged one is replaced
		return CreditSteps
	}
	return m.Share(now)
}

// Share is how many steps a sync of the Pod may run at this time; see the function Share.
func (m *Memory) Share(now time.Time) int64 {
	if m.Paid.IsZero() {
		return CreditSteps
	}
	saved := min(now.Sub(m.Paid), savedSteps*time.Second/earnedSteps)
	return max(CreditSteps+int64(saved/(time.Second/earnedSteps)), 0)
}

// PaySync counts the cost of a sync that has run so many steps; size is the size of the machine, in
// bytes before compression.
func (m *Memory) PaySync(now time.Time, steps int64, size int) {
	m.Pay(now, steps+syncSteps+int64(size/stepBytes))
}

// Pay counts steps against the Pod's share.
func (m *Memory) Pay(now time.Time, steps int64) {
	if earliest := now.Add(-savedSteps * time.Second / earnedSteps); m.Paid.IsZero() {
		m.Paid = now
	} else if m.Paid.Before(earliest) {
		m.Paid = earliest
	}
	m.Paid = m.Paid.Add(time.Duration(steps) * time.Second / earnedSteps).UTC()
}
