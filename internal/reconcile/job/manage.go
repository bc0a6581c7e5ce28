package job

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

// refusedPause is the pause after Pods could not be created.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, DefaultJobApiBackOff, MaxJobApiBackOff
//
// Differs: upstream's pause doubles from one second to a minute.
const refusedPause = 10 * time.Second

// proceed adjusts the number of active Pods, and determines whether the Job is complete.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, syncJob
func (l *look) proceed() {
	managed := l.Job.DeletionTimestamp == nil
	if managed {
		l.manage()
	}
	complete := l.succeeded > 0
	if wanted := l.Job.Spec.Completions; wanted != nil {
		complete = l.succeeded >= *wanted
	}
	switch {
	case complete && l.running == 0:
		l.verdict = l.condition(batchv1.JobSuccessCriteriaMet, batchv1.JobReasonCompletionsReached, "Reached expected number of succeeded pods")
	case managed && l.suspended():
		if l.setSuspended(corev1.ConditionTrue, "JobSuspended", "Job suspended") {
			l.event(corev1.EventTypeNormal, "Suspended", "Job suspended")
			l.status.StartTime = nil
		}
	case managed:
		if l.setSuspended(corev1.ConditionFalse, "JobResumed", "Job resumed") {
			l.event(corev1.EventTypeNormal, "Resumed", "Job resumed")
			l.status.StartTime = l.nowP()
			l.rearm()
		}
	}
}

// rearm schedules a sync at the deadline that a new start time implies.
func (l *look) rearm() {
	if at := l.deadline(); at != nil {
		l.wakeAt(at.Time)
	}
}

// manage deletes Pods if there are too many, and creates Pods if there are too few.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, manageJob
func (l *look) manage() {
	if l.suspended() {
		l.dismiss(l.active)
		return
	}
	active := len(l.active)
	wanted := l.wanted()
	if victims := l.victims(max(0, active-wanted)); len(victims) > 0 {
		l.dismiss(victims[:min(len(victims), maxBurst)])
		l.again = l.again || len(victims) > maxBurst
		return
	}
	missing := wanted - active
	if l.replacesFailedOnly() {
		missing -= int(l.terminating)
	}
	if missing <= 0 {
		return
	}
	if !l.perIndex() {
		if until := l.until(l.backoff.Failures, l.backoff.Last); until.After(l.Now) {
			l.wakeAt(until)
			return
		}
	}
	l.create(min(missing, maxBurst))
	l.again = l.again || missing > maxBurst && l.Refused == nil
}

// wanted is how many Pods should be active.
func (l *look) wanted() int {
	parallelism := 1
	if p := l.Job.Spec.Parallelism; p != nil {
		parallelism = int(*p)
	}
	if l.Job.Spec.Completions == nil {
		if l.succeeded > 0 {
			return len(l.active) // the work is done: running Pods may finish, and no new ones start
		}
		return parallelism
	}
	return max(0, min(l.completions()-int(l.succeeded), parallelism))
}

// dismiss deletes Pods that are no longer needed and do not count. They lose their finalizer in the
// same change.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, deleteJobPods
func (l *look) dismiss(pods []*corev1.Pod) {
	for _, p := range pods {
		if l.delete(p) {
			l.plan.Deletes[len(l.plan.Deletes)-1].Without = batchv1.JobTrackingFinalizer
		}
	}
}

// deleteActive deletes all active Pods of a Job that must end. track decides whether they count.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, deleteActivePods
func (l *look) deleteActive() {
	for _, p := range l.active {
		l.delete(p)
	}
}

// delete plans a Pod's deletion. It returns false for a Pod that this plan adopts: the next sync
// deletes it, because a plan changes an object at most once.
func (l *look) delete(p *corev1.Pod) bool {
	if l.adopted[p.UID] {
		l.again = true
		return false
	}
	l.plan.Deletes = append(l.plan.Deletes, plan.Delete{Object: p})
	l.deleted[p.UID] = len(l.plan.Deletes)
	l.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted pod: "+p.Name)
	l.plan.Events[len(l.plan.Events)-1].OfDelete = len(l.plan.Deletes)
	l.running--
	l.terminating++
	if podstate.Ready(p) {
		l.ready--
	}
	return true
}

// create plans up to n new Pods, or as many as the applier admitted. A namespace that is being
// terminated refuses everything; this is not a failure and is not reported.
func (l *look) create(n int) {
	var indexes []int
	if l.indexed() {
		if indexes = l.indexesToStart(n); len(indexes) == 0 {
			return
		}
		n = len(indexes)
	}
	if r := l.Refused; r != nil {
		n = min(n, r.Admitted)
		if !r.NamespaceTerminating {
			l.event(corev1.EventTypeWarning, "FailedCreate", "Error creating: "+r.Message)
			l.wakeAt(l.Now.Add(refusedPause))
		}
	}
	template := l.template()
	for i := range n {
		pod := l.newPod(template)
		if indexes != nil {
			l.giveIndex(pod, indexes[i])
			l.again = l.again || l.replaceable[indexes[i]] != nil // the next sync removes the finalizer of the replaced Pod
		}
		l.plan.Creates = append(l.plan.Creates, plan.Create{Object: pod})
		l.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created pod: %s")
		l.plan.Events[len(l.plan.Events)-1].MessageOfCreate = len(l.plan.Creates)
		l.running++
	}
}

// indexesToStart are up to n indexes without a Pod. If each index has its own backoff, its pause
// after a failure must be over. If all are waiting, the next sync is when the first may start.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, getPodCreationInfoForIndependentIndexes
//
// Differs: a sync is also scheduled if only some are waiting. Upstream relies on changes of the
// Pods that it has started.
func (l *look) indexesToStart(n int) []int {
	pending := l.pendingIndexes(n)
	if !l.perIndex() {
		return pending
	}
	return slices.DeleteFunc(pending, func(i int) bool {
		last := l.replaceable[i]
		if last == nil {
			return false
		}
		until := l.until(allFailures(last)+1, finishedAt(last))
		if !until.After(l.Now) {
			return false
		}
		l.wakeAt(until)
		return true
	})
}

// template is the Job's template with what all its Pods get in addition.
func (l *look) template() *corev1.PodTemplateSpec {
	t := l.Job.Spec.Template.DeepCopy()
	if !slices.Contains(t.Finalizers, batchv1.JobTrackingFinalizer) {
		t.Finalizers = append(t.Finalizers, batchv1.JobTrackingFinalizer)
	}
	if l.indexed() {
		for _, list := range [][]corev1.Container{t.Spec.InitContainers, t.Spec.Containers} {
			for i := range list {
				addIndexVariable(&list[i])
			}
		}
	}
	return t
}

// addIndexVariable adds the variable JOB_COMPLETION_INDEX to the container, unless it has one.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, addCompletionIndexEnvVariable
func addIndexVariable(c *corev1.Container) {
	const name = "JOB_COMPLETION_INDEX"
	if slices.ContainsFunc(c.Env, func(v corev1.EnvVar) bool { return v.Name == name }) {
		return
	}
	c.Env = append(c.Env, corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{FieldPath: fmt.Sprintf("metadata.labels['%s']", batchv1.JobCompletionIndexAnnotation)},
	}})
}

func (l *look) newPod(template *corev1.PodTemplateSpec) *corev1.Pod {
	return podtemplate.NewPod(template, l.Job, l.by.Reference())
}

// giveIndex assigns an index to the Pod.
func (l *look) giveIndex(p *corev1.Pod, index int) {
	text := strconv.Itoa(index)
	p.GenerateName = indexedName(l.Job.Name, index)
	p.Spec.Hostname = l.Job.Name + "-" + text
	p.Annotations, p.Labels = orEmpty(p.Annotations), orEmpty(p.Labels)
	p.Annotations[batchv1.JobCompletionIndexAnnotation] = text
	p.Labels[batchv1.JobCompletionIndexAnnotation] = text
	if l.perIndex() {
		l.inherit(p.Annotations, l.replaceable[index])
	}
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return maps.Clone(m)
}

// indexedName is the start of the name of an index's Pod: the Job's name, shortened if necessary,
// and the index.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, podGenerateNameWithIndex
func indexedName(job string, index int) string {
	suffix := "-" + strconv.Itoa(index) + "-"
	return job[:min(len(job), object.MaxGeneratedBase-len(suffix))] + suffix
}
