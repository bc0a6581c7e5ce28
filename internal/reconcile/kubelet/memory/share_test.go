package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// settle syncs a Pod at the same time until it is not behind any more, each sync with this share of
// steps, and returns how many syncs that took.
func settle(w *podtest.World, steps int64) (syncs int) {
	w.T.Helper()
	for range 100_000 {
		s := w.Snapshot()
		s.Steps = steps
		p := kubelet.Reconcile(s)
		syncs++
		if p.Memory != nil {
			w.Memory = p.Memory
		}
		if w.Wake = p.WakeAt; !p.Empty() {
			w.Apply(p)
		}
		if w.Pod == nil || w.Wake.IsZero() || w.Wake.After(w.Now) {
			return syncs
		}
	}
	w.T.Fatal("the Pod stays behind")
	return 0
}

// TestShares_ChangeNothing runs the same Pods with large shares and with small ones: two containers
// that take turns at a file while one of them never rests, a deletion in the middle, and an end in
// the midst of a loop.
func TestShares_ChangeNothing(t *testing.T) {
	t.Parallel()
	counts := `trap 'echo told $i; exit 7' TERM; i=0; while :; do i=$((i+1)); case $i in *[05]00) echo $i | tee -a /data/log;; esac; done`
	run := func(steps int64) (story []string, logs map[string][]string, syncs int) {
		second := podtest.Mounting(podtest.Named("second", podtest.Sh("while :; do wc -l < /data/log; sleep 1; done")), "data", "/data")
		w := podtest.New(t, podtest.Bound(podtest.Mounting(podtest.Sh(counts), "data", "/data"), podtest.And(second),
			podtest.Restarting(corev1.RestartPolicyNever), podtest.WithVolume("data", podtest.EmptyDir)))
		for _, until := range []time.Duration{0, time.Second, 2 * time.Second, 5 * time.Second, 20 * time.Second} {
			w.Now = podtest.Noon.Add(until)
			syncs += settle(w, steps)
		}
		w.Remove(30)
		logs = map[string][]string{}
		for _, c := range []string{"c", "second"} {
			logs[c] = w.Log(c)
		}
		for w.Pod != nil {
			syncs += settle(w, steps)
			for _, c := range []string{"c", "second"} {
				if w.Pod != nil {
					logs[c] = w.Log(c)
				}
			}
			w.Now = w.Now.Add(time.Second)
		}
		return w.Story, logs, syncs
	}
	story, logs, syncs := run(10_000_000)
	if len(logs["c"]) < 20 || len(logs["second"]) < 20 {
		t.Fatalf("little happens: %v", logs)
	}
	for _, steps := range []int64{500, memory.CreditSteps, memory.BacklogSteps} {
		otherStory, otherLogs, more := run(steps)
		if diff := cmp.Diff(story[len(story)-2:], otherStory[len(otherStory)-2:]); diff != "" {
			t.Errorf("story with %d steps (-at once +in pieces):\n%s", steps, diff)
		}
		if diff := cmp.Diff(logs, otherLogs); diff != "" {
			t.Errorf("logs with %d steps (-at once +in pieces):\n%s", steps, diff)
		}
		if more <= syncs {
			t.Errorf("%d syncs with %d steps each, %d at once", more, steps, syncs)
		}
	}
}

// TestShares_EndWithThePod: a Pod that is being deleted and never rests is run up to its end, unless
// that is long overdue: then its containers are killed where they are, in a few syncs.
func TestShares_EndWithThePod(t *testing.T) {
	t.Parallel()
	const killDelay = 30 * time.Second // after the end of the grace period
	for late, cut := range map[time.Duration]bool{killDelay - 5*time.Second: false, killDelay: true} {
		w := podtest.New(t, podtest.Bound(podtest.Sh("while :; do :; done"), podtest.Restarting(corev1.RestartPolicyNever)))
		settle(w, memory.BacklogSteps)
		w.Remove(30)
		w.Now = w.Now.Add(30*time.Second + late)
		syncs := settle(w, memory.BacklogSteps)
		for range 4 { // for the end of the shortest grace period, and for the removal
			if w.Now = w.Now.Add(time.Second); w.Pod != nil {
				syncs += settle(w, memory.BacklogSteps)
			}
		}
		if w.Pod != nil || cut != (syncs <= 3) {
			t.Errorf("%s after it should have been killed, the Pod is gone after %d syncs: %t", late, syncs, w.Pod == nil)
		}
		story := strings.Join(w.Story, "\n")
		if !strings.Contains(story, "c=Error(137)") || strings.Count(story, "Killing") != 1 {
			t.Errorf("%s after it should have been killed:\n%s", late, story)
		}
	}
}

// TestShare says after how many syncs a Pod waits behind others, how long it would if it rested
// from then on, and how many steps it may then run at once, or how that begins where it depends on
// what steps of utilities are.
func TestShare(t *testing.T) {
	t.Parallel()
	tests := []struct{ script, want string }{
		{"while :; do :; done", "busy after 1 syncs for 1s, then 50000"},
		{"i=0; while [ $i -lt 1500 ]; do i=$((i+1)); done; sleep 3600", "busy after 1 syncs for 1s, then 50000"},
		{"head -c 1000000 /dev/urandom > /tmp/large; sleep 3600", "busy after 1 syncs for 1"}, // for what storing it costs
		{"while :; do wget -q -T 1 http://nobody; done", "busy after "},
		{"while :; do sleep 1; date > /tmp/now; done", "never busy"},
		{"while :; do sleep 30; i=0; while [ $i -lt 500 ]; do i=$((i+1)); done; done", "never busy"},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, podtest.Bound(podtest.Sh(test.script)))
			got := "never busy"
			for i := 1; i <= 20 && got == "never busy"; i++ {
				s := w.Snapshot()
				if s.Steps = memory.Share(w.Memory, w.Now); s.Steps == 0 {
					t.Fatalf("sync %d has no share", i)
				}
				p := kubelet.Reconcile(s)
				if p.Memory != nil {
					w.Memory = p.Memory
				}
				if !p.Empty() {
					w.Apply(p)
				}
				if memory.Share(w.Memory, w.Now) == 0 {
					rest := time.Duration(0)
					for memory.Share(w.Memory, w.Now.Add(rest)) == 0 {
						rest += time.Second
					}
					got = fmt.Sprintf("busy after %d syncs for %s, then %d", i, rest, memory.Share(w.Memory, w.Now.Add(rest+time.Hour)))
				}
				w.Now = p.WakeAt
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("%s, not %s", got, test.want)
			}
		})
	}
}
