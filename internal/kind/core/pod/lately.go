package pod

import (
	"hash/maphash"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// What many Pods have equally: lists of resources, labels and annotations, and, of Pods that became
// ready in the same second, the conditions.
var (
	resources  lately[corev1.ResourceList]
	texts      lately[map[string]string]
	conditions = lately[[]corev1.PodCondition]{trim: slices.Clone[[]corev1.PodCondition]}
)

// lately finds values that were decoded or made lately by their JSON, so that Pods refer to the same
// ones in memory. A new value replaces another in its place. It is safe for concurrent use.
type lately[T any] struct {
	trim   func(T) T // copies a value without spare capacity; nil to keep it as it is
	places [256]atomic.Pointer[sharedValue[T]]
}

type sharedValue[T any] struct {
	json  string
	value T
}

// maxShared is the size in bytes of the largest JSON of a value that is shared.
const maxShared = 2 << 10

func (l *lately[T]) place(value []byte) *atomic.Pointer[sharedValue[T]] {
	return &l.places[maphash.Bytes(hashSeed, value)%uint64(len(l.places))]
}

// decode decodes a value, once for all Pods that have it.
func (l *lately[T]) decode(d *jsontext.Decoder, to *T) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	place := l.place(value)
	if known := place.Load(); known != nil && known.json == string(value) {
		*to = known.value
		return nil
	}
	if err := json.Unmarshal(value, to, object.Decoding); err != nil {
		return err
	}
	l.keep(place, value, to)
	return nil
}

// share replaces a value by the equal one that is known, or makes it known. It does nothing without
// the value's JSON.
func (l *lately[T]) share(value []byte, of *T) {
	if len(value) == 0 {
		return
	}
	place := l.place(value)
	if known := place.Load(); known != nil && known.json == string(value) {
		*of = known.value
		return
	}
	l.keep(place, value, of)
}

// keep makes a value known at its place, unless it is large.
func (l *lately[T]) keep(place *atomic.Pointer[sharedValue[T]], value []byte, of *T) {
	if l.trim != nil {
		*of = l.trim(*of)
	}
	if len(value) <= maxShared {
		place.Store(&sharedValue[T]{json: string(value), value: *of})
	}
}
