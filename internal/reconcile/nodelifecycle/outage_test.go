package nodelifecycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// at is this many seconds after noon.
func at(seconds int) metav1.Time {
	return metav1.Time{Time: noon.Add(time.Duration(seconds) * time.Second)}
}

// annotated has a fault and the record of an outage; "" for none.
func annotated(fault, record string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Annotations = map[string]string{}
		if fault != "" {
			n.Annotations[outage.Annotation] = fault
		}
		if record != "" {
			n.Annotations[outage.Record] = record
		}
	}
}

// unknown sets the conditions to Unknown since a time, with the last heartbeat at another.
func unknown(n *corev1.Node, heard, since metav1.Time) {
	for i := range n.Status.Conditions {
		c := &n.Status.Conditions[i]
		c.Status, c.Reason, c.Message, c.LastTransitionTime = "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", since
		c.LastHeartbeatTime = heard
	}
}

// TestFollow_AnOutage goes through one, sync by sync.
func TestFollow_AnOutage(t *testing.T) {
	t.Parallel()
	n := settled(annotated("failed", ""))
	look := func(seconds int, want string) {
		t.Helper()
		p := laws.Check(t, Reconcile, Snapshot{Node: n, Now: at(seconds).Time})
		if diff := cmp.Diff(want, p.String()); diff != "" {
			t.Fatalf("at %ds (-want +got):\n%s", seconds, diff)
		}
		if len(p.Updates) > 0 {
			n = p.Updates[0].Object.(*corev1.Node)
		}
	}
	check := func(what string, change func(*corev1.Node)) {
		t.Helper()
		if diff := cmp.Diff(settled(change), n); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}

	look(10, "update Node mine\nwake at 2026-01-02T12:01:00Z\n")
	check("seen", annotated("failed", "failed 2026-01-02T12:00:10Z"))
	look(59, "wake at 2026-01-02T12:01:00Z\n")
	look(60, "update Node mine\nevent Node mine Normal NodeNotReady \"Node mine status is now: NodeNotReady\"\n")
	check("lost", func(n *corev1.Node) {
		annotated("failed", "failed 2026-01-02T12:00:10Z")(n)
		unknown(n, at(10), at(60))
		n.Spec.Taints = []corev1.Taint{noSchedule("node.kubernetes.io/unreachable", new(at(60)))}
	})
	look(600, "")

	n = n.DeepCopy()
	delete(n.Annotations, outage.Annotation)
	boot := bootID("mine", at(700).Time)
	look(700, "update Node mine\nevent Node mine Normal NodeReady \"Node mine status is now: NodeReady\"\n"+
		"event Node mine Warning Rebooted \"Node mine has been rebooted, boot id: "+boot+"\"\n")
	check("back", func(n *corev1.Node) {
		annotated("", "failed 2026-01-02T12:00:10Z 2026-01-02T12:11:40Z")(n)
		for i := range n.Status.Conditions {
			n.Status.Conditions[i].LastHeartbeatTime, n.Status.Conditions[i].LastTransitionTime = at(700), at(700)
		}
		n.Status.NodeInfo.BootID = boot
	})
	look(800, "")
}

func TestFollow(t *testing.T) {
	t.Parallel()
	later := at(100)
	tests := []struct {
		name, fault, record string
		also                func(*corev1.Node)
		want                string // the plan
		left                string // the record afterwards
	}{
		{name: "a cut-off node crashes", fault: "failed", record: "unreachable 2026-01-02T12:00:00Z",
			want: "update Node mine\nwake at 2026-01-02T12:02:30Z\n", left: "failed 2026-01-02T12:01:40Z"},
		{name: "a crashed node is cut off: its containers stay dead", fault: "unreachable", record: "failed 2026-01-02T12:01:00Z",
			want: "wake at 2026-01-02T12:01:50Z\n", left: "failed 2026-01-02T12:01:00Z"},
		{name: "back before anybody has missed it", record: "unreachable 2026-01-02T12:01:00Z",
			want: "update Node mine\n", left: "unreachable 2026-01-02T12:01:00Z 2026-01-02T12:01:40Z"},
		{name: "back before it was out, as somebody has written", record: "unreachable 2026-01-02T13:00:00Z",
			want: "update Node mine\n", left: "unreachable 2026-01-02T13:00:00Z 2026-01-02T13:00:00Z"},
		{name: "out again", fault: "unreachable", record: "failed 2026-01-02T12:00:00Z 2026-01-02T12:01:00Z",
			want: "update Node mine\nwake at 2026-01-02T12:02:30Z\n", left: "unreachable 2026-01-02T12:01:40Z"},
		{name: "one that a client has made not ready is lost without an event", fault: "failed", record: "failed 2026-01-02T12:00:00Z",
			also: func(n *corev1.Node) { n.Status.Conditions[3].Status = "False" },
			want: "update Node mine\n", left: "failed 2026-01-02T12:00:00Z"},
		{name: "what a client says stays", record: "unreachable 2026-01-02T12:00:00Z",
			also: func(n *corev1.Node) {
				n.Status.Conditions[3].Status = "False"
				n.Spec.Taints = []corev1.Taint{noSchedule("node.kubernetes.io/not-ready", nil)}
			},
			want: "update Node mine\n", left: "unreachable 2026-01-02T12:00:00Z 2026-01-02T12:01:40Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := settled(annotated(tt.fault, tt.record))
			if tt.also != nil {
				tt.also(n)
			}
			p := laws.Check(t, Reconcile, Snapshot{Node: n, Now: later.Time})
			if diff := cmp.Diff(tt.want, p.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if len(p.Updates) > 0 {
				n = p.Updates[0].Object.(*corev1.Node)
			}
			if got := n.Annotations[outage.Record]; got != tt.left {
				t.Errorf("the record is %q, want %q", got, tt.left)
			}
		})
	}
}

// TestFollow_ANodeThatNeverReported has no conditions until it is given up, which takes a little
// longer.
func TestFollow_ANodeThatNeverReported(t *testing.T) {
	t.Parallel()
	n := bare(func(n *corev1.Node) {
		n.CreationTimestamp = at(-5)
		annotated("unreachable", "unreachable 2026-01-02T12:00:00Z")(n)
	})
	if diff := cmp.Diff("wake at 2026-01-02T12:01:00Z\n", Reconcile(Snapshot{Node: n, Now: at(59).Time}).String()); diff != "" {
		t.Errorf("at 59s (-want +got):\n%s", diff)
	}
	p := laws.Check(t, Reconcile, Snapshot{Node: n, Now: at(60).Time})
	if diff := cmp.Diff("update Node mine\n", p.String()); diff != "" {
		t.Fatalf("at 60s (-want +got):\n%s", diff)
	}
	got := p.Updates[0].Object.(*corev1.Node).Status.Conditions
	if want := (corev1.NodeCondition{Type: "Ready", Status: "Unknown", LastHeartbeatTime: at(-5), LastTransitionTime: at(60),
		Reason: "NodeStatusNeverUpdated", Message: "Kubelet never posted node status."}); len(got) != 4 || got[3] != want {
		t.Errorf("conditions are %v, want four, the last %v", got, want)
	}
}

func TestReconcilePods(t *testing.T) {
	t.Parallel()
	out := func(change func(*corev1.Node)) *corev1.Node {
		return settled(func(n *corev1.Node) {
			annotated("failed", "failed 2026-01-02T12:00:00Z")(n)
			unknown(n, at(0), at(50))
			if change != nil {
				change(n)
			}
		})
	}
	abandoned := func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "node.kubernetes.io/out-of-service", Effect: corev1.TaintEffectNoExecute}}
	}
	ready := func() *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "p", Generation: 3},
			Status: corev1.PodStatus{Phase: "Running", Conditions: []corev1.PodCondition{{Type: "Ready", Status: "True", LastTransitionTime: stamp}}}}
	}
	going := ready()
	going.DeletionTimestamp, going.Status.Conditions = &stamp, nil
	ended := going.DeepCopy()
	ended.Status.Phase = "Failed"
	pending := ready()
	pending.Status = corev1.PodStatus{Phase: "Pending"}
	const notReady = "update Pod default/p status\nevent Pod default/p Warning NodeNotReady \"Node is not ready\"\n"
	tests := []struct {
		name string
		node *corev1.Node
		pod  *corev1.Pod
		want string
	}{
		{"on a node that is well", settled(nil), ready(), ""},
		{"on a node that is out", out(nil), ready(), notReady},
		{"before it is missed", settled(annotated("failed", "failed 2026-01-02T12:00:00Z")), ready(), ""},
		{"on a node that a client has made not ready", settled(func(n *corev1.Node) { n.Status.Conditions[3].Status = "False" }), ready(), ""},
		{"not begun", out(nil), pending, ""},
		{"on its way out", out(nil), going, ""},
		{"on its way out, on a node out of service", out(abandoned), going, "update Pod default/p status\nwake at 2026-01-02T12:01:00Z\n"},
		{"at its end, on a node out of service", out(abandoned), ended, "delete Pod default/p grace=0s\n"},
		{"on a node out of service that is well", settled(abandoned), going, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, ReconcilePods, Bound{Node: tt.node, Pods: []*corev1.Pod{tt.pod}, Now: at(60).Time})
			if diff := cmp.Diff(tt.want, p.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}

	p := ReconcilePods(Bound{Node: out(nil), Pods: []*corev1.Pod{ready()}, Now: at(60).Time})
	want := ready()
	want.Status.Conditions[0].Status, want.Status.Conditions[0].LastTransitionTime = "False", at(60)
	if diff := cmp.Diff(want, p.Updates[0].Object); diff != "" {
		t.Errorf("Pod (-want +got):\n%s", diff)
	}
	many := Bound{Node: out(nil), Now: at(60).Time}
	for range 1200 {
		many.Pods = append(many.Pods, ready())
	}
	if p = ReconcilePods(many); len(p.Updates) != 500 || !p.WakeAt.Equal(many.Now) {
		t.Errorf("of 1,200 Pods %d are changed, and the rest at %v; want 500, at once", len(p.Updates), p.WakeAt)
	}
}
