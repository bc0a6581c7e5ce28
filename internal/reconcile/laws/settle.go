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

// Pick chooses one of n things, 0 to n-1; n is at least 1.
type Pick func(n int) int

// Drawn picks by what rapid draws.
func Drawn(t *rapid.T) Pick {
	return func(n int) int {
		if n == 1 {
			return 0
		}
		return rapid.IntRange(0, n-1).Draw(t, "pick")
	}
}

// Actor does one thing in the World if there is any to do, and says whether there was.
type Actor func(w *World, pick Pick) bool

// Controller is a reconciler in a World.
type Controller[S any] struct {
	Snapshots func(w *World) []S                 // one for each object it looks after
	Self      func(s S) object.Object            // the object a snapshot is about
	Reconcile func(s S) plan.Plan                // the function under test
	Judge     func(t rapid.TB, s S, p plan.Plan) // what must hold of every plan; nil for nothing
}

// Actor reconciles objects, beginning with one that is picked, until a plan changes something. Every plan is checked.
//
// A plan that changes only the object it was made for must leave nothing to do: the reconciler is not woken by its
// own write, so that what is left undone would stay undone.
func (c Controller[S]) Actor(t rapid.TB) Actor {
	return func(w *World, pick Pick) bool {
		t.Helper()
		all := c.Snapshots(w)
		if len(all) == 0 {
			return false
		}
		first := pick(len(all))
		for i := range all {
			s := all[(first+i)%len(all)]
			p := c.plan(t, w, s)
			if p.Empty() {
				continue
			}
			w.Apply(p)
			if uid := c.Self(s).GetUID(); onlyOf(uid, p) && (p.WakeAt.IsZero() || p.WakeAt.After(w.Now)) {
				c.mustRest(t, w, uid, p)
			}
			return true
		}
		return false
	}
}

func (c Controller[S]) plan(t rapid.TB, w *World, s S) plan.Plan {
	t.Helper()
	p := Check(t, c.Reconcile, s)
	if c.Judge != nil {
		c.Judge(t, s, p)
	}
	if !p.WakeAt.IsZero() && (w.wake.IsZero() || p.WakeAt.Before(w.wake)) {
		w.wake = p.WakeAt
	}
	return p
}

func (c Controller[S]) mustRest(t rapid.TB, w *World, uid types.UID, before plan.Plan) {
	t.Helper()
	for _, s := range c.Snapshots(w) {
		if c.Self(s).GetUID() != uid {
			continue
		}
		if p := c.plan(t, w, s); !p.Empty() {
			w.fail("nobody would make this plan:\n%safter this one:\n%s", p, before)
		}
	}
}

// onlyOf says whether the plan changes no other object than that of the uid.
func onlyOf(uid types.UID, p plan.Plan) bool {
	for _, u := range p.Updates {
		if u.Object.GetUID() != uid {
			return false
		}
	}
	return len(p.Creates) == 0 && len(p.Deletes) == 0
}

// Settle lets the actors act, one at a time and in an order that pick decides, until none has anything to do and no
// plan asks for another look. Every act takes a second; when there is nothing to do the clock jumps to the next
// wakeup. After every act the function after is called. It fails the World's test after limit acts.
func Settle(w *World, pick Pick, limit int, after func(), actors ...Actor) {
	w.t.Helper()
	for range limit {
		w.wake = time.Time{}
		if anyActs(w, pick, actors) {
			after()
			w.Now = w.Now.Add(time.Second)
			continue
		}
		if !w.wake.After(w.Now) {
			return
		}
		w.Now = w.wake
	}
	w.fail("the world has not settled after %d acts", limit)
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

// Kubelet removes a terminating Pod, or makes a Pod Running and Ready on one of three nodes, whichever is picked of
// all that can be done. A Pod with an image that contains "bad" never becomes Ready.
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
