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
func (s *syncing) proceed() {
	managed := s.Job.DeletionTimestamp == nil
	if managed {
		s.manage()
	}
	complete := s.succeeded > 0
	if wanted := s.Job.Spec.Completions; wanted != nil {
		complete = s.succeeded >= *wanted
	}
	switch {
	case complete && s.running == 0:
		s.verdict = s.condition(batchv1.JobSuccessCriteriaMet, batchv1.JobReasonCompletionsReached, "Reached expected number of succeeded pods")
	case managed && s.suspended():
		if s.setSuspended(corev1.ConditionTrue, "JobSuspended", "Job suspended") {
			s.event(corev1.EventTypeNormal, "Suspended", "Job suspended")
			s.status.StartTime = nil
		}
	case managed:
		if s.setSuspended(corev1.ConditionFalse, "JobResumed", "Job resumed") {
			s.event(corev1.EventTypeNormal, "Resumed", "Job resumed")
			s.status.StartTime = s.nowP()
			s.rearm()
		}
	}
}

// rearm schedules a sync at the deadline that a new start time implies.
func (s *syncing) rearm() {
	if at := s.deadline(); at != nil {
		s.wakeAt(at.Time)
	}
}

// manage deletes Pods if there are too many, and creates Pods if there are too few.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, manageJob
func (s *syncing) manage() {
	if s.suspended() {
		s.dismiss(s.active)
		return
	}
	active := len(s.active)
	wanted := s.wanted()
	if victims := s.victims(max(0, active-wanted)); len(victims) > 0 {
		s.dismiss(victims[:min(len(victims), maxBurst)])
		s.again = s.again || len(victims) > maxBurst
		return
	}
	missing := wanted - active
	if s.replacesFailedOnly() {
		missing -= int(s.terminating)
	}
	if missing <= 0 {
		return
	}
	if !s.perIndex() {
		if until := s.until(s.backoff.Failures, s.backoff.Last); until.After(s.Now) {
			s.wakeAt(until)
			return
		}
	}
	s.create(min(missing, maxBurst))
	s.again = s.again || missing > maxBurst && s.Refused == nil
}

// wanted is how many Pods should be active.
func (s *syncing) wanted() int {
	parallelism := 1
	if p := s.Job.Spec.Parallelism; p != nil {
		parallelism = int(*p)
	}
	if s.Job.Spec.Completions == nil {
		if s.succeeded > 0 {
			return len(s.active) // the work is done: running Pods may finish, and no new ones start
		}
		return parallelism
	}
	return max(0, min(s.completions()-int(s.succeeded), parallelism))
}

// dismiss deletes Pods that are no longer needed and do not count. They lose their finalizer in the
// same change.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, deleteJobPods
func (s *syncing) dismiss(pods []*corev1.Pod) {
	for _, p := range pods {
		if s.delete(p) {
			s.plan.Deletes[len(s.plan.Deletes)-1].Without = batchv1.JobTrackingFinalizer
		}
	}
}

// deleteActive deletes all active Pods of a Job that must end. track decides whether they count.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, deleteActivePods
func (s *syncing) deleteActive() {
	for _, p := range s.active {
		s.delete(p)
	}
}

// delete plans a Pod's deletion. It returns false for a Pod that this plan adopts: the next sync
// deletes it, because a plan changes an object at most once.
func (s *syncing) delete(p *corev1.Pod) bool {
	if s.adopted[p.UID] {
		s.again = true
		return false
	}
	s.plan.Deletes = append(s.plan.Deletes, plan.Delete{Object: p})
	s.deleted[p.UID] = len(s.plan.Deletes)
	s.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted pod: "+p.Name)
	s.plan.Events[len(s.plan.Events)-1].OfDelete = len(s.plan.Deletes)
	s.running--
	s.terminating++
	if podstate.Ready(p) {
		s.ready--
	}
	return true
}

// create plans up to n new Pods, or as many as the applier admitted. A namespace that is being
// terminated refuses everything; this is not a failure and is not reported.
func (s *syncing) create(n int) {
	var indexes []int
	if s.indexed() {
		if indexes = s.indexesToStart(n); len(indexes) == 0 {
			return
		}
		n = len(indexes)
	}
	if r := s.Refused; r != nil {
		n = min(n, r.Admitted)
		if !r.NamespaceTerminating {
			s.event(corev1.EventTypeWarning, "FailedCreate", "Error creating: "+r.Message)
			s.wakeAt(s.Now.Add(refusedPause))
		}
	}
	template := s.template()
	for i := range n {
		pod := s.newPod(template)
		if indexes != nil {
			s.giveIndex(pod, indexes[i])
			s.again = s.again || s.replaceable[indexes[i]] != nil // the next sync removes the finalizer of the replaced Pod
		}
		s.plan.Creates = append(s.plan.Creates, plan.Create{Object: pod})
		s.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created pod: %s")
		s.plan.Events[len(s.plan.Events)-1].MessageOfCreate = len(s.plan.Creates)
		s.running++
	}
}

// indexesToStart are up to n indexes without a Pod. If each index has its own backoff, its pause
// after a failure must be over. If all are waiting, the next sync is when the first may start.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, getPodCreationInfoForIndependentIndexes
//
// Differs: a sync is also scheduled if only some are waiting. Upstream relies on changes of the
// Pods that it has started.
func (s *syncing) indexesToStart(n int) []int {
	pending := s.pendingIndexes(n)
	if !s.perIndex() {
		return pending
	}
	return slices.DeleteFunc(pending, func(i int) bool {
		last := s.replaceable[i]
		if last == nil {
			return false
		}
		until := s.until(allFailures(last)+1, finishedAt(last))
		if !until.After(s.Now) {
			return false
		}
		s.wakeAt(until)
		return true
	})
}

// template is the Job's template with what all its Pods get in addition.
func (s *syncing) template() *corev1.PodTemplateSpec {
	t := s.Job.Spec.Template.DeepCopy()
	if !slices.Contains(t.Finalizers, batchv1.JobTrackingFinalizer) {
		t.Finalizers = append(t.Finalizers, batchv1.JobTrackingFinalizer)
	}
	if s.indexed() {
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

func (s *syncing) newPod(template *corev1.PodTemplateSpec) *corev1.Pod {
	return podtemplate.NewPod(template, s.Job, s.by.Reference())
}

// giveIndex assigns an index to the Pod.
func (s *syncing) giveIndex(p *corev1.Pod, index int) {
	text := strconv.Itoa(index)
	p.GenerateName = indexedName(s.Job.Name, index)
	p.Spec.Hostname = s.Job.Name + "-" + text
	p.Annotations, p.Labels = orEmpty(p.Annotations), orEmpty(p.Labels)
	p.Annotations[batchv1.JobCompletionIndexAnnotation] = text
	p.Labels[batchv1.JobCompletionIndexAnnotation] = text
	if s.perIndex() {
		s.inherit(p.Annotations, s.replaceable[index])
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
