package vfs

import "math/bits"

// A view counts its work in units of at most about 60 ns of CPU time: each element of a path, each
// name of a listed directory, and each followed link.

// Metered returns the same view, which reports its work to meter while it works. meter may panic to
// stop the work: it is called only where nothing has changed yet, or where the change is complete.
func (v *View) Metered(meter func(units int64)) *View {
	return &View{space: v.space, who: v.who, now: v.now, meter: meter}
}

// TakeWork returns the work of all users of the view since the last call. It is not part of the
// state.
func (v *View) TakeWork() int64 {
	n := v.work
	v.work = 0
	return n
}

// bill counts work and reports it to the meter.
func (v *View) bill(units int64) {
	v.work += units
	if v.meter != nil {
		v.meter(units)
	}
}

// sorting returns the work of listing n names in order.
func sorting(n int) int64 { return int64(n) * int64(8+bits.Len(uint(n))/2) }
