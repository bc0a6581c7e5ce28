package kubelet_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// failing has the world's Pods fail from now on.
func failing(w *podtest.World, p fault.Pod) {
	p.Namespace, p.Name = w.Pod.Namespace, w.Pod.Name
	f := &fault.Fault{ObjectMeta: metav1.ObjectMeta{Name: "f", CreationTimestamp: metav1.Time{Time: w.Now}}, Spec: fault.Spec{Pod: &p}}
	w.Faults.Pod = append(w.Faults.Pod, fault.NewPodRule(f))
}

// Faults on purpose happen alike to containers that are judged in closed form and to those in a
// machine.
func TestFault(t *testing.T) {
	t.Parallel()
	serving, computing := podtest.Nginx(), podtest.Named("nginx", podtest.Sh("trap : TERM; while :; do sleep 1; done"))
	for name, tt := range map[string]struct {
		fault   fault.Pod
		options []podtest.Option
		want    []string // after the start
	}{
		"a code": {fault: fault.Pod{Action: fault.Exit, ExitCode: new(int32(3))}, want: []string{
			" 10s Running 0/1 nginx=Error(3) | FaultInjected", " 11s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started",
		}},
		"a success": {fault: fault.Pod{Action: fault.Exit, ExitCode: new(int32(0))}, options: []podtest.Option{podtest.OnFailure}, want: []string{
			" 10s Succeeded 0/1 nginx=Completed(0) | FaultInjected",
		}},
		"a signal, for good": {fault: fault.Pod{Action: fault.Exit, Signal: "KILL"}, options: []podtest.Option{podtest.Never}, want: []string{
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
				w := podtest.New(t, podtest.Bound(c, tt.options...))
				w.Live(10 * time.Second)
				failing(w, tt.fault)
				w.Live(time.Minute)
				w.Want(append([]string{"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started"}, tt.want...)...)
			})
		}
	}
}

// A crash loop that ends lets the next start be.
func TestFault_Recovers(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	failing(w, fault.Pod{Action: fault.CrashLoop})
	w.Live(15 * time.Second)
	w.Faults = fault.OfPod{}
	w.Live(time.Minute)
	w.Want("  0s Running 0/1 nginx=Error(1) | Pulled, Created, Started, FaultInjected",
		"  1s Running 0/1 nginx=Error(1)×1 | Pulled, Created, Started, FaultInjected",
		"  2s Running 0/1 nginx=CrashLoopBackOff×1 | BackOff",
		" 11s Running 0/1 nginx=Error(1)×2 | Pulled, Created, Started, FaultInjected",
		" 12s Running 0/1 nginx=CrashLoopBackOff×2 | BackOff",
		" 31s Running ready 1/1 nginx=Running×3 | Pulled, Created, Started")
}

func TestFault_Evict(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Nginx(), podtest.Named("nginx", podtest.Sh("trap : TERM; while :; do sleep 1; done"))} {
		w := podtest.New(t, podtest.Bound(c))
		w.Live(10 * time.Second)
		failing(w, fault.Pod{Action: fault.Evict})
		w.Live(time.Minute)
		last := w.Story[len(w.Story)-1]
		if !strings.Contains(last, "Failed(Evicted) 0/1") || !strings.Contains(strings.Join(w.Story, "\n"), "| Evicted, Killing") {
			t.Errorf("story of %s:\n%s", c.Image, strings.Join(w.Story, "\n"))
		}
		var reason string
		for _, condition := range w.Pod.Status.Conditions {
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
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	failing(w, fault.Pod{Action: fault.Stuck})
	w.Live(10 * time.Second)
	w.Remove(5)
	w.Live(time.Minute)
	if w.Pod == nil || len(w.Story) != 1 {
		t.Fatalf("story:\n%s", strings.Join(w.Story, "\n"))
	}
	w.Faults = fault.OfPod{}
	w.Live(2 * time.Minute)
	if w.Pod != nil {
		t.Errorf("the Pod is still there:\n%s", strings.Join(w.Story, "\n"))
	}
}

// An image that is refused backs off like one that does not exist, and is there at the next attempt
// after the fault.
func TestFault_Image(t *testing.T) {
	t.Parallel()
	refusing := func(i fault.Image) fault.OfPod {
		return fault.OfPod{Image: []*fault.ImageRule{{Fault: &fault.Fault{ObjectMeta: metav1.ObjectMeta{Name: "f"}, Spec: fault.Spec{Image: &i}}}}}
	}
	w := &podtest.World{T: t, Now: podtest.Noon, Pod: podtest.Bound(podtest.Nginx()), Faults: refusing(fault.Image{Image: "nginx:1.14.2"})}
	w.Live(15 * time.Second)
	if waiting := w.Pod.Status.ContainerStatuses[0].State.Waiting; waiting == nil || waiting.Message != `Back-off pulling image "nginx:1.14.2": ErrImagePull: `+
		`failed to pull and unpack image "docker.io/library/nginx:1.14.2": refused by fault f` {
		t.Errorf("waiting is %v", waiting)
	}
	w.Faults = fault.OfPod{}
	w.Now = podtest.Noon.Add(30 * time.Second)
	w.Live(time.Minute)
	w.Want("  0s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed", "  1s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
		" 10s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed", " 11s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
		" 30s Running ready 1/1 nginx=Running | Pulled, Created, Started")

	// A running container has its image; it is pulled again only if the policy says so.
	for policy, want := range map[corev1.PullPolicy]string{corev1.PullIfNotPresent: "Container started", corev1.PullAlways: "Error: SignatureValidationFailed"} {
		c := podtest.Nginx()
		c.ImagePullPolicy = policy
		w := podtest.New(t, podtest.Bound(c))
		w.Live(10 * time.Second)
		failing(w, fault.Pod{Action: fault.Exit})
		w.Faults.Image = refusing(fault.Image{Image: "nginx", Reason: "SignatureValidationFailed"}).Image
		w.Sync()
		w.Now = w.Wake
		if p := kubelet.Reconcile(w.Snapshot()).String(); !strings.Contains(p, want) {
			t.Errorf("%s: %s", policy, p)
		}
	}
}
