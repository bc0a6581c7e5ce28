package kubelet_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/profile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// behaving gives the Pod annotations of a profile, each a name and a value.
func behaving(pairs ...string) podtest.Option {
	return func(p *corev1.Pod) {
		p.Annotations = map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			p.Annotations[profile.Prefix+pairs[i]] = pairs[i+1]
		}
	}
}

// The behaviour in the annotations takes effect without a program, and also beside containers that
// have one.
func TestProfile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{
			name: "a run time and a code", pod: podtest.Bound(podtest.Nginx(), behaving("run-time", "5s", "exit-code", "3"), podtest.Never),
			want: []string{"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started", "  5s Failed 0/1 nginx=Error(3)"},
		}, {
			name: "a code alone", pod: podtest.Bound(podtest.Nginx(), behaving("exit-code", "0"), podtest.Never),
			want: []string{"  0s Succeeded 0/1 nginx=Completed(0) | Pulled, Created, Started"},
		}, {
			name: "a start delay", pod: podtest.Bound(podtest.Nginx(), behaving("start-delay", "4s")),
			want: []string{"  0s Pending 0/1 nginx=ContainerCreating", "  4s Running ready 1/1 nginx=Running | Pulled, Created, Started"},
		}, {
			name: "a readiness delay", pod: podtest.Bound(podtest.Nginx(), behaving("readiness-delay", "7s")),
			want: []string{"  0s Running 0/1 nginx=Running | Pulled, Created, Started", "  7s Running ready 1/1 nginx=Running"},
		}, {
			name: "a failure, by chance", pod: podtest.Bound(podtest.Nginx(), behaving("run-time", "5s", "failure-probability", "0.5", "seed", "c", "failure-exit-code", "9"), podtest.OnFailure),
			want: []string{
				"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started", "  5s Running 0/1 nginx=Error(9)",
				"  6s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started", " 11s Succeeded 0/1 nginx=Completed(0)×1",
			},
		}, {
			name: "a container beside one that computes",
			pod:  podtest.Bound(podtest.Nginx(), podtest.And(podtest.Named("c", podtest.Sh("sleep 2; exit 1"))), behaving("nginx.run-time", "3s"), podtest.Never),
			want: []string{
				"  0s Running ready 2/2 c=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
				"  2s Running 1/2 c=Error(1) nginx=Running", "  3s Failed 0/2 c=Error(1) nginx=Completed(0)",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			w.Want(tt.want...)
		})
	}
}

func ofJob(p *corev1.Pod) {
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "job", UID: "2", Controller: new(true)}}
}

// Programs that are not known or not emulated count as running, or end where their place in the Pod
// demands that, and say so in the log and by an Event, unless annotations say otherwise.
func TestUnknownPrograms(t *testing.T) {
	t.Parallel()
	app := func(name string) corev1.Container { return podtest.Of(name, "example.com/"+name, "/bin/run", "--all") }
	python := podtest.Of("a", "python", "python", "-c", "import flask")
	const notEmulated = "0s rowlock: this python program is not emulated"
	const inJob = "0s rowlock: nothing is known about the program of example.com/a: as a container of a Job, it ends with 0 after 3s"
	const (
		started   = "Pulled, Created, Started"
		unknown   = started + ", NotEmulated"
		inInit    = "0s rowlock: nothing is known about the program of example.com/a: as an init container, it ends with 0 after 3s"
		asRunning = "0s rowlock: nothing is known about the program of example.com/a: it counts as running and answers on every port"
	)
	for _, tt := range []struct {
		name string
		pod  *corev1.Pod
		want []string
		log  []string // of the container "a"
	}{
		{
			name: "an init container", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(app("a"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "an init container, in a machine", pod: podtest.Bound(podtest.Sh("sleep infinity"), podtest.WithInit(app("a"))),
			want: []string{"  0s Pending 0/1 a=Running c=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) c=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "a script that is not understood", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("a", "example.com/a", "sh", "-c", "migrate | tee /log"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "a script that is understood", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.Of("a", "example.com/a", "sh", "-c", "sleep 5"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + started, "  5s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
		}, {
			name: "a sidecar", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(podtest.AsSidecar(app("a")))),
			want: []string{"  0s Running ready 1/1 a=Running nginx=Running | " + unknown + ", " + started},
			log:  []string{asRunning},
		}, {
			name: "a Job's Pod", pod: podtest.Bound(app("a"), podtest.Never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{inJob},
		}, {
			name: "a Job's Pod with a sidecar", pod: podtest.Bound(app("a"), podtest.OnFailure, ofJob, podtest.WithInit(podtest.AsSidecar(app("s")))),
			want: []string{"  0s Running ready 1/1 s=Running a=Running | " + unknown + ", " + unknown, "  3s Succeeded 0/1 s=Completed(0) a=Completed(0) | Killing"},
			log:  []string{inJob},
		}, {
			name: "a Job's Pod with a program that is known", pod: podtest.Bound(app("a"), podtest.And(podtest.Named("c", podtest.Sh("sleep 4; exit 1"))), podtest.Never, ofJob),
			want: []string{"  0s Running ready 2/2 a=Running c=Running | " + unknown + ", " + started, "  3s Running 1/2 a=Completed(0) c=Running", "  4s Failed 0/2 a=Completed(0) c=Error(1)"},
			log:  []string{inJob},
		}, {
			name: "a container that is always restarted, in a Job's Pod", pod: podtest.Bound(podtest.AsSidecar(app("a")), podtest.Never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown},
			log:  []string{asRunning},
		}, {
			name: "a Pod of nobody", pod: podtest.Bound(app("a"), podtest.Never),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown},
			log:  []string{asRunning},
		}, {
			name: "a program that is not emulated", pod: podtest.Bound(python),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown}, log: []string{notEmulated, "0s rowlock: it counts as running and answers on every port"},
		}, {
			name: "such an init container", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(python)),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{notEmulated, "0s rowlock: as an init container, it ends with 0 after 3s"},
		}, {
			name: "such a container of a Job", pod: podtest.Bound(python, podtest.Never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{notEmulated, "0s rowlock: as a container of a Job, it ends with 0 after 3s"},
		}, {
			name: "a shell that becomes it", pod: podtest.Bound(podtest.Of("a", "python", "sh", "-c", "echo go; python -c 'import flask'")),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown}, log: []string{"0s go", notEmulated, "0s rowlock: it counts as running and answers on every port"},
		}, {
			name: "a shell that calls it", pod: podtest.Bound(podtest.Of("a", "python", "sh", "-c", "python -c 'import flask'; exit $?"), podtest.Never),
			want: []string{"  0s Failed 0/1 a=Error(125) | " + started}, log: []string{notEmulated},
		}, {
			name: "annotations: an init container with another end", pod: podtest.Bound(podtest.Nginx(), podtest.WithInit(app("a")), behaving("a.run-time", "7s", "a.exit-code", "0")),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + started, "  7s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
		}, {
			name: "annotations: a Job's Pod that runs until it is stopped", pod: podtest.Bound(app("a"), podtest.Never, ofJob, behaving("run-time", "forever")),
			want: []string{"  0s Running ready 1/1 a=Running | " + started},
		}, {
			name: "annotations: a line for the log", pod: podtest.Bound(app("a"), podtest.Never, ofJob, behaving("log", "hello")),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{"0s hello", inJob},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(time.Minute)
			w.Want(tt.want...)
			w.WantLog("a", tt.log...)
		})
	}
}

// A container continues for its stop time, but no longer than its grace period.
func TestProfile_StopTime(t *testing.T) {
	t.Parallel()
	for stop, want := range map[string]string{"4s": " 14s", "1h": " 40s"} {
		w := podtest.New(t, podtest.Bound(podtest.Nginx(), behaving("run-time", "forever", "stop-time", stop)))
		w.Live(10 * time.Second)
		w.Remove(30)
		w.Live(time.Minute)
		if last := w.Story[len(w.Story)-1]; last[:4] != want {
			t.Errorf("with a stop time of %s the Pod goes at %s, want%s:\n%v", stop, last, want, w.Story)
		}
	}
}

// A line for the log is there whether the program is replaced or runs.
func TestProfile_Log(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Sh("echo done"), podtest.Named("c", podtest.Nginx())} {
		w := podtest.New(t, podtest.Bound(c, behaving("log", "hello there"), podtest.Never))
		w.Live(time.Second)
		if log := w.Log("c"); len(log) == 0 || log[0] != "0s hello there" {
			t.Errorf("log of %s is %q", c.Image, log)
		}
	}
}
