package cronjob_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/cronjob"
	"github.com/rowlock/rowlock/internal/reconcile/jobstate"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// controller puts Reconcile into a World in which all Jobs are given to every CronJob, and judges
// every plan: it starts at most one Job, for a time that has come and was not used before, and only
// where the policy allows.
func controller() laws.Controller[cronjob.Snapshot] {
	return laws.Controller[cronjob.Snapshot]{
		Snapshots: func(w *laws.World) (out []cronjob.Snapshot) {
			jobs := laws.List[*batchv1.Job](w)
			for _, cj := range laws.List[*batchv1.CronJob](w) {
				out = append(out, cronjob.Snapshot{CronJob: cj, Jobs: jobs, Now: w.Now})
			}
			return out
		},
		Self:      func(s cronjob.Snapshot) object.Object { return s.CronJob },
		Reconcile: cronjob.Reconcile,
		Judge:     judge,
	}
}

func judge(t rapid.TB, s cronjob.Snapshot, p plan.Plan) {
	if !p.WakeAt.IsZero() && !p.WakeAt.After(s.Now) {
		t.Fatalf("it would look again at %s, and it is %s", p.WakeAt, s.Now)
	}
	if len(p.Creates) == 0 {
		return
	}
	at, err := time.Parse(time.RFC3339, p.Creates[0].Object.GetAnnotations()[batchv1.CronJobScheduledTimestampAnnotation])
	last := s.CronJob.Status.LastScheduleTime
	if err != nil || len(p.Creates) > 1 || at.After(s.Now) || last != nil && !at.After(last.Time) || s.CronJob.DeletionTimestamp != nil {
		t.Fatalf("at %s, after %v, the plan is:\n%s", s.Now, last, p)
	}
	left := 0
	for _, j := range s.Jobs {
		if jobstate.Finished(j) == nil && !deletes(p, j) {
			left++
		}
	}
	if left > 0 && s.CronJob.Spec.ConcurrencyPolicy != batchv1.AllowConcurrent {
		t.Fatalf("%d other Jobs run, and the policy is %s:\n%s", left, s.CronJob.Spec.ConcurrencyPolicy, p)
	}
}

func deletes(p plan.Plan, j *batchv1.Job) bool {
	for _, d := range p.Deletes {
		if d.Object.GetUID() == j.UID {
			return true
		}
	}
	return false
}

// runs is an actor that ends the Jobs, some of them with a failure.
func runs(w *laws.World, pick laws.Pick) bool {
	for _, j := range laws.List[*batchv1.Job](w) {
		if jobstate.Finished(j) != nil {
			continue
		}
		j = j.DeepCopy()
		if j.Status.StartTime == nil {
			j.Status.StartTime = meta(w.Now)
			w.Update(j)
			return true
		}
		end := batchv1.JobCondition{Type: batchv1.JobFailed, Status: corev1.ConditionTrue, LastTransitionTime: *meta(w.Now)}
		if pick(3) > 0 {
			end.Type, j.Status.CompletionTime = batchv1.JobComplete, meta(w.Now)
		}
		j.Status.Conditions = append(j.Status.Conditions, end)
		w.Update(j)
		return true
	}
	return false
}

func TestLaw_OneJobATime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, created)
		schedules := []string{"* * * * *", "*/2 * * * *", "@every 7s", "@every 100s", "1-59/3 8 * * *"}
		policies := []batchv1.ConcurrencyPolicy{batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent}
		w.Create(cronJob(scheduled(schedules[pick(len(schedules))]), policy(policies[pick(len(policies))]), limits(int32(pick(3)), int32(pick(3))),
			func(cj *batchv1.CronJob) { cj.UID, cj.ResourceVersion = "", "" }))
		left := 20
		user := func(w *laws.World, pick laws.Pick) bool {
			cj, jobs := laws.List[*batchv1.CronJob](w)[0].DeepCopy(), laws.List[*batchv1.Job](w)
			if left--; left < 0 {
				if cj.Spec.Suspend != nil && *cj.Spec.Suspend {
					return false
				}
				suspended(cj) // otherwise it would never settle
				cj.Generation++
				w.Update(cj)
				return true
			}
			switch what := pick(6); {
			case what == 0 && len(jobs) > 0:
				w.Delete(jobs[pick(len(jobs))])
			case what == 1:
				w.Now = w.Now.Add(time.Duration(pick(200)) * time.Second)
			case what == 2:
				cj.Spec.Suspend = new(pick(2) > 0)
				cj.Generation++
				w.Update(cj)
			default: // time passes and nothing happens
				w.Now = w.Now.Add(time.Second)
			}
			return true
		}
		laws.Settle(w, pick, 1000, func() {}, controller().Actor(t), runs, user)

		cj := laws.List[*batchv1.CronJob](w)[0]
		if len(cj.Status.Active) > 0 {
			t.Fatalf("nothing runs, and active are %v", cj.Status.Active)
		}
		kept := map[batchv1.JobConditionType]int32{}
		for _, j := range laws.List[*batchv1.Job](w) {
			kept[jobstate.Finished(j).Type]++
		}
		if kept[batchv1.JobComplete] > *cj.Spec.SuccessfulJobsHistoryLimit || kept[batchv1.JobFailed] > *cj.Spec.FailedJobsHistoryLimit {
			t.Fatalf("%v are kept", kept)
		}
	})
}
