package job_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/job"
)

// pauses are the pauses after these numbers of failures, the last of them just now.
func pauses(cap time.Duration, failures ...int) (out []time.Duration) {
	for _, n := range failures {
		s := remembering(snapshot(theJob()), fmt.Sprintf(`{"failures":%d,"last":%q}`, n, now.Format(time.RFC3339)))
		s.BackoffCap = cap
		at := job.Reconcile(s).WakeAt
		if at.IsZero() {
			at = now
		}
		out = append(out, at.Sub(now)/time.Second)
	}
	return out
}

func TestJOB030_Pauses(t *testing.T) {
	t.Parallel()
	if d := cmp.Diff([]time.Duration{0, 10, 20, 40, 80, 160, 320, 360, 360}, pauses(0, 0, 1, 2, 3, 4, 5, 6, 7, 1<<30)); d != "" {
		t.Errorf("C-03 pauses up to six minutes (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]time.Duration{10, 320, 600, 600}, pauses(10*time.Minute, 1, 6, 7, 99)); d != "" {
		t.Errorf("C-03 pauses up to ten minutes (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]time.Duration{5, 5}, pauses(5*time.Second, 1, 2)); d != "" {
		t.Errorf("pauses up to five seconds (-want +got):\n%s", d)
	}
}

// TestJOB031_Memory is about what is remembered for the pause: the failures after the last success.
func TestJOB031_Memory(t *testing.T) {
	t.Parallel()
	ago := func(s int) time.Duration { return time.Duration(s) * time.Second }
	for _, row := range []struct {
		name, memory, want string
		pods               []*corev1.Pod
	}{
		{"nothing has ended", oneFailure, "", nil},
		{"more failures", oneFailure, `{"failures":3,"last":"2026-01-02T03:04:05Z"}`, []*corev1.Pod{pod("a", exited(1, 0)), pod("b", exited(1, ago(9)))}},
		{"an older failure is noted late", oneFailure, `{"failures":2,"last":"2026-01-02T03:04:04Z"}`, []*corev1.Pod{pod("b", exited(1, ago(9)))}},
		{"a success", oneFailure, "forget", []*corev1.Pod{pod("a", succeeded)}},
		{"a failure before a success", oneFailure, "forget", []*corev1.Pod{pod("a", exited(1, ago(5))), pod("b", exited(0, ago(5)))}},
		{"a failure after a success", oneFailure, `{"failures":1,"last":"2026-01-02T03:04:03Z"}`, []*corev1.Pod{pod("a", exited(1, ago(2))), pod("b", exited(0, ago(5)))}},
		{"what cannot be read counts as nothing", `{"failures":`, `{"failures":1,"last":"2026-01-02T03:04:05Z"}`, []*corev1.Pod{pod("a", failed)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := job.Reconcile(remembering(snapshot(theJob(completions(9), parallelism(9)), row.pods...), row.memory))
			got := string(p.Memory)
			if p.Memory != nil && got == "" {
				got = "forget"
			}
			if d := cmp.Diff(row.want, got); d != "" {
				t.Errorf("memory (-want +got):\n%s", d)
			}
		})
	}
}

// TestFinishTime is about when a failed Pod ended, from which its pause is counted.
func TestFinishTime(t *testing.T) {
	t.Parallel()
	at := func(ago int) metav1.Time { return metav1.NewTime(now.Add(-time.Duration(ago) * time.Second)) }
	exit := func(ago int) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: at(ago)}}
	}
	always := corev1.ContainerRestartPolicyAlways
	fail := func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }
	for _, row := range []struct {
		name string
		edit podEdit
		want int // seconds ago
	}{
		{"the last container", func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", State: exit(3)}, {Name: "b", State: exit(2)}}
		}, 2},
		{"a sidecar ends later", func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "s", RestartPolicy: &always}, {Name: "i"}}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", State: exit(3)}}
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "s", State: exit(1)}, {Name: "i"}}
		}, 1},
		{"not Ready any more", func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a"}}
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: at(4)}}
		}, 4},
		{"deleted", ending, 5},
		{"created", func(*corev1.Pod) {}, 60},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := job.Reconcile(snapshot(theJob(backoffLimit(9)), pod("a", fail, row.edit)))
			want := fmt.Sprintf(`{"failures":1,"last":%q}`, at(row.want).Format(time.RFC3339))
			if d := cmp.Diff(want, string(p.Memory)); d != "" {
				t.Errorf("memory (-want +got):\n%s", d)
			}
		})
	}
}

// TestLimits is about how much one sync does.
func TestLimits(t *testing.T) {
	t.Parallel()
	many := func(n int, edits ...podEdit) (pods []*corev1.Pod) {
		for i := range n {
			pods = append(pods, pod(fmt.Sprintf("p%04d", i), edits...))
		}
		return pods
	}
	for _, row := range []struct {
		name string
		s    job.Snapshot
		want string
	}{
		{"500 Pods are created", snapshot(theJob(parallelism(700), completions(700))), "0 updates of Pods, 500 creates, 0 deletes, again true"},
		{"500 Pods are noted", snapshot(theJob(parallelism(1), completions(701)), many(700, succeeded)...), "500 updates of Pods, 1 creates, 0 deletes, again true"},
		{"500 Pods are deleted", snapshot(theJob(parallelism(0), completions(700)), many(700)...), "0 updates of Pods, 0 creates, 500 deletes, again true"},
		{"a Job that fails deletes all, and notes 500", snapshot(theJob(backoffLimit(0), parallelism(700), completions(700)), append(many(700), pod("z", failed))...),
			"0 updates of Pods, 0 creates, 700 deletes, again true"},
		{"a finished Job lets go of 500", snapshot(theJob(condition("Complete", "", "")), many(700, succeeded)...), "500 updates of Pods, 0 creates, 0 deletes, again true"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := job.Reconcile(row.s)
			pods := 0
			for _, u := range p.Updates {
				if _, ok := u.Object.(*corev1.Pod); ok {
					pods++
				}
			}
			got := fmt.Sprintf("%d updates of Pods, %d creates, %d deletes, again %v", pods, len(p.Creates), len(p.Deletes), p.WakeAt.Equal(now))
			if d := cmp.Diff(row.want, got); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

// TestVictims is about which active Pods go where some are too many.
func TestVictims(t *testing.T) {
	t.Parallel()
	older := func(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(now.Add(-time.Hour)) }
	longReady := func(p *corev1.Pod) {
		isReady(p)
		p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(-time.Hour))
	}
	inPhase := func(phase corev1.PodPhase) podEdit { return func(p *corev1.Pod) { p.Status.Phase = phase } }
	pods := []*corev1.Pod{
		pod("longest", longReady), pod("old", older), pod("young"), pod("ready", isReady), pod("restarted", restarted(3)),
		pod("nowhere", pending), pod("pending", inPhase(corev1.PodPending)), pod("unknown", inPhase(corev1.PodUnknown)),
	}
	want := "nowhere pending unknown restarted young old ready longest"
	for n := range pods {
		var got []string
		for _, d := range job.Reconcile(snapshot(theJob(parallelism(int32(n)), completions(99)), pods...)).Deletes {
			got = append(got, d.Object.GetName())
		}
		if d := cmp.Diff(strings.Join(strings.Fields(want)[:len(pods)-n], " "), strings.Join(got, " ")); d != "" {
			t.Errorf("victims of %d Pods to keep (-want +got):\n%s", n, d)
		}
	}
}
