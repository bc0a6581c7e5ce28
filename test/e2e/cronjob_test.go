package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var cronJobs = batchv1.SchemeGroupVersion.WithResource("cronjobs")

// cronJob returns the manifest of a CronJob whose Jobs run a command.
func cronJob(name, schedule, command, spec string) string {
	return fmt.Sprintf("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: %s}\nspec:\n  schedule: %q\n  %s\n", name, schedule, spec) +
		"  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [" + command + "]}]}}}}\n"
}

// jobEnded reports whether a Job has ended.
func jobEnded(j *batchv1.Job) bool {
	return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool {
		return (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue
	})
}

func TestCronJob(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("CJ-003 CJ-020 what cannot be read is refused", func(f *front) {
			ns := f.namespace("cj-003")
			for _, bad := range []string{
				cronJob("bad", "60 * * * *", "date", ""), cronJob("bad", "* * * * 7", "date", ""), cronJob("bad", "TZ=0", "date", ""),
				cronJob("bad", "* * * * *", "date", "timeZone: Nowhere"), cronJob("bad", "* * * * *", "date", "concurrencyPolicy: Queue"),
			} {
				if a := f.create(ns, bad); a.Code != http.StatusUnprocessableEntity || a.Reason != metav1.StatusReasonInvalid {
					f.Errorf("got %+v for\n%s", a, bad)
				}
			}
		})
		f.run("CJ-001 CJ-010 CJ-011 a schedule starts a Job, which knows it", func(f *front) {
			ns := f.namespace("cj-010")
			f.must(f.create(ns, cronJob("often", "@every 1s", "date", "")))
			j := await(f, jobs, ns, func(all []batchv1.Job) bool { return len(all) > 0 && jobEnded(&all[0]) })[0]
			cj := awaitOne(f, cronJobs, ns, "often", func(cj *batchv1.CronJob) bool { return cj.Status.LastSuccessfulTime != nil })
			if !metav1.IsControlledBy(&j, cj) || j.Annotations[batchv1.CronJobScheduledTimestampAnnotation] == "" {
				f.Errorf("the Job has owners %v and annotations %v", j.OwnerReferences, j.Annotations)
			}
			if minute := fmt.Sprintf("often-%d", j.CreationTimestamp.Unix()/60); j.Name > minute || len(j.Name) != len(minute) {
				f.Errorf("the Job of %s is called %s", minute, j.Name)
			}
			p := await(f, pods, ns, func(all []corev1.Pod) bool { return len(all) > 0 })[0]
			if !ownedBy(p, j.UID) {
				f.Errorf("the Pod has owners %v", p.OwnerReferences)
			}
		})
		f.run("CJ-019 status.active is what runs", func(f *front) {
			ns := f.namespace("cj-019")
			f.must(f.create(ns, cronJob("one", "@every 1s", `sleep, "3600"`, "concurrencyPolicy: Forbid")))
			cj := awaitOne(f, cronJobs, ns, "one", func(cj *batchv1.CronJob) bool { return len(cj.Status.Active) == 1 })
			ref := cj.Status.Active[0]
			if j := get[batchv1.Job](f, jobs, ns, ref.Name); j.UID != ref.UID || ref.Kind != "Job" || ref.APIVersion != "batch/v1" {
				f.Errorf("active is %+v, the Job has the uid %s", ref, j.UID)
			}
			f.must(f.remove(jobs, ns, ref.Name, propagate(metav1.DeletePropagationBackground)))
			await(f, events, ns, func(all []corev1.Event) bool {
				return slices.ContainsFunc(all, func(e corev1.Event) bool { return e.Reason == "MissingJob" && strings.HasSuffix(e.Message, ref.Name) })
			})
		})
		f.run("CJ-021 JOB-074 a finished Job too many is deleted", func(f *front) {
			ns := f.namespace("cj-021")
			f.must(f.create(ns, cronJob("none", "@every 1s", "date", "successfulJobsHistoryLimit: 0")))
			await(f, events, ns, func(all []corev1.Event) bool {
				return slices.ContainsFunc(all, func(e corev1.Event) bool { return e.Reason == "SuccessfulDelete" })
			})
		})
	})
}

func TestTTLAfterFinished(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		gone := func(f *front, ns string) { await(f, jobs, ns, func(all []batchv1.Job) bool { return len(all) == 0 }) }
		f.run("TTL-001 TTL-002 TTL-003 TTL-005 a Job goes with its Pods", func(f *front) {
			ns := f.namespace("ttl-001")
			f.must(f.create(ns, job("backoffLimit: 0\n  ttlSecondsAfterFinished: 0", fails, "")))
			gone(f, ns)
			if left := await(f, pods, ns, func([]corev1.Pod) bool { return true }); len(left) > 0 {
				f.Errorf("%v are left", names(left))
			}
		})
		f.run("TTL-004 finalizers are honoured", func(f *front) {
			ns := f.namespace("ttl-004")
			f.must(f.create(ns, strings.Replace(job("ttlSecondsAfterFinished: 0", succeeds, ""), "{name: j}", "{name: j, finalizers: [example.com/hold]}", 1)))
			awaitOne(f, jobs, ns, "j", func(j *batchv1.Job) bool { return j.DeletionTimestamp != nil && jobEnded(j) })
			f.must(f.patch(jobs, ns, "j", `{"metadata":{"finalizers":[]}}`))
			gone(f, ns)
		})
		f.run("TTL-006 TTL-008 the time may be set on a finished Job", func(f *front) {
			ns := f.namespace("ttl-008")
			f.must(f.create(ns, job("", succeeds, "")))
			awaitOne(f, jobs, ns, "j", jobEnded)
			f.must(f.patch(jobs, ns, "j", `{"spec":{"ttlSecondsAfterFinished":3600}}`))
			f.must(f.patch(jobs, ns, "j", `{"spec":{"ttlSecondsAfterFinished":1}}`))
			gone(f, ns)
		})
		f.run("TTL-009 a Job that is going is not held back", func(f *front) {
			ns := f.namespace("ttl-009")
			f.must(f.create(ns, strings.Replace(job("ttlSecondsAfterFinished: 0", succeeds, ""), "{name: j}", "{name: j, finalizers: [example.com/hold]}", 1)))
			awaitOne(f, jobs, ns, "j", func(j *batchv1.Job) bool { return j.DeletionTimestamp != nil })
			f.must(f.patch(jobs, ns, "j", `{"spec":{"ttlSecondsAfterFinished":3600},"metadata":{"finalizers":[]}}`))
			gone(f, ns)
		})
		f.run("TTL-011 without a policy the Pods of a Job are left behind", func(f *front) {
			ns := f.namespace("ttl-011")
			f.must(f.create(ns, job("", succeeds, "")))
			awaitOne(f, jobs, ns, "j", jobEnded)
			f.must(f.remove(jobs, ns, "j", ""))
			gone(f, ns)
			await(f, pods, ns, func(all []corev1.Pod) bool { return len(all) == 1 && all[0].OwnerReferences == nil })
		})
	})
}
