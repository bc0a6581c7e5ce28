package vfs

import "math/bits"

// What the view does is counted in units of work, a unit for at most some 60 ns of CPU time: each element of a path, each
// name of a directory that is listed, each link that is followed.

// Metered is the same view, which tells of its work while it does it. meter may panic to stop what is being done: it is
// called only where nothing has changed yet, or where what has is complete.
func (v *View) Metered(meter func(units int64)) *View {
	return &View{space: v.space, who: v.who, now: v.now, meter: meter}
}

// TakeWork is how much work all users of the view have done since it was last asked. It is no part of the state.
func (v *View) TakeWork() int64 {
	n := v.work
	v.work = 0
	return n
}

// bill counts work and tells the meter.
func (v *View) bill(units int64) {
	v.work += units
	if v.meter != nil {
		v.meter(units)
	}
}

// sorting is the work of listing so many names in their order.
func sorting(n int) int64 { return int64(n) * int64(8+bits.Len(uint(n))/2) }

// Kind is the type of the file that a path leads to, one of the Mode constants; 0 if there is none. It is a cheap Stat.
func (v *View) Kind(full string, follow bool) uint32 {
	s, err := v.find("stat", full, follow)
	if err != nil {
		return 0
	}
	return s.node().kind()
}
