package pod

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// What many Pods have equally: lists of resources, labels and annotations, owners, and, of Pods that
// became ready in the same second, the conditions.
var (
	resources  lately[corev1.ResourceList]
	texts      lately[map[string]string]
	owners     = lately[[]metav1.OwnerReference]{trim: object.Trimmed[metav1.OwnerReference]}
	conditions = lately[[]corev1.PodCondition]{trim: object.Trimmed[corev1.PodCondition]}
)

// lately finds values that were decoded or made lately by their JSON, so that Pods refer to the same
// ones in memory. A new value replaces another in its place. It is safe for concurrent use.
type lately[T any] struct {
	trim   func(T) T // drops a value's spare capacity; nil for values that have none
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
	if l.find(value, to) {
		return nil
	}
	if err := json.Unmarshal(value, to, object.Decoding); err != nil {
		return err
	}
	l.keep(value, to)
	return nil
}

// share replaces a value by the equal one that is known, or makes it known. It does nothing without
// the value's JSON.
func (l *lately[T]) share(value []byte, of *T) {
	if len(value) > 0 && !l.find(value, of) {
		l.keep(value, of)
	}
}

// find sets to to the value that is known for this JSON, and reports whether there is one.
func (l *lately[T]) find(value []byte, to *T) bool {
	known := l.place(value).Load()
	if known == nil || known.json != string(value) {
		return false
	}
	*to = known.value
	return true
}

// keep makes a value known by its JSON, unless it is large.
func (l *lately[T]) keep(value []byte, of *T) {
	if l.trim != nil {
		*of = l.trim(*of)
	}
	if len(value) <= maxShared {
		l.place(value).Store(&sharedValue[T]{json: string(value), value: *of})
	}
}
