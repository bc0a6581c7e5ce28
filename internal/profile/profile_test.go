package profile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

func podWith(annotations map[string]string) *corev1.Pod {
	prefixed := map[string]string{}
	for key, value := range annotations {
		prefixed[Prefix+key] = value
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pod", Annotations: prefixed},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "init"}},
			Containers:     []corev1.Container{{Name: "app"}, {Name: "other"}},
		},
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		annotations map[string]string
		container   string
		run         int32
		want        Profile
	}{
		{"nothing", nil, "app", 0, Profile{}},
		{"all that keeps the program", map[string]string{"start-delay": "2s", "readiness-delay": "1m30s", "log": "hello"}, "app", 0,
			Profile{StartDelay: 2 * time.Second, ReadinessDelay: 90 * time.Second, Log: "hello"}},
		{"only the first start is slow", map[string]string{"start-delay": "2s"}, "app", 1, Profile{}},
		{"a run time", map[string]string{"run-time": "30s"}, "app", 0, Profile{Replaced: true, RunTime: 30 * time.Second}},
		{"a run time and a code", map[string]string{"run-time": "30s", "exit-code": "7", "stop-time": "4s"}, "app", 3,
			Profile{Replaced: true, RunTime: 30 * time.Second, ExitCode: 7, StopTime: 4 * time.Second}},
		{"a code alone", map[string]string{"exit-code": "0"}, "app", 0, Profile{Replaced: true}},
		{"without end", map[string]string{"run-time": "forever"}, "app", 0, Profile{Replaced: true, Forever: true}},
		{"a container's own comes first", map[string]string{"exit-code": "1", "app.exit-code": "2"}, "app", 0, Profile{Replaced: true, ExitCode: 2}},
		{"another container's does not count", map[string]string{"exit-code": "1", "app.exit-code": "2"}, "other", 0, Profile{Replaced: true, ExitCode: 1}},
		{"an init container must be named", map[string]string{"exit-code": "1"}, "init", 0, Profile{}},
		{"a named init container", map[string]string{"init.exit-code": "1"}, "init", 0, Profile{Replaced: true, ExitCode: 1}},
		{"certain failure", map[string]string{"failure-probability": "1"}, "app", 0, Profile{Replaced: true, ExitCode: 1}},
		{"certain failure after the run time", map[string]string{"failure-probability": "100%", "run-time": "5s", "failure-exit-code": "9"}, "app", 0,
			Profile{Replaced: true, RunTime: 5 * time.Second, ExitCode: 9}},
		{"certain failure at its own time", map[string]string{"failure-probability": "1.0", "run-time": "5s", "failure-after": "2s"}, "app", 0,
			Profile{Replaced: true, RunTime: 2 * time.Second, ExitCode: 1}},
		{"certain failure of what has no end", map[string]string{"failure-probability": "1", "run-time": "forever"}, "app", 0, Profile{Replaced: true, ExitCode: 1}},
		{"no failure", map[string]string{"failure-probability": "0", "failure-exit-code": "9", "failure-after": "2s"}, "app", 0, Profile{}},
		{"what is wrong counts as absent", map[string]string{"run-time": "soon", "exit-code": "256", "start-delay": "-1s"}, "app", 0, Profile{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Of(podWith(tt.annotations), tt.container, tt.run)); diff != "" {
				t.Errorf("profile (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOf_DrawsFromTheSeed: the draws are fixed: a change here changes the effect of users' seeds.
func TestOf_DrawsFromTheSeed(t *testing.T) {
	t.Parallel()
	outcomes := func(seed, name string, runs int32) (failed string) {
		for run := range runs {
			pod := podWith(map[string]string{"failure-probability": "50%", "seed": seed, "run-time": "1s-2s"})
			pod.Name = name
			p := Of(pod, "app", run)
			if p.RunTime < time.Second || p.RunTime > 2*time.Second {
				t.Errorf("run time is %v", p.RunTime)
			}
			failed += fmt.Sprint(p.ExitCode)
		}
		return failed
	}
	got := []string{outcomes("a", "pod-1", 16), outcomes("b", "pod-1", 16), outcomes("a", "pod-2", 16)}
	want := []string{"0001101100110110", "1010100010010111", "1101110101101110"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if many := outcomes("", "pod", 2000); strings.Count(many, "1") < 900 || strings.Count(many, "1") > 1100 {
		t.Errorf("%d of 2000 runs failed, want about half", strings.Count(many, "1"))
	}
}

// TestOf_IndexedJob: the Pods of an Indexed Job have generated names, so index and failures stand
// for them.
func TestOf_IndexedJob(t *testing.T) {
	t.Parallel()
	run := func(name, index, failures string) time.Duration {
		pod := podWith(map[string]string{"run-time": "0s-1000h"})
		pod.Name = name
		yes := true
		pod.OwnerReferences = []metav1.OwnerReference{{Kind: "Job", Name: "job", Controller: &yes}}
		pod.Annotations["batch.kubernetes.io/job-completion-index"] = index
		pod.Annotations["batch.kubernetes.io/job-index-failure-count"] = failures
		return Of(pod, "app", 0).RunTime
	}
	if run("job-0-abcde", "0", "0") != run("job-0-vwxyz", "0", "0") {
		t.Error("another name changes the draw")
	}
	if run("job-0-abcde", "0", "0") == run("job-0-abcde", "1", "0") || run("job-0-abcde", "0", "0") == run("job-0-abcde", "0", "1") {
		t.Error("another index or a failure does not change the draw")
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	const duration = `must be a duration such as "500ms" or "1m30s", at least 0s and at most 87600h`
	const spanDetail = `must be a duration such as "30s", two with a hyphen between them such as "10s-1m", or "forever"`
	const code, probability = "must be an integer from 0 to 255", `must be a number from 0 to 1 such as "0.25", or a percentage from "0%" to "100%"`
	for _, tt := range []struct{ name, value, want string }{
		{"start-delay", "1s", ""}, {"start-delay", "0s", ""}, {"start-delay", "87600h", ""}, {"app.start-delay", "1s", ""},
		{"start-delay", "", duration}, {"start-delay", "5", duration}, {"stop-time", "-1s", duration}, {"failure-after", "87601h", duration},
		{"readiness-delay", "+1s", duration}, {"start-delay", "1d", duration},
		{"run-time", "1s-2s", ""}, {"run-time", "forever", ""}, {"run-time", "2s-1s", spanDetail}, {"run-time", "ever", spanDetail}, {"run-time", "1s-", spanDetail},
		{"exit-code", "255", ""}, {"exit-code", "256", code}, {"exit-code", "-1", code}, {"failure-exit-code", "one", code},
		{"failure-probability", "0.5", ""}, {"failure-probability", "12.5%", ""}, {"failure-probability", "0", ""},
		{"failure-probability", "1.01", probability}, {"failure-probability", "101%", probability}, {"failure-probability", "NaN", probability},
		{"failure-probability", "1e-1", probability}, {"failure-probability", "", probability}, {"failure-probability", "-0", probability},
		{"log", "hello there", ""}, {"log", "two\nlines", "must be one line of at most 4096 bytes"}, {"log", strings.Repeat("x", 4097), "must be one line of at most 4096 bytes"},
		{"seed", "anything at all", ""},
		{"nobody.exit-code", "1", `container "nobody" not found`},
		{"runtime", "1s", "must be one of cpu-usage, exit-code, failure-after, failure-exit-code, failure-probability, log, memory-usage, readiness-delay, run-time, seed, start-delay, stop-time, " +
			`with a container's name and "." before it where it is about that one alone`},
	} {
		t.Run(tt.name+"="+tt.value[:min(len(tt.value), 20)], func(t *testing.T) {
			t.Parallel()
			var want []Problem
			if tt.want != "" {
				want = []Problem{{Key: Prefix + tt.name, Value: tt.value, Detail: tt.want}}
			}
			annotations := map[string]string{Prefix + tt.name: tt.value, "example.com/exit-code": "x"}
			got := Validate(annotations, func(name string) bool { return name == "app" })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
	if !slices.IsSorted(Names) {
		t.Error("names are not sorted")
	}
}

// TestOf_Anything: whatever annotations contain, a profile is parsed without an error, within its
// bounds, and twice the same.
func TestOf_Anything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"1s", "0s-1h", "50%", "3", "forever", "0.5", "999999999h", "1s-2s-3s"}))
		pod := podWith(rapid.MapOf(rapid.SampledFrom(Names), value).Draw(t, "annotations"))
		run := rapid.Int32Range(0, 1000).Draw(t, "run")
		p := Of(pod, "app", run)
		if p != Of(pod, "app", run) {
			t.Fatal("another look gives another profile")
		}
		for _, d := range []time.Duration{p.StartDelay, p.ReadinessDelay, p.RunTime, p.StopTime} {
			if d < 0 || d > longest {
				t.Fatalf("a duration is %v", d)
			}
		}
		if p.ExitCode < 0 || p.ExitCode > 255 || !p.Replaced && p != (Profile{StartDelay: p.StartDelay, ReadinessDelay: p.ReadinessDelay, StopTime: p.StopTime, Log: p.Log}) {
			t.Fatalf("profile is %+v", p)
		}
	})
}

func BenchmarkOf_Nothing(b *testing.B) {
	pod := podWith(nil)
	pod.Annotations["kubectl.kubernetes.io/last-applied-configuration"] = "{}"
	for b.Loop() {
		Of(pod, "app", 0)
	}
}
