package kubelet_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// reading is a readiness or liveness probe that succeeds once a file is there.
func reading(file string) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"cat", file}}},
		TimeoutSeconds: 1, PeriodSeconds: 5, SuccessThreshold: 1, FailureThreshold: 3}
}

// TestAFileOfANeighbour is written later by another container, and makes a container ready; when it
// goes, unready.
func TestAFileOfANeighbour(t *testing.T) {
	t.Parallel()
	reader := podtest.Mounting(podtest.Named("reader", podtest.Sh("sleep 3600")), "shared", "/in")
	reader.ReadinessProbe = reading("/in/ok")
	writer := podtest.Mounting(podtest.Named("writer", podtest.Sh("sleep 32; touch /out/ok; sleep 60; rm /out/ok; sleep 3600")), "shared", "/out")
	w := podtest.New(t, podtest.Bound(reader, podtest.And(writer), podtest.WithVolume("shared", podtest.EmptyDir)))
	w.Live(5 * time.Minute)
	w.Want(
		"  0s Running 1/2 reader=Running writer=Running | Pulled, Created, Started, Unhealthy, Pulled, Created, Started",
		" 35s Running ready 2/2 reader=Running writer=Running",
		"1m45s Running 1/2 reader=Running writer=Running | Unhealthy",
	)
}

// TestExecChangesAProbe makes and removes the file that a liveness probe reads.
func TestExecChangesAProbe(t *testing.T) {
	t.Parallel()
	c := podtest.Sh("touch /tmp/healthy; sleep 3600")
	c.LivenessProbe = reading("/tmp/healthy")
	w := podtest.New(t, podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyAlways)))
	w.Live(30 * time.Second)
	w.Exec("c", "rm", "/tmp/healthy")
	w.Live(2 * time.Minute)
	w.Want(
		"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
		" 45s  | Unhealthy, Killing",
		"1m15s Running 0/1 c=Error(137)",
		"1m16s Running ready 1/1 c=Running×1 | Pulled, Created, Started",
	)
}

// TestASecretIsRefreshed reads a volume whose Secret changes.
func TestASecretIsRefreshed(t *testing.T) {
	t.Parallel()
	c := podtest.Mounting(podtest.Sh("while sleep 10; do cat /etc/login/password; echo; done"), "login", "/etc/login")
	c.Env = []corev1.EnvVar{{Name: "P", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: "login"}, Key: "password"}}}}
	w := podtest.New(t, podtest.Bound(c, podtest.WithVolume("login", corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "login"}})))
	w.Around.Secrets = map[string]*corev1.Secret{"login": podtest.Secret("login", "password", "old")}
	w.Live(25 * time.Second)
	w.Around.Secrets = map[string]*corev1.Secret{"login": podtest.Secret("login", "password", "new")}
	w.Live(45 * time.Second)
	w.WantLog("c", "10s old", "20s old", "30s new", "40s new")
}

// TestTermIsTrapped lets a script clean up when it gets SIGTERM.
func TestTermIsTrapped(t *testing.T) {
	t.Parallel()
	c := podtest.Sh(`trap 'echo cleaning up; sleep 4; echo done; exit 3' TERM
echo working
while true; do sleep 1; done`)
	w := podtest.New(t, podtest.Bound(c))
	w.Live(time.Minute)
	w.Remove(30)
	before := len(w.Memory)
	w.Live(63 * time.Second)
	if before == 0 {
		t.Error("nothing is remembered")
	}
	w.WantLog("c", "0s working", "1m1s cleaning up")
	w.Now = podtest.Noon.Add(time.Minute)
	w.Live(65 * time.Second)
	w.Want(
		"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
		"1m0s Running ready 1/1 c=Running | Killing",
		"1m5s Failed 0/1 c=Error(3)",
		"1m5s deleted",
	)
}

// TestTermByDefault ends a shell that is the first process only by KILL, and one that waits in exec
// at once.
func TestTermByDefault(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("echo a; sleep 3600")))
	w.Live(time.Minute)
	w.Remove(10)
	w.Live(10 * time.Minute)
	w.Want(
		"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
		"1m0s Running ready 1/1 c=Running | Killing",
		"1m10s Failed 0/1 c=Error(137)",
		"1m10s deleted",
	)
}

// TestAnEndlessLoop runs for a day, in bounded pieces.
func TestAnEndlessLoop(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"i=0; while true; do i=$((i+1)); echo $i; sleep 60; done",
		"while :; do :; done",
	} {
		w := podtest.New(t, podtest.Bound(podtest.Sh(script)))
		looks := 0
		w.Sync()
		for !w.Wake.IsZero() && !w.Wake.After(podtest.Noon.Add(24*time.Hour)) {
			w.Now = w.Wake
			if w.Sync(); len(w.Memory) > 100<<10 {
				t.Fatalf("a memory of %d bytes", len(w.Memory))
			}
			looks++
		}
		if looks > 300 {
			t.Errorf("%d looks", looks)
		}
		w.Now = podtest.Noon.Add(24 * time.Hour)
		if m := w.Machine(); !m.Live() || m.Now().After(w.Now.Add(10*time.Millisecond)) {
			t.Errorf("after a day: %v, %s", m.Live(), m.Now())
		}
		if lines := w.Log("c"); strings.Contains(script, "echo") && lines[len(lines)-1] != "23h59m0.06s 1440" {
			t.Errorf("the last of %d lines is %s", len(lines), lines[len(lines)-1])
		}
		w.Want("  0s Running ready 1/1 c=Running | Pulled, Created, Started")
	}
}

// TestAnotherReplicaGoesOn gives two worlds the same memory in the middle of a run: both have the
// same future.
func TestAnotherReplicaGoesOn(t *testing.T) {
	t.Parallel()
	script := `for i in 1 2 3 4 5 6 7 8; do echo $i $RANDOM | tee -a /data/log; sleep 7; done; wc -l < /data/log; exit 5`
	w := podtest.New(t, podtest.Bound(podtest.Mounting(podtest.Sh(script), "data", "/data"), podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("data", podtest.EmptyDir)))
	w.Live(20 * time.Second)
	other := &podtest.World{T: t, Now: w.Now, Pod: w.Pod.DeepCopy(), Memory: bytes.Clone(w.Memory)}
	w.Story = nil
	w.Live(10 * time.Minute)
	other.Now = podtest.Noon.Add(33 * time.Second)
	other.Live(10 * time.Minute)
	if diff := cmp.Diff(w.Story, other.Story); diff != "" || len(w.Story) == 0 {
		t.Errorf("story (-one +other):\n%s", diff)
	}
	if diff := cmp.Diff(w.Log("c"), other.Log("c")); diff != "" || len(w.Log("c")) != 9 {
		t.Errorf("log (-one +other):\n%s", diff)
	}
	one, _ := json.Marshal(w.Pod.Status)
	two, _ := json.Marshal(other.Pod.Status)
	if !bytes.Equal(one, two) {
		t.Errorf("status\n%s\n%s", one, two)
	}
}

// TestInitContainersWaitForServices is the example of the documents.
func TestInitContainersWaitForServices(t *testing.T) {
	t.Parallel()
	wait := func(name string) corev1.Container {
		return podtest.Of("init-"+name, "busybox:1.28", "sh", "-c", "until nslookup "+name+".$(cat /var/run/ns).svc.cluster.local; do echo waiting for "+name+"; sleep 2; done")
	}
	service := func(name, ip string) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: corev1.ServiceSpec{ClusterIP: ip, ClusterIPs: []string{ip}, Ports: []corev1.ServicePort{{Port: 80}}}}
	}
	plain := func(name string) corev1.Container {
		c := wait(name)
		c.Command[2] = strings.ReplaceAll(c.Command[2], "$(cat /var/run/ns)", "default")
		return c
	}
	app := podtest.Named("myapp-container", podtest.Sh("echo The app is running! && sleep 3600"))
	w := podtest.New(t, podtest.Bound(app, podtest.WithInit(plain("myservice"), plain("mydb"))))
	w.Live(time.Minute)
	w.Want("  0s Pending 0/1 init-myservice=Running init-mydb=PodInitializing myapp-container=PodInitializing | Pulled, Created, Started")
	if log := w.Log("init-myservice"); len(log) == 0 || !strings.Contains(strings.Join(log, "\n"), "waiting for myservice") {
		t.Errorf("log %q", log)
	}
	w.Services = []*corev1.Service{service("myservice", "10.96.0.20")}
	w.Live(2 * time.Minute)
	if len(w.Story) != 1 || !strings.Contains(w.Story[0], "init-myservice=Completed(0) init-mydb=Running") {
		t.Errorf("story %q", w.Story)
	}
	w.Services = append(w.Services, service("mydb", "10.96.0.21"))
	w.Live(3 * time.Minute)
	w.WantLog("myapp-container", w.Log("myapp-container")...)
	if log := strings.Join(w.Log("myapp-container"), "\n"); !strings.HasSuffix(log, "The app is running!") {
		t.Errorf("log %q", log)
	}
}

// TestLookup_KnowsItsRelease: the image's tag reaches the program. Kubernetes' tutorials name
// busybox:1.28, as its nslookup goes by the search list of resolv.conf.
func TestLookup_KnowsItsRelease(t *testing.T) {
	t.Parallel()
	kubernetes := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "kubernetes"},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"}, Ports: []corev1.ServicePort{{Port: 443}},
		},
	}
	for image, want := range map[string][]string{
		"busybox:1.28": {
			"0s Server:    10.96.0.10", "0s Address 1: 10.96.0.10 kube-dns.kube-system.svc.cluster.local", "0s ",
			"0s Name:      kubernetes.default", "0s Address 1: 10.96.0.1 kubernetes.default.svc.cluster.local",
		},
		"busybox:1.36": {
			"0s Server:\t\t10.96.0.10", "0s Address:\t10.96.0.10:53", "0s ",
			"0s ** server can't find kubernetes.default: NXDOMAIN", "0s ", "0s ** server can't find kubernetes.default: NXDOMAIN", "0s ",
		},
	} {
		w := &podtest.World{T: t, Now: podtest.Noon, Services: []*corev1.Service{kubernetes},
			Pod: podtest.Bound(podtest.Of("c", image, "nslookup", "kubernetes.default"), podtest.Restarting(corev1.RestartPolicyNever))}
		w.Live(time.Minute)
		w.WantLog("c", want...)
	}
}

// TestMachine_OfAPodThatOnlyServes is the same whenever it is derived, volumes and all.
func TestMachine_OfAPodThatOnlyServes(t *testing.T) {
	t.Parallel()
	pod := podtest.Bound(podtest.Nginx())
	pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
		Items: []corev1.DownwardAPIVolumeFile{{Path: "name", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}}}}
	pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
	w := podtest.New(t, pod)
	w.Live(time.Minute)
	if w.Memory != nil {
		t.Fatal("the Pod has a machine")
	}
	lines := func(at time.Duration) []string {
		w.Now = podtest.Noon.Add(at)
		m := kubelet.Machine(w.Snapshot())
		m.Run(w.Now, 1_000_000)
		m.Take()
		m.Run(w.Now, 1_000_000)
		var texts []string
		log, _ := m.Logs("nginx", "")
		for _, l := range log.Lines {
			texts = append(texts, l.At.Format(time.RFC3339Nano)+" "+l.Text)
		}
		return texts
	}
	first := lines(2 * time.Second)
	if len(first) == 0 || first[0][:19] != "2026-01-02T12:00:00" {
		t.Errorf("the log is %q", first)
	}
	if diff := cmp.Diff(first, lines(time.Hour)); diff != "" {
		t.Errorf("an hour later (-then +now):\n%s", diff)
	}
}

// TestAContainerIsAdded lets a container be added to a Pod that was judged in closed form: its
// machine is made of what runs.
func TestAContainerIsAdded(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	w.Live(time.Minute)
	if w.Memory != nil {
		t.Errorf("%d bytes are remembered", len(w.Memory))
	}
	w.Pod = w.Pod.DeepCopy()
	w.Pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon(
		podtest.Named("debugger", podtest.Sh("wget -qO- http://localhost/ | grep -c nginx; exit 2")))}}
	w.Live(2 * time.Minute)
	w.Want(
		"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
		"1m0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
	)
	if s := w.Pod.Status.EphemeralContainerStatuses; len(s) != 1 || s[0].State.Terminated == nil || s[0].State.Terminated.ExitCode != 2 {
		t.Errorf("status %+v", s)
	}
	if log := w.Log("debugger"); len(log) != 1 || log[0] == "1m0s 0" {
		t.Errorf("log %q", log)
	}
}

func BenchmarkCompute(b *testing.B) {
	pod := podtest.Bound(podtest.Of("c", "busybox", "/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"), podtest.Restarting(corev1.RestartPolicyNever))
	s := kubelet.Snapshot{Pod: pod, Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = len(kubelet.Reconcile(s).Memory)
	}
	b.ReportMetric(float64(size), "memory-B")
}

func BenchmarkLookAgain(b *testing.B) {
	pod := podtest.Bound(podtest.Sh("i=0; while true; do echo $((i+=1)); sleep 5; done"))
	s := kubelet.Snapshot{Pod: pod, Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
	p := kubelet.Reconcile(s)
	s.Pod, s.Memory, s.Now = p.Updates[0].Object.(*corev1.Pod), p.Memory, podtest.Noon.Add(time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		kubelet.Reconcile(s)
	}
	b.ReportMetric(float64(len(s.Memory)), "memory-B")
}

func BenchmarkLookAtProbes(b *testing.B) {
	c := podtest.Sh("touch /tmp/healthy; sleep 3600000")
	c.LivenessProbe = reading("/tmp/healthy")
	s := kubelet.Snapshot{Pod: podtest.Bound(c), Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
	p := kubelet.Reconcile(s)
	s.Pod, s.Memory, s.Now = p.Updates[0].Object.(*corev1.Pod), p.Memory, podtest.Noon.Add(time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		kubelet.Reconcile(s)
	}
	b.ReportMetric(kubelet.Reconcile(s).WakeAt.Sub(s.Now).Seconds(), "s-ahead")
}

func BenchmarkStart(b *testing.B) {
	s := kubelet.Snapshot{Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
	b.ReportAllocs()
	for b.Loop() {
		kubelet.Reconcile(s)
	}
}

func BenchmarkNothingToDo(b *testing.B) {
	s := kubelet.Snapshot{Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
	s.Pod = kubelet.Reconcile(s).Updates[0].Object.(*corev1.Pod)
	b.ReportAllocs()
	for b.Loop() {
		kubelet.Reconcile(s)
	}
}
