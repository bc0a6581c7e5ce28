package kubelet

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/profile"
)

// behaving gives the Pod annotations of a profile, each a name and a value.
func behaving(pairs ...string) podOption {
	return func(p *corev1.Pod) {
		p.Annotations = map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			p.Annotations[profile.Prefix+pairs[i]] = pairs[i+1]
		}
	}
}

var never, onFailure = restarting(corev1.RestartPolicyNever), restarting(corev1.RestartPolicyOnFailure)

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
			name: "a run time and a code", pod: bound(nginx(), behaving("run-time", "5s", "exit-code", "3"), never),
			want: []string{"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started", "  5s Failed 0/1 nginx=Error(3)"},
		}, {
			name: "a code alone", pod: bound(nginx(), behaving("exit-code", "0"), never),
			want: []string{"  0s Succeeded 0/1 nginx=Completed(0) | Pulled, Created, Started"},
		}, {
			name: "a start delay", pod: bound(nginx(), behaving("start-delay", "4s")),
			want: []string{"  0s Pending 0/1 nginx=ContainerCreating", "  4s Running ready 1/1 nginx=Running | Pulled, Created, Started"},
		}, {
			name: "a readiness delay", pod: bound(nginx(), behaving("readiness-delay", "7s")),
			want: []string{"  0s Running 0/1 nginx=Running | Pulled, Created, Started", "  7s Running ready 1/1 nginx=Running"},
		}, {
			name: "a failure, by chance", pod: bound(nginx(), behaving("run-time", "5s", "failure-probability", "0.5", "seed", "c", "failure-exit-code", "9"), onFailure),
			want: []string{
				"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started", "  5s Running 0/1 nginx=Error(9)",
				"  6s Running ready 1/1 nginx=Running×1 | Pulled, Created, Started", " 11s Succeeded 0/1 nginx=Completed(0)×1",
			},
		}, {
			name: "a container beside one that computes",
			pod:  bound(nginx(), and(named("c", sh("sleep 2; exit 1"))), behaving("nginx.run-time", "3s"), never),
			want: []string{
				"  0s Running ready 2/2 c=Running nginx=Running | Pulled, Created, Started, Pulled, Created, Started",
				"  2s Running 1/2 c=Error(1) nginx=Running", "  3s Failed 0/2 c=Error(1) nginx=Completed(0)",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: tt.pod}
			w.live(time.Minute)
			w.want(tt.want...)
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
	app := func(name string) corev1.Container { return of(name, "example.com/"+name, "/bin/run", "--all") }
	python := of("a", "python", "python", "-c", "import flask")
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
			name: "an init container", pod: bound(nginx(), withInit(app("a"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "an init container, in a machine", pod: bound(sh("sleep infinity"), withInit(app("a"))),
			want: []string{"  0s Pending 0/1 a=Running c=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) c=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "a script that is not understood", pod: bound(nginx(), withInit(of("a", "example.com/a", "sh", "-c", "migrate | tee /log"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{inInit},
		}, {
			name: "a script that is understood", pod: bound(nginx(), withInit(of("a", "example.com/a", "sh", "-c", "sleep 5"))),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + started, "  5s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
		}, {
			name: "a sidecar", pod: bound(nginx(), withInit(asSidecar(app("a")))),
			want: []string{"  0s Running ready 1/1 a=Running nginx=Running | " + unknown + ", " + started},
			log:  []string{asRunning},
		}, {
			name: "a Job's Pod", pod: bound(app("a"), never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{inJob},
		}, {
			name: "a Job's Pod with a sidecar", pod: bound(app("a"), onFailure, ofJob, withInit(asSidecar(app("s")))),
			want: []string{"  0s Running ready 1/1 s=Running a=Running | " + unknown + ", " + unknown, "  3s Succeeded 0/1 s=Completed(0) a=Completed(0) | Killing"},
			log:  []string{inJob},
		}, {
			name: "a Job's Pod with a program that is known", pod: bound(app("a"), and(named("c", sh("sleep 4; exit 1"))), never, ofJob),
			want: []string{"  0s Running ready 2/2 a=Running c=Running | " + unknown + ", " + started, "  3s Running 1/2 a=Completed(0) c=Running", "  4s Failed 0/2 a=Completed(0) c=Error(1)"},
			log:  []string{inJob},
		}, {
			name: "a container that is always restarted, in a Job's Pod", pod: bound(asSidecar(app("a")), never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown},
			log:  []string{asRunning},
		}, {
			name: "a Pod of nobody", pod: bound(app("a"), never),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown},
			log:  []string{asRunning},
		}, {
			name: "a program that is not emulated", pod: bound(python),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown}, log: []string{notEmulated, "0s rowlock: it counts as running and answers on every port"},
		}, {
			name: "such an init container", pod: bound(nginx(), withInit(python)),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + unknown, "  3s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
			log:  []string{notEmulated, "0s rowlock: as an init container, it ends with 0 after 3s"},
		}, {
			name: "such a container of a Job", pod: bound(python, never, ofJob),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{notEmulated, "0s rowlock: as a container of a Job, it ends with 0 after 3s"},
		}, {
			name: "a shell that becomes it", pod: bound(of("a", "python", "sh", "-c", "echo go; python -c 'import flask'")),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown}, log: []string{"0s go", notEmulated, "0s rowlock: it counts as running and answers on every port"},
		}, {
			name: "a shell that calls it", pod: bound(of("a", "python", "sh", "-c", "python -c 'import flask'; exit $?"), never),
			want: []string{"  0s Failed 0/1 a=Error(125) | " + started}, log: []string{notEmulated},
		}, {
			name: "annotations: an init container with another end", pod: bound(nginx(), withInit(app("a")), behaving("a.run-time", "7s", "a.exit-code", "0")),
			want: []string{"  0s Pending 0/1 a=Running nginx=PodInitializing | " + started, "  7s Running ready 1/1 a=Completed(0) nginx=Running | " + started},
		}, {
			name: "annotations: a Job's Pod that runs until it is stopped", pod: bound(app("a"), never, ofJob, behaving("run-time", "forever")),
			want: []string{"  0s Running ready 1/1 a=Running | " + started},
		}, {
			name: "annotations: a line for the log", pod: bound(app("a"), never, ofJob, behaving("log", "hello")),
			want: []string{"  0s Running ready 1/1 a=Running | " + unknown, "  3s Succeeded 0/1 a=Completed(0)"},
			log:  []string{"0s hello", inJob},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: tt.pod}
			w.live(time.Minute)
			w.want(tt.want...)
			w.wantLog("a", tt.log...)
		})
	}
}

// A container continues for its stop time, but no longer than its grace period.
func TestProfile_StopTime(t *testing.T) {
	t.Parallel()
	for stop, want := range map[string]string{"4s": " 14s", "1h": " 40s"} {
		w := &world{t: t, now: noon, pod: bound(nginx(), behaving("run-time", "forever", "stop-time", stop))}
		w.live(10 * time.Second)
		w.remove(30)
		w.live(time.Minute)
		if last := w.story[len(w.story)-1]; last[:4] != want {
			t.Errorf("with a stop time of %s the Pod goes at %s, want%s:\n%v", stop, last, want, w.story)
		}
	}
}

// A line for the log is there whether the program is replaced or runs.
func TestProfile_Log(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{sh("echo done"), named("c", nginx())} {
		w := &world{t: t, now: noon, pod: bound(c, behaving("log", "hello there"), never)}
		w.live(time.Second)
		if log := w.log("c"); len(log) == 0 || log[0] != "0s hello there" {
			t.Errorf("log of %s is %q", c.Image, log)
		}
	}
}
