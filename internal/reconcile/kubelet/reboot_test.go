package kubelet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
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
		{"a server", podtest.Bound(podtest.Nginx()), []string{
			"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 nginx=Running×1 | SandboxChanged, Pulled, Created, Started",
		}},
		{"a program", podtest.Bound(podtest.Sh("sleep infinity")), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 c=Running×1 | SandboxChanged, Pulled, Created, Started",
		}},
		{"init containers run again", podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "sleep", "10"))), []string{
			"  0s Pending 0/1 i=Running nginx=PodInitializing | Pulled, Created, Started",
			" 10s Running ready 1/1 i=Completed(0) nginx=Running | Pulled, Created, Started",
			"3m0s Running 0/1 i=Running×1 nginx=PodInitializing | SandboxChanged, Pulled, Created, Started",
			"3m10s Running ready 1/1 i=Completed(0)×1 nginx=Running×1 | Pulled, Created, Started",
		}},
		{"also the one that was running", podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("i", "busybox", "sleep", "100"))), []string{
			"  0s Pending 0/1 i=Running nginx=PodInitializing | Pulled, Created, Started",
			"3m0s Pending 0/1 i=Running×1 nginx=PodInitializing | SandboxChanged, Pulled, Created, Started",
			"4m40s Running ready 1/1 i=Completed(0)×1 nginx=Running | Pulled, Created, Started",
		}},
		{"a sidecar", podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.AsSidecar(podtest.Of("s", "nginx:1.14.2")))), []string{
			"  0s Running ready 1/1 s=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
			"3m0s Running ready 1/1 s=Running×1 nginx=Running×1 | SandboxChanged, Pulled, Created, Started, Pulled, Created, Started",
		}},
		{"what is run once has failed", podtest.Bound(podtest.Of("c", "busybox", "sleep", "1000"), podtest.Restarting(corev1.RestartPolicyNever)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Failed 0/1 c=Unknown(255)",
		}},
		{"a program that is run once has failed", podtest.Bound(podtest.Sh("while :; do sleep 7; done"), podtest.Restarting(corev1.RestartPolicyNever)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Failed 0/1 c=Unknown(255)",
		}},
		{"what is run until it succeeds is run again", podtest.Bound(podtest.Of("c", "busybox", "sleep", "100"), podtest.Restarting(corev1.RestartPolicyOnFailure)), []string{
			"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
			"3m0s Running ready 1/1 c=Running×1 | SandboxChanged, Pulled, Created, Started",
			"4m40s Succeeded 0/1 c=Completed(0)×1",
		}},
		{"but not what has succeeded", podtest.Bound(podtest.Of("a", "busybox", "true"), podtest.Restarting(corev1.RestartPolicyOnFailure),
			func(p *corev1.Pod) {
				p.Spec.Containers = append(p.Spec.Containers, podtest.Of("b", "busybox", "sleep", "100"))
			}), []string{
			"  0s Running 1/2 a=Completed(0) b=Running | Pulled, Created, Started, Pulled, Created, Started",
			"3m0s Running 1/2 a=Completed(0) b=Running×1 | SandboxChanged, Pulled, Created, Started",
			"4m40s Succeeded 0/2 a=Completed(0) b=Completed(0)×1",
		}},
		{"one that waits for its image goes on waiting", podtest.Bound(podtest.Of("c", "nginx:1.161")), []string{
			"  0s Pending 0/1 c=ErrImagePull | Pulling, Failed, Failed, BackOff, Failed",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			if tt.name == "one that waits for its image goes on waiting" {
				w.Suffer(outage.Failed, 2*time.Minute)
				w.Live(3 * time.Minute)
				if c := w.Pod.Status.ContainerStatuses[0]; c.State.Waiting == nil || c.RestartCount != 0 {
					t.Errorf("its container is %+v", c)
				}
				return
			}
			w.Suffer(outage.Failed, 2*time.Minute)
			w.Live(6 * time.Minute)
			w.Want(tt.want...)
		})
	}
}

// TestReboot_Status is that of a container that ran when its node crashed, and of the Pod's
// address.
func TestReboot_Status(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	w.Live(time.Minute)
	w.Suffer(outage.Failed, 2*time.Minute)
	w.Live(4 * time.Minute)
	last := w.Pod.Status.ContainerStatuses[0].LastTerminationState.Terminated
	if last == nil || last.ExitCode != 255 || last.Reason != "Unknown" || !last.FinishedAt.Time.Equal(podtest.Noon.Add(3*time.Minute)) || last.ContainerID == "" {
		t.Errorf("its last state is %+v, want Unknown, 255, at the boot", last)
	}
	if ip := w.Pod.Status.PodIP; ip != "10.244.0.3" {
		t.Errorf("the Pod's address is still %s", ip)
	}
}

// TestReboot_Programs stand still while their node is down, and what they have ended before is as
// it was.
func TestReboot_Programs(t *testing.T) {
	t.Parallel()
	const count = "i=0; while :; do i=$((i+1)); echo $i $(cat /etc/hosts | grep web-1); sleep 30; done"
	w := podtest.New(t, podtest.Bound(podtest.Sh(count)))
	w.Live(time.Minute)
	w.Suffer(outage.Failed, 2*time.Minute)
	w.Live(200 * time.Second)
	w.WantLog("c", "3m0s 1 10.244.0.3 web-1")
	if diff := cmp.Diff([]string{"0s 1 10.244.0.2 web-1", "30s 2 10.244.0.2 web-1", "1m0s 3 10.244.0.2 web-1"}, w.LogOf("c", true)); diff != "" {
		t.Errorf("the log before (-want +got):\n%s", diff)
	}
}

// TestUnreachable is a node that is cut off: programs go on, and what has ended has ended then.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("echo begun; sleep 100; echo ended"), podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	w.Suffer(outage.Unreachable, 10*time.Minute)
	w.Live(11 * time.Minute)
	w.Want("  0s Running ready 1/1 c=Running | Pulled, Created, Started", "11m0s Succeeded 0/1 c=Completed(0)")
	w.WantLog("c", "0s begun", "1m40s ended")
	if at := w.Pod.Status.ContainerStatuses[0].State.Terminated.FinishedAt; !at.Time.Equal(podtest.Noon.Add(100 * time.Second)) {
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
		for name, c := range map[string]corev1.Container{"in a machine": podtest.Sh(deaf), "in closed form": podtest.Of("c", "busybox", "sleep", "9999")} {
			t.Run(fault+" "+name, func(t *testing.T) {
				t.Parallel()
				w := podtest.New(t, podtest.Bound(c))
				w.Live(time.Minute)
				o := outage.Outage{Fault: fault, From: w.Now, To: podtest.Noon.Add(3 * time.Minute)}
				w.Now = podtest.Noon.Add(2 * time.Minute)
				w.Remove(30)
				w.Record, w.Now = o.String(), o.To
				w.Live(6 * time.Minute)
				w.Want(want...)
			})
		}
	}
}
