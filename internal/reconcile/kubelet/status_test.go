package kubelet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

const (
	nginxReference = "docker.io/library/nginx:1.14.2"
	nginxID        = "docker.io/library/nginx@sha256:bf6b44d4b6c35cec8d89c8e78385400fd7a10aabffd8c277f8c23da7d6388568"
	firstRun       = "containerd://e2ad2abb0ff25af4c3c23e2fb596c76c961e858d6a1ec4f58dda91fd66569e37"
	pullError      = `rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": ` +
		`failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found`
)

// conditions are kubelet's five, in its order; ready and its reason stand for Ready and
// ContainersReady both.
func conditions(network, initialized, ready corev1.ConditionStatus, since metav1.Time, reason, message string) []corev1.PodCondition {
	return []corev1.PodCondition{
		{Type: "PodReadyToStartContainers", Status: network, ObservedGeneration: 1, LastTransitionTime: podtest.Stamp},
		{Type: "Initialized", Status: initialized, ObservedGeneration: 1, LastTransitionTime: podtest.Stamp},
		{Type: "Ready", Status: ready, ObservedGeneration: 1, LastTransitionTime: since, Reason: reason, Message: message},
		{Type: "ContainersReady", Status: ready, ObservedGeneration: 1, LastTransitionTime: since, Reason: reason, Message: message},
		{Type: "PodScheduled", Status: "True", ObservedGeneration: 1, LastTransitionTime: podtest.Stamp},
	}
}

func pod(phase corev1.PodPhase, conditions []corev1.PodCondition, containers ...corev1.ContainerStatus) corev1.PodStatus {
	return corev1.PodStatus{
		ObservedGeneration: 1, Phase: phase, Conditions: conditions, ContainerStatuses: containers,
		HostIP: "10.0.0.1", HostIPs: []corev1.HostIP{{IP: "10.0.0.1"}}, PodIP: "10.244.0.2", PodIPs: []corev1.PodIP{{IP: "10.244.0.2"}},
		StartTime: &podtest.Stamp, QOSClass: corev1.PodQOSBestEffort, Resources: &corev1.ResourceRequirements{},
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	after := func(s int) metav1.Time { return metav1.Time{Time: podtest.Noon.Add(time.Duration(s) * time.Second)} }
	none := &corev1.ResourceRequirements{}

	limits := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("64Mi")}
	mounted := podtest.Nginx()
	mounted.Resources = corev1.ResourceRequirements{Requests: limits, Limits: limits}
	mounted.VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, {Name: "token", MountPath: "/token", ReadOnly: true}}
	disabled := corev1.RecursiveReadOnlyDisabled

	tests := []struct {
		name  string
		pod   *corev1.Pod
		after time.Duration
		want  corev1.PodStatus
	}{
		{
			name: "running", pod: podtest.Bound(podtest.Nginx()),
			want: pod(corev1.PodRunning, conditions("True", "True", "True", podtest.Stamp, "", ""), corev1.ContainerStatus{
				Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: podtest.Stamp}},
				Ready: true, Started: &yes, Image: nginxReference, ImageID: nginxID, ContainerID: firstRun, Resources: none,
			}),
		}, {
			name: "running with resources and volumes", pod: podtest.Bound(mounted),
			want: func() corev1.PodStatus {
				s := pod(corev1.PodRunning, conditions("True", "True", "True", podtest.Stamp, "", ""), corev1.ContainerStatus{
					Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: podtest.Stamp}},
					Ready: true, Started: &yes, Image: nginxReference, ImageID: nginxID, ContainerID: firstRun,
					AllocatedResources: limits, Resources: &corev1.ResourceRequirements{Limits: limits, Requests: limits},
					VolumeMounts: []corev1.VolumeMountStatus{{Name: "data", MountPath: "/data"},
						{Name: "token", MountPath: "/token", ReadOnly: true, RecursiveReadOnly: &disabled}},
				})
				s.Resources, s.AllocatedResources = &corev1.ResourceRequirements{Limits: limits, Requests: limits}, limits
				return s
			}(),
		}, {
			name: "POD-024 first pull", pod: podtest.Bound(podtest.Of("nginx", "nginx:1.161")),
			want: pod(corev1.PodPending, conditions("True", "True", "False", podtest.Stamp, "ContainersNotReady", "containers with unready status: [nginx]"),
				corev1.ContainerStatus{Name: "nginx", Started: &no, Image: "nginx:1.161", State: corev1.ContainerState{
					Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull", Message: pullError}}}),
		}, {
			name: "POD-024 back-off", pod: podtest.Bound(podtest.Of("nginx", "nginx:1.161")), after: 5 * time.Second,
			want: pod(corev1.PodPending, conditions("True", "True", "False", podtest.Stamp, "ContainersNotReady", "containers with unready status: [nginx]"),
				corev1.ContainerStatus{Name: "nginx", Started: &no, Image: "nginx:1.161", State: corev1.ContainerState{
					Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff",
						Message: `Back-off pulling image "nginx:1.161": ErrImagePull: ` + pullError}}}),
		}, {
			name: "initializing", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "sleep", "60"))),
			want: func() corev1.PodStatus {
				cs := conditions("True", "False", "False", podtest.Stamp, "ContainersNotReady", "containers with unready status: [nginx]")
				cs[1].Reason, cs[1].Message = "ContainersNotInitialized", "containers with incomplete status: [i]"
				s := pod(corev1.PodPending, cs, corev1.ContainerStatus{Name: "nginx", Started: &no, Image: "nginx:1.14.2",
					State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}})
				busybox, _ := podtest.Images.Find("busybox")
				s.InitContainerStatuses = []corev1.ContainerStatus{{Name: "i", Started: &yes, Image: "docker.io/library/busybox:latest",
					ImageID: busybox.ID, ContainerID: kubelet.ContainerID(podtest.Bound(podtest.Nginx()), "i", 0), Resources: none,
					State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: podtest.Stamp}}}}
				return s
			}(),
		}, {
			name: "POD-021 crash loop", pod: podtest.Bound(podtest.Sh("sleep 2; exit 3")), after: 8 * time.Second,
			want: func() corev1.PodStatus {
				busybox, _ := podtest.Images.Find("busybox")
				id := kubelet.ContainerID(podtest.Bound(podtest.Nginx()), "c", 1)
				return pod(corev1.PodRunning, conditions("True", "True", "False", after(5), "ContainersNotReady", "containers with unready status: [c]"),
					corev1.ContainerStatus{Name: "c", Started: &no, RestartCount: 1, Image: "docker.io/library/busybox:latest", ImageID: busybox.ID,
						ContainerID: id, Resources: none,
						State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff",
							Message: "back-off 10s restarting failed container=c pod=web-1_default(11111111-1111-1111-1111-111111111111)"}},
						LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
							ExitCode: 3, Reason: "Error", StartedAt: after(3), FinishedAt: after(5), ContainerID: id}}})
			}(),
		}, {
			name: "completed", pod: podtest.Bound(podtest.Of("nginx", "nginx:1.14.2", "sleep", "4"), podtest.Restarting(corev1.RestartPolicyNever)), after: time.Minute,
			want: func() corev1.PodStatus {
				cs := conditions("False", "True", "False", after(4), "PodCompleted", "")
				cs[0].LastTransitionTime, cs[1].Reason = after(4), "PodCompleted"
				return pod(corev1.PodSucceeded, cs, corev1.ContainerStatus{Name: "nginx", Started: &no, Image: nginxReference, ImageID: nginxID,
					ContainerID: firstRun, Resources: none, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
						Reason: "Completed", StartedAt: podtest.Stamp, FinishedAt: after(4), ContainerID: firstRun}}})
			}(),
		}, {
			name: "POD-026 deadline", pod: podtest.Bound(podtest.Nginx(), podtest.WithDeadline(5)), after: time.Minute,
			want: func() corev1.PodStatus {
				cs := conditions("False", "True", "False", after(5), "PodFailed", "")
				cs[0].LastTransitionTime = after(5)
				s := pod(corev1.PodFailed, cs, corev1.ContainerStatus{Name: "nginx", Started: &no, Image: nginxReference, ImageID: nginxID,
					ContainerID: firstRun, Resources: none, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
						Reason: "Completed", StartedAt: podtest.Stamp, FinishedAt: after(5), ContainerID: firstRun}}})
				s.Reason, s.Message = "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"
				return s
			}(),
		}, {
			name: "readiness gate", pod: podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) {
				p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/lb"}}
			}),
			want: func() corev1.PodStatus {
				cs := conditions("True", "True", "True", podtest.Stamp, "", "")
				cs[2].Status, cs[2].Reason = "False", "ReadinessGatesNotReady"
				cs[2].Message = `corresponding condition of pod readiness gate "example.com/lb" does not exist.`
				return pod(corev1.PodRunning, cs, corev1.ContainerStatus{
					Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: podtest.Stamp}},
					Ready: true, Started: &yes, Image: nginxReference, ImageID: nginxID, ContainerID: firstRun, Resources: none})
			}(),
		}, {
			name: "on the node's network", pod: podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) { p.Spec.HostNetwork = true }),
			want: func() corev1.PodStatus {
				s := pod(corev1.PodRunning, conditions("True", "True", "True", podtest.Stamp, "", ""), corev1.ContainerStatus{
					Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: podtest.Stamp}},
					Ready: true, Started: &yes, Image: nginxReference, ImageID: nginxID, ContainerID: firstRun, Resources: none})
				s.PodIP, s.PodIPs = "10.0.0.1", []corev1.PodIP{{IP: "10.0.0.1"}}
				return s
			}(),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(tt.after)
			if diff := cmp.Diff(tt.want, w.Pod.Status); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	always := podtest.Nginx()
	always.ImagePullPolicy = corev1.PullAlways
	unhealthy := podtest.Nginx()
	unhealthy.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"cat", "/tmp/ok"}}}}
	at := func(pod *corev1.Pod, after time.Duration) *podtest.World {
		w := podtest.New(t, pod)
		w.Live(after)
		return w
	}
	deleted := at(podtest.Bound(podtest.Nginx()), time.Second)
	deleted.Remove(30)
	tests := []struct {
		name string
		w    *podtest.World
		want string
	}{
		{
			name: "start", w: &podtest.World{Pod: podtest.Bound(podtest.Nginx()), Now: podtest.Noon},
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal Pulled "Container image \"nginx:1.14.2\" already present on machine and can be accessed by the pod"
event Pod default/web-1 Normal Created "Container created"
event Pod default/web-1 Normal Started "Container started"
`,
		}, {
			name: "pull always, not ready", w: &podtest.World{Pod: podtest.Bound(always, func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe = unhealthy.ReadinessProbe }), Now: podtest.Noon},
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal Pulling "Pulling image \"nginx:1.14.2\""
event Pod default/web-1 Normal Pulled "Successfully pulled image \"nginx:1.14.2\" in 0s (0s including waiting). Image size: 71575136 bytes."
event Pod default/web-1 Normal Created "Container created"
event Pod default/web-1 Normal Started "Container started"
event Pod default/web-1 Warning Unhealthy "Readiness probe failed: cat: /tmp/ok: No such file or directory\n"
remember
`,
		}, {
			name: "POD-024 first pull", w: &podtest.World{Pod: podtest.Bound(podtest.Of("nginx", "nginx:1.161")), Now: podtest.Noon},
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal Pulling "Pulling image \"nginx:1.161\""
event Pod default/web-1 Warning Failed "Failed to pull image \"nginx:1.161\": rpc error: code = NotFound desc = ` +
				`failed to pull and unpack image \"docker.io/library/nginx:1.161\": ` +
				`failed to resolve reference \"docker.io/library/nginx:1.161\": docker.io/library/nginx:1.161: not found"
event Pod default/web-1 Warning Failed "Error: ErrImagePull"
wake at 2026-01-02T12:00:01Z
`,
		}, {
			name: "POD-024 back-off", w: func() *podtest.World {
				w := at(podtest.Bound(podtest.Of("nginx", "nginx:1.161")), 0)
				w.Now = w.Wake
				return w
			}(),
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal BackOff "Back-off pulling image \"nginx:1.161\""
event Pod default/web-1 Warning Failed "Error: ImagePullBackOff"
wake at 2026-01-02T12:00:10Z
`,
		}, {
			name: "invalid name", w: &podtest.World{Pod: podtest.Bound(podtest.Of("nginx", "Nginx:1")), Now: podtest.Noon},
			want: `update Pod default/web-1 status
event Pod default/web-1 Warning InspectFailed "Failed to apply default image tag \"Nginx:1\": ` +
				`couldn't parse image name \"Nginx:1\": invalid reference format: ` +
				`repository name (library/Nginx) must be lowercase"
event Pod default/web-1 Warning Failed "Error: InvalidImageName"
`,
		}, {
			name: "crash loop", w: func() *podtest.World {
				w := at(podtest.Bound(podtest.Sh("exit 1")), time.Second)
				w.Now = w.Wake
				return w
			}(),
			want: `update Pod default/web-1 status
event Pod default/web-1 Warning BackOff "Back-off restarting failed container c in pod web-1_default(11111111-1111-1111-1111-111111111111)"
wake at 2026-01-02T12:00:11Z
`,
		}, {
			name: "POD-026 deadline", w: func() *podtest.World {
				w := at(podtest.Bound(podtest.Nginx(), podtest.WithDeadline(5)), time.Second)
				w.Now = w.Wake
				return w
			}(),
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal DeadlineExceeded "Pod was active on the node longer than the specified deadline"
event Pod default/web-1 Normal Killing "Stopping container nginx"
`,
		}, {
			name: "POD-012 deletion", w: deleted,
			want: `update Pod default/web-1 status
event Pod default/web-1 Normal Killing "Stopping container nginx"
wake at 2026-01-02T12:00:01Z
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := kubelet.Reconcile(tt.w.Snapshot())
			if p.Memory != nil {
				p.WakeAt = time.Time{} // how far it looks ahead does not matter here
			}
			if diff := cmp.Diff(tt.want, p.String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			for _, e := range p.Events {
				if e.Component != "kubelet" || e.Host != "node-1" {
					t.Errorf("event %s comes from %s on %q", e.Reason, e.Component, e.Host)
				}
			}
		})
	}
	init := kubelet.Reconcile((&podtest.World{Pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "true"))), Now: podtest.Noon}).Snapshot())
	var paths []string
	for _, e := range init.Events {
		paths = append(paths, e.FieldPath)
	}
	i, c := "spec.initContainers{i}", "spec.containers{nginx}"
	if diff := cmp.Diff([]string{i, i, i, c, c, c}, paths); diff != "" {
		t.Errorf("INIT-024 field paths (-want +got):\n%s", diff)
	}
}

func TestReconcile_NoNode(t *testing.T) {
	t.Parallel()
	if p := kubelet.Reconcile(kubelet.Snapshot{Pod: podtest.Bound(podtest.Nginx()), Images: podtest.Images, Now: podtest.Noon}); !p.Empty() || !p.WakeAt.IsZero() {
		t.Errorf("plan without a node = %v, want none", p)
	}
}
