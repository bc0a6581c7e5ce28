package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

func asking(c corev1.Container, request, limit string, policies ...corev1.ContainerResizePolicy) corev1.Container {
	c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(request)}
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(limit)}
	c.ResizePolicy = policies
	return c
}

// resize has the Pod's first container ask for something else, and the kubelet see it.
func resize(w *podtest.World, request, limit string) {
	w.Pod = w.Pod.DeepCopy()
	w.Pod.Spec.Containers[0] = asking(w.Pod.Spec.Containers[0], request, limit, w.Pod.Spec.Containers[0].ResizePolicy...)
	w.Pod.Generation++
	w.Sync()
}

// resized shows a container's resources, and the conditions about a resize.
func resized(w *podtest.World) string {
	st := w.Pod.Status.ContainerStatuses[0]
	cpu := func(list corev1.ResourceList) string { q := list[corev1.ResourceCPU]; return q.String() }
	s := cpu(st.AllocatedResources) + " " + cpu(st.Resources.Requests) + "/" + cpu(st.Resources.Limits) + " of " + cpu(w.Pod.Status.Resources.Requests)
	for _, c := range w.Pod.Status.Conditions {
		if c.Type == corev1.PodResizePending || c.Type == corev1.PodResizeInProgress {
			s += " " + string(c.Type) + " " + c.Reason + c.Message
		}
	}
	return s
}

func wantText(t *testing.T, want, got string) {
	t.Helper()
	if want != got {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestResize_InPlace gives a running container other resources, which its programs can read,
// without a restart.
func TestResize_InPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Nginx(), podtest.Sh("while true; do cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.weight; sleep 60; done")} {
		w := podtest.New(t, podtest.Bound(asking(c, "100m", "200m")))
		var heard []string
		w.Heard = func(event, _ string) {
			if strings.HasPrefix(event, "Resize") {
				heard = append(heard, event)
			}
		}
		w.Live(30 * time.Second)
		wantText(t, "100m 100m/200m of 100m", resized(w))
		resize(w, "500m", "1")
		wantText(t, "500m 500m/1 of 500m", resized(w))
		w.Live(time.Minute)
		const asked = `{"containers":[{"name":"NAME","resources":{"limits":{"cpu":"1"},"requests":{"cpu":"500m"}}}],"generation":2}`
		text := strings.ReplaceAll(asked, "NAME", c.Name)
		if diff := cmp.Diff([]string{"ResizeStarted Pod resize started: " + text, "ResizeCompleted Pod resize completed: " + text}, heard); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if st := w.Pod.Status.ContainerStatuses[0]; st.RestartCount != 0 || st.State.Running == nil || !st.Ready {
			t.Errorf("status %+v", st)
		}
		if c.Name == "c" {
			w.WantLog("c", "0s 20000 100000", "0s 4", "1m0s 100000 100000", "1m0s 20")
		}
	}
}

// TestResize_IsDeferred while the node has no room; the container keeps its resources, even if it
// is restarted.
func TestResize_IsDeferred(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(asking(podtest.Sh("sleep 100; exit 1"), "100m", "200m")))
	w.Live(30 * time.Second)
	w.Story = nil
	w.Shortage = &kubelet.Shortage{Reason: "OutOfcpu", Message: "no room"}
	resize(w, "500m", "1")
	wantText(t, "100m 100m/200m of 100m PodResizePending Deferredno room", resized(w))
	w.Live(2 * time.Minute) // it is restarted meanwhile
	wantText(t, "100m 100m/200m of 100m PodResizePending Deferredno room", resized(w))
	w.Shortage = nil
	w.Live(4 * time.Minute) // it is tried again after three minutes
	wantText(t, "500m 500m/1 of 500m", resized(w))
	resize(w, "100m", "200m")
	w.Shortage = &kubelet.Shortage{Reason: "OutOfcpu", Message: "no room"}
	resize(w, "2", "2")
	resize(w, "100m", "200m") // what is not wanted any more is not awaited
	wantText(t, "100m 100m/200m of 100m", resized(w))
}

// TestResize_Restarts a container whose policy asks for it, in time to stop, even if it ends well.
func TestResize_Restarts(t *testing.T) {
	t.Parallel()
	policy := corev1.ContainerResizePolicy{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.RestartContainer}
	for _, tt := range []struct {
		name string
		c    corev1.Container
		take string
		code int32

		inProgress bool // after the sync that begins it
	}{
		{"machine", podtest.Sh("trap 'sleep 5; exit 0' TERM; while true; do sleep 1; done"), "6s", 0, true},
		{"closed form", podtest.Nginx(), "0s", 0, false},
		{"closed form that does not listen", podtest.Of("c", "busybox", "sleep", "3600"), "30s", 137, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, podtest.Bound(asking(tt.c, "100m", "200m", policy), podtest.Restarting(corev1.RestartPolicyOnFailure)))
			w.Live(30 * time.Second)
			resize(w, "500m", "1")
			if strings.Contains(resized(w), "PodResizeInProgress") != tt.inProgress {
				t.Errorf("got %q", resized(w))
			}
			w.Live(2 * time.Minute)
			wantText(t, "500m 500m/1 of 500m", resized(w))
			st := w.Pod.Status.ContainerStatuses[0]
			if last := st.LastTerminationState.Terminated; st.RestartCount != 1 || st.State.Running == nil || last == nil || last.ExitCode != tt.code {
				t.Fatalf("status %+v", st)
			}
			if took := st.State.Running.StartedAt.Sub(podtest.Noon.Add(30 * time.Second)).String(); took != tt.take {
				t.Errorf("it took %s, want %s", took, tt.take)
			}
		})
	}
}

// TestResize_OfThePod shows a Pod's own limits in a container that has none, while it runs and
// before and after a resize; its sibling's own limit counts there.
func TestResize_OfThePod(t *testing.T) {
	t.Parallel()
	limits := func(memory string) *corev1.ResourceRequirements {
		list := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory), corev1.ResourceCPU: resource.MustParse("500m")}
		return &corev1.ResourceRequirements{Requests: list, Limits: list}
	}
	const reads = "while true; do cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/cpu.max; sleep 60; done"
	own := podtest.Named("own", podtest.Sh(reads))
	own.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("50Mi")}
	w := podtest.New(t, podtest.Bound(podtest.Sh(reads), podtest.And(own), func(p *corev1.Pod) { p.Spec.Resources = limits("100Mi") }))
	w.Live(30 * time.Second)
	w.Pod = w.Pod.DeepCopy()
	w.Pod.Spec.Resources = limits("200Mi")
	w.Pod.Generation++
	w.Sync()
	w.Live(time.Minute)
	w.WantLog("c", "0s 104857600", "0s 50000 100000", "1m0s 209715200", "1m0s 50000 100000")
	w.WantLog("own", "0s 52428800", "0s 50000 100000", "1m0s 52428800", "1m0s 50000 100000")
}
