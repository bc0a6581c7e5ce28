package kubelet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

// machine is the Pod's as it is now.
func (w *world) machine() emulator.Machine {
	w.t.Helper()
	m := Machine(w.snapshot())
	for range 1000 {
		if m.Run(w.now.Add(instant), memory.BacklogSteps).Kind == emulator.StopUntil {
			return m
		}
		m.Take()
	}
	w.t.Fatal("the machine does not come up to now")
	return nil
}

// log is what a container has written by now, each line with its time.
func (w *world) log(container string) []string {
	w.t.Helper()
	return w.logOf(container, false)
}

func (w *world) logOf(container string, previous bool) []string {
	w.t.Helper()
	id := ""
	for i := range w.pod.Status.ContainerStatuses {
		if st := &w.pod.Status.ContainerStatuses[i]; previous && st.Name == container {
			id = st.LastTerminationState.Terminated.ContainerID
		}
	}
	log, _ := w.machine().Logs(container, id)
	var out []string
	for _, l := range log.Lines {
		out = append(out, fmt.Sprintf("%s %s", l.At.Sub(noon).Truncate(10*time.Millisecond), l.Text))
	}
	return out
}

func (w *world) want(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.story); diff != "" {
		w.t.Errorf("story (-want +got):\n%s", diff)
	}
	w.story = nil
}

func (w *world) wantLog(container string, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.log(container)); diff != "" {
		w.t.Errorf("log of %s (-want +got):\n%s", container, diff)
	}
}

func named(name string, c corev1.Container) corev1.Container {
	c.Name = name
	return c
}

func with(c corev1.Container, change func(*corev1.Container)) corev1.Container {
	change(&c)
	return c
}

func and(more ...corev1.Container) podOption {
	return func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, more...) }
}

func withVolume(name string, source corev1.VolumeSource) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: source})
	}
}

func mounting(c corev1.Container, volume, path string) corev1.Container {
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: path})
	return c
}

// reading is a readiness or liveness probe that succeeds once a file is there.
func reading(file string) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"cat", file}}},
		TimeoutSeconds: 1, PeriodSeconds: 5, SuccessThreshold: 1, FailureThreshold: 3}
}

var emptyDir = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}

// TestAFileOfANeighbour is written later by another container, and makes a container ready; when it
// goes, unready.
func TestAFileOfANeighbour(t *testing.T) {
	t.Parallel()
	reader := mounting(named("reader", sh("sleep 3600")), "shared", "/in")
	reader.ReadinessProbe = reading("/in/ok")
	writer := mounting(named("writer", sh("sleep 32; touch /out/ok; sleep 60; rm /out/ok; sleep 3600")), "shared", "/out")
	w := &world{t: t, now: noon, pod: bound(reader, and(writer), withVolume("shared", emptyDir))}
	w.live(5 * time.Minute)
	w.want(
		"  0s Running 1/2 reader=Running writer=Running | Pulled, Created, Started, Unhealthy, Pulled, Created, Started",
		" 35s Running ready 2/2 reader=Running writer=Running",
		"1m45s Running 1/2 reader=Running writer=Running | Unhealthy",
	)
}

// exec runs a command in a container now, as an input from outside.
func (w *world) exec(container string, argv ...string) {
	w.t.Helper()
	mem, err := memory.Decode(w.memory)
	if err != nil {
		w.t.Fatal(err)
	}
	m := w.machine()
	if _, err := m.Execute(w.now, container, emulator.Command{Argv: argv}); err != nil {
		w.t.Fatal(err)
	}
	if mem.Machine, err = m.Encode(); err != nil {
		w.t.Fatal(err)
	}
	mem.Queries = nil
	w.memory = mem.Encode()
}

// TestExecChangesAProbe makes and removes the file that a liveness probe reads.
func TestExecChangesAProbe(t *testing.T) {
	t.Parallel()
	c := sh("touch /tmp/healthy; sleep 3600")
	c.LivenessProbe = reading("/tmp/healthy")
	w := &world{t: t, now: noon, pod: bound(c, restarting(corev1.RestartPolicyAlways))}
	w.live(30 * time.Second)
	w.exec("c", "rm", "/tmp/healthy")
	w.live(2 * time.Minute)
	w.want(
		"  0s Running ready 1/1 c=Running | Pulled, Created, Started",
		" 45s  | Unhealthy, Killing",
		"1m15s Running 0/1 c=Error(137)",
		"1m16s Running ready 1/1 c=Running×1 | Pulled, Created, Started",
	)
}

func secret(name, key, value string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Data: map[string][]byte{key: []byte(value)}}
}

// TestASecretIsRefreshed reads a volume whose Secret changes.
func TestASecretIsRefreshed(t *testing.T) {
	t.Parallel()
	c := mounting(sh("while sleep 10; do cat /etc/login/password; echo; done"), "login", "/etc/login")
	c.Env = []corev1.EnvVar{{Name: "P", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: "login"}, Key: "password"}}}}
	w := &world{t: t, now: noon, pod: bound(c, withVolume("login", corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "login"}}))}
	w.around.Secrets = map[string]*corev1.Secret{"login": secret("login", "password", "old")}
	w.live(25 * time.Second)
	w.around.Secrets = map[string]*corev1.Secret{"login": secret("login", "password", "new")}
	w.live(45 * time.Second)
	w.wantLog("c", "10s old", "20s old", "30s new", "40s new")
}

// TestTermIsTrapped lets a script clean up when it gets SIGTERM.
func TestTermIsTrapped(t *testing.T) {
	t.Parallel()
	c := sh(`trap 'echo cleaning up; sleep 4; echo done; exit 3' TERM
echo working
while true; do sleep 1; done`)
	w := &world{t: t, now: noon, pod: bound(c)}
	w.live(time.Minute)
	w.remove(30)
	before := len(w.memory)
	w.live(63 * time.Second)
	if before == 0 {
		t.Error("nothing is remembered")
	}
	w.wantLog("c", "0s working", "1m1s cleaning up")
	w.now = noon.Add(time.Minute)
	w.live(65 * time.Second)
	w.want(
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
	w := &world{t: t, now: noon, pod: bound(sh("echo a; sleep 3600"))}
	w.live(time.Minute)
	w.remove(10)
	w.live(10 * time.Minute)
	w.want(
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
		w := &world{t: t, now: noon, pod: bound(sh(script))}
		looks := 0
		w.look()
		for !w.wake.IsZero() && !w.wake.After(noon.Add(24*time.Hour)) {
			w.now = w.wake
			if w.look(); len(w.memory) > 100<<10 {
				t.Fatalf("a memory of %d bytes", len(w.memory))
			}
			looks++
		}
		if looks > 300 {
			t.Errorf("%d looks", looks)
		}
		w.now = noon.Add(24 * time.Hour)
		if m := w.machine(); !m.Live() || m.Now().After(w.now.Add(instant)) {
			t.Errorf("after a day: %v, %s", m.Live(), m.Now())
		}
		if lines := w.log("c"); strings.Contains(script, "echo") && lines[len(lines)-1] != "23h59m0.06s 1440" {
			t.Errorf("the last of %d lines is %s", len(lines), lines[len(lines)-1])
		}
		w.want("  0s Running ready 1/1 c=Running | Pulled, Created, Started")
	}
}

// TestAnotherReplicaGoesOn gives two worlds the same memory in the middle of a run: both have the
// same future.
func TestAnotherReplicaGoesOn(t *testing.T) {
	t.Parallel()
	script := `for i in 1 2 3 4 5 6 7 8; do echo $i $RANDOM | tee -a /data/log; sleep 7; done; wc -l < /data/log; exit 5`
	w := &world{t: t, now: noon, pod: bound(mounting(sh(script), "data", "/data"), restarting(corev1.RestartPolicyNever), withVolume("data", emptyDir))}
	w.live(20 * time.Second)
	other := &world{t: t, now: w.now, pod: w.pod.DeepCopy(), memory: bytes.Clone(w.memory)}
	w.story = nil
	w.live(10 * time.Minute)
	other.now = noon.Add(33 * time.Second)
	other.live(10 * time.Minute)
	if diff := cmp.Diff(w.story, other.story); diff != "" || len(w.story) == 0 {
		t.Errorf("story (-one +other):\n%s", diff)
	}
	if diff := cmp.Diff(w.log("c"), other.log("c")); diff != "" || len(w.log("c")) != 9 {
		t.Errorf("log (-one +other):\n%s", diff)
	}
	one, _ := json.Marshal(w.pod.Status)
	two, _ := json.Marshal(other.pod.Status)
	if !bytes.Equal(one, two) {
		t.Errorf("status\n%s\n%s", one, two)
	}
}

// TestInitContainersWaitForServices is the example of the documents.
func TestInitContainersWaitForServices(t *testing.T) {
	t.Parallel()
	wait := func(name string) corev1.Container {
		return of("init-"+name, "busybox:1.28", "sh", "-c", "until nslookup "+name+".$(cat /var/run/ns).svc.cluster.local; do echo waiting for "+name+"; sleep 2; done")
	}
	service := func(name, ip string) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: corev1.ServiceSpec{ClusterIP: ip, ClusterIPs: []string{ip}, Ports: []corev1.ServicePort{{Port: 80}}}}
	}
	plain := func(name string) corev1.Container {
		c := wait(name)
		c.Command[2] = strings.ReplaceAll(c.Command[2], "$(cat /var/run/ns)", "default")
		return c
	}
	app := named("myapp-container", sh("echo The app is running! && sleep 3600"))
	w := &world{t: t, now: noon, pod: bound(app, withInit(plain("myservice"), plain("mydb")))}
	w.live(time.Minute)
	w.want("  0s Pending 0/1 init-myservice=Running init-mydb=PodInitializing myapp-container=PodInitializing | Pulled, Created, Started")
	if log := w.log("init-myservice"); len(log) == 0 || !strings.Contains(strings.Join(log, "\n"), "waiting for myservice") {
		t.Errorf("log %q", log)
	}
	w.services = []*corev1.Service{service("myservice", "10.96.0.20")}
	w.live(2 * time.Minute)
	if len(w.story) != 1 || !strings.Contains(w.story[0], "init-myservice=Completed(0) init-mydb=Running") {
		t.Errorf("story %q", w.story)
	}
	w.services = append(w.services, service("mydb", "10.96.0.21"))
	w.live(3 * time.Minute)
	w.wantLog("myapp-container", w.log("myapp-container")...)
	if log := strings.Join(w.log("myapp-container"), "\n"); !strings.HasSuffix(log, "The app is running!") {
		t.Errorf("log %q", log)
	}
}

// TestLookup_KnowsItsRelease: the image's tag reaches the program. Kubernetes' tutorials name
// busybox:1.28, as its nslookup goes by the search list of resolv.conf.
func TestLookup_KnowsItsRelease(t *testing.T) {
	t.Parallel()
	kubernetes := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "kubernetes"}, Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"}, Ports: []corev1.ServicePort{{Port: 443}}}}
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
		w := &world{t: t, now: noon, services: []*corev1.Service{kubernetes},
			pod: bound(of("c", image, "nslookup", "kubernetes.default"), restarting(corev1.RestartPolicyNever))}
		w.live(time.Minute)
		w.wantLog("c", want...)
	}
}

func BenchmarkCompute(b *testing.B) {
	pod := bound(of("c", "busybox", "/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"), restarting(corev1.RestartPolicyNever))
	s := Snapshot{Pod: pod, Node: node(), Address: "10.244.0.2", Images: images, Now: noon}
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = len(Reconcile(s).Memory)
	}
	b.ReportMetric(float64(size), "memory-B")
}

func BenchmarkLookAgain(b *testing.B) {
	pod := bound(sh("i=0; while true; do echo $((i+=1)); sleep 5; done"))
	s := Snapshot{Pod: pod, Node: node(), Address: "10.244.0.2", Images: images, Now: noon}
	p := Reconcile(s)
	s.Pod, s.Memory, s.Now = p.Updates[0].Object.(*corev1.Pod), p.Memory, noon.Add(time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		Reconcile(s)
	}
	b.ReportMetric(float64(len(s.Memory)), "memory-B")
}

func BenchmarkLookAtProbes(b *testing.B) {
	c := sh("touch /tmp/healthy; sleep 3600000")
	c.LivenessProbe = reading("/tmp/healthy")
	s := Snapshot{Pod: bound(c), Node: node(), Address: "10.244.0.2", Images: images, Now: noon}
	p := Reconcile(s)
	s.Pod, s.Memory, s.Now = p.Updates[0].Object.(*corev1.Pod), p.Memory, noon.Add(time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		Reconcile(s)
	}
	b.ReportMetric(Reconcile(s).WakeAt.Sub(s.Now).Seconds(), "s-ahead")
}
