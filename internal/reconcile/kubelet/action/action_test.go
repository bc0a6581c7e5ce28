package action_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// after is a time, in seconds after noon.
func after(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

// pod makes a Pod that started at noon.
func pod(change ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{Status: corev1.PodStatus{StartTime: &metav1.Time{Time: noon}}}
	for _, c := range change {
		c(p)
	}
	return p
}

// deleted makes a Pod one whose deletion was requested so many seconds after noon.
func deleted(seconds, grace int) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: after(seconds + grace)}, new(int64(grace))
	}
}

func limited(seconds int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = &seconds }
}

// evicting is a fault that evicts the Pod so many seconds after noon.
func evicting(seconds int) fault.OfPod {
	return fault.OfPod{Pod: []*fault.PodRule{{Fault: &fault.Fault{
		ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Time{Time: after(seconds)}},
		Spec:       fault.Spec{Pod: &fault.Pod{Action: fault.Evict}},
	}}}}
}

// TestCompute: a deletion comes first, then an eviction, then the deadline.
func TestCompute(t *testing.T) {
	t.Parallel()
	const grace = 30 * time.Second // of a Pod that says nothing else
	failed := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{outage.Record: "failed 2026-01-01T12:00:01Z 2026-01-01T12:01:00Z"}}}
	for name, test := range map[string]struct {
		pod    *corev1.Pod
		node   *corev1.Node
		faults fault.OfPod
		want   action.Action
	}{
		"nothing":                         {pod: pod(), want: action.Action{}},
		"a deadline to come":              {pod: pod(limited(600)), want: action.Action{Begin: after(600)}},
		"a deadline that has passed":      {pod: pod(limited(50)), want: action.Action{Kind: action.Expire, Begin: after(50), Grace: grace}},
		"a deletion":                      {pod: pod(deleted(10, 5), limited(50)), want: action.Action{Kind: action.Stop, Begin: after(10), Grace: 5 * time.Second}},
		"an eviction":                     {pod: pod(limited(50)), faults: evicting(70), want: action.Action{Kind: action.Evict, Begin: after(70), Grace: time.Second}},
		"a deletion of an evicted Pod":    {pod: pod(deleted(80, 5)), faults: evicting(70), want: action.Action{Kind: action.Stop, Begin: after(80), Grace: 5 * time.Second}},
		"a deletion while the node fails": {pod: pod(deleted(10, 5)), node: failed, want: action.Action{Kind: action.Stop, Begin: after(60), Grace: 5 * time.Second}},
	} {
		if test.node == nil {
			test.node = &corev1.Node{}
		}
		s := action.Situation{Pod: test.pod, Node: test.node, Faults: test.faults, Now: after(100)}
		if diff := cmp.Diff(test.want, s.Compute()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEarlier: a Pod that was evicted, and whose deadline has passed, is deleted.
func TestEarlier(t *testing.T) {
	t.Parallel()
	s := action.Situation{Pod: pod(deleted(80, 5), limited(50)), Node: &corev1.Node{}, Faults: evicting(40), Now: after(100)}
	var kinds []action.Kind
	for _, a := range s.Earlier(s.Compute()) {
		kinds = append(kinds, a.Kind)
	}
	if diff := cmp.Diff([]action.Kind{action.Evict, action.Expire}, kinds); diff != "" {
		t.Errorf("earlier actions (-want +got):\n%s", diff)
	}
}

// TestDisrupt adds the condition once, and leaves the original as it is.
func TestDisrupt(t *testing.T) {
	t.Parallel()
	original := pod()
	once := action.Disrupt(original, metav1.Time{Time: noon})
	if len(original.Status.Conditions) != 0 || len(once.Status.Conditions) != 1 || once.Status.Conditions[0].Reason != "TerminationByKubelet" {
		t.Errorf("%v has become %v", original.Status.Conditions, once.Status.Conditions)
	}
	if action.Disrupt(once, metav1.Time{Time: after(1)}) != once {
		t.Error("a Pod with the condition gets another")
	}
}
