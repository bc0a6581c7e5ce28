package nodelifecycle

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

var (
	noon  = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	stamp = metav1.Time{Time: noon}
)

func bare(change func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "mine", UID: "u", ResourceVersion: "3"}}
	if change != nil {
		change(n)
	}
	return n
}

// settled is a node that has been synced once.
func settled(change func(*corev1.Node)) *corev1.Node {
	n := bare(nil)
	fill(n, stamp)
	if change != nil {
		change(n)
	}
	return n
}

func noSchedule(key string, added *metav1.Time) corev1.Taint {
	return corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule, TimeAdded: added}
}

func TestReconcile_BareNode(t *testing.T) {
	t.Parallel()
	n := bare(func(n *corev1.Node) {
		n.Labels = map[string]string{"disk": "ssd"}
		n.Status.Capacity = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
		n.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule},
			{Key: "dedicated", Value: "db", Effect: corev1.TaintEffectNoExecute}}
	})
	p := laws.Check(t, Reconcile, Snapshot{Node: n, Now: noon.Add(300 * time.Millisecond)})

	want := n.DeepCopy()
	want.Labels = map[string]string{"disk": "ssd", "kubernetes.io/hostname": "mine", "kubernetes.io/os": "linux",
		"kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64"}
	want.Spec.Taints = want.Spec.Taints[1:]
	want.Status.Allocatable = n.Status.Capacity
	want.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address("mine")}, {Type: corev1.NodeHostName, Address: "mine"}}
	want.Status.DaemonEndpoints.KubeletEndpoint.Port = 10250
	want.Status.NodeInfo = nodeInfo("mine")
	want.Status.Conditions = []corev1.NodeCondition{
		{Type: "MemoryPressure", Status: "False", LastHeartbeatTime: stamp, LastTransitionTime: stamp,
			Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
		{Type: "DiskPressure", Status: "False", LastHeartbeatTime: stamp, LastTransitionTime: stamp,
			Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
		{Type: "PIDPressure", Status: "False", LastHeartbeatTime: stamp, LastTransitionTime: stamp,
			Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
		{Type: "Ready", Status: "True", LastHeartbeatTime: stamp, LastTransitionTime: stamp,
			Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	if diff := cmp.Diff(want, p.Updates[0].Object); diff != "" {
		t.Errorf("Node (-want +got):\n%s", diff)
	}
	const events = `update Node mine
event Node mine Normal RegisteredNode "Node mine event: Registered Node mine in Controller"
event Node mine Normal NodeReady "Node mine status is now: NodeReady"
`
	if diff := cmp.Diff(events, p.String()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if again := Reconcile(Snapshot{Node: p.Updates[0].Object.(*corev1.Node), Now: noon.Add(time.Hour)}); !again.Empty() {
		t.Errorf("an hour later: %v, want nothing", again)
	}
}

func TestReconcile_Taints(t *testing.T) {
	t.Parallel()
	later := metav1.Time{Time: noon.Add(time.Minute)}
	cordon := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	unready := func(s corev1.ConditionStatus) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Status.Conditions[3].Status = s }
	}
	tests := []struct {
		name string
		node *corev1.Node
		want []corev1.Taint
		plan string
	}{
		{
			name: "cordoned", node: settled(cordon),
			want: []corev1.Taint{noSchedule("node.kubernetes.io/unschedulable", &later)},
			plan: "update Node mine\nevent Node mine Normal NodeNotSchedulable \"Node mine status is now: NodeNotSchedulable\"\n",
		}, {
			name: "uncordoned", node: settled(func(n *corev1.Node) {
				n.Spec.Taints = []corev1.Taint{noSchedule("node.kubernetes.io/unschedulable", &stamp)}
			}),
			plan: "update Node mine\nevent Node mine Normal NodeSchedulable \"Node mine status is now: NodeSchedulable\"\n",
		}, {
			name: "not ready", node: settled(unready(corev1.ConditionFalse)),
			want: []corev1.Taint{noSchedule("node.kubernetes.io/not-ready", &later)}, plan: "update Node mine\n",
		}, {
			name: "unreachable", node: settled(unready(corev1.ConditionUnknown)),
			want: []corev1.Taint{noSchedule("node.kubernetes.io/unreachable", &later)}, plan: "update Node mine\n",
		}, {
			name: "already right", node: settled(func(n *corev1.Node) {
				cordon(n)
				n.Spec.Taints = []corev1.Taint{noSchedule("node.kubernetes.io/unschedulable", &stamp), noSchedule("mine", nil)}
			}),
		}, {
			name: "on its way out", node: bare(func(n *corev1.Node) { n.DeletionTimestamp = &stamp }),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, Reconcile, Snapshot{Node: tt.node, Now: later.Time})
			if diff := cmp.Diff(tt.plan, p.String()); diff != "" {
				t.Fatalf("plan (-want +got):\n%s", diff)
			}
			if p.Empty() {
				return
			}
			want := tt.node.DeepCopy()
			want.Spec.Taints = tt.want
			if diff := cmp.Diff(want, p.Updates[0].Object); diff != "" {
				t.Errorf("Node (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultNode(t *testing.T) {
	t.Parallel()
	n := DefaultNode(7, nil, noon)
	n.UID = "u"
	if n.Name != "node-7" || n.Spec.ProviderID != "rowlock://node-7" {
		t.Errorf("node is %s, %s", n.Name, n.Spec.ProviderID)
	}
	if p := Reconcile(Snapshot{Node: n, Now: noon}); !p.Empty() {
		t.Errorf("a default node needs %v, want nothing", p)
	}
	if diff := cmp.Diff(DefaultCapacity(), n.Status.Allocatable); diff != "" {
		t.Errorf("allocatable (-want +got):\n%s", diff)
	}
}

func TestCollectOrphan(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "u", Generation: 2, CreationTimestamp: stamp},
		Spec:       corev1.PodSpec{NodeName: "gone"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: stamp}}},
	}
	due := noon.Add(40 * time.Second)

	if diff := cmp.Diff("wake at 2026-01-02T12:00:40Z\n", CollectOrphan(Orphan{Pod: pod, Now: noon}).String()); diff != "" {
		t.Errorf("in quarantine (-want +got):\n%s", diff)
	}
	missing := noon.Add(time.Minute)
	if diff := cmp.Diff("wake at 2026-01-02T12:01:40Z\n", CollectOrphan(Orphan{Pod: pod, Missing: missing, Now: due}).String()); diff != "" {
		t.Errorf("in quarantine since the node went (-want +got):\n%s", diff)
	}
	p := laws.Check(t, CollectOrphan, Orphan{Pod: pod, Now: due})
	want := pod.DeepCopy()
	want.Status.Phase, want.Status.ObservedGeneration = corev1.PodFailed, 2
	want.Status.Conditions = append(want.Status.Conditions, corev1.PodCondition{Type: "DisruptionTarget", Status: "True",
		ObservedGeneration: 2, LastTransitionTime: metav1.Time{Time: due}, Reason: "DeletionByPodGC", Message: "PodGC: node no longer exists"})
	if diff := cmp.Diff(want, p.Updates[0].Object); diff != "" {
		t.Errorf("Pod (-want +got):\n%s", diff)
	}
	// The node now counts as missing since this moment only, as on a replica that has just started.
	p = CollectOrphan(Orphan{Pod: p.Updates[0].Object.(*corev1.Pod), Missing: p.WakeAt, Now: p.WakeAt})
	if diff := cmp.Diff("delete Pod default/p grace=0s\n", p.String()); diff != "" {
		t.Errorf("then (-want +got):\n%s", diff)
	}
	if p := CollectOrphan(Orphan{Pod: &corev1.Pod{}, Now: due}); !p.Empty() || !p.WakeAt.IsZero() {
		t.Errorf("a Pod without a node: %v, want nothing", p)
	}
}

func TestCollectEnded(t *testing.T) {
	t.Parallel()
	ended := func(name string, age int, change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, CreationTimestamp: metav1.Time{Time: noon.Add(-time.Duration(age) * time.Hour)}},
			Status: corev1.PodStatus{Phase: corev1.PodFailed}}
		if change != nil {
			change(p)
		}
		return p
	}
	pods := []*corev1.Pod{
		ended("a", 1, nil), ended("b", 3, nil), ended("c", 2, nil), ended("d", 2, nil),
		ended("evicted", 0, func(p *corev1.Pod) { p.Status.Reason = "Evicted" }),
	}
	slices.SortFunc(pods, podstate.CompareEnded)
	e := Ended{Now: noon, Pods: pods[:3]}
	want := "delete Pod default/evicted grace=0s\ndelete Pod default/b grace=0s\ndelete Pod default/c grace=0s\n"
	if diff := cmp.Diff(want, laws.Check(t, CollectEnded, e).String()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	e.More = true
	if p := CollectEnded(e); !p.WakeAt.Equal(noon) {
		t.Errorf("with more to collect, wake at %v; want now", p.WakeAt)
	}
}

// TestCollected: a Pod is collected once, however long a finalizer keeps it.
func TestCollected(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]bool{0: true, 30: false} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &stamp, DeletionGracePeriodSeconds: &seconds}}
		if podstate.Collected(pod) != want {
			t.Errorf("with a grace of %ds a Pod that is being deleted is collected: %v", seconds, !want)
		}
	}
	if podstate.Collected(&corev1.Pod{}) {
		t.Error("a Pod that is not being deleted is collected")
	}
}
