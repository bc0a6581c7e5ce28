package faults

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func made(spec fault.Spec, injected bool) *fault.Fault {
	return &fault.Fault{
		ObjectMeta: metav1.ObjectMeta{Name: "f", UID: "fault", ResourceVersion: "9", CreationTimestamp: metav1.Time{Time: noon}, Finalizers: []string{fault.Finalizer}},
		Spec:       spec, Status: fault.Status{Injected: injected},
	}
}

func deleted(f *fault.Fault) *fault.Fault {
	f.DeletionTimestamp = &metav1.Time{Time: noon}
	return f
}

func node(annotations map[string]string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "node", ResourceVersion: "3", Annotations: annotations}}
}

// pod runs a container that has started then.
func pod(name string, started time.Duration) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: "pod", ResourceVersion: "4", CreationTimestamp: metav1.Time{Time: noon.Add(-time.Hour)}},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{
			{Name: "app", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: noon.Add(started)}}}},
		}},
	}
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	later := noon.Add(5 * time.Minute)
	onNode := fault.Spec{Node: &fault.Node{Name: "node-1", State: "failed"}, Until: &later}
	onPod := fault.Spec{Pod: &fault.Pod{Namespace: "default", Name: "web-1", Action: fault.Exit}}
	onPods := fault.Spec{Pod: &fault.Pod{Namespace: "default", Selector: "app=web", Action: fault.CrashLoop}}
	onAPI := fault.Spec{API: &fault.API{Verbs: []string{"update"}, Conflict: true}, Until: &later}
	for _, tt := range []struct {
		name string
		s    Snapshot
		want []string
	}{
		{"a node begins to fail", Snapshot{Fault: made(onNode, false), Node: node(map[string]string{"a": "b"})}, []string{`update Node node-1`, `wake at 2026-01-02T12:00:00Z`}},
		{"it does", Snapshot{Fault: made(onNode, false), Node: node(map[string]string{"emulation.rowlock.io/fault": "failed"})}, []string{
			`update Fault f status`, `event Node node-1 Warning FaultInjected "Fault f begins: node node-1 is failed"`, `wake at 2026-01-02T12:05:00Z`,
		}},
		{"it goes on failing", Snapshot{Fault: made(onNode, true), Node: node(map[string]string{"emulation.rowlock.io/fault": "failed"})}, []string{`wake at 2026-01-02T12:05:00Z`}},
		{
			"its time is over",
			Snapshot{
				Fault: made(onNode, true), Node: node(map[string]string{"emulation.rowlock.io/fault": "failed"}), Now: later,
			},
			[]string{`update Node node-1`, `wake at 2026-01-02T12:05:00Z`},
		},
		{
			"it fails for another reason by now",
			Snapshot{
				Fault: deleted(made(onNode, true)), Node: node(map[string]string{"emulation.rowlock.io/fault": "unreachable"}),
			},
			[]string{`delete Fault f without rowlock.io/fault`, `event Node node-1 Normal FaultEnded "Fault f has ended"`},
		},
		{
			"it is gone", Snapshot{Fault: made(onNode, false)},
			[]string{
				`update Fault f status`, `event Fault f Warning FaultInjected "Fault f begins: node node-1 is failed"`,
				`wake at 2026-01-02T12:05:00Z`,
			},
		},
		{
			"a container is to end", Snapshot{Fault: made(onPod, false), Pods: []*corev1.Pod{pod("web-1", -time.Minute)}},
			[]string{
				`update Fault f status`,
				`event Pod default/web-1 Warning FaultInjected "Fault f begins: pod default/web-1: exit 1"`,
				`wake kubelet of Pod default/web-1`,
			},
		},
		{"it has not yet", Snapshot{Fault: made(onPod, true), Pods: []*corev1.Pod{pod("web-1", 0)}}, []string{``}},
		{
			"it has", Snapshot{Fault: made(onPod, true), Pods: []*corev1.Pod{pod("web-1", time.Second)}},
			[]string{
				`delete Fault f without rowlock.io/fault`,
				`event Pod default/web-1 Normal FaultEnded "Fault f has ended as it has been carried out"`,
				`wake kubelet of Pod default/web-1`,
			},
		},
		{
			"nothing runs", Snapshot{Fault: made(onPod, false)},
			[]string{
				`update Fault f status`, `event Fault f Warning FaultInjected "Fault f begins: pod default/web-1: exit 1"`,
				`wake at 2026-01-02T12:00:00Z`,
			},
		},
		{
			"Pods crash", Snapshot{Fault: made(onPods, false), Pods: []*corev1.Pod{pod("web-1", 0), pod("web-2", 0)}},
			[]string{
				`update Fault f status`,
				`event Fault f Warning FaultInjected "Fault f begins: pods app=web in default: crash loop, exit 1"`,
				`wake kubelet of Pod default/web-1`, `wake kubelet of Pod default/web-2`,
			},
		},
		{
			"they no longer do", Snapshot{Fault: deleted(made(onPods, true)), Pods: []*corev1.Pod{pod("web-1", 0)}},
			[]string{
				`delete Fault f without rowlock.io/fault`, `event Fault f Normal FaultEnded "Fault f has ended"`,
				`wake kubelet of Pod default/web-1`,
			},
		},
		{"the API", Snapshot{Fault: made(onAPI, false)}, []string{`update Fault f status`, `event Fault f Warning FaultInjected "Fault f begins: update: conflict"`}},
		{"whose time is not the cluster's", Snapshot{Fault: made(onAPI, true), Now: later}, []string{``}},
		{"it ends before it has begun", Snapshot{Fault: deleted(made(onAPI, false))}, []string{`delete Fault f without rowlock.io/fault`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.s.Now.IsZero() {
				tt.s.Now = noon
			}
			if diff := cmp.Diff(tt.want, strings.Split(strings.TrimSuffix(Reconcile(tt.s).String(), "\n"), "\n")); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	half := 0.5
	for _, tt := range []struct {
		want string
		spec fault.Spec
	}{
		{"container app of pods a=b in default: exit by signal KILL", fault.Spec{Pod: &fault.Pod{Namespace: "default", Selector: "a=b", Container: "app", Action: fault.Exit, Signal: "KILL"}}},
		{"pod default/a: crash loop, exit 3", fault.Spec{Pod: &fault.Pod{Namespace: "default", Name: "a", Action: fault.CrashLoop, ExitCode: new(int32(3))}}},
		{"pod default/a: evict", fault.Spec{Pod: &fault.Pod{Namespace: "default", Name: "a", Action: fault.Evict}}},
		{"image nginx cannot be pulled", fault.Spec{Image: &fault.Image{Image: "nginx"}}},
		{"get,list pods in shop from kubectl: delay 2s, 503, with probability 0.5 of seed 7", fault.Spec{API: &fault.API{
			Verbs: []string{"get", "list"}, Resources: []string{"pods"}, Namespaces: []string{"shop"}, UserAgents: []string{"kubectl"}, Delay: "2s", Status: 503, Probability: &half, Seed: 7,
		}}},
		{"requests: drop watch, after 30s", fault.Spec{API: &fault.API{Watch: fault.Drop, After: "30s"}}},
	} {
		if got := Summary(&tt.spec); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
