package tainteviction

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// walked is a node, its Pods and what is remembered beside it.
type walked struct {
	node     *corev1.Node
	pods     map[string]*corev1.Pod // by name
	memory   []byte
	revision object.Revision
	news     object.Revision
	now      time.Time
	wakeAt   time.Time
}

func (w *walked) add(p *corev1.Pod) {
	w.revision++
	w.news = w.revision
	w.pods[p.Name] = p
}

func (w *walked) sorted() []*corev1.Pod {
	return slices.SortedFunc(maps.Values(w.pods), func(a, b *corev1.Pod) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// snapshot is what the controller takes for a sync in pieces.
func (w *walked) snapshot() Snapshot {
	s := Snapshot{Node: w.node, Now: w.now, Memory: w.memory, Revision: w.revision, News: w.news, atOnce: 2, aPiece: 3}
	wanted := Wants(s)
	for _, uid := range wanted.Named {
		for _, p := range w.pods {
			if p.UID == uid {
				s.Named = append(s.Named, p)
			}
		}
	}
	for _, p := range w.sorted() {
		if p.Name > wanted.After.Name && len(s.Pods) < wanted.Pods {
			s.Pods = append(s.Pods, p)
		}
	}
	s.Last = len(s.Pods) < wanted.Pods
	return s
}

// sync syncs once, and makes the plan's changes but for those left out.
func (w *walked) sync(t rapid.TB, s Snapshot, leftOut func() bool) {
	t.Helper()
	p := laws.Check(t, Reconcile, s)
	if atOnce, _ := s.limits(); len(p.Updates)+len(p.Deletes) > atOnce || len(p.Events) > 2*atOnce {
		t.Fatalf("a plan of more than %d Pods:\n%s", atOnce, p)
	}
	if p.Memory != nil {
		w.memory = p.Memory
	}
	a := apply(p, w.sorted(), leftOut)
	for _, pod := range a.pods {
		w.pods[pod.Name] = pod
	}
	if w.revision++; a.out {
		p.WakeAt = w.now
	}
	w.wakeAt = p.WakeAt
}

// due are the Pods that are there and scheduled, and when.
func (w *walked) due() map[types.UID]time.Time {
	m := decode(w.memory)
	due := map[types.UID]time.Time{}
	for _, p := range w.pods {
		if a, scheduled := m.due[p.UID]; scheduled && p.DeletionTimestamp == nil {
			due[p.UID] = a.at
		}
	}
	return due
}

// TestLaw_PiecesAreTheWhole takes random taints and tolerations, has Pods come and go between the
// pieces of a round and leaves out changes at random: whenever nothing is left to do, the same Pods
// are scheduled for the same time, and the same are gone, as if all had been judged at once.
func TestLaw_PiecesAreTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := &walked{node: node(), pods: map[string]*corev1.Pod{}, now: noon, revision: 1}
		whole := &walked{node: node(), pods: map[string]*corev1.Pod{}, now: noon, revision: 1}
		both := []*walked{pieces, whole}
		made := 0
		tolerations := func() (list []corev1.Toleration) {
			for _, key := range []string{"a", "b"} {
				if s := rapid.Int64Range(-2, 9).Draw(t, key); s > -2 {
					list = append(list, tolerating(key, s))
				}
			}
			return list
		}
		comeOrGo := func() {
			if names := slices.Sorted(maps.Keys(pieces.pods)); len(names) > 0 && rapid.IntRange(0, 3).Draw(t, "goes") == 0 {
				name := rapid.SampledFrom(names).Draw(t, "who")
				delete(pieces.pods, name)
				delete(whole.pods, name)
				return
			}
			made++
			p := pod(fmt.Sprintf("%d-%d", rapid.IntRange(0, 9).Draw(t, "place"), made), tolerations()...)
			pieces.add(p)
			whole.add(p)
		}
		settle := func() {
			for turn := 0; ; turn++ {
				if turn > 500 {
					t.Fatal("it does not settle")
				}
				pieces.sync(t, pieces.snapshot(), func() bool { return turn < 50 && rapid.Bool().Draw(t, "left out") })
				if turn < 20 && rapid.IntRange(0, 3).Draw(t, "meanwhile") == 0 {
					comeOrGo()
					continue
				}
				if pieces.wakeAt.IsZero() || pieces.wakeAt.After(pieces.now) {
					break
				}
			}
			whole.wakeAt = whole.now
			for turn := 0; turn < 500 && !whole.wakeAt.IsZero() && !whole.wakeAt.After(whole.now); turn++ {
				whole.sync(t, Snapshot{Node: whole.node, Now: whole.now, Memory: whole.memory, Pods: whole.sorted(), atOnce: 2, aPiece: 3}, func() bool { return false })
			}
			if diff := cmp.Diff(whole.due(), pieces.due()); diff != "" {
				t.Fatalf("scheduled (-whole +pieces):\n%s", diff)
			}
			for name, p := range whole.pods {
				if was, is := p.DeletionTimestamp != nil, pieces.pods[name].DeletionTimestamp != nil; was != is {
					t.Fatalf("%s is deleted: %t, and in pieces %t", name, was, is)
				}
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "pods") {
			comeOrGo()
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				n := node()
				for _, key := range []string{"a", "b"} {
					if rapid.Bool().Draw(t, "tainted "+key) {
						n.Spec.Taints = append(n.Spec.Taints, noExecuteTaint(key))
					}
				}
				pieces.node, whole.node = n, n
			case 1:
				for _, w := range both {
					w.now = w.now.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "seconds")) * time.Second)
				}
				whole.now = pieces.now
			case 2:
				if names := slices.Sorted(maps.Keys(pieces.pods)); len(names) > 0 {
					name, list := rapid.SampledFrom(names).Draw(t, "who"), tolerations()
					for _, w := range both {
						p := w.pods[name].DeepCopy()
						p.Spec.Tolerations = list
						w.add(p)
					}
				}
			case 3:
				comeOrGo()
			}
			settle()
		}
		pieces.node, whole.node = node(), node()
		settle()
		pieces.sync(t, pieces.snapshot(), func() bool { return false })
		if len(pieces.memory) > 0 {
			t.Fatalf("still remembered: %s", pieces.memory)
		}
	})
}

// TestMemory_OfPodsThatHaveGone does not grow: a round forgets them.
func TestMemory_OfPodsThatHaveGone(t *testing.T) {
	t.Parallel()
	w := &walked{node: node(noExecuteTaint("a")), pods: map[string]*corev1.Pod{}, now: noon, revision: 1}
	for i := range 50 {
		w.add(pod(fmt.Sprint("p-", i), tolerating("a", 3600)))
		for w.wakeAt = w.now; !w.wakeAt.After(w.now); {
			w.sync(t, w.snapshot(), func() bool { return false })
		}
		clear(w.pods)
	}
	if n := len(decode(w.memory).due); n > 1 {
		t.Errorf("%d Pods are remembered, and only one was there at last", n)
	}
}

// TestDecode_OfAnEarlierVersion: only the list, without rounds. Nothing is scheduled again.
func TestDecode_OfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	w := &walked{node: node(noExecuteTaint("a")), pods: map[string]*corev1.Pod{}, now: noon, revision: 1,
		memory: []byte(`[{"due":1767355300,"pods":["uid-of-p"]}]`)}
	w.add(pod("p", tolerating("a", 300)))
	w.sync(t, w.snapshot(), func() bool { return false })
	if want := time.Unix(1767355300, 0).UTC(); !w.wakeAt.Equal(want) {
		t.Errorf("the Pod is due at %s, not at %s", w.wakeAt, want)
	}
}

// TestWants_NoMoreThanAPiece however many Pods are due, and however many are being evicted.
func TestWants_NoMoreThanAPiece(t *testing.T) {
	t.Parallel()
	m := memory{due: map[types.UID]appointment{}, round: round{Walking: true, Since: 1}}
	for i := range 20_000 {
		m.due[types.UID(fmt.Sprint("due-", i))] = appointment{at: noon}
	}
	for i := range 200 {
		m.evicting = append(m.evicting, types.UID(fmt.Sprint("evicting-", i)))
	}
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
	if w := Wants(Snapshot{Node: n, Now: noon, Revision: 2, Memory: m.encode()}); len(w.Named) != podsAtOnce || w.Pods != 0 {
		t.Errorf("%d Pods are wanted by their uids, and %d besides", len(w.Named), w.Pods)
	}
	clear(m.due)
	if w := Wants(Snapshot{Node: n, Now: noon, Revision: 2, Memory: m.encode()}); len(w.Named) != 200 || w.Pods != podsAPiece {
		t.Errorf("%d Pods are wanted by their uids, and %d besides", len(w.Named), w.Pods)
	}
}
