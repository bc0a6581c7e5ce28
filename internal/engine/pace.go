package engine

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// longIdle is how long a turn may be idle if the next is to take as much, quickIdle how long if
	// the next is to take more.
	longIdle, quickIdle = time.Second, planTime + planTime/4
	// knownFaults bounds how many faulty objects a worker remembers.
	knownFaults = 1024
)

// pace decides how much a worker takes in one turn, by how its last turns went. It is the memory of
// one process: another replica repeats its first failed turn. What must last, that an object is put
// off, is in the database. Not safe for concurrent use.
type pace struct {
	batch int // what the controller takes if all is well
	size  int // what the next turn may take, at most batch
	alone int // how many turns take one object each, after several failed together
	// faulty are the objects whose sync failed and has not succeeded since. They are taken apart
	// from others, and each by itself, so that a retry costs no other object a turn: in the next
	// turn if apart, otherwise after all other work.
	faulty map[types.UID]bool
	apart  bool
	// suspect is the object that was alone when its session last ended, without having taken long.
	suspect types.UID
}

func newPace(batch int) pace { return pace{batch: batch, size: batch, faulty: map[types.UID]bool{}} }

// limit returns how many objects the next turn may take.
func (p *pace) limit() int {
	if p.alone > 0 {
		return 1
	}
	return p.size
}

// whole reports whether the worker takes everything that is due.
func (p *pace) whole() bool { return p.alone == 0 && !p.apart }

// choose drops from the claims of a turn those that must wait for another one. At least one is
// left.
func (p *pace) choose(claims []wakeup.Claim) []wakeup.Claim {
	if p.alone > 0 {
		p.alone--
		return fewestAttempts(claims) // under a controller's lock, retries come besides due work
	}
	if p.size < p.batch && len(claims) > p.size {
		claims = claims[:p.size]
	}
	if len(p.faulty) == 0 || len(claims) == 1 {
		return claims
	}
	var good, bad []wakeup.Claim
	for _, c := range claims {
		if p.faulty[c.UID] {
			bad = append(bad, c)
		} else {
			good = append(good, c)
		}
	}
	switch {
	case len(bad) == 0:
		return claims
	case len(good) == 0, p.apart:
		p.apart = false
		return fewestAttempts(bad)
	}
	p.apart = true
	return good
}

func fewestAttempts(claims []wakeup.Claim) []wakeup.Claim {
	return []wakeup.Claim{slices.MinFunc(claims, func(a, b wakeup.Claim) int { return cmp.Compare(a.Attempt, b.Attempt) })}
}

// succeeded records a turn that was committed, and how long its transaction was idle. It reports
// whether the size has changed.
func (p *pace) succeeded(claims []wakeup.Claim, idle time.Duration) (changed bool) {
	was := p.size
	p.suspect = ""
	if len(p.faulty) > 0 {
		for _, c := range claims {
			delete(p.faulty, c.UID)
		}
	}
	switch {
	case idle > longIdle:
		p.size = max(1, len(claims)/2)
	case idle < quickIdle:
		p.size = min(p.batch, 2*p.size)
	}
	return p.size != was
}

// ended records that a turn of n objects took too long, or that its session has ended.
func (p *pace) ended(n int) { p.size = max(1, n/2) }

// oneByOne makes the worker take each of n objects by itself.
func (p *pace) oneByOne(n int) { p.alone = n }

// suspected records that the session has ended in which an object was alone, and reports whether
// that is so for the second time in a row.
func (p *pace) suspected(uid types.UID) bool {
	again := p.suspect == uid
	p.suspect = uid
	return again
}

// fault records an object that is put off.
func (p *pace) fault(uid types.UID) {
	if len(p.faulty) >= knownFaults {
		clear(p.faulty)
	}
	p.faulty[uid] = true
}
