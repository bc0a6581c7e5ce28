package kubelet

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func asking(c corev1.Container, request, limit string, policies ...corev1.ContainerResizePolicy) corev1.Container {
	c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(request)}
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(limit)}
	c.ResizePolicy = policies
	return c
}

// resize has the Pod's first container ask for something else, and the kubelet see it.
func (w *world) resize(request, limit string) {
	w.pod = w.pod.DeepCopy()
	w.pod.Spec.Containers[0] = asking(w.pod.Spec.Containers[0], request, limit, w.pod.Spec.Containers[0].ResizePolicy...)
	w.pod.Generation++
	w.look()
}

// resized shows a container's resources, and the conditions about a resize.
func (w *world) resized() string {
	st := w.pod.Status.ContainerStatuses[0]
	cpu := func(list corev1.ResourceList) string { q := list[corev1.ResourceCPU]; return q.String() }
	s := cpu(st.AllocatedResources) + " " + cpu(st.Resources.Requests) + "/" + cpu(st.Resources.Limits) + " of " + cpu(w.pod.Status.Resources.Requests)
	for _, c := range w.pod.Status.Conditions {
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
	for _, c := range []corev1.Container{nginx(), sh("while true; do cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.weight; sleep 60; done")} {
		w := &world{t: t, now: noon, pod: bound(asking(c, "100m", "200m"))}
		var heard []string
		w.heard = func(event, _ string) {
			if strings.HasPrefix(event, "Resize") {
				heard = append(heard, event)
			}
		}
		w.live(30 * time.Second)
		wantText(t, "100m 100m/200m of 100m", w.resized())
		w.resize("500m", "1")
		wantText(t, "500m 500m/1 of 500m", w.resized())
		w.live(time.Minute)
		const asked = `{"containers":[{"name":"NAME","resources":{"limits":{"cpu":"1"},"requests":{"cpu":"500m"}}}],"generation":2}`
		text := strings.ReplaceAll(asked, "NAME", c.Name)
		if diff := cmp.Diff([]string{"ResizeStarted Pod resize started: " + text, "ResizeCompleted Pod resize completed: " + text}, heard); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if st := w.pod.Status.ContainerStatuses[0]; st.RestartCount != 0 || st.State.Running == nil || !st.Ready {
			t.Errorf("status %+v", st)
		}
		if c.Name == "c" {
			w.wantLog("c", "0s 20000 100000", "0s 4", "1m0s 100000 100000", "1m0s 20")
		}
	}
}

// TestResize_IsDeferred while the node has no room; the container keeps its resources, even if it
// is restarted.
func TestResize_IsDeferred(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(asking(sh("sleep 100; exit 1"), "100m", "200m"))}
	w.live(30 * time.Second)
	w.story = nil
	w.shortage = &Shortage{Reason: "OutOfcpu", Message: "no room"}
	w.resize("500m", "1")
	wantText(t, "100m 100m/200m of 100m PodResizePending Deferredno room", w.resized())
	w.live(2 * time.Minute) // it is restarted meanwhile
	wantText(t, "100m 100m/200m of 100m PodResizePending Deferredno room", w.resized())
	w.shortage = nil
	w.live(4 * time.Minute) // it is tried again after three minutes
	wantText(t, "500m 500m/1 of 500m", w.resized())
	w.resize("100m", "200m")
	w.shortage = &Shortage{Reason: "OutOfcpu", Message: "no room"}
	w.resize("2", "2")
	w.resize("100m", "200m") // what is not wanted any more is not awaited
	wantText(t, "100m 100m/200m of 100m", w.resized())
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
		{"machine", sh("trap 'sleep 5; exit 0' TERM; while true; do sleep 1; done"), "6s", 0, true},
		{"closed form", nginx(), "0s", 0, false},
		{"closed form that does not listen", of("c", "busybox", "sleep", "3600"), "30s", 137, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: bound(asking(tt.c, "100m", "200m", policy), restarting(corev1.RestartPolicyOnFailure))}
			w.live(30 * time.Second)
			w.resize("500m", "1")
			if strings.Contains(w.resized(), "PodResizeInProgress") != tt.inProgress {
				t.Errorf("got %q", w.resized())
			}
			w.live(2 * time.Minute)
			wantText(t, "500m 500m/1 of 500m", w.resized())
			st := w.pod.Status.ContainerStatuses[0]
			if last := st.LastTerminationState.Terminated; st.RestartCount != 1 || st.State.Running == nil || last == nil || last.ExitCode != tt.code {
				t.Fatalf("status %+v", st)
			}
			if took := st.State.Running.StartedAt.Sub(noon.Add(30 * time.Second)).String(); took != tt.take {
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
	own := named("own", sh(reads))
	own.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("50Mi")}
	w := &world{t: t, now: noon, pod: bound(sh(reads), and(own), func(p *corev1.Pod) { p.Spec.Resources = limits("100Mi") })}
	w.live(30 * time.Second)
	w.pod = w.pod.DeepCopy()
	w.pod.Spec.Resources = limits("200Mi")
	w.pod.Generation++
	w.look()
	w.live(time.Minute)
	w.wantLog("c", "0s 104857600", "0s 50000 100000", "1m0s 209715200", "1m0s 50000 100000")
	w.wantLog("own", "0s 52428800", "0s 50000 100000", "1m0s 52428800", "1m0s 50000 100000")
}
