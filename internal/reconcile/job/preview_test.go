package job_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/job"
)

// The laws compare the predicted victims with every plan, see judgeVictims; this test is about the
// reasons.
func TestVictims_Foretold(t *testing.T) {
	t.Parallel()
	aged := func(d time.Duration) podEdit {
		return func(p *corev1.Pod) { p.CreationTimestamp.Time = now.Add(-d) }
	}
	for _, row := range []struct {
		name string
		s    job.Snapshot
		want []string
	}{
		{"beyond the parallelism", snapshot(theJob(parallelism(1), completions(9)),
			pod("a", isReady), pod("b", pending), pod("c"), pod("d", isReady, restarted(3))),
			[]string{"b NotAssigned", "c NotReady", "d MoreRestarts"}},
		{"the younger, or else by uid", snapshot(theJob(parallelism(1), completions(9)), pod("a", aged(time.Hour)), pod("b", aged(time.Minute)), pod("c", aged(time.Hour))),
			[]string{"b CreatedLater", "a SmallerUID"}},
		{"to none", snapshot(theJob(parallelism(0), completions(9)), pod("a"), pod("b")), []string{"a NoneIsToStay", "b NoneIsToStay"}},
		{"indexes", snapshot(theJob(parallelism(9), indexedJob(2)), pod("a", index(0)), pod("b", index(0), isReady), pod("c", index(7))),
			[]string{"c NoIndex", "a SameIndex"}},
		{"suspended", snapshot(theJob(suspend, parallelism(2), completions(9)), pod("a"), pod("b")), []string{"a OwnerHasEnded", "b OwnerHasEnded"}},
		{"a Job that fails now", snapshot(theJob(parallelism(2), completions(9), backoffLimit(0)), pod("a"), pod("b", failed)), []string{"a OwnerHasEnded"}},
		{"a Job that is being deleted", snapshot(theJob(parallelism(0), completions(9), beingDeleted), pod("a")), nil},
		{"enough", snapshot(theJob(parallelism(2), completions(9)), pod("a"), pod("b")), nil},
	} {
		var got []string
		for _, v := range job.Victims(row.s) {
			got = append(got, v.Pod.Name+" "+string(v.Rule))
		}
		if d := cmp.Diff(row.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, d)
		}
	}
}
