package scheduler

// best is the highest score of a node.
const best = 100

// share is n in hundredths of the largest.
func share(n, most int64) int64 {
	if most == 0 {
		return 0
	}
	return best * n / most
}

// bounds are the smallest and the largest raw score of the feasible nodes. If counts is false, the
// score is not used.
type bounds struct {
	counts      bool
	least, most int64
}

func (r *bounds) see(raw int64) { r.least, r.most = min(r.least, raw), max(r.most, raw) }

// share is the position of a raw score between the bounds, in hundredths.
func (r *bounds) share(raw int64) int64 {
	if r.most <= r.least {
		return 0
	}
	return int64(best * (float64(raw-r.least) / float64(r.most-r.least)))
}

// evenness is the score of a node from the raw score that counts against it; 0 if that is negative,
// which means that it has none.
func (r *bounds) evenness(raw int64) int64 {
	switch {
	case raw < 0:
		return 0
	case r.most == 0:
		return best
	}
	return best * (r.most + r.least - raw) / r.most
}
