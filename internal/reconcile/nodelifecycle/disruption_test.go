package nodelifecycle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// standingOf is a node whose condition Ready has had the status since this many seconds after noon.
func standingOf(name string, ready corev1.ConditionStatus, since int, taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Taints: taints},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready, LastTransitionTime: at(since)}}}}
}

func noExecute(key string, added int) corev1.Taint {
	return corev1.Taint{Key: "node.kubernetes.io/" + key, Effect: corev1.TaintEffectNoExecute, TimeAdded: new(at(added))}
}

func inZone(zone string, nodes ...*corev1.Node) []*corev1.Node {
	for _, n := range nodes {
		n.Labels = map[string]string{corev1.LabelTopologyZone: zone}
	}
	return nodes
}

// evictTaints is the taints that evict, after the plan, of the nodes that it changes.
func evictTaints(c Cluster) string {
	var b strings.Builder
	p := TaintUnready(c)
	for _, u := range p.Updates {
		fmt.Fprintf(&b, "%s:", u.Object.GetName())
		for _, t := range u.Object.(*corev1.Node).Spec.Taints {
			fmt.Fprintf(&b, " %s/%s", strings.TrimPrefix(t.Key, "node.kubernetes.io/"), t.Effect)
			if t.TimeAdded != nil {
				fmt.Fprintf(&b, "@%v", t.TimeAdded.Sub(noon))
			}
		}
		b.WriteByte('\n')
	}
	if !p.WakeAt.IsZero() {
		fmt.Fprintf(&b, "wake at %v\n", p.WakeAt.Sub(noon))
	}
	return b.String()
}

func TestTaintUnready(t *testing.T) {
	t.Parallel()
	ready := func(name string) *corev1.Node { return standingOf(name, "True", 0) }
	many := func(ready, unready int) (nodes []*corev1.Node) {
		for i := range ready {
			nodes = append(nodes, standingOf(fmt.Sprintf("ready-%03d", i), "True", 0))
		}
		for i := range unready {
			nodes = append(nodes, standingOf(fmt.Sprintf("unready-%03d", i), "Unknown", 0))
		}
		return nodes
	}
	mine := corev1.Taint{Key: "mine", Effect: corev1.TaintEffectNoExecute}
	unreachable := corev1.Taint{Key: "node.kubernetes.io/unreachable", Effect: corev1.TaintEffectNoExecute}
	tests := []struct {
		name  string
		nodes []*corev1.Node
		want  string
	}{
		{"all is well", []*corev1.Node{ready("a"), ready("b")}, ""},
		{"one is not reachable", []*corev1.Node{ready("a"), standingOf("b", "Unknown", 0, mine)}, "b: mine/NoExecute unreachable/NoExecute@1m40s\n"},
		{"one is not ready", []*corev1.Node{ready("a"), standingOf("b", "False", 0)}, "b: not-ready/NoExecute@1m40s\n"},
		{"one has never been", []*corev1.Node{ready("a"), {ObjectMeta: metav1.ObjectMeta{Name: "b"}}}, ""},
		{"tainted", []*corev1.Node{ready("a"), standingOf("b", "Unknown", 0, noExecute("unreachable", 50))}, ""},
		{"no longer reachable", []*corev1.Node{ready("a"), standingOf("b", "Unknown", 0, noExecute("not-ready", 99))}, "b: unreachable/NoExecute@1m40s\n"},
		{"both taints", []*corev1.Node{ready("a"), standingOf("b", "False", 0, noExecute("unreachable", 9), noExecute("not-ready", 9))}, "b: not-ready/NoExecute@9s\n"},
		{"ready again", []*corev1.Node{standingOf("a", "True", 0, noExecute("unreachable", 50), mine), standingOf("b", "True", 0, unreachable)},
			"a: mine/NoExecute\nb:\n"},
		{"two: first the one that has gone first", []*corev1.Node{ready("z"), standingOf("a", "Unknown", 60), standingOf("b", "Unknown", 50)},
			"b: unreachable/NoExecute@1m40s\nwake at 1m50s\n"},
		{"two: the other ten seconds later", []*corev1.Node{ready("z"), standingOf("a", "Unknown", 60), standingOf("b", "Unknown", 50, noExecute("unreachable", 95))},
			"wake at 1m45s\n"},
		{"a taint from the future holds nobody up", []*corev1.Node{ready("z"), standingOf("a", "Unknown", 60), standingOf("b", "Unknown", 50, noExecute("unreachable", 9999))},
			"a: unreachable/NoExecute@1m40s\n"},
		{"two of three: that is not most of a zone", many(1, 2), "unready-000: unreachable/NoExecute@1m40s\nwake at 1m50s\n"},
		{"most of a small zone", many(2, 3), ""},
		{"half of a small zone", many(3, 3), "unready-000: unreachable/NoExecute@1m40s\nwake at 1m50s\n"},
		{"most of a large zone", many(20, 31), "unready-000: unreachable/NoExecute@1m40s\nwake at 3m20s\n"},
		{"a zone alone", slices.Concat(inZone("x", standingOf("a", "Unknown", 0), standingOf("b", "Unknown", 0)), inZone("y", ready("c"))),
			"a: unreachable/NoExecute@1m40s\nwake at 1m50s\n"},
		{"zones do not wait for each other", slices.Concat(inZone("x", standingOf("a", "Unknown", 0), ready("b")), inZone("y", ready("c"), standingOf("d", "False", 0))),
			"a: unreachable/NoExecute@1m40s\nd: not-ready/NoExecute@1m40s\n"},
		{"everything", slices.Concat(inZone("x", standingOf("a", "Unknown", 0, noExecute("unreachable", 50), mine)), inZone("y", standingOf("b", "False", 0))),
			"a: mine/NoExecute\n"},
		{"everything but what does not count", []*corev1.Node{standingOf("a", "Unknown", 0), excluded(ready("b"))}, ""},
		{"what does not count is tainted", []*corev1.Node{ready("a"), excluded(standingOf("b", "Unknown", 0))}, "b: unreachable/NoExecute@1m40s\n"},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := Cluster{Nodes: tt.nodes, Now: at(100).Time}
			laws.Check(t, TaintUnready, c)
			if diff := cmp.Diff(tt.want, evictTaints(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func excluded(n *corev1.Node) *corev1.Node {
	n.Labels = map[string]string{"node.kubernetes.io/exclude-disruption": ""}
	return n
}

// TestLaw_TaintsFollowReadiness lets nodes change at random: when nothing more happens, nodes that
// are ready have no taint that evicts, and others have theirs, unless most of their zone, or
// everything, is not ready.
func TestLaw_TaintsFollowReadiness(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := map[string]*corev1.Node{}
		for i := range rapid.IntRange(1, 9).Draw(t, "nodes") {
			name := fmt.Sprint("node-", i)
			nodes[name] = inZone(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "zone"), standingOf(name, "True", 0))[0]
		}
		now := noon
		settle := func() {
			for range 100 {
				c := Cluster{Now: now}
				for _, name := range slices.Sorted(maps.Keys(nodes)) {
					c.Nodes = append(c.Nodes, nodes[name])
				}
				p := laws.Check(t, TaintUnready, c)
				for _, u := range p.Updates {
					nodes[u.Object.GetName()] = u.Object.(*corev1.Node)
				}
				if p.Empty() && p.WakeAt.IsZero() {
					return
				}
				if p.WakeAt.After(now) {
					now = p.WakeAt
				}
			}
			t.Fatal("it does not settle")
		}
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			for _, name := range slices.Sorted(maps.Keys(nodes)) {
				n := nodes[name].DeepCopy()
				n.Status.Conditions[0].Status = rapid.SampledFrom([]corev1.ConditionStatus{"True", "False", "Unknown"}).Draw(t, name)
				nodes[name] = n
			}
			settle()
			now = now.Add(time.Minute)
		}
		anyReady := false
		for _, n := range nodes {
			anyReady = anyReady || readiness(n) == "True"
		}
		for _, n := range nodes {
			switch want := unreadyTaints[readiness(n)]; {
			case want == "" || !anyReady:
				if evictingTaint(n) != nil {
					t.Errorf("%s, %s, is tainted: %v", n.Name, readiness(n), n.Spec.Taints)
				}
			case evictingTaint(n) == nil:
				z := zone{}
				for _, other := range nodes {
					if other.Labels[corev1.LabelTopologyZone] != n.Labels[corev1.LabelTopologyZone] {
						continue
					}
					if readiness(other) == "True" {
						z.ready++
					} else {
						z.unready++
					}
				}
				if z.every() != 0 {
					t.Errorf("%s, %s, is not tainted", n.Name, readiness(n))
				}
			case !hasOnly(n, want):
				t.Errorf("%s, %s, has the taints %v", n.Name, readiness(n), n.Spec.Taints)
			}
		}
	})
}
