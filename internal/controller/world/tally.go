package world

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// mostUnlike is how many groups of Pods of one ReplicaSet are counted. Its Pods usually have the
// same labels, which makes four groups at most: ready or not, being deleted or not.
const mostUnlike = 16

// Tally counts the Pods of each ReplicaSet. It observes the mirror, so that a controller which has
// one more Pod to count need not visit the others.
type Tally struct {
	mu     sync.Mutex
	owners map[types.UID]*tallied
}

// tallied is the Pods of one ReplicaSet that have not finished.
type tallied struct {
	pods   int
	groups []podstate.Alike
	unlike bool // there were too many groups: until all Pods are gone, they are only counted together
}

// NewTally makes a Tally, which must observe the mirror.
func NewTally() *Tally { return &Tally{owners: map[types.UID]*tallied{}} }

var _ mirror.Observer = (*Tally)(nil)

// Of returns the Pods of a ReplicaSet that have not finished, in any order. ok is false if they are
// too different to be counted, or if t is nil. It must be called in a mirror's Read.
func (t *Tally) Of(owner types.UID) (groups []podstate.Alike, ok bool) {
	if t == nil {
		return nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch o := t.owners[owner]; {
	case o == nil:
		return nil, true
	case o.unlike:
		return nil, false
	default:
		return slices.Clone(o.groups), true
	}
}

// Reset implements mirror.Observer.
func (t *Tally) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.owners)
}

// Observe implements mirror.Observer.
func (t *Tally) Observe(e mirror.Event) {
	if e.New.Type.Resource() != pod.Kind.Resource() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Old != nil {
		t.countLocked(e.Old, -1)
	}
	if e.New.Verb != object.Deleted {
		t.countLocked(e.New, 1)
	}
}

// countLocked adds a Pod, or subtracts it.
func (t *Tally) countLocked(v *object.Version, by int32) {
	if !v.Is(object.HasOwners) {
		return
	}
	p := v.Object().(*corev1.Pod)
	ref := metav1.GetControllerOfNoCopy(p)
	if ref == nil || ref.Kind != apps.ReplicaSet.Kind || podstate.Terminal(p) {
		return
	}
	o := t.owners[ref.UID]
	if o == nil {
		o = &tallied{}
		t.owners[ref.UID] = o
	}
	if o.pods += int(by); o.pods == 0 {
		delete(t.owners, ref.UID)
		return
	}
	o.count(p, by)
}

func (o *tallied) count(p *corev1.Pod, by int32) {
	if o.unlike {
		return
	}
	i := slices.IndexFunc(o.groups, func(a podstate.Alike) bool { return a.Includes(p) })
	if i < 0 {
		if len(o.groups) == mostUnlike {
			o.groups, o.unlike = nil, true
			return
		}
		i = len(o.groups)
		o.groups = append(o.groups, podstate.NewAlike(p))
	}
	if o.groups[i].N += by; o.groups[i].N == 0 {
		o.groups = slices.Delete(o.groups, i, i+1)
	}
}
