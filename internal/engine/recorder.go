package engine

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/lru"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// rememberedEvents is how many events a Recorder recognises.
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/events_cache.go, maxLruCacheEntries.
const rememberedEvents = 4096

// Recorder names events, and recognises those that this process has recorded recently, so that the
// same event increments a count instead of being written again. It is a cache like that of
// upstream's recorders: if it has forgotten the event, or another replica recorded the first one,
// the event is written as a new one. Safe for concurrent use.
type Recorder struct {
	names *lru.Cache // from said to object.Key
	lane  int64

	mu   sync.Mutex
	last int64 // nanoseconds of the newest name
}

// lanes is how many processes can name events at the same time, each in a lane of its own, and the
// distance in nanoseconds between two names of one process. Time may be paused, so that time alone
// does not distinguish two processes.
const lanes = 1 << 16

// NewRecorder makes a Recorder that remembers nothing. Processes should have different lanes.
func NewRecorder(lane uint16) *Recorder {
	return &Recorder{names: lru.New(rememberedEvents), lane: int64(lane)}
}

// said is the identity of an event: what makes two events the same.
type said struct {
	regarding, fieldPath, eventType, reason, message, component, host string
}

func saidBy(e plan.Event) said {
	return said{string(e.Regarding.GetUID()), e.FieldPath, e.Type, e.Reason, e.Message, e.Component, e.Host}
}

// known returns the key under which the same event was last recorded; ok is false if that is not
// known.
func (r *Recorder) known(e plan.Event) (key object.Key, ok bool) {
	found, ok := r.names.Get(saidBy(e))
	if !ok {
		return object.Key{}, false
	}
	return found.(object.Key), true
}

// remember records under which key an event is stored.
func (r *Recorder) remember(e plan.Event, key object.Key) { r.names.Add(saidBy(e), key) }

// name makes a new name: "<object>.<16 hexadecimal digits>", where the digits approximate the time.
// No two names have the same time, so that events of one object list in the order in which they
// were recorded, and none is lost to a name collision.
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/util/util.go, GenerateEventName.
func (r *Recorder) name(e plan.Event, now time.Time) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = max(r.last+lanes, now.UnixNano()+r.lane)
	return fmt.Sprintf("%s.%016x", e.Regarding.GetName(), r.last)
}
