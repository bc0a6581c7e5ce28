package laws

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Pick chooses one of n options, 0 to n-1; n is at least 1.
type Pick func(n int) int

// Drawn picks with values drawn by rapid.
func Drawn(t *rapid.T) Pick {
	return func(n int) int {
		if n == 1 {
			return 0
		}
		return rapid.IntRange(0, n-1).Draw(t, "pick")
	}
}

// Actor does one thing in the World if there is anything to do, and reports whether there was.
type Actor func(w *World, pick Pick) bool

// Controller is a reconciler in a World.
type Controller[S any] struct {
	Snapshots func(w *World) []S                 // one for each object that it manages
	Self      func(s S) object.Object            // the object a snapshot is about
	Reconcile func(s S) plan.Plan                // the function under test
	Judge     func(t rapid.TB, s S, p plan.Plan) // what must hold for every plan; nil if nothing
}

// Actor reconciles the woken objects, starting with a picked one, until a plan changes something.
// Every plan is checked. As with the real applier, an object is woken when it or an object that it
// controls changes, and at the time that its plan asked for. It is not woken by its own plan's
// write of itself.
func (c Controller[S]) Actor(t rapid.TB) Actor {
	return func(w *World, pick Pick) bool {
		t.Helper()
		var ready []S
		for _, s := range c.Snapshots(w) {
			if w.ready(c.Self(s).GetUID()) {
				ready = append(ready, s)
			}
		}
		if len(ready) == 0 {
			return false
		}
		first := pick(len(ready))
		for i := range ready {
			s := ready[(first+i)%len(ready)]
			p := Check(t, c.Reconcile, s)
			if c.Judge != nil {
				c.Judge(t, s, p)
			}
			uid := c.Self(s).GetUID()
			w.looked(uid, p.WakeAt)
			if !p.Empty() {
				w.Apply(uid, p)
				return true
			}
		}
		return false
	}
}

// Settle lets the actors act, one at a time and in an order that pick decides, until none has
// anything to do and no plan asks for another sync. Every act takes a second; when there is nothing
// to do, the clock jumps to the next wakeup. after is called after every act. Settle fails the
// World's test after limit acts, and also if there is still something to do at the end for which no
// object was woken.
func Settle(w *World, pick Pick, limit int, after func(), actors ...Actor) {
	w.t.Helper()
	for range limit {
		if anyActs(w, pick, actors) {
			after()
			w.Now = w.Now.Add(time.Second)
			continue
		}
		if next := w.nextDue(); !next.IsZero() {
			w.Now = next
			continue
		}
		for uid := range w.objects {
			w.woken[uid] = true
		}
		if anyActs(w, pick, actors) {
			w.fail("no object was woken for the last change")
		}
		return
	}
	w.fail("the world has not settled after %d acts", limit)
}

// ready reports whether the object must be synced now.
func (w *World) ready(uid types.UID) bool {
	at := w.due[uid]
	return w.woken[uid] || !at.IsZero() && !at.After(w.Now)
}

// looked records that the object was synced, and when it must be synced again; zero if it need not.
func (w *World) looked(uid types.UID, next time.Time) {
	delete(w.woken, uid)
	w.due[uid] = next
}

// nextDue is the earliest time at which an object must be synced; zero if none exists.
func (w *World) nextDue() (next time.Time) {
	for uid, at := range w.due {
		if _, ok := w.objects[uid]; ok && !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func anyActs(w *World, pick Pick, actors []Actor) bool {
	first := pick(len(actors))
	for i := range actors {
		if actors[(first+i)%len(actors)](w, pick) {
			return true
		}
	}
	return false
}

// Kubelet removes a terminating Pod, or makes a Pod Running and Ready on one of three nodes,
// whichever is picked from all possible actions. A Pod whose image contains "bad" never becomes
// Ready.
func Kubelet(w *World, pick Pick) bool {
	var todo []*corev1.Pod
	for _, p := range List[*corev1.Pod](w) {
		if p.DeletionTimestamp != nil || podstate.Active(p) && !podstate.Ready(p) && !bad(p) {
			todo = append(todo, p)
		}
	}
	if len(todo) == 0 {
		return false
	}
	p := todo[pick(len(todo))]
	if p.DeletionTimestamp != nil {
		w.Remove(p)
		return true
	}
	p = p.DeepCopy()
	p.Spec.NodeName = []string{"n1", "n2", "n3"}[pick(3)]
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.Now).Rfc3339Copy()},
	}
	w.Update(p)
	return true
}

func bad(p *corev1.Pod) bool {
	for _, c := range p.Spec.Containers {
		if strings.Contains(c.Image, "bad") {
			return true
		}
	}
	return false
}
