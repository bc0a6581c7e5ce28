package kubelet

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/outage"
)

// TestReboot lets a node crash after a minute and stay down for two, and checks what happens to
// Pods. INIT-015, INIT-016: init containers run again, because the Pod's sandbox is new.
func TestReboot(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{"a server", bound(nginx()), []string{
			"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 nginx=Running×1 | SandboxChanged, Pulled, Created, Started",
		}},
		{"a program", bound(sh("sleep infinity")), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 c=Running×1 | SandboxChanged, Pulled, Created, Started",
		}},
		{"init containers run again", bound(nginx(), withInit(of("i", "busybox", "sleep", "10"))), []string{
			"  0s Pending 0/1 i=Running nginx=PodInitializing | Pulled, Created, Started",
			" 10s Running ready 1/1 i=Completed(0) nginx=Running | Pulled, Created, Started",
			"3m0s Running 0/1 i=Running×1 nginx=PodInitializing | SandboxChanged, Pulled, Created, Started",
			"3m10s Running ready 1/1 i=Completed(0)×1 nginx=Running×1 | Pulled, Created, Started",
		}},
		{"also the one that was running", bound(nginx(), withInit(of("i", "busybox", "sleep", "100"))), []string{
			"  0s Pending 0/1 i=Running nginx=PodInitializing | Pulled, Created, Started",
			"3m0s Pending 0/1 i=Running×1 nginx=PodInitializing | SandboxChanged, Pulled, Created, Started",
			"4m40s Running ready 1/1 i=Completed(0)×1 nginx=Running | Pulled, Created, Started",
		}},
		{"a sidecar", bound(nginx(), withInit(asSidecar(of("s", "nginx:1.14.2")))), []string{
			"  0s Running ready 1/1 s=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
			"3m0s Running ready 1/1 s=Running×1 nginx=Running×1 | SandboxChanged, Pulled, Created, Started, Pulled, Created, Started",
		}},
		{"what is run once has failed", bound(of("c", "busybox", "sleep", "1000"), restarting(corev1.RestartPolicyNever)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Failed 0/1 c=Unknown(255)",
		}},
		{"a program that is run once has failed", bound(sh("while :; do sleep 7; done"), restarting(corev1.RestartPolicyNever)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Failed 0/1 c=Unknown(255)",
		}},
		{"what is run until it succeeds is run again", bound(of("c", "busybox", "sleep", "100"), restarting(corev1.RestartPolicyOnFailure)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 c=Running×1 | SandboxChanged, Pulled, Created, Started",
			"4m40s Succeeded 0/1 c=Completed(0)×1",
		}},
		{"but not what has succeeded", bound(of("a", "busybox", "true"), restarting(corev1.RestartPolicyOnFailure),
			func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, of("b", "busybox", "sleep", "100")) }), []string{
			"  0s Running 1/2 a=Completed(0) b=Running | Pulled, Created, Started, Pulled, Created, Started",
			"3m0s Running 1/2 a=Completed(0) b=Running×1 | SandboxChanged, Pulled, Created, Started",
			"4m40s Succeeded 0/2 a=Completed(0) b=Completed(0)×1",
		}},
		{"one that waits for its image goes on waiting", bound(of("c", "nginx:1.161")), []string{
			"  0s Pending 0/1 c=ErrImagePull | Pulling, Failed, Failed, BackOff, Failed",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: tt.pod}
			w.live(time.Minute)
			if tt.name == "one that waits for its image goes on waiting" {
				w.suffer(outage.Failed, 2*time.Minute)
				w.live(3 * time.Minute)
				if c := w.pod.Status.ContainerStatuses[0]; c.State.Waiting == nil || c.RestartCount != 0 {
					t.Errorf("its container is %+v", c)
				}
				return
			}
			w.suffer(outage.Failed, 2*time.Minute)
			w.live(6 * time.Minute)
			w.want(tt.want...)
		})
	}
}

// TestReboot_Status is that of a container that ran when its node crashed, and of the Pod's
// address.
func TestReboot_Status(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(nginx())}
	w.live(time.Minute)
	w.suffer(outage.Failed, 2*time.Minute)
	w.live(4 * time.Minute)
	last := w.pod.Status.ContainerStatuses[0].LastTerminationState.Terminated
	if last == nil || last.ExitCode != 255 || last.Reason != "Unknown" || !last.FinishedAt.Time.Equal(noon.Add(3*time.Minute)) || last.ContainerID == "" {
		t.Errorf("its last state is %+v, want Unknown, 255, at the boot", last)
	}
	if ip := w.pod.Status.PodIP; ip != "10.244.0.3" {
		t.Errorf("the Pod's address is still %s", ip)
	}
}

// TestReboot_Programs stand still while their node is down, and what they have ended before is as
// it was.
func TestReboot_Programs(t *testing.T) {
	t.Parallel()
	const count = "i=0; while :; do i=$((i+1)); echo $i $(cat /etc/hosts | grep web-1); sleep 30; done"
	w := &world{t: t, now: noon, pod: bound(sh(count))}
	w.live(time.Minute)
	w.suffer(outage.Failed, 2*time.Minute)
	w.live(200 * time.Second)
	w.wantLog("c", "3m0s 1 10.244.0.3 web-1")
	if diff := cmp.Diff([]string{"0s 1 10.244.0.2 web-1", "30s 2 10.244.0.2 web-1", "1m0s 3 10.244.0.2 web-1"}, w.logOf("c", true)); diff != "" {
		t.Errorf("the log before (-want +got):\n%s", diff)
	}
}

// TestUnreachable is a node that is cut off: programs go on, and what has ended has ended then.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(sh("echo begun; sleep 100; echo ended"), restarting(corev1.RestartPolicyNever))}
	w.live(time.Minute)
	w.suffer(outage.Unreachable, 10*time.Minute)
	w.live(11 * time.Minute)
	w.want("  0s Running ready 1/1 c=Running | Pulled, Created, Started", "11m0s Succeeded 0/1 c=Completed(0)")
	w.wantLog("c", "0s begun", "1m40s ended")
	if at := w.pod.Status.ContainerStatuses[0].State.Terminated.FinishedAt; !at.Time.Equal(noon.Add(100 * time.Second)) {
		t.Errorf("it has ended at %v", at)
	}
}

// TestDeletedWhileOut: a Pod that is deleted while its node is down stops when the node is back,
// with its whole grace period; after a crash there is nothing to stop.
func TestDeletedWhileOut(t *testing.T) {
	t.Parallel()
	const deaf = "trap '' TERM; while :; do sleep 1; done"
	for fault, want := range map[string][]string{
		outage.Unreachable: {
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 c=Running | Killing",
			"3m30s Failed 0/1 c=Error(137)",
			"3m30s deleted",
		},
		outage.Failed: {
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Failed 0/1 c=Unknown(255)",
			"3m0s deleted",
		},
	} {
		for name, c := range map[string]corev1.Container{"in a machine": sh(deaf), "in closed form": of("c", "busybox", "sleep", "9999")} {
			t.Run(fault+" "+name, func(t *testing.T) {
				t.Parallel()
				w := &world{t: t, now: noon, pod: bound(c)}
				w.live(time.Minute)
				o := outage.Outage{Fault: fault, From: w.now, To: noon.Add(3 * time.Minute)}
				w.now = noon.Add(2 * time.Minute)
				w.remove(30)
				w.record, w.now = o.String(), o.To
				w.live(6 * time.Minute)
				w.want(want...)
			})
		}
	}
}
