package replicaset_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

// victimsOf are the names of the Pods that a scale-down by n deletes, in order.
func victimsOf(n int, rank map[string]int, pods ...*corev1.Pod) (names []string) {
	s := snapshot(replicaSet(int32(len(pods)-n), counted(int32(len(pods)))), pods...)
	s.NodeRank = rank
	for _, d := range replicaset.Reconcile(s).Deletes {
		names = append(names, d.Object.GetName())
	}
	return names
}

// TestVictimOrder sets two Pods against each other, in either order. Where a row says "whatever",
// the next rule would have chosen the other Pod.
func TestVictimOrder(t *testing.T) {
	t.Parallel()
	const (
		s100 = 100 * time.Second
		s110 = 110 * time.Second
		s200 = 200 * time.Second
	)
	zeroReady := func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime.Reset() }
	zeroCreated := func(p *corev1.Pod) { p.CreationTimestamp.Reset() }
	for _, row := range []struct {
		name       string
		goes, stay *corev1.Pod
		rank       map[string]int
	}{
		{"RSC-016 no node before a node, whatever the phase", pod("a", unassigned), pod("b", pending, unready), nil},
		{"RSC-017 Pending before Unknown", pod("a", pending), pod("b", phase(corev1.PodUnknown), unready), nil},
		{"RSC-017 Unknown before Running", pod("a", phase(corev1.PodUnknown)), pod("b", unready), nil},
		{"RSC-018 not Ready before Ready, whatever the cost", pod("a", unready, cost("10")), pod("b", cost("-10")), nil},
		{"RSC-019 lower cost before higher, whatever the rank", pod("a", cost("-5"), on("n2")), pod("b", cost("0")),
			map[string]int{"n1": 9, "n2": 1}},
		{"RSC-029 a negative cost before none", pod("a", cost("-1")), pod("b"), nil},
		{"RSC-029 none before a positive cost", pod("a"), pod("b", cost("1")), nil},
		{"RSC-030 the lowest cost of all", pod("a", cost("-2147483648")), pod("b", cost("-2147483647")), nil},
		{"RSC-031 a cost with a plus sign counts as 0", pod("a", cost("+7")), pod("b", cost("1")), nil},
		{"RSC-031 a cost with leading zeros counts as 0", pod("a", cost("007")), pod("b", cost("1")), nil},
		{"RSC-031 a cost beyond 32 bits counts as 0", pod("a", cost("2147483648")), pod("b", cost("1")), nil},
		{"RSC-020 the fuller node, whatever the time", pod("a", on("n2"), readyFor(s200)), pod("b", readyFor(s100)),
			map[string]int{"n1": 1, "n2": 2}},
		{"RSC-023 Ready for a shorter time, whatever the restarts", pod("a", readyFor(s100)), pod("b", readyFor(s200), restarted(5)), nil},
		{"RSC-023 Ready since unknown first of all", pod("a", zeroReady), pod("b", readyFor(s100)), nil},
		{"RSC-024 more restarts, whatever the age", pod("a", restarted(5), aged(s200)), pod("b", restarted(4), aged(s100)), nil},
		{"RSC-024 regular containers before sidecars", pod("a", restarted(1)), pod("b", sidecarRestarted(9)), nil},
		{"RSC-024 more restarts of sidecars", pod("a", sidecarRestarted(2)), pod("b", sidecarRestarted(1)), nil},
		{"RSC-025 the younger", pod("a", aged(s100)), pod("b", aged(s200)), nil},
		{"RSC-025 unknown age first of all", pod("a", zeroCreated), pod("b", aged(s100)), nil},
		{"RSC-025 ages decide between Pods that are not Ready", pod("a", unready, aged(s100), readyFor(s200)),
			pod("b", unready, aged(s200), readyFor(s100)), nil},
		{"RSC-026 in one bucket of age the smaller uid", pod("a", aged(s110), uid("1")), pod("b", aged(s100), uid("2")), nil},
		{"RSC-026 in one bucket of readiness the smaller uid", pod("a", readyFor(s110), uid("1")), pod("b", readyFor(s100), uid("2")), nil},
		{"RSC-026 no age at all before the smallest", pod("a", aged(0)), pod("b", aged(1)), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, order := range [][]*corev1.Pod{{row.goes, row.stay}, {row.stay, row.goes}} {
				if d := cmp.Diff([]string{row.goes.Name}, victimsOf(1, row.rank, order...)); d != "" {
					t.Errorf("victims of %s, %s (-want +got):\n%s", order[0].Name, order[1].Name, d)
				}
			}
		})
	}
}

func TestVictims(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		n    int
		rank map[string]int
		pods []*corev1.Pod
		want []string
	}{
		{"RSC-015 all go as they come", 3, nil, []*corev1.Pod{pod("b"), pod("c", pending), pod("a")}, []string{"b", "c", "a"}},
		{"RSC-019 of costs 10, 0 and -5", 1, nil,
			[]*corev1.Pod{pod("a", cost("10")), pod("b", cost("0")), pod("c", cost("-5"))}, []string{"c"}},
		{"RSC-020 two on one node, one on the other", 1, nil,
			[]*corev1.Pod{pod("a"), pod("b", on("n2")), pod("c", on("n2"))}, []string{"b"}},
		{"RSC-021 RSC-022 related Pods count: rank 3 on n1, rank 1 on n2", 2, map[string]int{"n1": 3, "n2": 1},
			[]*corev1.Pod{pod("p4", on("n2"), unready, aged(time.Second)), pod("p1"), pod("p2"), pod("p3", on("n2"))},
			[]string{"p4", "p1"}},
		{"RSC-013 every rule at once, worst first", 6, map[string]int{"n1": 1, "n2": 2}, []*corev1.Pod{
			pod("old"), pod("young", aged(time.Second)), pod("crowded", on("n2")), pod("cheap", cost("-1")),
			pod("unready", unready), pod("pending", pending), pod("nowhere", unassigned),
		}, []string{"nowhere", "pending", "unready", "cheap", "crowded", "young"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, victimsOf(row.n, row.rank, row.pods...)); d != "" {
				t.Errorf("victims (-want +got):\n%s", d)
			}
		})
	}
}
