package batch

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// Labels of a Job's Pods without Kubernetes' prefix, from older releases. Both forms are still set.
const (
	legacyJobNameLabel       = "job-name"
	legacyControllerUIDLabel = "controller-uid"
)

// Job is batch/v1 Job.
//
// Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go and storage/storage.go
var Job = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "batch", Version: "v1", Kind: "Job", Plural: "jobs", Namespaced: true,
		New: func() object.Object { return &batchv1.Job{} },
	},
	Singular:   "job",
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &batchv1.JobList{} },

	Admission: security.Templates(func(o *batchv1.Job) *corev1.PodTemplateSpec { return &o.Spec.Template }),

	Status: kind.Through(kind.Write[*batchv1.Job]{
		Prepare: func(next, old *batchv1.Job) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateJobStatusUpdate,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Status", Type: "string", Description: "Status of the job."},
		{Name: "Completions", Type: "string", Description: batchv1.JobStatus{}.SwaggerDoc()["succeeded"]},
		{Name: "Duration", Type: "string", Description: "Time required to complete the job."},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: batchv1.JobSpec{}.SwaggerDoc()["selector"]},
	},
	UnknownField: "field label %q not supported for Job",

	OrphanByDefault: true,
	DeletionWarning: "child pods are preserved by default when jobs are deleted; " +
		"set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
	UnconditionalUpdate: true,
}, kind.Functions[*batchv1.Job]{
	Default:        defaultJob,
	PrepareCreate:  prepareJobCreate,
	PrepareUpdate:  prepareJobUpdate,
	Validate:       validateJob,
	ValidateUpdate: validateJobUpdate,
	Warnings:       warnOfJob,
	Row:            jobRow,
	SelectableFields: func(o *batchv1.Job) fields.Set {
		return fields.Set{"status.successful": strconv.Itoa(int(o.Status.Succeeded))}
	},
	Selector: func(o *batchv1.Job) *metav1.LabelSelector { return o.Spec.Selector },
})

// defaultJob sets one completion, a parallelism of one, and six retries (no limit if each index has
// its own). It gives a Job without labels those of its template. Both then share one map, as
// upstream, so that the Job gets the generated labels too.
//
// Source: kubernetes v1.36 pkg/apis/batch/v1/defaults.go, SetDefaults_Job
func defaultJob(job *batchv1.Job) {
	spec := &job.Spec
	if spec.Parallelism == nil {
		kind.SetDefault(&spec.Completions, 1)
	}
	kind.SetDefault(&spec.Parallelism, 1)
	retries := int32(6)
	if spec.BackoffLimitPerIndex != nil {
		retries = math.MaxInt32
	}
	kind.SetDefault(&spec.BackoffLimit, retries)
	if len(job.Labels) == 0 && spec.Template.Labels != nil {
		job.Labels = spec.Template.Labels
	}
	kind.SetDefault(&spec.CompletionMode, batchv1.NonIndexedCompletion)
	kind.SetDefault(&spec.Suspend, false)
	replacement := batchv1.TerminatingOrFailed
	if spec.PodFailurePolicy != nil {
		replacement = batchv1.Failed
	}
	kind.SetDefault(&spec.PodReplacementPolicy, replacement)
	kind.SetDefault(&spec.ManualSelector, false)
	defaultJobTemplate(spec)
}

// defaultJobTemplate sets the defaults that the specs of Jobs and CronJobs have in common.
//
// Source: kubernetes v1.36 pkg/apis/batch/v1/zz_generated.defaults.go
func defaultJobTemplate(spec *batchv1.JobSpec) {
	podspec.DefaultTemplate(&spec.Template)
	if spec.PodFailurePolicy == nil {
		return
	}
	for i := range spec.PodFailurePolicy.Rules {
		patterns := spec.PodFailurePolicy.Rules[i].OnPodConditions
		for j := range patterns {
			if patterns[j].Status == "" {
				patterns[j].Status = corev1.ConditionTrue
			}
		}
	}
}

// prepareJobCreate generates the selector. A Job whose template has no labels gets the generated
// ones itself: upstream does that when it decodes the Job.
func prepareJobCreate(job *batchv1.Job) {
	if !kind.IsTrue(job.Spec.ManualSelector) {
		generateSelector(job)
	}
	if len(job.Labels) == 0 {
		job.Labels = job.Spec.Template.Labels
	}
	job.Labels = maps.Clone(job.Labels)
	job.Status = batchv1.JobStatus{}
	job.Generation = 1
}

// generateSelector selects the Pods by the Job's UID, and labels them with its UID and name.
// Existing labels stay; validation rejects them if they differ.
//
// Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, generateSelector
func generateSelector(job *batchv1.Job) {
	if job.Spec.Template.Labels == nil {
		job.Spec.Template.Labels = map[string]string{}
	}
	for key, value := range generatedLabels(job) {
		if _, ok := job.Spec.Template.Labels[key]; !ok {
			job.Spec.Template.Labels[key] = value
		}
	}
	kind.SetDefault(&job.Spec.Selector, metav1.LabelSelector{})
	if job.Spec.Selector.MatchLabels == nil {
		job.Spec.Selector.MatchLabels = map[string]string{}
	}
	if _, ok := job.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel]; !ok {
		job.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel] = string(job.UID)
	}
}

// generatedLabels returns the labels of the Pods of a Job with a generated selector.
func generatedLabels(job *batchv1.Job) map[string]string {
	return map[string]string{
		legacyJobNameLabel:         job.Name,
		batchv1.JobNameLabel:       job.Name,
		legacyControllerUIDLabel:   string(job.UID),
		batchv1.ControllerUidLabel: string(job.UID),
	}
}

func prepareJobUpdate(job, was *batchv1.Job) {
	job.Status = *was.Status.DeepCopy()
	job.Labels = maps.Clone(job.Labels)
	job.Generation = was.Generation
	if !equality.Semantic.DeepEqual(job.Spec, was.Spec) {
		job.Generation++
	}
}

// warnOfJob warns at creation and when the spec changes.
func warnOfJob(job, old *batchv1.Job) []string {
	if old != nil && job.Generation == old.GetGeneration() {
		return nil
	}
	var texts []string
	if old == nil {
		texts = podspec.WarnOfNames(job)
	}
	return append(texts, warnOfJobSpec(&job.Spec, field.NewPath("spec"))...)
}

// Source: kubernetes v1.36 pkg/api/job/warnings.go, WarningsForJobSpec
func warnOfJobSpec(spec *batchv1.JobSpec, path *field.Path) []string {
	var texts []string
	if isIndexed(spec) && spec.Completions != nil && *spec.Completions > manyCompletions &&
		spec.Parallelism != nil && *spec.Parallelism > parallelismOfMany {
		texts = append(texts, path.String()+": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, "+
			"Kubernetes might not be able to track completedIndexes when a big number of indexes fail")
	}
	return append(texts, podspec.WarnOfTemplate(path.Child("template"), &spec.Template)...)
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printJob
func jobRow(job *batchv1.Job, now time.Time) []any {
	names, images := kind.ContainerCells(job.Spec.Template.Spec.Containers)
	return []any{
		job.Name, jobState(job), jobCompletions(job), jobDuration(&job.Status, now), kind.Age(job.CreationTimestamp, now),
		names, images, metav1.FormatLabelSelector(job.Spec.Selector),
	}
}

// jobState returns the cell under "Status".
func jobState(job *batchv1.Job) string {
	is := func(t batchv1.JobConditionType) bool { return hasCondition(job, t, corev1.ConditionTrue) }
	switch {
	case is(batchv1.JobComplete):
		return "Complete"
	case is(batchv1.JobFailed):
		return "Failed"
	case job.DeletionTimestamp != nil:
		return "Terminating"
	case is(batchv1.JobSuspended):
		return "Suspended"
	case is(batchv1.JobFailureTarget):
		return "FailureTarget"
	case is(batchv1.JobSuccessCriteriaMet):
		return "SuccessCriteriaMet"
	}
	return "Running"
}

// jobCompletions returns the cell under "Completions": "2/3", or "2/1 of 3" for a work queue with
// three workers.
func jobCompletions(job *batchv1.Job) string {
	switch spec := &job.Spec; {
	case spec.Completions != nil:
		return fmt.Sprintf("%d/%d", job.Status.Succeeded, *spec.Completions)
	case spec.Parallelism != nil && *spec.Parallelism > 1:
		return fmt.Sprintf("%d/1 of %d", job.Status.Succeeded, *spec.Parallelism)
	}
	return fmt.Sprintf("%d/1", job.Status.Succeeded)
}

// jobDuration returns how long a Job took, or has been running; empty before its start.
func jobDuration(status *batchv1.JobStatus, now time.Time) string {
	switch {
	case status.StartTime == nil:
		return ""
	case status.CompletionTime == nil:
		return duration.HumanDuration(now.Sub(status.StartTime.Time))
	}
	return duration.HumanDuration(status.CompletionTime.Sub(status.StartTime.Time))
}
