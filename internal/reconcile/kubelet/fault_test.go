package kubelet

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
)

// failing has the world's Pods fail from now on.
func (w *world) failing(p fault.Pod) {
	p.Namespace, p.Name = w.pod.Namespace, w.pod.Name
	f := &fault.Fault{ObjectMeta: metav1.ObjectMeta{Name: "f", CreationTimestamp: metav1.Time{Time: w.now}}, Spec: fault.Spec{Pod: &p}}
	w.faults.Pod = append(w.faults.Pod, fault.NewPodRule(f))
}

// Faults on purpose happen alike to containers that are judged in closed form and to those in a
// machine.
func TestFault(t *testing.T) {
	t.Parallel()
	serving, computing := nginx(), named("nginx", sh("trap : TERM; while :; do sleep 1; done"))
	for name, tt := range map[string]struct {
		fault   fault.Pod
		options []podOption
		want    []string // after the start
	}{
		"a code": {fault: fault.Pod{Action: fault.Exit, ExitCode: new(int32(3))}, want: []string{
			" 10s Running 0/1 nginx=Error(3) | FaultInjected", " 11s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started",
		}},
		"a success": {fault: fault.Pod{Action: fault.Exit, ExitCode: new(int32(0))}, options: []podOption{onFailure}, want: []string{
			" 10s Succeeded 0/1 nginx=Completed(0) | FaultInjected",
		}},
		"a signal, for good": {fault: fault.Pod{Action: fault.Exit, Signal: "KILL"}, options: []podOption{never}, want: []string{
			" 10s Failed 0/1 nginx=Error(137) | FaultInjected",
		}},
		"no memory": {fault: fault.Pod{Action: fault.OOM}, want: []string{
			" 10s Running 0/1 nginx=OOMKilled(137) | FaultInjected", " 11s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started",
		}},
		"another container": {fault: fault.Pod{Action: fault.Exit, Container: "other"}},
		"a crash loop": {fault: fault.Pod{Action: fault.CrashLoop}, want: []string{
			" 10s Running 0/1 nginx=Error(1) | FaultInjected",
			" 11s Running 0/1 nginx=Error(1)×1 | Pulled, Created, Started, FaultInjected",
			" 12s Running 0/1 nginx=CrashLoopBackOff×1 | BackOff",
			" 21s Running 0/1 nginx=Error(1)×2 | Pulled, Created, Started, FaultInjected",
			" 22s Running 0/1 nginx=CrashLoopBackOff×2 | BackOff",
			" 41s Running 0/1 nginx=Error(1)×3 | Pulled, Created, Started, FaultInjected",
			" 42s Running 0/1 nginx=CrashLoopBackOff×3 | BackOff",
		}},
		"a slow crash loop": {fault: fault.Pod{Action: fault.CrashLoop, After: "20s"}, want: []string{
			" 30s Running 0/1 nginx=Error(1) | FaultInjected",
			" 31s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started",
			" 51s Running 0/1 nginx=Error(1)×1 | FaultInjected",
			" 52s Running 0/1 nginx=CrashLoopBackOff×1 | BackOff",
		}},
		"not ready": {fault: fault.Pod{Action: fault.Unready}, want: []string{" 10s Running 0/1 nginx=Running"}},
	} {
		for how, c := range map[string]corev1.Container{"in closed form": serving, "in a machine": computing} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				w := &world{t: t, now: noon, pod: bound(c, tt.options...)}
				w.live(10 * time.Second)
				w.failing(tt.fault)
				w.live(time.Minute)
				w.want(append([]string{"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started"}, tt.want...)...)
			})
		}
	}
}

// A crash loop that ends lets the next start be.
func TestFault_Recovers(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(nginx())}
	w.failing(fault.Pod{Action: fault.CrashLoop})
	w.live(15 * time.Second)
	w.faults = fault.OfPod{}
	w.live(time.Minute)
	w.want("  0s Running 0/1 nginx=Error(1) | Pulled, Created, Started, FaultInjected",
		"  1s Running 0/1 nginx=Error(1)×1 | Pulled, Created, Started, FaultInjected",
		"  2s Running 0/1 nginx=CrashLoopBackOff×1 | BackOff",
		" 11s Running 0/1 nginx=Error(1)×2 | Pulled, Created, Started, FaultInjected",
		" 12s Running 0/1 nginx=CrashLoopBackOff×2 | BackOff",
		" 31s Running ready 1/1 nginx=Running×3 | Pulled, Created, Started")
}

func TestFault_Evict(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{nginx(), named("nginx", sh("trap : TERM; while :; do sleep 1; done"))} {
		w := &world{t: t, now: noon, pod: bound(c)}
		w.live(10 * time.Second)
		w.failing(fault.Pod{Action: fault.Evict})
		w.live(time.Minute)
		last := w.story[len(w.story)-1]
		if !strings.Contains(last, "Failed(Evicted) 0/1") || !strings.Contains(strings.Join(w.story, "\n"), "| Evicted, Killing") {
			t.Errorf("story of %s:\n%s", c.Image, strings.Join(w.story, "\n"))
		}
		var reason string
		for _, condition := range w.pod.Status.Conditions {
			if condition.Type == corev1.DisruptionTarget {
				reason = condition.Reason
			}
		}
		if reason != "TerminationByKubelet" {
			t.Errorf("DisruptionTarget is %q", reason)
		}
	}
}

// A Pod that is stuck stays as it is while it is being deleted, and goes when the fault has ended.
func TestFault_Stuck(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(nginx())}
	w.failing(fault.Pod{Action: fault.Stuck})
	w.live(10 * time.Second)
	w.remove(5)
	w.live(time.Minute)
	if w.pod == nil || len(w.story) != 1 {
		t.Fatalf("story:\n%s", strings.Join(w.story, "\n"))
	}
	w.faults = fault.OfPod{}
	w.live(2 * time.Minute)
	if w.pod != nil {
		t.Errorf("the Pod is still there:\n%s", strings.Join(w.story, "\n"))
	}
}

// An image that is refused backs off like one that does not exist, and is there at the next attempt
// after the fault.
func TestFault_Image(t *testing.T) {
	t.Parallel()
	refusing := func(i fault.Image) fault.OfPod {
		return fault.OfPod{Image: []*fault.ImageRule{{Fault: &fault.Fault{ObjectMeta: metav1.ObjectMeta{Name: "f"}, Spec: fault.Spec{Image: &i}}}}}
	}
	w := &world{t: t, now: noon, pod: bound(nginx()), faults: refusing(fault.Image{Image: "nginx:1.14.2"})}
	w.live(15 * time.Second)
	if waiting := w.pod.Status.ContainerStatuses[0].State.Waiting; waiting == nil || waiting.Message != `Back-off pulling image "nginx:1.14.2": ErrImagePull: `+
		`failed to pull and unpack image "docker.io/library/nginx:1.14.2": refused by fault f` {
		t.Errorf("waiting is %v", waiting)
	}
	w.faults = fault.OfPod{}
	w.now = noon.Add(30 * time.Second)
	w.live(time.Minute)
	w.want("  0s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed", "  1s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
		" 10s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed", " 11s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
		" 30s Running ready 1/1 nginx=Running | Pulled, Created, Started")

	// A running container has its image; it is pulled again only if the policy says so.
	for policy, want := range map[corev1.PullPolicy]string{corev1.PullIfNotPresent: "Container started", corev1.PullAlways: "Error: SignatureValidationFailed"} {
		c := nginx()
		c.ImagePullPolicy = policy
		w := &world{t: t, now: noon, pod: bound(c)}
		w.live(10 * time.Second)
		w.failing(fault.Pod{Action: fault.Exit})
		w.faults.Image = refusing(fault.Image{Image: "nginx", Reason: "SignatureValidationFailed"}).Image
		w.look()
		w.now = w.wake
		if p := Reconcile(w.snapshot()).String(); !strings.Contains(p, want) {
			t.Errorf("%s: %s", policy, p)
		}
	}
}
