package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/profile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

func configVolume(name string, optional bool) corev1.VolumeSource {
	return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}, Optional: &optional}}
}

// TestMissingVolume waits for a ConfigMap that a volume is made of, in a Pod that only serves and
// in one that computes.
func TestMissingVolume(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Nginx(), podtest.Named("nginx", podtest.Sh("cat /etc/settings/color; sleep 3600"))} {
		w := podtest.New(t, podtest.Bound(podtest.Mounting(c, "settings", "/etc/settings"), podtest.WithVolume("settings", configVolume("settings", false))))
		w.Live(time.Minute)
		want := []string{`MountVolume.SetUp failed for volume "settings" : configmap "settings" not found`}
		if diff := cmp.Diff(want, w.Events); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if w.Pod.Status.PodIP != "" || w.Pod.Status.Conditions[0].Status != corev1.ConditionFalse {
			t.Errorf("status %+v", w.Pod.Status)
		}
		w.Around.ConfigMaps = map[string]*corev1.ConfigMap{"settings": podtest.ConfigMap("settings", "color", "red")}
		w.Live(2 * time.Minute)
		w.Want(
			"  0s Pending 0/1 nginx=ContainerCreating | FailedMount",
			"1m0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
		)
		if w.Pod.Status.PodIP == "" || w.Pod.Status.Conditions[0].Status != corev1.ConditionTrue {
			t.Errorf("status %+v", w.Pod.Status)
		}
		w.Around.ConfigMaps = nil // what is mounted stays
		w.Live(3 * time.Minute)
		w.Want()
	}
}

// TestMissingVariable waits for a Secret that a variable comes from, in a Pod that only serves and
// in one that computes.
func TestMissingVariable(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Nginx(), podtest.Named("nginx", podtest.Sh("echo $P; sleep 3600"))} {
		c.Env = []corev1.EnvVar{{Name: "P", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: "login"}, Key: "password"}}}}
		w := podtest.New(t, podtest.Bound(c))
		w.Live(time.Minute)
		if s := w.Pod.Status.ContainerStatuses[0].State.Waiting; s == nil || s.Message != `secret "login" not found` {
			t.Errorf("state %+v", s)
		}
		w.Around.Secrets = map[string]*corev1.Secret{"login": podtest.Secret("login", "user", "me")}
		w.Live(2 * time.Minute)
		w.Around.Secrets = map[string]*corev1.Secret{"login": podtest.Secret("login", "password", "hunter2")}
		w.Live(3 * time.Minute)
		w.Want(
			"  0s Pending 0/1 nginx=CreateContainerConfigError | Pulled, Failed",
			"1m0s Pending 0/1 nginx=CreateContainerConfigError | Pulled, Failed",
			"2m0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
		)
		if diff := cmp.Diff([]string{`Error: secret "login" not found`, "Error: couldn't find key password in Secret default/login"}, w.Events); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	}
}

// TestOptional: the Pod runs without what is optional.
func TestOptional(t *testing.T) {
	t.Parallel()
	c := podtest.Mounting(podtest.Sh("ls /etc/settings; echo [$P]"), "settings", "/etc/settings")
	optional := true
	c.Env = []corev1.EnvVar{{Name: "P", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: "none"}, Key: "k", Optional: &optional}}}}
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("settings", configVolume("none", true))))
	w.Live(time.Minute)
	w.Want("  0s Succeeded 0/1 c=Completed(0) | Pulled, Created, Started")
	w.WantLog("c", "0s []")
}

// TestNoSuchCommand cannot be started.
func TestNoSuchCommand(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Of("c", "busybox", "foo", "bar")))
	w.Live(40 * time.Second)
	const message = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: " +
		`unable to start container process: error during container init: exec: "foo": executable file not found in $PATH`
	last := w.Pod.Status.ContainerStatuses[0].LastTerminationState.Terminated
	if last == nil || last.Reason != "StartError" || last.ExitCode != 128 || last.Message != message || last.StartedAt.Unix() != 0 {
		t.Errorf("last state %+v", last)
	}
	if len(w.Events) == 0 || w.Events[0] != "Error: "+message {
		t.Errorf("events %q", w.Events)
	}
	w.Want(
		"  0s Running 0/1 c=RunContainerError | Pulled, Created, Failed",
		"  1s Running 0/1 c=RunContainerError×1 | Pulled, Created, Failed",
		"  2s Running 0/1 c=CrashLoopBackOff×1 | BackOff",
		" 11s Running 0/1 c=RunContainerError×2 | Pulled, Created, Failed",
		" 12s Running 0/1 c=CrashLoopBackOff×2 | BackOff",
		" 31s Running 0/1 c=RunContainerError×3 | Pulled, Created, Failed",
		" 32s Running 0/1 c=CrashLoopBackOff×3 | BackOff",
	)
	w = podtest.New(t, podtest.Bound(podtest.Of("c", "busybox", "foo", "bar"), podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	w.Want("  0s Failed 0/1 c=StartError(128) | Pulled, Created, Failed")
}

// TestLastWords reads termination messages.
func TestLastWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	tests := []struct {
		name   string
		script string
		change func(*corev1.Container)
		want   string
	}{
		{"of the file", "echo bye > /dev/termination-log; echo out; exit 1", nil, "bye\n"},
		{"none", "echo out; exit 1", nil, ""},
		{"of another file", "echo bye > /tmp/words", func(c *corev1.Container) { c.TerminationMessagePath = "/tmp/words" }, "bye\n"},
		{"of the log", "echo out; exit 1", func(c *corev1.Container) { c.TerminationMessagePolicy = corev1.TerminationMessageFallbackToLogsOnError }, "out\n"},
		{"of the log only when it fails", "echo out", func(c *corev1.Container) { c.TerminationMessagePolicy = corev1.TerminationMessageFallbackToLogsOnError }, ""},
		{"of the file rather than the log", "echo bye > /dev/termination-log; echo out; exit 1",
			func(c *corev1.Container) { c.TerminationMessagePolicy = corev1.TerminationMessageFallbackToLogsOnError }, "bye\n"},
		{"the end of what is long", "printf %s " + long + "y > /dev/termination-log", nil, long[:4095] + "y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := podtest.Sh(tt.script)
			c.TerminationMessagePath = "/dev/termination-log"
			if tt.change != nil {
				tt.change(&c)
			}
			w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever)))
			w.Live(time.Minute)
			if got := w.Pod.Status.ContainerStatuses[0].State.Terminated; got == nil || got.Message != tt.want {
				t.Errorf("state %+v, want the words %q", got, tt.want)
			}
		})
	}
}

// TestEnvironmentOfAContainer shows what its main process sees.
func TestEnvironmentOfAContainer(t *testing.T) {
	t.Parallel()
	c := podtest.Sh("echo $A $B $HOME; hostname; cat /etc/hostname; pwd; id -u; cat /etc/hosts | tail -n 1; touch /tmp/x; echo $?; touch /rw/x; echo $?; cat /etc/settings/deep/color")
	uid, yes := int64(1000), true
	c.Args, c.WorkingDir = nil, "/srv/app"
	c.SecurityContext = &corev1.SecurityContext{RunAsUser: &uid, ReadOnlyRootFilesystem: &yes}
	c.Env = []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}}}
	c = podtest.Mounting(podtest.Mounting(c, "rw", "/rw"), "settings", "/etc/settings")
	settings := configVolume("settings", false)
	settings.ConfigMap.Items = []corev1.KeyToPath{{Key: "color", Path: "deep/color"}}
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("rw", podtest.EmptyDir), podtest.WithVolume("settings", settings)))
	w.Around.ConfigMaps = map[string]*corev1.ConfigMap{"settings": podtest.ConfigMap("settings", "color", "red\n")}
	w.Live(time.Minute)
	w.WantLog("c", "0s 1 10.244.0.2 /", "0s web-1", "0s web-1", "0s /srv/app", "0s 1000", "0s 10.244.0.2\tweb-1",
		"0s touch: /tmp/x: Read-only file system", "0s 1", "0s 0", "0s red")
}

// TestRunAsNonRoot refuses what would run as root.
func TestRunAsNonRoot(t *testing.T) {
	t.Parallel()
	c := podtest.Sh("true")
	yes := true
	c.SecurityContext = &corev1.SecurityContext{RunAsNonRoot: &yes}
	w := podtest.New(t, podtest.Bound(c))
	w.Live(time.Minute)
	w.Want("  0s Pending 0/1 c=CreateContainerConfigError | Pulled, Failed")
	if want := `Error: container has runAsNonRoot and image will run as root (pod: "web-1_default(11111111-1111-1111-1111-111111111111)", container: c)`; w.Events[0] != want {
		t.Errorf("event %q", w.Events[0])
	}
}

// TestSubPathIsMade mounts a directory of a volume that does not exist yet.
func TestSubPathIsMade(t *testing.T) {
	t.Parallel()
	c := podtest.Of("c", "busybox", "sh", "-c", "echo $CPU > /mine/cpu; ls -R /all; cat /all/web-1/logs/cpu")
	c.Env = []corev1.EnvVar{
		{Name: "POD", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
		{Name: "CPU", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}}},
	}
	c.VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/mine", SubPathExpr: "$(POD)/logs"}, {Name: "data", MountPath: "/all"}}
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("data", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})))
	w.Live(time.Second)
	w.WantLog("c", "0s /all:", "0s web-1", "0s ", "0s /all/web-1:", "0s logs", "0s ", "0s /all/web-1/logs:", "0s cpu", "0s 64")
}

// TestFSGroup lets a process that is not root read, by the group of the Pod's volumes, what only
// its owner may.
func TestFSGroup(t *testing.T) {
	t.Parallel()
	c := podtest.Of("c", "busybox", "sh", "-c", "cat /etc/login/password; echo; id -G; touch /etc/x")
	c.VolumeMounts = []corev1.VolumeMount{{Name: "login", MountPath: "/etc/login"}}
	secretOnly := corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "login", DefaultMode: new(int32(0o400))}}
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("login", secretOnly), func(p *corev1.Pod) {
		p.Spec.SecurityContext = &corev1.PodSecurityContext{
			RunAsUser: new(int64(1000)), RunAsGroup: new(int64(3000)), FSGroup: new(int64(2000)), SupplementalGroups: []int64{4000},
		}
	}))
	w.Around.Secrets = map[string]*corev1.Secret{"login": podtest.Secret("login", "password", "hunter2")}
	w.Live(time.Second)
	w.WantLog("c", "0s hunter2", "0s 3000 2000 4000", "0s touch: /etc/x: Permission denied")
}

// TestOutOfMemory kills what takes more than its limit.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	c := podtest.Sh("echo working; x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; done")
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Mi")}
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	if last := w.Story[len(w.Story)-1]; !strings.Contains(last, "Failed 0/1 c=OOMKilled(137)") {
		t.Errorf("story %q", w.Story)
	}
}

// TestPostStart shows a container as running when its hook has ended, and starts the next one then.
func TestPostStart(t *testing.T) {
	t.Parallel()
	hook := func(argv ...string) *corev1.Lifecycle {
		return &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: argv}}}
	}
	c := podtest.With(podtest.Sh("sleep 3600"), func(c *corev1.Container) { c.Lifecycle = hook("sleep", "5") })
	w := podtest.New(t, podtest.Bound(c, podtest.And(podtest.Named("d", podtest.Sh("sleep 3600")))))
	w.Live(time.Minute)
	w.Want(
		"  0s Pending 0/2 c=ContainerCreating d=ContainerCreating | Pulled, Created, Started",
		"  5s Running ready 2/2 c=Running d=Running | Pulled, Created, Started",
	)
	c.Lifecycle = hook("sh", "-c", "exit 1")
	w = podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	w.Want(
		"  0s Running 0/1 c=Running | Pulled, Created, Started, FailedPostStartHook, Killing",
		" 30s Failed 0/1 c=Error(137)",
	)
}

// TestProfileInClosedForm behaves as annotations say, and tells its line in the log.
func TestProfileInClosedForm(t *testing.T) {
	t.Parallel()
	annotated := func(pairs ...string) podtest.Option {
		return func(p *corev1.Pod) {
			p.Annotations = map[string]string{}
			for i := 0; i < len(pairs); i += 2 {
				p.Annotations[profile.Prefix+pairs[i]] = pairs[i+1]
			}
		}
	}
	w := podtest.New(t, podtest.Bound(podtest.Nginx(), podtest.Restarting(corev1.RestartPolicyNever),
		annotated(profile.StartDelay, "10s", profile.ReadinessDelay, "5s", profile.RunTime, "1m", profile.ExitCode, "4", profile.Log, "hello")))
	w.Live(5 * time.Minute)
	if w.Memory != nil {
		t.Errorf("%d bytes are remembered", len(w.Memory))
	}
	w.WantLog("nginx", "10s hello")
	w.Want(
		"  0s Pending 0/1 nginx=ContainerCreating",
		" 10s Running 0/1 nginx=Running | Pulled, Created, Started",
		" 15s Running ready 1/1 nginx=Running",
		"1m10s Failed 0/1 nginx=Error(4)",
	)
	w = podtest.New(t, podtest.Bound(podtest.Nginx(), podtest.And(podtest.Sh("sleep 20; exit 3")),
		podtest.Restarting(corev1.RestartPolicyNever), annotated("nginx.run-time", "forever", profile.StopTime, "7s")))
	w.Live(time.Minute)
	w.Remove(30)
	w.Live(2 * time.Minute)
	w.Want(
		"  0s Running ready 2/2 c=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
		" 20s Running 1/2 c=Error(3) nginx=Running",
		"1m0s Running 1/2 c=Error(3) nginx=Running | Killing",
		"1m7s Failed 0/2 c=Error(3) nginx=Error(143)",
		"1m7s deleted",
	)
}

// TestLogsWithoutMemory are those of the program, run again.
func TestLogsWithoutMemory(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	w.Live(time.Minute)
	if w.Memory != nil {
		t.Errorf("%d bytes are remembered", len(w.Memory))
	}
	if log := w.Log("nginx"); len(log) == 0 || !strings.HasPrefix(log[0], "0s /docker-entrypoint.sh: ") {
		t.Errorf("log %q", log)
	}
}
