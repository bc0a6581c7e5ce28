package kubelet_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// TestLaws lets Pods of all sorts live for a random time, on a node that fails now and then, and
// deletes them. Besides what World.Sync checks at every step, it holds that a container's restarts
// never fall, that a final phase and its containers stay as they are, and that a Pod is gone when
// its grace, and two seconds for KILL, have passed.
func TestLaws(t *testing.T) {
	t.Parallel()
	command := rapid.SampledFrom([]corev1.Container{
		podtest.Nginx(), podtest.Of("", "nginx:1.161"), podtest.Of("", "NOT:A:NAME"), podtest.Sh("sleep 3; exit 1"), podtest.Sh("exit 0"), podtest.Sh("exit 2"),
		podtest.Sh("sleep infinity"), podtest.Sh("sleep 700; exit 1"), podtest.Of("", "busybox", "sleep", "20"), podtest.Sh("while :; do :; done"),
	})
	named := func(r *rapid.T, name string) corev1.Container {
		c := command.Draw(r, name)
		c.Name = name
		return c
	}
	rapid.Check(t, func(r *rapid.T) {
		pod := podtest.Bound(named(r, "a"))
		if rapid.Bool().Draw(r, "two") {
			pod.Spec.Containers = append(pod.Spec.Containers, named(r, "b"))
		}
		if rapid.Bool().Draw(r, "init") {
			pod.Spec.InitContainers = []corev1.Container{named(r, "i")}
		}
		if rapid.Bool().Draw(r, "sidecar") {
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, podtest.AsSidecar(named(r, "s")))
		}
		pod.Spec.RestartPolicy = rapid.SampledFrom([]corev1.RestartPolicy{"Always", "OnFailure", "Never"}).Draw(r, "policy")
		if rapid.Bool().Draw(r, "limited") {
			podtest.WithDeadline(rapid.Int64Range(1, 300).Draw(r, "deadline"))(pod)
		}

		w := &podtest.World{T: r, Pod: pod, Now: podtest.Noon.Add(time.Duration(rapid.Int64Range(0, 999).Draw(r, "ms")) * time.Millisecond)}
		for range rapid.IntRange(1, 8).Draw(r, "spells") {
			before := w.Pod.Status
			w.Live(w.Now.Sub(podtest.Noon) + time.Duration(rapid.Int64Range(0, 400_000).Draw(r, "spell"))*time.Millisecond)
			checkOrder(r, before, w.Pod.Status)
			if fault := rapid.SampledFrom([]string{"", "", outage.Failed, outage.Unreachable}).Draw(r, "fault"); fault != "" {
				w.Suffer(fault, time.Duration(rapid.IntRange(0, 400).Draw(r, "outage"))*time.Second)
			}
		}
		grace := rapid.Int64Range(0, 60).Draw(r, "grace")
		w.Remove(grace)
		if w.Live(w.Now.Sub(podtest.Noon) + time.Duration(grace+2)*time.Second); w.Pod != nil {
			r.Fatalf("the Pod is still there: %s", podtest.Summary(w.Pod))
		}
	})
}

func checkOrder(r *rapid.T, before, after corev1.PodStatus) {
	ended := before.Phase == corev1.PodSucceeded || before.Phase == corev1.PodFailed
	if ended && before.Phase != after.Phase {
		r.Fatalf("the phase went from %s to %s", before.Phase, after.Phase)
	}
	for i := range before.ContainerStatuses {
		was, is := before.ContainerStatuses[i], after.ContainerStatuses[i]
		if is.RestartCount < was.RestartCount {
			r.Fatalf("%s went from %d restarts to %d", is.Name, was.RestartCount, is.RestartCount)
		}
		if ended && is.State.Terminated == nil && was.State.Terminated != nil {
			r.Fatalf("%s runs again although the Pod has ended", is.Name)
		}
	}
}
