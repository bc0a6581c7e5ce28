package form_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/form"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// TestForms_AreEqual runs Pods in closed form and in a machine, and requires equal results: every
// change of the status with its time, the events of each container in their order, and the logs of
// those that run at the end. Only the times at which probe failures are reported may differ. The
// closed form reports that the readiness probe fails when the container starts, even if it stops
// before the probe. It reports that another probe has failed for too long when the container has
// ended because of it, not if it has ended for another reason in the meantime.
func TestForms_AreEqual(t *testing.T) {
	t.Parallel()
	draw := rapid.Custom(drawServed)
	for seed := range 150 { // always the same, as others may come upon two things at one instant
		d := draw.Example(seed)
		closed := liveInForm(t, d, nil)
		run := liveInForm(t, d, machineMemory(t, d.pod))
		same := func(what string, closed, run any) {
			if diff := cmp.Diff(closed, run); diff != "" {
				t.Errorf("seed %d: %s (-closed form +machine):\n%s", seed, what, diff)
			}
		}
		same("changes", closed.changes, run.changes)
		same("events", closed.eventsOf, run.eventsOf)
		same("logs", closed.logs, run.logs)
		for about, failures := range run.unready {
			for _, f := range failures {
				if !slices.Contains(closed.unready[about], f) {
					t.Errorf("seed %d: %s in a machine only: %s", seed, about, f)
				}
			}
		}
		for about := range closed.sick {
			failures := run.sick[about]
			rest := failures
			for _, f := range closed.sick[about] {
				i := slices.Index(rest, f)
				if i < 0 {
					t.Errorf("seed %d: failed probes of %s, in closed form:\n%q\nin a machine:\n%q", seed, about, closed.sick[about], failures)
					break
				}
				rest = rest[i+1:]
			}
		}
		if closed.machines || !run.machines {
			t.Errorf("seed %d: in closed form with a machine: %t; in a machine: %t", seed, closed.machines, run.machines)
		}
	}
}

// lived is how a Pod has lived.
type lived struct {
	changes  []string            // of the status, with their times
	eventsOf map[string][]string // events by container, but for those of probes
	unready  map[string][]string // those of readiness probes that fail
	sick     map[string][]string // those of containers that other probes end, two each
	logs     map[string][]string
	machines bool // it ran in a machine
}

// served is a Pod that lives for some spells, each in seconds, and is deleted then.
type served struct {
	pod    *corev1.Pod
	spells []int
	grace  int64
}

func drawServed(r *rapid.T) served {
	return served{drawServingPod(r), rapid.SliceOfN(rapid.IntRange(0, 90), 1, 4).Draw(r, "spells"), rapid.Int64Range(0, 40).Draw(r, "grace")}
}

// liveInForm lets the Pod live, from a memory.
func liveInForm(t *testing.T, d served, memory []byte) lived {
	t.Helper()
	w := &podtest.World{T: t, Pod: d.pod.DeepCopy(), Now: podtest.Noon, Memory: memory}
	l := lived{eventsOf: map[string][]string{}, unready: map[string][]string{}, sick: map[string][]string{}, logs: map[string][]string{}}
	w.Heard = func(event, about string) {
		list := l.eventsOf
		switch {
		case strings.HasPrefix(event, "Unhealthy Readiness"):
			list = l.unready
		case strings.HasPrefix(event, "Unhealthy"), strings.Contains(event, " failed liveness probe"), strings.Contains(event, " failed startup probe"):
			list = l.sick
		}
		if n := len(list[about]); n == 0 || list[about][n-1] != event { // it may stop for two reasons
			list[about] = append(list[about], event)
		}
	}
	total := 0
	for _, s := range d.spells {
		total += s
		w.Live(time.Duration(total) * time.Second)
	}
	l.machines = len(w.Memory) > 0
	for _, c := range w.Pod.Status.ContainerStatuses {
		if c.State.Running != nil { // of those that have ended the status tells no more than whole seconds
			l.logs[c.Name] = w.Log(c.Name)
		}
	}
	w.Remove(d.grace)
	w.Live(time.Duration(total)*time.Second + time.Duration(d.grace+2)*time.Second)
	for _, line := range w.Story {
		at, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		change, _, _ := strings.Cut(rest, " |")
		if n := len(l.changes); change != "" && (n == 0 || !strings.HasSuffix(l.changes[n-1], " "+change)) {
			l.changes = append(l.changes, at+" "+change)
		}
	}
	return l
}

// machineMemory is what makes the kubelet run the Pod in a machine.
func machineMemory(t *testing.T, pod *corev1.Pod) []byte {
	t.Helper()
	b, err := emulator.New(string(pod.UID), len(pod.Spec.Containers)+len(pod.Spec.InitContainers), 0, podtest.Noon).Encode()
	if err != nil {
		t.Fatal(err)
	}
	m := memory.Memory{Machine: b}
	return m.Encode()
}

// drawServingPod draws a Pod whose containers only serve, sleep or are not known.
func drawServingPod(r *rapid.T) *corev1.Pod {
	program := rapid.SampledFrom([]corev1.Container{
		podtest.Nginx(), podtest.Of("", "registry.k8s.io/pause:3.10"), podtest.Of("", "busybox", "sleep", "infinity"),
		podtest.Of("", "busybox", "sleep", "7.002"), podtest.Of("", "busybox", "sleep", "31.002"),
		podtest.Of("", "example.com/unknown:1"), podtest.Of("", "example.com/unknown:1", "sleep", "9.002"), podtest.Of("", "example.com/unknown:1", "sh", "-c", "sleep 3.002; exit 1"),
	})
	deaf := rapid.SampledFrom([]corev1.Container{ // they answer no probe of another
		podtest.Of("", "registry.k8s.io/pause:3.10"), podtest.Of("", "busybox", "sleep", "infinity"), podtest.Of("", "busybox", "sleep", "7.002"), podtest.Of("", "busybox", "sleep", "31.002"),
	})
	withSidecar := rapid.Bool().Draw(r, "sidecar")
	probed := "a" // the container that starts first: in a machine, others start some milliseconds later
	if withSidecar {
		probed = "s"
	}
	draw := func(name string) corev1.Container {
		c := deaf.Draw(r, name)
		if name == probed {
			c = program.Draw(r, name)
		}
		c.Name = name
		if rapid.Bool().Draw(r, name+" hook") {
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: rapid.Int64Range(1, 20).Draw(r, name+" pre-stop")}}}
		}
		if name == probed {
			c.StartupProbe, c.ReadinessProbe, c.LivenessProbe = drawProbe(r, name+" startup"), drawProbe(r, name+" readiness"), drawProbe(r, name+" liveness")
			if c.ReadinessProbe != nil {
				c.ReadinessProbe.SuccessThreshold = rapid.Int32Range(1, 3).Draw(r, name+" successes")
				c.ReadinessProbe.TerminationGracePeriodSeconds = nil
			}
			img, _ := podtest.Images.Find(c.Image)
			if img.IsKnown() && !form.ServesOnly(img, &c, img.Timeline(&c)) { // not everything that sleeps can be asked
				c.Image, c.Command = podtest.Nginx().Image, nil
			}
		}
		return c
	}
	pod := podtest.Bound(draw("a"))
	if rapid.Bool().Draw(r, "two") {
		pod.Spec.Containers = append(pod.Spec.Containers, draw("b"))
	}
	if rapid.Bool().Draw(r, "init") {
		c := podtest.Of("i", "busybox", "sleep", "2.002")
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	}
	if withSidecar {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, podtest.AsSidecar(draw("s")))
	}
	pod.Spec.RestartPolicy = rapid.SampledFrom([]corev1.RestartPolicy{"Always", "OnFailure", "Never"}).Draw(r, "policy")
	if !withSidecar && rapid.Bool().Draw(r, "limited") {
		podtest.WithDeadline(rapid.Int64Range(1, 100).Draw(r, "deadline"))(pod)
	}
	return pod
}

// drawProbe draws a probe, or none, that succeeds where nothing else listens than a web server on
// port 80, or never.
func drawProbe(r *rapid.T, name string) *corev1.Probe {
	p := &corev1.Probe{SuccessThreshold: 1, TimeoutSeconds: 1}
	switch rapid.SampledFrom([]string{"", "", "tcp", "http", "refused", "missing"}).Draw(r, name) {
	case "":
		return nil
	case "tcp":
		p.TCPSocket = &corev1.TCPSocketAction{Port: intstr.FromInt32(80)}
	case "http":
		p.HTTPGet = &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80), Scheme: corev1.URISchemeHTTP}
	case "refused":
		p.TCPSocket = &corev1.TCPSocketAction{Port: intstr.FromInt32(81)}
	case "missing":
		p.HTTPGet = &corev1.HTTPGetAction{Path: "/missing", Port: intstr.FromInt32(80), Scheme: corev1.URISchemeHTTP}
	}
	p.InitialDelaySeconds = rapid.Int32Range(0, 12).Draw(r, name+" delay")
	p.PeriodSeconds = rapid.Int32Range(1, 10).Draw(r, name+" period")
	p.FailureThreshold = rapid.Int32Range(1, 4).Draw(r, name+" failures")
	if rapid.Bool().Draw(r, name+" has a grace") {
		p.TerminationGracePeriodSeconds = new(rapid.Int64Range(1, 40).Draw(r, name+" grace"))
	}
	return p
}
