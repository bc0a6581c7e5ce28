package kubelet_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// restartingAll makes the exit of a container with a code restart all containers.
func restartingAll(c corev1.Container, policy corev1.ContainerRestartPolicy, code int32) corev1.Container {
	c.RestartPolicy = &policy
	c.RestartPolicyRules = []corev1.ContainerRestartRule{{
		Action:    corev1.ContainerRestartRuleActionRestartAllContainers,
		ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: corev1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{code}},
	}}
	return c
}

func beside(list ...corev1.Container) podtest.Option {
	return func(pod *corev1.Pod) { pod.Spec.Containers = append(pod.Spec.Containers, list...) }
}

// TestRestartAll: an exit that a rule names restarts all containers of the Pod, in its order and
// whatever their policies and ends are.
func TestRestartAll(t *testing.T) {
	t.Parallel()
	const never, always = corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyAlways
	once := podtest.Restarting(corev1.RestartPolicyNever)
	preStop := podtest.Nginx()
	preStop.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"sleep", "20"}}}}
	files := podtest.WithVolume("files", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})
	first := podtest.Mounting(podtest.Named("i", podtest.Sh("test ! -e /files/done && touch /files/done")), "files", "/files")
	for _, tt := range []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{"by a sidecar", podtest.Bound(preStop, once, podtest.WithInit(podtest.Of("i", "busybox", "sleep", "10"), restartingAll(podtest.Named("s", podtest.Sh("sleep 20; exit 88")), always, 88))), []string{
			"  0s Pending 0/1 i=Running s=PodInitializing nginx=PodInitializing | Pulled, Created, Started",
			" 10s Running ready 1/1 i=Completed(0) s=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
			" 30s Running 0/1 i=Completed(0) s=Error(88) nginx=Error(137) | Killing",
			" 31s Pending 0/1 i=Running×1 s=PodInitializing nginx=PodInitializing | Pulled, Created, Started",
			" 41s Running ready 1/1 i=Completed(0)×1 s=Running×1 nginx=Running×1 | Pulled, Created, Started, Pulled, Created, Started",
		}},
		{"also what has succeeded and what has failed", podtest.Bound(podtest.Of("a", "busybox", "true"), once,
			beside(podtest.Of("b", "busybox", "false"), restartingAll(podtest.Sh("sleep 40; exit 42"), never, 42))), []string{
			"  0s Running 1/3 a=Completed(0) b=Error(1) c=Running | Pulled, Created, Started, Pulled, Created, Started, Pulled, Created, Started",
			" 40s Running 0/3 a=Completed(0) b=Error(1) c=Error(42)",
			" 41s Running 1/3 a=Completed(0)×1 b=Error(1)×1 c=Running×1 | Pulled, Created, Started, Pulled, Created, Started, Pulled, Created, Started",
		}},
		{"not by another code", podtest.Bound(podtest.Of("a", "busybox", "sleep", "1000"), once, beside(restartingAll(podtest.Sh("sleep 20; exit 1"), never, 42))), []string{
			"  0s Running ready 2/2 a=Running c=Running | Pulled, Created, Started, Pulled, Created, Started",
			" 20s Running 1/2 a=Running c=Error(1)",
		}},
		{"by an init container",
			podtest.Bound(podtest.Nginx(), once, podtest.WithInit(podtest.Of("i", "busybox", "true"),
				restartingAll(podtest.Named("j", podtest.Sh("sleep 40; exit 42")), never, 42))),
			[]string{
				"  0s Pending 0/1 i=Completed(0) j=Running nginx=PodInitializing | Pulled, Created, Started, Pulled, Created, Started",
				" 40s Pending 0/1 i=Completed(0) j=Error(42) nginx=PodInitializing",
				" 41s Pending 0/1 i=Completed(0)×1 j=Running×1 nginx=PodInitializing | Pulled, Created, Started, Pulled, Created, Started",
			}},
		{"an init container fails then", podtest.Bound(restartingAll(podtest.Sh("sleep 40; exit 42"), never, 42), once, files, podtest.WithInit(first)), []string{
			"  0s Running ready 1/1 i=Completed(0) c=Running | Pulled, Created, Started, Pulled, Created, Started",
			" 40s Running 0/1 i=Completed(0) c=Error(42)",
			" 41s Failed 0/1 i=Error(1)×1 c=PodInitializing | Pulled, Created, Started",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			w.Want(tt.want...)
		})
	}
}

// TestRestartAll_Status is that of the Pod meanwhile: a condition shows the restart, and the Pod
// keeps its address.
func TestRestartAll_Status(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx(), beside(restartingAll(podtest.Sh("sleep 20; exit 42"), corev1.ContainerRestartPolicyNever, 42))))
	condition := func(at time.Duration, want corev1.PodCondition) {
		t.Helper()
		w.Live(at)
		for _, c := range w.Pod.Status.Conditions {
			if c.Type != corev1.AllContainersRestarting {
				continue
			}
			if c.LastTransitionTime = want.LastTransitionTime; c.Status != want.Status || c.Reason != want.Reason || c.Message != want.Message {
				t.Errorf("after %v: %+v, want %+v", at, c, want)
			}
			return
		}
		t.Errorf("after %v: the Pod has no such condition", at)
	}
	condition(10*time.Second, corev1.PodCondition{Status: corev1.ConditionFalse})
	ip := w.Pod.Status.PodIP
	condition(20*time.Second, corev1.PodCondition{Status: corev1.ConditionTrue, Reason: "RestartAllContainersStarted", Message: "container exited with restart policy rule"})
	condition(30*time.Second, corev1.PodCondition{Status: corev1.ConditionFalse})
	if w.Pod.Status.PodIP != ip || ip == "" {
		t.Errorf("its address was %s and is %s", ip, w.Pod.Status.PodIP)
	}
	w.Now, w.Story = podtest.Noon.Add(41*time.Second), nil
	w.Live(41 * time.Second)
	w.Remove(30)
	w.Live(2 * time.Minute)
	if w.Pod != nil {
		t.Errorf("it is not removed while its containers are down: %s", podtest.Summary(w.Pod))
	}
}
