package batch

import (
	"cmp"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// CronJob is batch/v1 CronJob.
//
// Source: kubernetes v1.36 pkg/registry/batch/cronjob/strategy.go and storage/storage.go
var CronJob = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "batch", Version: "v1", Kind: "CronJob", Plural: "cronjobs", Namespaced: true,
		New: func() object.Object { return &batchv1.CronJob{} },
	},
	Singular:   "cronjob",
	ShortNames: []string{"cj"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &batchv1.CronJobList{} },

	Admission: security.Templates(func(o *batchv1.CronJob) *corev1.PodTemplateSpec { return &o.Spec.JobTemplate.Spec.Template }),

	Status: kind.Through(kind.Write[*batchv1.CronJob]{
		Prepare: func(next, old *batchv1.CronJob) {
			next.Spec = *old.Spec.DeepCopy()
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Schedule", Type: "string", Description: batchv1.CronJobSpec{}.SwaggerDoc()["schedule"]},
		{Name: "Timezone", Type: "string", Description: batchv1.CronJobSpec{}.SwaggerDoc()["timeZone"]},
		{Name: "Suspend", Type: "boolean", Description: batchv1.CronJobSpec{}.SwaggerDoc()["suspend"]},
		{Name: "Active", Type: "integer", Description: batchv1.CronJobStatus{}.SwaggerDoc()["active"]},
		{Name: "Last Schedule", Type: "string", Description: batchv1.CronJobStatus{}.SwaggerDoc()["lastScheduleTime"]},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: batchv1.JobSpec{}.SwaggerDoc()["selector"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*batchv1.CronJob]{
	Default:        defaultCronJob,
	PrepareCreate:  prepareCronJobCreate,
	PrepareUpdate:  prepareCronJobUpdate,
	Validate:       validateCronJob,
	ValidateUpdate: validateCronJobUpdate,
	Warnings:       warnOfCronJob,
	Row:            cronJobRow,
})

// defaultCronJob allows concurrent Jobs and keeps three successful and one failed Job. The Job
// template is defaulted when a Job is created from it.
//
// Source: kubernetes v1.36 pkg/apis/batch/v1/defaults.go, SetDefaults_CronJob
func defaultCronJob(o *batchv1.CronJob) {
	spec := &o.Spec
	spec.ConcurrencyPolicy = cmp.Or(spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
	kind.SetDefault(&spec.Suspend, false)
	kind.SetDefault(&spec.SuccessfulJobsHistoryLimit, 3)
	kind.SetDefault(&spec.FailedJobsHistoryLimit, 1)
	defaultJobTemplate(&spec.JobTemplate.Spec)
}

func prepareCronJobCreate(cj *batchv1.CronJob) {
	cj.Status = batchv1.CronJobStatus{}
	cj.Generation = 1
}

func prepareCronJobUpdate(cj, was *batchv1.CronJob) {
	cj.Status = *was.Status.DeepCopy()
	cj.Generation = was.Generation
	if !equality.Semantic.DeepEqual(cj.Spec, was.Spec) {
		cj.Generation++
	}
}

// warnOfCronJob warns at creation and when the spec changes.
func warnOfCronJob(cj, old *batchv1.CronJob) []string {
	if old != nil && cj.Generation == old.GetGeneration() {
		return nil
	}
	var texts []string
	if old == nil {
		texts = podspec.WarnOfNames(cj)
	}
	return append(texts, warnOfJobSpec(&cj.Spec.JobTemplate.Spec, field.NewPath("spec", "jobTemplate", "spec"))...)
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printCronJob
func cronJobRow(cj *batchv1.CronJob, now time.Time) []any {
	zone, suspend, last := "<none>", "<unset>", "<none>"
	if cj.Spec.TimeZone != nil {
		zone = *cj.Spec.TimeZone
	}
	if cj.Spec.Suspend != nil {
		suspend = map[bool]string{true: "True", false: "False"}[*cj.Spec.Suspend]
	}
	if cj.Status.LastScheduleTime != nil {
		last = kind.Age(*cj.Status.LastScheduleTime, now)
	}
	template := &cj.Spec.JobTemplate.Spec
	names, images := kind.ContainerCells(template.Template.Spec.Containers)
	return []any{
		cj.Name, cj.Spec.Schedule, zone, suspend, int64(len(cj.Status.Active)), last, kind.Age(cj.CreationTimestamp, now),
		names, images, metav1.FormatLabelSelector(template.Selector),
	}
}
