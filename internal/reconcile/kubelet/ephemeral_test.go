package kubelet_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// debug adds an ephemeral container to the Pod, as a client does, and has the kubelet see it.
func debug(w *podtest.World, c corev1.Container, target string) {
	w.Pod.Spec.EphemeralContainers = append(w.Pod.Spec.EphemeralContainers, corev1.EphemeralContainer{
		EphemeralContainerCommon: corev1.EphemeralContainerCommon(c), TargetContainerName: target,
	})
	w.Pod.Generation++
	w.Sync()
}

// ephemeral is the status of the first ephemeral container.
func ephemeral(w *podtest.World) *corev1.ContainerStatus {
	return &w.Pod.Status.EphemeralContainerStatuses[0]
}

// TestEPH007_IsNeverRestarted runs an ephemeral container once, in a Pod that had no machine
// before.
func TestEPH007_IsNeverRestarted(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	heard := []string{}
	w.Heard = func(event, about string) {
		if about == "spec.ephemeralContainers{debugger}" {
			heard = append(heard, event)
		}
	}
	w.Live(time.Minute)
	debug(w, podtest.Named("debugger", podtest.Of("", "busybox", "sh", "-c", "wget -qO- localhost | grep title; sleep 5; exit 3")), "")
	if s := ephemeral(w); s.State.Running == nil || s.Ready || s.Started != nil {
		t.Errorf("status %+v", s)
	}
	w.Live(10 * time.Minute)
	if s := ephemeral(w); s.State.Terminated == nil || s.State.Terminated.ExitCode != 3 || s.RestartCount != 0 {
		t.Errorf("status %+v", s)
	}
	w.WantLog("debugger", "1m0s <title>Welcome to nginx!</title>")
	if w.Pod.Status.Phase != corev1.PodRunning || w.Pod.Status.ContainerStatuses[0].RestartCount != 0 || w.Pod.Status.ObservedGeneration != w.Pod.Generation {
		t.Errorf("status %+v", w.Pod.Status)
	}
	want := []string{
		`Pulled Container image "busybox" already present on machine and can be accessed by the pod`,
		"Created Container created", "Started Container started",
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEPH009_WaitsForInput keeps a shell alive whose standard input is open, and stops it with the
// Pod.
func TestEPH009_WaitsForInput(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("sleep 120; exit 0"), podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	debug(w, podtest.With(podtest.Of("debugger", "busybox"), func(c *corev1.Container) { c.Stdin, c.TTY = true, true }), "")
	w.Live(110 * time.Second)
	if s := ephemeral(w); s.State.Running == nil {
		t.Errorf("status %+v", s)
	}
	w.Live(5 * time.Minute) // the Pod does not wait for it: it ends with its containers
	if s := ephemeral(w); s.State.Terminated == nil || w.Pod.Status.Phase != corev1.PodSucceeded {
		t.Errorf("phase %s, status %+v", w.Pod.Status.Phase, s)
	}
}

// TestEPH011_SeesProcesses lists the processes of its target container, of all containers if the
// Pod shares them, and otherwise its own.
func TestEPH011_SeesProcesses(t *testing.T) {
	t.Parallel()
	main := podtest.Sh("trap 'echo usr1' USR1; sleep 1000 & while true; do sleep 100; done")
	const script = "ps; kill -USR1 1; ps | wc -l; echo $$$$"
	share := func(p *corev1.Pod) { p.Spec.ShareProcessNamespace = new(true) }
	for _, tt := range []struct {
		name, target string
		options      []podtest.Option
		want         []string
	}{
		{"target", "c", nil, []string{
			"1 root       0:00 sh -c trap 'echo usr1' USR1; sleep 1000 & while true; do sleep 100; done", "2 root       0:00 sleep 1000",
			"3 root       0:00 sleep 100", "4 root       0:00 sh -c ps; kill -USR1 1; ps | wc -l; echo $$", "5 root       0:00 ps", "7", "4"}},
		{"shared", "", []podtest.Option{share}, []string{
			"1 root       0:00 /pause", "2 root       0:00 sh -c trap 'echo usr1' USR1; sleep 1000 & while true; do sleep 100; done",
			"3 root       0:00 sleep 1000", "4 root       0:00 sleep 100", "5 root       0:00 sh -c ps; kill -USR1 1; ps | wc -l; echo $$",
			"6 root       0:00 ps", "8", "5"}},
		{"alone", "", nil, []string{"1 root       0:00 sh -c ps; kill -USR1 1; ps | wc -l; echo $$", "2 root       0:00 ps", "4", "1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, podtest.Bound(main, tt.options...))
			w.Live(time.Minute)
			debug(w, podtest.Of("debugger", "busybox", "sh", "-c", script), tt.target)
			log := w.Log("debugger")
			for i := range log {
				log[i] = strings.TrimLeft(strings.TrimPrefix(log[i], "1m0s "), " ")
			}
			if diff := cmp.Diff(append([]string{"PID   USER     TIME  COMMAND"}, tt.want...), log); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
			w.Live(3 * time.Minute)
			if heard := slices.ContainsFunc(w.Log("c"), func(l string) bool { return strings.HasSuffix(l, "usr1") }); heard != (tt.name == "target") {
				t.Errorf("log %q", w.Log("c"))
			}
		})
	}
}

// An ephemeral container may have to wait for its target, and ends with it.
func TestEphemeral_FollowsItsTarget(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("sleep 60; exit 1"), func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{podtest.Of("first", "busybox", "sleep", "30")}
	}))
	w.Live(10 * time.Second)
	debug(w, podtest.Of("debugger", "busybox", "sleep", "1000"), "c")
	w.Live(20 * time.Second)
	if s := ephemeral(w).State.Waiting; s == nil || s.Reason != "CreateContainerConfigError" || s.Message != "unable to find target container c" {
		t.Errorf("state %+v", s)
	}
	if diff := cmp.Diff([]string{"Error: unable to find target container c"}, w.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	w.Live(40 * time.Second)
	if s := ephemeral(w); s.State.Running == nil {
		t.Errorf("status %+v", s)
	}
	w.Live(2 * time.Minute)
	if s := ephemeral(w).State.Terminated; s == nil || s.ExitCode != 137 || w.Pod.Status.ContainerStatuses[0].RestartCount == 0 {
		t.Errorf("state %+v", s)
	}
}
