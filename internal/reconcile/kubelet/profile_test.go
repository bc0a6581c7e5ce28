package kubelet

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/image/profile"
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

// What annotations say comes true without a program, and the same beside containers that have one.
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

// A container goes on for its stop time, but no longer than its grace.
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
