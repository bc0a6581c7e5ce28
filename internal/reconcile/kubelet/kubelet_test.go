package kubelet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// TestStory shows what happens to Pods that are left alone for ten minutes.
func TestStory(t *testing.T) {
	t.Parallel()
	http := func(path string, port int, change func(*corev1.Probe)) *corev1.Probe {
		p := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt(port), Scheme: "HTTP"}},
			TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3}
		if change != nil {
			change(p)
		}
		return p
	}
	with := func(c corev1.Container, change func(*corev1.Container)) corev1.Container { change(&c); return c }

	tests := []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{
			name: "runs and is ready",
			pod:  podtest.Bound(podtest.Nginx()),
			want: []string{"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started"},
		}, {
			name: "pulled always",
			pod:  podtest.Bound(with(podtest.Nginx(), func(c *corev1.Container) { c.ImagePullPolicy = corev1.PullAlways })),
			want: []string{"  0s Running ready 1/1 nginx=Running | Pulling, Pulled, Created, Started"},
		}, {
			name: "POD-020 and POD-021 a failing container is restarted in place with growing delays",
			pod:  podtest.Bound(podtest.Sh("sleep 2; exit 3")),
			want: []string{
				"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
				"  2s Running 0/1 c=Error(3)",
				"  3s Running ready 1/1 c=Running×1 | Pulled, Created, Started",
				"  5s Running 0/1 c=Error(3)×1",
				"  6s Running 0/1 c=CrashLoopBackOff×1 | BackOff",
				" 15s Running ready 1/1 c=Running×2 | Pulled, Created, Started",
				" 17s Running 0/1 c=Error(3)×2",
				" 18s Running 0/1 c=CrashLoopBackOff×2 | BackOff",
				" 37s Running ready 1/1 c=Running×3 | Pulled, Created, Started",
				" 39s Running 0/1 c=Error(3)×3",
				" 40s Running 0/1 c=CrashLoopBackOff×3 | BackOff",
				"1m19s Running ready 1/1 c=Running×4 | Pulled, Created, Started",
				"1m21s Running 0/1 c=Error(3)×4",
				"1m22s Running 0/1 c=CrashLoopBackOff×4 | BackOff",
				"2m41s Running ready 1/1 c=Running×5 | Pulled, Created, Started",
				"2m43s Running 0/1 c=Error(3)×5",
				"2m44s Running 0/1 c=CrashLoopBackOff×5 | BackOff",
				"5m23s Running ready 1/1 c=Running×6 | Pulled, Created, Started",
				"5m25s Running 0/1 c=Error(3)×6",
				"5m26s Running 0/1 c=CrashLoopBackOff×6 | BackOff",
			},
		}, {
			name: "POD-021 OnFailure restarts what fails",
			pod:  podtest.Bound(podtest.Sh("exit 1"), podtest.Restarting(corev1.RestartPolicyOnFailure), podtest.WithDeadline(20)),
			want: []string{
				"  0s Running 0/1 c=Error(1) | Pulled, Created, Started",
				"  1s Running 0/1 c=Error(1)×1 | Pulled, Created, Started",
				"  2s Running 0/1 c=CrashLoopBackOff×1 | BackOff",
				" 11s Running 0/1 c=Error(1)×2 | Pulled, Created, Started",
				" 12s Running 0/1 c=CrashLoopBackOff×2 | BackOff",
				" 20s Failed(DeadlineExceeded) 0/1 c=ContainerStatusUnknown(137)×2 | DeadlineExceeded",
			},
		}, {
			name: "OnFailure leaves what succeeds",
			pod:  podtest.Bound(podtest.Sh("sleep 5; exit 0"), podtest.Restarting(corev1.RestartPolicyOnFailure)),
			want: []string{
				"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
				"  5s Succeeded 0/1 c=Completed(0)",
			},
		}, {
			name: "POD-022 Never makes the Pod fail",
			pod:  podtest.Bound(podtest.Sh("sleep 1; exit 7"), podtest.Restarting(corev1.RestartPolicyNever)),
			want: []string{
				"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
				"  1s Failed 0/1 c=Error(7)",
			},
		}, {
			name: "POD-022 one failed container of two that never restart",
			pod: podtest.Bound(podtest.Sh("exit 1"), podtest.Restarting(corev1.RestartPolicyNever), func(p *corev1.Pod) {
				p.Spec.Containers = append(p.Spec.Containers, podtest.Of("b", "busybox", "sleep", "9"))
			}),
			want: []string{
				"  0s Running 1/2 b=Running c=Error(1) | Pulled, Created, Started, Pulled, Created, Started",
				"  9s Failed 0/2 b=Completed(0) c=Error(1)",
			},
		}, {
			name: "POD-024 an image that does not exist",
			pod:  podtest.Bound(podtest.Of("nginx", "nginx:1.161")),
			want: []string{
				"  0s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				"  1s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
				" 10s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				" 11s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
				" 30s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				" 31s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
				"1m10s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				"1m11s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
				"2m30s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				"2m31s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
				"5m10s Pending 0/1 nginx=ErrImagePull | Pulling, Failed, Failed",
				"5m11s Pending 0/1 nginx=ImagePullBackOff | BackOff, Failed",
			},
		}, {
			name: "never pulled and not there",
			pod:  podtest.Bound(with(podtest.Of("nginx", "nginx:1.161"), func(c *corev1.Container) { c.ImagePullPolicy = corev1.PullNever })),
			want: []string{"  0s Pending 0/1 nginx=ErrImageNeverPull | ErrImageNeverPull, Failed"},
		}, {
			name: "an invalid image name",
			pod:  podtest.Bound(podtest.Of("nginx", "Nginx:1")),
			want: []string{"  0s Pending 0/1 nginx=InvalidImageName | InspectFailed, Failed"},
		}, {
			name: "POD-026 the deadline kills a Pod that runs normally, after its grace",
			pod:  podtest.Bound(podtest.Of("c", "busybox", "sleep", "3600"), podtest.WithDeadline(5)),
			want: []string{
				"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
				"  5s Running 1/1 c=Running | DeadlineExceeded, Killing",
				" 35s Failed(DeadlineExceeded) 0/1 c=Error(137)",
			},
		}, {
			name: "POD-026 at once where TERM is heard",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithDeadline(5)),
			want: []string{
				"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
				"  5s Failed(DeadlineExceeded) 0/1 nginx=Completed(0) | DeadlineExceeded, Killing",
			},
		}, {
			name: "POD-026 the deadline counts the init phase",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "sleep", "60")), podtest.WithDeadline(10)),
			want: []string{
				"  0s Pending 0/1 i=Running nginx=PodInitializing | Pulled, Created, Started",
				" 10s Pending 0/1 i=Running nginx=PodInitializing | DeadlineExceeded, Killing",
				" 40s Failed(DeadlineExceeded) 0/1 i=Error(137) nginx=PodInitializing",
			},
		}, {
			name: "init containers run in order",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "sleep", "2"), podtest.Of("j", "busybox", "true"), podtest.Of("k", "busybox", "sleep", "3"))),
			want: []string{
				"  0s Pending 0/1 i=Running j=PodInitializing k=PodInitializing nginx=PodInitializing | Pulled, Created, Started",
				"  2s Pending 0/1 i=Completed(0) j=Completed(0) k=Running nginx=PodInitializing | Pulled, Created, Started, Pulled, Created, Started",
				"  5s Running ready 1/1 i=Completed(0) j=Completed(0) k=Completed(0) nginx=Running | Pulled, Created, Started",
			},
		}, {
			name: "a failing init container is retried",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "false")), podtest.WithDeadline(5)),
			want: []string{
				"  0s Pending 0/1 i=Error(1) nginx=PodInitializing | Pulled, Created, Started",
				"  1s Pending 0/1 i=Error(1)×1 nginx=PodInitializing | Pulled, Created, Started",
				"  2s Pending 0/1 i=CrashLoopBackOff×1 nginx=PodInitializing | BackOff",
				"  5s Failed(DeadlineExceeded) 0/1 i=ContainerStatusUnknown(137)×1 nginx=PodInitializing | DeadlineExceeded",
			},
		}, {
			name: "a failing init container fails a Pod that never restarts",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "false")), podtest.Restarting(corev1.RestartPolicyNever)),
			want: []string{"  0s Failed 0/1 i=Error(1) nginx=PodInitializing | Pulled, Created, Started"},
		}, {
			name: "a sidecar runs beside and goes last",
			pod: podtest.Bound(podtest.Sh("sleep 4"), podtest.Restarting(corev1.RestartPolicyNever),
				podtest.WithInit(podtest.AsSidecar(podtest.Of("s", "busybox", "sleep", "inf")), podtest.Of("i", "busybox", "sleep", "1"))),
			want: []string{
				"  0s Pending 0/1 s=Running i=Running c=PodInitializing | Pulled, Created, Started, Pulled, Created, Started",
				"  1s Running ready 1/1 s=Running i=Completed(0) c=Running | Pulled, Created, Started",
				"  5s Running 0/1 s=Running i=Completed(0) c=Completed(0) | Killing",
				" 35s Succeeded 0/1 s=Error(137) i=Completed(0) c=Completed(0)",
			},
		}, {
			name: "a sidecar that exits is restarted",
			pod:  podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.AsSidecar(podtest.Of("s", "busybox", "sleep", "595")))),
			want: []string{
				"  0s Running ready 1/1 s=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
				"9m55s Running 1/1 s=Completed(0) nginx=Running",
				"9m56s Running ready 1/1 s=Running×1 nginx=Running | Pulled, Created, Started",
			},
		}, {
			name: "ready after the readiness probe's delay and successes",
			pod: podtest.Bound(with(podtest.Nginx(), func(c *corev1.Container) {
				c.ReadinessProbe = http("/", 80, func(p *corev1.Probe) { p.InitialDelaySeconds, p.SuccessThreshold = 5, 2 })
			})),
			want: []string{
				"  0s Running 0/1 nginx=Running | Pulled, Created, Started",
				" 15s Running ready 1/1 nginx=Running",
			},
		}, {
			name: "started after the startup probe, and only then ready",
			pod: podtest.Bound(with(podtest.Nginx(), func(c *corev1.Container) {
				c.StartupProbe = http("/", 80, func(p *corev1.Probe) { p.InitialDelaySeconds = 20 })
				c.ReadinessProbe = http("/", 80, nil)
			})),
			want: []string{
				"  0s Running 0/1 nginx=Running | Pulled, Created, Started",
				" 20s Running ready 1/1 nginx=Running",
			},
		}, {
			name: "never ready when it answers elsewhere",
			pod:  podtest.Bound(with(podtest.Nginx(), func(c *corev1.Container) { c.ReadinessProbe = http("/", 8080, nil) })),
			want: []string{"  0s Running 0/1 nginx=Running | Pulled, Created, Started, Unhealthy"},
		}, {
			name: "killed by its liveness probe",
			pod:  podtest.Bound(with(podtest.Nginx(), func(c *corev1.Container) { c.LivenessProbe = http("/nowhere", 80, nil) }), podtest.WithDeadline(45)),
			want: []string{
				"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
				" 20s Running 0/1 nginx=Completed(0) | Unhealthy, Killing",
				" 21s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started",
				" 41s Running 0/1 nginx=Completed(0)×1 | Unhealthy, Killing",
				" 42s Running 0/1 nginx=CrashLoopBackOff×1 | BackOff",
				" 45s Failed(DeadlineExceeded) 0/1 nginx=ContainerStatusUnknown(137)×1 | DeadlineExceeded",
			},
		}, {
			name: "not ready while a readiness gate is closed",
			pod: podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) {
				p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/lb"}}
			}),
			want: []string{"  0s Running 1/1 nginx=Running | Pulled, Created, Started"},
		}, {
			name: "not bound",
			pod:  podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) { p.Spec.NodeName = "" }),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(10 * time.Minute)
			if diff := cmp.Diff(tt.want, w.Story); diff != "" {
				t.Errorf("story (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDeletion lets a Pod live for a minute, and then deletes it.
func TestDeletion(t *testing.T) {
	t.Parallel()
	sleeping := func(seconds string) corev1.Container {
		c := podtest.Nginx()
		c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"sleep", seconds}}}}
		return c
	}
	tests := []struct {
		name  string
		pod   *corev1.Pod
		grace int64
		want  []string
	}{
		{
			name: "POD-011 and POD-012 TERM is heard, the phase is final, and the Pod goes", pod: podtest.Bound(podtest.Nginx()), grace: 30,
			want: []string{
				"1m0s Succeeded 0/1 nginx=Completed(0) | Killing",
				"1m0s deleted",
			},
		}, {
			name: "POD-006 and POD-011 KILL when the grace ends", pod: podtest.Bound(podtest.Of("c", "busybox", "sleep", "3600")), grace: 30,
			want: []string{
				"1m0s Running ready 1/1 c=Running | Killing",
				"1m30s Failed 0/1 c=Error(137)",
				"1m30s deleted",
			},
		}, {
			name: "POD-008 a shorter grace", pod: podtest.Bound(podtest.Of("c", "busybox", "sleep", "3600")), grace: 5,
			want: []string{
				"1m0s Running ready 1/1 c=Running | Killing",
				"1m5s Failed 0/1 c=Error(137)",
				"1m5s deleted",
			},
		}, {
			name: "two seconds at the least", pod: podtest.Bound(podtest.Of("c", "busybox", "sleep", "3600")), grace: 1,
			want: []string{
				"1m0s Running ready 1/1 c=Running | Killing",
				"1m2s Failed 0/1 c=Error(137)",
				"1m2s deleted",
			},
		}, {
			name: "a program that ends by itself in time", pod: podtest.Bound(podtest.Of("c", "busybox", "sleep", "70")), grace: 30,
			want: []string{
				"1m0s Running ready 1/1 c=Running | Killing",
				"1m10s Succeeded 0/1 c=Completed(0)",
				"1m10s deleted",
			},
		}, {
			name: "POD-010 the preStop hook comes first", pod: podtest.Bound(sleeping("7")), grace: 30,
			want: []string{
				"1m0s Running ready 1/1 nginx=Running | Killing",
				"1m7s Succeeded 0/1 nginx=Completed(0)",
				"1m7s deleted",
			},
		}, {
			name: "POD-010 and leaves two seconds for KILL", grace: 10, pod: podtest.Bound(func() corev1.Container {
				c := podtest.Of("c", "busybox", "sleep", "3600")
				c.Lifecycle = sleeping("60").Lifecycle
				return c
			}()),
			want: []string{
				"1m0s Running ready 1/1 c=Running | Killing",
				"1m12s Failed 0/1 c=Error(137)",
				"1m12s deleted",
			},
		}, {
			name: "POD-011 containers stop together, sidecars after them", grace: 30,
			pod: podtest.Bound(podtest.Of("c", "busybox", "sleep", "65"), podtest.WithInit(podtest.AsSidecar(podtest.Nginx()))),
			want: []string{
				"1m0s Running ready 1/1 nginx=Running c=Running | Killing, Killing",
				"1m5s Succeeded 0/1 nginx=Completed(0) c=Completed(0)",
				"1m5s deleted",
			},
		}, {
			name: "a container that waits to be restarted has ended as it did", pod: podtest.Bound(podtest.Sh("sleep 2; exit 3")), grace: 30,
			want: []string{
				"1m0s Failed 0/1 c=Error(3)×3",
				"1m0s deleted",
			},
		}, {
			name: "a container that never came to run", pod: podtest.Bound(podtest.Of("nginx", "nginx:1.161")), grace: 30,
			want: []string{
				"1m0s Failed 0/1 nginx=ContainerStatusUnknown(137)",
				"1m0s deleted",
			},
		}, {
			name: "a Pod that has ended", pod: podtest.Bound(podtest.Sh("true"), podtest.Restarting(corev1.RestartPolicyNever)), grace: 0,
			want: []string{
				"1m0s deleted",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			w.Story = nil
			w.Remove(tt.grace)
			w.Live(10 * time.Minute)
			if diff := cmp.Diff(tt.want, w.Story); diff != "" {
				t.Errorf("story (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPatch changes a running Pod.
func TestPatch(t *testing.T) {
	t.Parallel()
	image := func(name string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Containers[0].Image, p.Generation = name, p.Generation+1 }
	}
	tests := []struct {
		name   string
		pod    *corev1.Pod
		change func(*corev1.Pod)
		want   []string
	}{
		{
			name: "POD-023 another image", pod: podtest.Bound(podtest.Nginx()), change: image("nginx:1.16.1"),
			want: []string{
				"1m0s Running ready 1/1 nginx=Running×1 | Killing, Pulled, Created, Started",
			},
		}, {
			name: "POD-024 an image that exists after one that does not", pod: podtest.Bound(podtest.Of("nginx", "nginx:1.91")), change: image("nginx:1.9.1"),
			want: []string{"1m0s Running ready 1/1 nginx=Running | Pulled, Created, Started"},
		}, {
			name: "a generation without consequences is observed", pod: podtest.Bound(podtest.Nginx()), change: func(p *corev1.Pod) { p.Generation++ },
			want: []string{"1m0s Running ready 1/1 nginx=Running"},
		}, {
			name: "a readiness gate opens",
			pod: podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) {
				p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/lb"}}
			}),
			change: func(p *corev1.Pod) {
				p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "example.com/lb", Status: corev1.ConditionTrue})
			},
			want: []string{"1m0s Running ready 1/1 nginx=Running"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			w.Story = nil
			tt.change(w.Pod)
			w.Live(61 * time.Second)
			if diff := cmp.Diff(tt.want, w.Story); diff != "" {
				t.Errorf("story (-want +got):\n%s", diff)
			}
		})
	}
}
