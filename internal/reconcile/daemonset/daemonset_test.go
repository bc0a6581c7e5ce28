package daemonset_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
)

const (
	newStatus = "update DaemonSet default/d status\n"
	create    = "create Pod default/d-*\n"
	created   = `event DaemonSet default/d Normal SuccessfulCreate "Created pod: %s"` + "\n"
)

func deletes(names ...string) (out string) {
	for _, name := range names {
		out += "delete Pod default/" + name + "\n"
	}
	for _, name := range names {
		out += `event DaemonSet default/d Normal SuccessfulDelete "Deleted pod: ` + name + "\"\n"
	}
	return out
}

func times(n int, s string) string { return strings.Repeat(s, n) }

func creates(n int) string { return times(n, create) + times(n, created) }

type row struct {
	name string
	s    daemonset.Snapshot
	want string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, daemonset.Reconcile(row.s).String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

func TestManage(t *testing.T) {
	t.Parallel()
	selecting := func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.NodeSelector = map[string]string{"disk": "ssd"} }
	ssd := func(n *corev1.Node) { n.Labels["disk"] = "ssd" }
	key := func(effect corev1.TaintEffect) func(*corev1.Node) { return tainted("key", effect) }
	misscheduled := counted(0, 0)
	surging := bounds("0", "1")
	failed := phase(corev1.PodFailed)
	failedEvent := `event DaemonSet default/d Warning FailedDaemonPod "Found failed daemon pod default/p0 on node n0, will try to kill it"` + "\n"
	check(t, []row{
		{"all is as it should be", snapshot(set(counted(2, 2)), nodes(2), all(pods(2))...), ""},
		{"DS-001 one Pod a node", snapshot(set(counted(0, 3)), nodes(3)), creates(3)},
		{"DS-001 a new node gets a Pod", snapshot(set(counted(2, 3)), nodes(3), all(pods(2))...), creates(1)},
		{"DS-001 the Pods of a node that is gone are left to others", snapshot(set(counted(1, 1)), nodes(1), all(pods(2))...), ""},
		{"but not those that have not been bound", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0"), pod("p1", "n1", waiting)), deletes("p1")},
		{"a Pod that waits for its node is one", snapshot(set(counted(0, 1), status(func(s *appsv1.DaemonSetStatus) {
			s.CurrentNumberScheduled, s.UpdatedNumberScheduled = 1, 1
		})), nodes(1), pod("p0", "n0", waiting)), ""},
		{"DS-008 only on nodes that are selected", snapshot(set(selecting, counted(0, 1)), []*corev1.Node{node("a"), node("b", ssd)}), creates(1)},
		{"DS-009 a node that does not match any more loses its Pod", snapshot(set(selecting, misscheduled, status(func(s *appsv1.DaemonSetStatus) {
			s.NumberMisscheduled = 1
		})), nodes(1), pod("p0", "n0")), deletes("p0")},
		{"DS-010 the node that the template names alone", snapshot(set(func(ds *appsv1.DaemonSet) {
			ds.Spec.Template.Spec.NodeName = "n1"
		}, counted(0, 1)), nodes(3)), creates(1)},
		{"DS-019 a cordoned node", snapshot(set(counted(0, 1)), []*corev1.Node{node("n0", tainted(corev1.TaintNodeUnschedulable, "NoSchedule"))}), creates(1)},
		{"no Pod for a node with a taint", snapshot(set(), []*corev1.Node{node("n0", key("NoSchedule")), node("n1", key("NoExecute"))}), ""},
		{"one that is only avoided", snapshot(set(counted(0, 1)), []*corev1.Node{node("n0", key("PreferNoSchedule"))}), creates(1)},
		{"a Pod stays where a new one would not come", snapshot(set(misscheduled, status(func(s *appsv1.DaemonSetStatus) {
			s.NumberMisscheduled = 1
		})), []*corev1.Node{node("n0", key("NoSchedule"))}, pod("p0", "n0")), ""},
		{"and goes where it may not stay", snapshot(set(misscheduled, status(func(s *appsv1.DaemonSetStatus) {
			s.NumberMisscheduled = 1
		})), []*corev1.Node{node("n0", key("NoExecute"))}, pod("p0", "n0")), deletes("p0")},
		{"DS-022 a node in trouble keeps its Pod", snapshot(set(counted(1, 1)), []*corev1.Node{node("n0",
			tainted(corev1.TaintNodeUnreachable, "NoExecute"), tainted(corev1.TaintNodeNotReady, "NoExecute"), tainted(corev1.TaintNodeUnreachable, "NoSchedule"))},
			pod("p0", "n0")), newStatus},
		{"DS-024 DS-028 orphans are adopted, wherever they are", snapshot(set(counted(1, 2)), nodes(2), pod("a", "n0", orphan)),
			"update Pod default/a\n" + creates(1)},
		{"a surplus orphan is adopted first", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0"), pod("a", "n0", orphan, aged(time.Minute))), "update Pod default/a\n"},
		{"and deleted then, as the younger one goes", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0"), pod("a", "n0", aged(time.Minute))), deletes("a")},
		{"one without a node goes before one with a node", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", aged(time.Minute)), pod("a", "n0", waiting)), deletes("a")},
		{"a relabelled Pod is released and replaced", snapshot(set(counted(0, 1)), nodes(1), pod("a", "n0", unmatched)), "update Pod default/a\n" + creates(1)},
		{"DS-027 a Pod that is being deleted is waited for", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", ending)), ""},
		{"but not if it has ended", snapshot(set(counted(0, 1)), nodes(1), pod("p0", "n0", ending, failed)), creates(1)},
		{"nor if there may be two", snapshot(set(counted(1, 1), surging), nodes(1), pod("p0", "n0", ending)), creates(1)},
		{"DS-027 a failed Pod is replaced", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", failed)),
			"delete Pod default/p0\n" + failedEvent + strings.TrimPrefix(deletes("p0"), "delete Pod default/p0\n") + "remember\n"},
		{"after a pause if the last one failed lately", with(snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", failed)), func(s *daemonset.Snapshot) {
			s.Memory = []byte(`{"generation":1,"nodes":{"n0":{"at":"2026-01-02T03:04:04Z","pause":4000000000}}}`)
		}), "wake at 2026-01-02T03:04:08Z\n"},
		{"which ends", with(snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", failed)), func(s *daemonset.Snapshot) {
			s.Memory = []byte(`{"generation":1,"nodes":{"n0":{"at":"2026-01-02T03:04:01Z","pause":4000000000}}}`)
		}), "delete Pod default/p0\n" + failedEvent + strings.TrimPrefix(deletes("p0"), "delete Pod default/p0\n") + "remember\n"},
		{"and is forgotten with another spec", with(snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0")), func(s *daemonset.Snapshot) {
			s.Memory = []byte(`{"generation":7,"nodes":{"n0":{"at":"2026-01-02T03:04:04Z","pause":4000000000}}}`)
		}), "forget\n"},
		{"a Pod that has succeeded likewise, at once", snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", phase(corev1.PodSucceeded))), "delete Pod default/p0\n" +
			`event DaemonSet default/d Normal SucceededDaemonPod "Found succeeded daemon pod default/p0 on node n0, will try to delete it"` + "\n" +
			strings.TrimPrefix(deletes("p0"), "delete Pod default/p0\n")},
		{"what is being deleted does nothing", snapshot(set(func(ds *appsv1.DaemonSet) { ds.DeletionTimestamp = &deleted }), nodes(2), pod("p0", "n0"), pod("a", "n1", orphan)), ""},
		{"an unusable selector", snapshot(set(func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Sometimes"}}
		}), nodes(1)), ""},
		{"no more than a burst", snapshot(set(counted(0, 300)), nodes(300)), creates(daemonset.Burst)},
		{"nor of deletions", snapshot(set(selecting, misscheduled, status(func(s *appsv1.DaemonSetStatus) { s.NumberMisscheduled = 1 })), nodes(1),
			all(func() (many []*corev1.Pod) {
				for range 300 {
					many = append(many, pod("p", "n0"))
				}
				return many
			}())...), times(250, "delete Pod default/p\n") + times(250, `event DaemonSet default/d Normal SuccessfulDelete "Deleted pod: p"`+"\n")},
		{"as many as the quota admits", refused(snapshot(set(counted(0, 3)), nodes(3)), plan.Refusal{Admitted: 1, Message: "too many"}),
			creates(1) + `event DaemonSet default/d Warning FailedCreate "Error creating: too many"` + "\n"},
		{"a namespace that goes is nothing to tell", refused(snapshot(set(counted(0, 3)), nodes(3)), plan.Refusal{NamespaceTerminating: true}), ""},
		{"two Pods of which the new one is not available stay", snapshot(set(surging, image("b", 2), counted(1, 1), status(func(s *appsv1.DaemonSetStatus) {
			s.UpdatedNumberScheduled = 0
		})), nodes(1), pod("p0", "n0"), pod("a", "n0", later, unready, aged(0))), ""},
		{"of two the old one goes when it is not ready", snapshot(set(surging, image("b", 2), counted(0, 1), status(func(s *appsv1.DaemonSetStatus) {
			s.CurrentNumberScheduled = 1
		})), nodes(1), pod("p0", "n0", unready), pod("a", "n0", later, unready, aged(0))), deletes("p0")},
		{"of three the youngest of a kind goes", snapshot(set(surging, image("b", 2), counted(1, 1), status(func(s *appsv1.DaemonSetStatus) {
			s.UpdatedNumberScheduled = 0
		})), nodes(1), pod("p0", "n0"), pod("a", "n0", later, unready, aged(2)), pod("b", "n0", later, unready, aged(1))), deletes("b")},
	})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	seconds := func(ds *appsv1.DaemonSet) { ds.Spec.MinReadySeconds, ds.Generation = 10, 2 }
	ds := set(onDelete, image("b", 2), seconds, status(func(s *appsv1.DaemonSetStatus) { s.CollisionCount = new(int32(3)) }))
	s := snapshot(ds, append(nodes(7), node("t", tainted("key", "NoSchedule"))),
		pod("available", "n0", later), pod("ready", "n1", later, readyFor(4*time.Second)), pod("old", "n2"), pod("unready", "n3", unready),
		pod("waiting", "n4", waiting), pod("first", "n5", later), pod("second", "n5", unready, aged(0), ending),
		pod("misplaced", "t"))
	p := daemonset.Reconcile(with(s, func(s *daemonset.Snapshot) { s.Pods = append(s.Pods, pod("gone", "n9")) }))
	want := appsv1.DaemonSetStatus{
		DesiredNumberScheduled: 7, CurrentNumberScheduled: 6, NumberMisscheduled: 1, NumberReady: 4, UpdatedNumberScheduled: 3,
		NumberAvailable: 3, NumberUnavailable: 4, ObservedGeneration: 2, CollisionCount: new(int32(3)),
	}
	if d := cmp.Diff(want, p.Updates[0].Object.(*appsv1.DaemonSet).Status); d != "" {
		t.Errorf("status (-want +got):\n%s", d)
	}
	if want := now.Add(6 * time.Second); !p.WakeAt.Equal(want) {
		t.Errorf("wakes at %v, want %v, when another is available", p.WakeAt, want)
	}
}

func TestRollingUpdate(t *testing.T) {
	t.Parallel()
	next := image("b", 2)
	// running is a status of n nodes with Pods, with the numbers of available and of updated ones.
	running := func(n, available, updated int32) func(*appsv1.DaemonSet) {
		return status(func(s *appsv1.DaemonSetStatus) {
			s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.UpdatedNumberScheduled = n, n, updated
			s.NumberReady, s.NumberAvailable, s.NumberUnavailable = available, available, n-available
		})
	}
	old, renewed := pods(4), pods(4, later)
	check(t, []row{
		{"DS-025 one after the other", snapshot(set(next, running(4, 4, 0)), nodes(4), all(old)...), deletes("p0")},
		{"the next", snapshot(set(next, running(4, 4, 1)), nodes(4), all(renewed[:1], old[1:])...), deletes("p1")},
		{"not before the last is available", snapshot(set(next, running(4, 3, 1)), nodes(4), append(all(old[1:]), pod("p0", "n0", later, unready))...), ""},
		{"nor while it is being replaced", snapshot(set(next, running(4, 4, 0)), nodes(4), append(all(old[1:]), pod("p0", "n0", ending))...), ""},
		{"DS-025 done", snapshot(set(next, running(4, 4, 4)), nodes(4), all(renewed)...), ""},
		{"half of them at once", snapshot(set(next, bounds("50%", "0"), running(4, 4, 0)), nodes(4), all(old)...), deletes("p0", "p1")},
		{"a percentage is rounded up", snapshot(set(next, bounds("1%", "0"), running(4, 4, 0)), nodes(4), all(old)...), deletes("p0")},
		{"an old Pod that is not available goes first", snapshot(set(next, running(4, 3, 0)), nodes(4),
			append(all(old[:3]), pod("p3", "n3", unready))...), deletes("p3")},
		{"all of those, whatever the bound", snapshot(set(next, running(4, 2, 0)), nodes(4),
			append(all(old[:2]), pod("p2", "n2", unready), pod("p3", "n3", unready))...), deletes("p2", "p3")},
		{"an old generation's label is as good as its hash", snapshot(set(next, running(1, 1, 1)), nodes(1), pod("p0", "n0", func(p *corev1.Pod) {
			p.Labels["pod-template-generation"] = "2"
		})), ""},
		{"DS-026 OnDelete replaces nothing", snapshot(set(next, onDelete, running(4, 4, 0)), nodes(4), all(old)...), ""},
		{"a node without a Pod comes first", snapshot(set(next, running(4, 3, 0), status(func(s *appsv1.DaemonSetStatus) {
			s.CurrentNumberScheduled = 3
		})), nodes(4), all(old[:3])...), creates(1)},
		{"with both bounds zero one node at a time", snapshot(set(next, bounds("0", "0"), running(4, 4, 0)), nodes(4), all(old)...), deletes("p0")},

		{"surge: new Pods beside old ones", snapshot(set(next, bounds("0", "2"), running(4, 4, 0)), nodes(4), all(old)...), creates(2)},
		{"surge: no others until those are available", snapshot(set(next, bounds("0", "2"), running(4, 4, 0)), nodes(4), append(all(old),
			pod("a", "n0", later, unready, aged(0)), pod("b", "n1", later, unready, aged(0)))...), ""},
		{"surge: the old Pod goes then", snapshot(set(next, bounds("0", "2"), running(4, 4, 0)), nodes(4), append(all(old),
			pod("a", "n0", later, aged(0)), pod("b", "n1", later, unready, aged(0)))...), deletes("p0")},
		{"surge: where the old Pod is not available at once", snapshot(set(next, bounds("0", "1"), running(4, 2, 0)), nodes(4),
			append(all(old[:2]), pod("p2", "n2", unready), pod("p3", "n3", unready))...), creates(3)},
		{"surge: an available Pod on a node that repels it stays until there are enough", snapshot(set(next, bounds("0", "1"), running(1, 0, 1),
			status(func(s *appsv1.DaemonSetStatus) { s.NumberMisscheduled = 1 })),
			[]*corev1.Node{node("n0"), node("n1", tainted("key", "NoSchedule"))}, pod("p0", "n0", later, unready), pod("p1", "n1")), ""},
		{"surge: and goes then", snapshot(set(next, bounds("0", "1"), running(1, 1, 1), status(func(s *appsv1.DaemonSetStatus) { s.NumberMisscheduled = 1 })),
			[]*corev1.Node{node("n0"), node("n1", tainted("key", "NoSchedule"))}, pod("p0", "n0", later), pod("p1", "n1")), deletes("p1")},
		{"surge: one that is not available goes at once", snapshot(set(next, bounds("0", "1"), running(1, 0, 1), status(func(s *appsv1.DaemonSetStatus) { s.NumberMisscheduled = 1 })),
			[]*corev1.Node{node("n0"), node("n1", tainted("key", "NoSchedule"))}, pod("p0", "n0", later, unready), pod("p1", "n1", unready)), deletes("p1")},
	})
}

// TestDS_ReplacedOnlyIfReleased: a client may undo the change of a Pod's labels before the Pod is
// released. The Pod is then not replaced either.
func TestDS_ReplacedOnlyIfReleased(t *testing.T) {
	t.Parallel()
	released := pod("a", "n0", unmatched)
	got := daemonset.Reconcile(snapshot(set(counted(0, 1)), nodes(1), released))
	if len(got.Creates) != 1 || got.Creates[0].NeedsUpdate != released.UID {
		t.Errorf("the creations are %+v, want one that needs the release", got.Creates)
	}
}
