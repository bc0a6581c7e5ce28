package worker

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/lru"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// rememberedEvents is how many events a Recorder knows again.
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/events_cache.go, maxLruCacheEntries.
const rememberedEvents = 4096

// Recorder names events, and knows those again that this process has recorded lately, so that the same event raises a
// count instead of being written once more. It is a cache like that of upstream's recorders: where it has forgotten, or
// another replica recorded the first, the event is written again as a new one. Safe for concurrent use.
type Recorder struct {
	names *lru.Cache // from said to object.Key

	mu   sync.Mutex
	last int64 // nanoseconds of the newest name
}

// NewRecorder makes a Recorder that remembers nothing.
func NewRecorder() *Recorder { return &Recorder{names: lru.New(rememberedEvents)} }

// said is what makes two events the same.
type said struct {
	regarding, fieldPath, eventType, reason, message, component, host string
}

func saidBy(e plan.Event) said {
	return said{string(e.Regarding.GetUID()), e.FieldPath, e.Type, e.Reason, e.Message, e.Component, e.Host}
}

// known is the key under which the same event was last recorded; ok is false if that is not known.
func (r *Recorder) known(e plan.Event) (key object.Key, ok bool) {
	found, ok := r.names.Get(saidBy(e))
	if !ok {
		return object.Key{}, false
	}
	return found.(object.Key), true
}

// remember notes under which key an event is recorded.
func (r *Recorder) remember(e plan.Event, key object.Key) { r.names.Add(saidBy(e), key) }

// name makes a new name: "<object>.<16 hexadecimal digits>", the digits being the time. No two names of a process have the
// same time, so that events of one object list in the order in which they were recorded.
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/util/util.go, GenerateEventName.
func (r *Recorder) name(e plan.Event, now time.Time) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = max(r.last+1, now.UnixNano())
	return fmt.Sprintf("%s.%016x", e.Regarding.GetName(), r.last)
}
