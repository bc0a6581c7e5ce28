package apps

import (
	"cmp"
	"maps"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// DaemonSet is apps/v1 DaemonSet. It has no scale: it runs one Pod on each eligible node.
//
// Source: kubernetes v1.36 pkg/registry/apps/daemonset/strategy.go and storage/storage.go
var DaemonSet = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "DaemonSet", Plural: "daemonsets", Namespaced: true,
		New: func() object.Object { return &appsv1.DaemonSet{} },
	},
	Singular:   "daemonset",
	ShortNames: []string{"ds"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &appsv1.DaemonSetList{} },

	Admission: security.Templates(func(o *appsv1.DaemonSet) *corev1.PodTemplateSpec { return &o.Spec.Template }),

	Status: kind.Through(kind.Write[*appsv1.DaemonSet]{
		Prepare:  prepareDaemonSetStatus,
		Validate: validateDaemonSetStatus,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Desired", Type: "integer", Description: appsv1.DaemonSetStatus{}.SwaggerDoc()["desiredNumberScheduled"]},
		{Name: "Current", Type: "integer", Description: appsv1.DaemonSetStatus{}.SwaggerDoc()["currentNumberScheduled"]},
		{Name: "Ready", Type: "integer", Description: appsv1.DaemonSetStatus{}.SwaggerDoc()["numberReady"]},
		{Name: "Up-to-date", Type: "integer", Description: appsv1.DaemonSetStatus{}.SwaggerDoc()["updatedNumberScheduled"]},
		{Name: "Available", Type: "integer", Description: appsv1.DaemonSetStatus{}.SwaggerDoc()["numberAvailable"]},
		{Name: "Node Selector", Type: "string", Description: corev1.PodSpec{}.SwaggerDoc()["nodeSelector"]},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: appsv1.DaemonSetSpec{}.SwaggerDoc()["selector"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*appsv1.DaemonSet]{
	Default:        defaultDaemonSet,
	PrepareCreate:  prepareDaemonSetCreate,
	PrepareUpdate:  prepareDaemonSetUpdate,
	Validate:       validateDaemonSet,
	ValidateUpdate: validateDaemonSetUpdate,
	Warnings: func(next, old *appsv1.DaemonSet) []string {
		t := &next.Spec.Template
		if old != nil && templateGeneration(next) == templateGeneration(old) {
			return nil
		}
		return podspec.WarnOfTemplate(podspec.TemplatePath, t)
	},
	Row:      daemonSetRow,
	Selector: func(o *appsv1.DaemonSet) *metav1.LabelSelector { return o.Spec.Selector },
})

// defaultDaemonSet sets a rolling update of one node at a time and a history of ten revisions.
// prepareDaemonSetCreate and prepareDaemonSetUpdate set the annotation for the template's
// generation, which every DaemonSet has.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_DaemonSet, and conversion.go, Convert_apps_DaemonSet_To_v1_DaemonSet
func defaultDaemonSet(ds *appsv1.DaemonSet) {
	podspec.DefaultTemplate(&ds.Spec.Template)
	strategy := &ds.Spec.UpdateStrategy
	strategy.Type = cmp.Or(strategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if strategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		kind.SetDefault(&strategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		kind.SetDefault(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		kind.SetDefault(&strategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	kind.SetDefault(&ds.Spec.RevisionHistoryLimit, 10)
	if _, set := ds.Annotations[appsv1.DeprecatedTemplateGeneration]; !set {
		setTemplateGeneration(ds, 0)
	}
}

// templateGeneration returns how often a DaemonSet's template has changed, from an annotation that
// clients cannot set.
//
// Differs: upstream fails to decode an object whose annotation is not a number; here it counts as
// 0.
func templateGeneration(o metav1.Object) int64 {
	n, err := strconv.ParseInt(o.GetAnnotations()[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0 // as if there were no annotation
	}
	return n
}

// setTemplateGeneration sets the annotation in a copy, because decoded objects may share
// annotations.
func setTemplateGeneration(ds *appsv1.DaemonSet, n int64) {
	annotations := maps.Clone(ds.Annotations)
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[appsv1.DeprecatedTemplateGeneration] = strconv.FormatInt(n, 10)
	ds.Annotations = annotations
}

func prepareDaemonSetCreate(ds *appsv1.DaemonSet) {
	ds.Status = appsv1.DaemonSetStatus{}
	ds.Generation = 1
	setTemplateGeneration(ds, max(1, templateGeneration(ds)))
}

func prepareDaemonSetUpdate(ds, was *appsv1.DaemonSet) {
	ds.Status = *was.Status.DeepCopy()
	ds.Generation = was.Generation
	template := templateGeneration(was)
	if !equality.Semantic.DeepEqual(ds.Spec.Template, was.Spec.Template) {
		template++
	}
	setTemplateGeneration(ds, template)
	if !equality.Semantic.DeepEqual(ds.Spec, was.Spec) {
		ds.Generation++
	}
}

func prepareDaemonSetStatus(ds, was *appsv1.DaemonSet) {
	ds.Spec = *was.Spec.DeepCopy()
	setTemplateGeneration(ds, templateGeneration(was))
}

func daemonSetRow(ds *appsv1.DaemonSet, now time.Time) []any {
	names, images := kind.ContainerCells(ds.Spec.Template.Spec.Containers)
	return []any{
		ds.Name, int64(ds.Status.DesiredNumberScheduled), int64(ds.Status.CurrentNumberScheduled), int64(ds.Status.NumberReady),
		int64(ds.Status.UpdatedNumberScheduled), int64(ds.Status.NumberAvailable),
		labels.FormatLabels(ds.Spec.Template.Spec.NodeSelector), kind.Age(ds.CreationTimestamp, now),
		names, images, metav1.FormatLabelSelector(ds.Spec.Selector),
	}
}
