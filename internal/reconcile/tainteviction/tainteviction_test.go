package tainteviction

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func node(taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "mine", UID: "node"}, Spec: corev1.NodeSpec{Taints: taints}}
}

func noExecuteTaint(key string) corev1.Taint {
	return corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}
}

// tolerating tolerates the taints with the key for so long, -1 forever.
func tolerating(key string, seconds int64) corev1.Toleration {
	t := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
	if seconds >= 0 {
		t.TolerationSeconds = &seconds
	}
	return t
}

func pod(name string, tolerations ...corev1.Toleration) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-of-" + name), Generation: 2},
		Spec: corev1.PodSpec{NodeName: "mine", Tolerations: tolerations}}
}

func marked(p *corev1.Pod) *corev1.Pod {
	p.Status.Conditions = []corev1.PodCondition{{Type: "DisruptionTarget", Status: "True", Reason: "DeletionByTaintManager"}}
	return p
}

func terminating(p *corev1.Pod) *corev1.Pod {
	p.DeletionTimestamp = &metav1.Time{Time: noon}
	return p
}

// due is the memory in which Pods are due this many seconds after noon.
func due(seconds map[string]int) []byte {
	at := map[types.UID]time.Time{}
	for name, s := range seconds {
		at[types.UID("uid-of-"+name)] = noon.Add(time.Duration(s) * time.Second)
	}
	return encode(at)
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	a, b := noExecuteTaint("a"), noExecuteTaint("b")
	const deletion = "update Pod default/p status\nevent Pod default/p Normal TaintManagerEviction \"Marking for deletion Pod default/p\"\n"
	const cancelled = "event Pod default/p Normal TaintManagerEviction \"Cancelling deletion of Pod default/p\"\n"
	const at12 = "wake at 2026-01-02T12:00:00Z\n"
	tests := []struct {
		name   string
		node   *corev1.Node
		pod    *corev1.Pod
		memory []byte
		want   string
		keeps  []byte // the stored memory afterwards, if it changed
	}{
		{name: "no taints", node: node(), pod: pod("p")},
		{name: "a taint that keeps away but does not evict", node: node(corev1.Taint{Key: "a", Effect: corev1.TaintEffectNoSchedule}), pod: pod("p")},
		{name: "not tolerated", node: node(a), pod: pod("p"), want: deletion + at12},
		{name: "not tolerated, and marked", node: node(a), pod: marked(pod("p")), want: "delete Pod default/p\n"},
		{name: "not tolerated, and on its way out", node: node(a), pod: terminating(pod("p"))},
		{name: "one of two is not tolerated", node: node(a, b), pod: pod("p", tolerating("a", -1)), want: deletion + at12},
		{name: "tolerated for ever", node: node(a), pod: pod("p", tolerating("a", -1))},
		{name: "tolerated for no time", node: node(a), pod: pod("p", tolerating("a", 0)), want: deletion + at12},
		{name: "tolerated for less than no time", node: node(a), pod: pod("p", corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists,
			TolerationSeconds: new(int64(math.MinInt64))}), want: deletion + at12},
		{name: "tolerated for some time", node: node(a), pod: pod("p", tolerating("a", 300)),
			want: "remember\nwake at 2026-01-02T12:05:00Z\n", keeps: due(map[string]int{"p": 300})},
		{name: "tolerated for an age", node: node(a), pod: pod("p", tolerating("a", math.MaxInt64)),
			want: "remember\nwake at 2125-12-09T12:00:00Z\n", keeps: due(map[string]int{"p": longest})},
		{name: "the least of two times", node: node(a, b), pod: pod("p", tolerating("a", 300), tolerating("b", 20)),
			want: "remember\nwake at 2026-01-02T12:00:20Z\n", keeps: due(map[string]int{"p": 20})},
		{name: "one for ever, one for some time", node: node(a, b), pod: pod("p", tolerating("a", -1), tolerating("b", 20)),
			want: "remember\nwake at 2026-01-02T12:00:20Z\n", keeps: due(map[string]int{"p": 20})},
		{name: "the first that fits counts", node: node(a), pod: pod("p", tolerating("", 30), tolerating("a", 20)),
			want: "remember\nwake at 2026-01-02T12:00:30Z\n", keeps: due(map[string]int{"p": 30})},
		{name: "scheduled", node: node(a), pod: pod("p", tolerating("a", 300)), memory: due(map[string]int{"p": 100}),
			want: "wake at 2026-01-02T12:01:40Z\n"},
		{name: "scheduled, and the toleration is longer since", node: node(a), pod: pod("p", tolerating("a", 3000)),
			memory: due(map[string]int{"p": 100}), want: "wake at 2026-01-02T12:01:40Z\n"},
		{name: "scheduled, and tolerated for ever since", node: node(a), pod: pod("p", tolerating("a", -1)),
			memory: due(map[string]int{"p": 100}), want: cancelled + "forget\n", keeps: []byte{}},
		{name: "scheduled, and the taint has gone", node: node(), pod: pod("p", tolerating("a", 300)),
			memory: due(map[string]int{"p": 100}), want: cancelled + "forget\n", keeps: []byte{}},
		{name: "scheduled, and another taint has come", node: node(a, b), pod: pod("p", tolerating("a", 300)),
			memory: due(map[string]int{"p": 100}),
			want: "update Pod default/p status\n" + cancelled +
				"event Pod default/p Normal TaintManagerEviction \"Marking for deletion Pod default/p\"\nforget\n" + at12, keeps: []byte{}},
		{name: "scheduled, and deleted by somebody", node: node(a), pod: terminating(pod("p", tolerating("a", 300))),
			memory: due(map[string]int{"p": 100}), want: "forget\n", keeps: []byte{}},
		{name: "due", node: node(a), pod: pod("p", tolerating("a", 300)), memory: due(map[string]int{"p": 0}), want: deletion + at12},
		{name: "due, and marked", node: node(a), pod: marked(pod("p", tolerating("a", 300))), memory: due(map[string]int{"p": -1}),
			want: "delete Pod default/p\n"},
		{name: "a memory that does not read", node: node(a), pod: pod("p", tolerating("a", 300)), memory: []byte("?"),
			want: "remember\nwake at 2026-01-02T12:05:00Z\n", keeps: due(map[string]int{"p": 300})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, Reconcile, Snapshot{Node: tt.node, Pods: []*corev1.Pod{tt.pod}, Memory: tt.memory, Now: noon})
			if diff := cmp.Diff(tt.want, p.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(tt.keeps), string(p.Memory)); diff != "" {
				t.Errorf("memory (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReconcile_Condition(t *testing.T) {
	t.Parallel()
	p := pod("p")
	p.Status.Conditions = []corev1.PodCondition{{Type: "DisruptionTarget", Status: "False", Reason: "Other"}, {Type: "Ready", Status: "True"}}
	got := laws.Check(t, Reconcile, Snapshot{Node: node(noExecuteTaint("a")), Pods: []*corev1.Pod{p}, Now: noon.Add(time.Millisecond)})
	want := p.DeepCopy()
	want.Status.Conditions = []corev1.PodCondition{{Type: "Ready", Status: "True"}, {Type: "DisruptionTarget", Status: "True", ObservedGeneration: 2,
		LastTransitionTime: metav1.Time{Time: noon}, Reason: "DeletionByTaintManager", Message: "Taint manager: deleting due to NoExecute taint"}}
	if diff := cmp.Diff(want, got.Updates[0].Object); diff != "" {
		t.Errorf("Pod (-want +got):\n%s", diff)
	}
}

// TestReconcile_ManyPods go in batches, and what is remembered of them stays small.
func TestReconcile_ManyPods(t *testing.T) {
	t.Parallel()
	var pods []*corev1.Pod
	for i := range 2000 {
		pods = append(pods, pod(fmt.Sprintf("00000000-0000-4000-8000-%05d", i), tolerating("a", 300)))
	}
	s := Snapshot{Node: node(noExecuteTaint("a")), Pods: pods, Now: noon}
	p := Reconcile(s)
	if len(p.Memory) > 100_000 {
		t.Errorf("2,000 Pods take %d bytes to remember", len(p.Memory))
	}
	s.Memory, s.Now = p.Memory, p.WakeAt
	if p = Reconcile(s); len(p.Updates) != 500 || !p.WakeAt.Equal(s.Now) || p.Memory != nil {
		t.Errorf("when they are due %d are marked, then wake at %v, memory %d bytes; want 500, at once, none", len(p.Updates), p.WakeAt, len(p.Memory))
	}
}

// TestLaw_EveryPodMeetsItsFate takes random taints and tolerations, and leaves out changes at
// random: in the end the Pods are gone that do not tolerate forever, none has gone before its time,
// and nothing is remembered.
func TestLaw_EveryPodMeetsItsFate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{"a", "b"}
		n := node()
		for _, key := range keys {
			if rapid.Bool().Draw(t, "tainted "+key) {
				n.Spec.Taints = append(n.Spec.Taints, noExecuteTaint(key))
			}
		}
		var pods []*corev1.Pod
		for i := range rapid.IntRange(0, 5).Draw(t, "pods") {
			var tolerations []corev1.Toleration
			for _, key := range keys {
				if s := rapid.Int64Range(-2, 20).Draw(t, key); s > -2 {
					tolerations = append(tolerations, tolerating(key, s))
				}
			}
			pods = append(pods, pod(fmt.Sprint(i), tolerations...))
		}
		s := Snapshot{Node: n, Now: noon}
		var memory []byte
		for turn := 0; ; turn++ {
			if turn > 1000 {
				t.Fatal("it does not settle")
			}
			s.Pods, s.Memory = pods, memory
			p := laws.Check(t, Reconcile, s)
			if p.Memory != nil {
				memory = p.Memory
			}
			left := apply(p, pods, func() bool { return turn < 100 && rapid.Bool().Draw(t, "left out") })
			pods = left.pods
			if left.out {
				continue
			}
			if p.WakeAt.IsZero() {
				break
			}
			if p.WakeAt.After(s.Now) {
				s.Now = p.WakeAt
			}
		}
		if len(memory) > 0 {
			s.Pods, s.Memory = pods, memory
			memory = Reconcile(s).Memory
		}
		for _, p := range pods {
			all, forever, _ := tolerates(p.Spec.Tolerations, noExecute(n))
			if p.DeletionTimestamp == nil && (!all || !forever) {
				t.Errorf("Pod %s stays", p.Name)
			}
			if p.DeletionTimestamp != nil && all && forever {
				t.Errorf("Pod %s is gone", p.Name)
			}
		}
		if len(memory) > 0 {
			t.Errorf("still remembered: %s", memory)
		}
	})
}

type applied struct {
	pods []*corev1.Pod
	out  bool
}

// apply makes the plan's changes but for those left out.
func apply(p plan.Plan, pods []*corev1.Pod, leftOut func() bool) (a applied) {
	next := map[types.UID]*corev1.Pod{}
	for _, u := range p.Updates {
		if leftOut() {
			a.out = true
			continue
		}
		next[u.Object.GetUID()] = u.Object.(*corev1.Pod)
	}
	for _, d := range p.Deletes {
		if leftOut() {
			a.out = true
			continue
		}
		next[d.Object.GetUID()] = terminating(d.Object.(*corev1.Pod).DeepCopy())
	}
	for _, pod := range pods {
		if n := next[pod.UID]; n != nil {
			pod = n
		}
		a.pods = append(a.pods, pod)
	}
	return a
}
