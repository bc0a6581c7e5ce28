package laws_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// verdict captures the failure of a law, so that the laws can be tested with cases that must fail.
type verdict struct {
	rapid.TB
	said string
}

func (v *verdict) Helper() {}

func (v *verdict) Fatalf(format string, args ...any) {
	v.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// judge runs f and returns the first line of what it failed with, "" if it did not.
func judge(f func(t rapid.TB)) string {
	v := &verdict{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(v)
	}()
	<-done
	line, _, _ := strings.Cut(v.said, "\n")
	return line
}

// snapshot is about a ConfigMap whose data a reconciler copies to its annotations.
type snapshot struct{ Map *corev1.ConfigMap }

func controller(reconcile func(snapshot) plan.Plan) laws.Controller[snapshot] {
	return laws.Controller[snapshot]{
		Snapshots: func(w *laws.World) (out []snapshot) {
			for _, m := range laws.List[*corev1.ConfigMap](w) {
				out = append(out, snapshot{m})
			}
			return out
		},
		Self:      func(s snapshot) object.Object { return s.Map },
		Reconcile: reconcile,
	}
}

func update(edit func(m *corev1.ConfigMap)) func(snapshot) plan.Plan {
	return func(s snapshot) plan.Plan {
		m := s.Map.DeepCopy()
		edit(m)
		return plan.Plan{Updates: []plan.Update{{Object: m}}}
	}
}

func TestLawsAreKeptAndBroken(t *testing.T) {
	t.Parallel()
	calls := 0
	good := func(s snapshot) plan.Plan {
		if s.Map.Annotations["v"] == s.Map.Data["v"] {
			return plan.Plan{}
		}
		return update(func(m *corev1.ConfigMap) { m.Annotations = map[string]string{"v": m.Data["v"]} })(s)
	}
	for _, row := range []struct {
		name      string
		reconcile func(snapshot) plan.Plan
		want      string
	}{
		{"all is well", good, ""},
		{"law 1: another plan each time", func(snapshot) plan.Plan {
			calls++
			return plan.Plan{WakeAt: now.Add(time.Duration(calls))}
		}, "the same input gave two plans:"},
		{"law 2: the input is changed", func(s snapshot) plan.Plan {
			s.Map.Data["v"] = "x"
			return plan.Plan{}
		}, "the input was changed (-before +after):"},
		{"law 3: never content", func(s snapshot) plan.Plan {
			return plan.Plan{Creates: []plan.Create{{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "p-"}}}}}
		}, "the world has not settled after 9 acts"},
		{"law 3: always awake", func(s snapshot) plan.Plan {
			return plan.Plan{WakeAt: now}
		}, "the world has not settled after 9 acts"},
		{"nothing is left undone that nobody would be woken for", func(s snapshot) plan.Plan {
			if len(s.Map.Annotations["v"]) == 3 {
				return plan.Plan{}
			}
			return update(func(m *corev1.ConfigMap) { m.Annotations = map[string]string{"v": m.Annotations["v"] + "x"} })(s)
		}, "no object was woken for the last change"},
		{"a stale update", update(func(m *corev1.ConfigMap) { m.ResourceVersion = "0" }),
			"the update of *v1.ConfigMap m is of an old version"},
		{"two changes of one object", func(s snapshot) plan.Plan {
			p := good(s)
			p.Deletes = []plan.Delete{{Object: s.Map}}
			return p
		}, "one plan changes *v1.ConfigMap m twice"},
		{"a generation without a reason", update(func(m *corev1.ConfigMap) { m.Generation = 2 }),
			"the update of *v1.ConfigMap m has generation 2, want 1"},
		{"a create that draws its own uid", func(s snapshot) plan.Plan {
			return plan.Plan{Creates: []plan.Create{{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "u"}}}}}
		}, "the new *v1.Pod p has a uid or a resourceVersion"},
		{"a name that is taken", func(s snapshot) plan.Plan {
			return plan.Plan{Creates: []plan.Create{{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}}}}}
		}, "the name of *v1.ConfigMap m is taken"},
		{"an event about nothing", func(s snapshot) plan.Plan {
			return plan.Plan{Events: []plan.Event{{Regarding: &corev1.Pod{}, Message: "x"}}}
		}, `the event "x" is about nothing`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := judge(func(t rapid.TB) {
				w := laws.NewWorld(t, now)
				w.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}, Data: map[string]string{"v": "1"}})
				first := func(int) int { return 0 }
				laws.Settle(w, first, 9, func() {}, controller(row.reconcile).Actor(t), laws.Kubelet)
			})
			if got != row.want {
				t.Errorf("said %q, want %q", got, row.want)
			}
		})
	}
}

func TestSettleJumpsToTheNextWakeup(t *testing.T) {
	t.Parallel()
	w := laws.NewWorld(t, now)
	w.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}})
	due := now.Add(time.Hour)
	laws.Settle(w, func(int) int { return 0 }, 9, func() {}, controller(func(s snapshot) plan.Plan {
		if w.Now.Before(due) {
			return plan.Plan{WakeAt: due}
		}
		return plan.Plan{}
	}).Actor(t))
	if !w.Now.Equal(due) {
		t.Errorf("the clock stands at %v, want %v", w.Now, due)
	}
}
