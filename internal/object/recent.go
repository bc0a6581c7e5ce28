package object

import (
	"sync/atomic"
	"weak"
)

// Recent finds values that were recently kept, by their hashes, as long as they are in use
// elsewhere: it keeps none alive. A value is kept in the place of another, so its length bounds how
// many it finds. It must not be empty. It is safe for concurrent use.
type Recent[T any] []atomic.Pointer[weak.Pointer[T]]

// At returns the value kept in the place of a hash, or nil. Other hashes have the same place: the
// caller checks that it is the right one.
func (r Recent[T]) At(hash uint64) *T {
	if p := r.place(hash).Load(); p != nil {
		return p.Value()
	}
	return nil
}

// Keep makes At find a value.
func (r Recent[T]) Keep(hash uint64, value *T) {
	p := weak.Make(value)
	r.place(hash).Store(&p)
}

func (r Recent[T]) place(hash uint64) *atomic.Pointer[weak.Pointer[T]] {
	return &r[hash%uint64(len(r))]
}
