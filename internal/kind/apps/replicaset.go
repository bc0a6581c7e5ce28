package apps

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// ReplicaSet is apps/v1 ReplicaSet.
//
// Source: kubernetes v1.36 pkg/registry/apps/replicaset/strategy.go and storage/storage.go
var ReplicaSet = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "ReplicaSet", Plural: "replicasets", Namespaced: true,
		New: func() object.Object { return &appsv1.ReplicaSet{} },
	},
	Singular:   "replicaset",
	ShortNames: []string{"rs"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &appsv1.ReplicaSetList{} },

	Admission: security.Templates(func(o *appsv1.ReplicaSet) *corev1.PodTemplateSpec { return &o.Spec.Template }),

	Status: kind.Through(kind.Write[*appsv1.ReplicaSet]{
		Prepare: func(next, old *appsv1.ReplicaSet) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateReplicaSetStatus,
	}),
	Scale: &kind.Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			rs := o.(*appsv1.ReplicaSet)
			return kind.ScaleOf(rs, rs.Spec.Selector, kind.ReplicasOf(rs.Spec.Replicas), rs.Status.Replicas)
		},
		Set: func(o object.Object, replicas int32) { o.(*appsv1.ReplicaSet).Spec.Replicas = &replicas },
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Desired", Type: "integer", Description: appsv1.ReplicaSetSpec{}.SwaggerDoc()["replicas"]},
		{Name: "Current", Type: "integer", Description: appsv1.ReplicaSetStatus{}.SwaggerDoc()["replicas"]},
		{Name: "Ready", Type: "integer", Description: appsv1.ReplicaSetStatus{}.SwaggerDoc()["readyReplicas"]},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: appsv1.ReplicaSetSpec{}.SwaggerDoc()["selector"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*appsv1.ReplicaSet]{
	Default:        defaultReplicaSet,
	PrepareCreate:  prepareReplicaSetCreate,
	PrepareUpdate:  prepareReplicaSetUpdate,
	Validate:       validateReplicaSet,
	ValidateUpdate: validateReplicaSetUpdate,
	Warnings: func(next, old *appsv1.ReplicaSet) []string {
		return podspec.WarnOfWorkload(next, old, &next.Spec.Template)
	},
	Row:      replicaSetRow,
	Selector: func(o *appsv1.ReplicaSet) *metav1.LabelSelector { return o.Spec.Selector },
})

// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_ReplicaSet
func defaultReplicaSet(rs *appsv1.ReplicaSet) {
	podspec.DefaultTemplate(&rs.Spec.Template)
	kind.SetDefault(&rs.Spec.Replicas, 1)
}

func prepareReplicaSetCreate(rs *appsv1.ReplicaSet) {
	rs.Status = appsv1.ReplicaSetStatus{}
	rs.Generation = 1
}

func prepareReplicaSetUpdate(rs, was *appsv1.ReplicaSet) {
	rs.Status = *was.Status.DeepCopy()
	rs.Generation = was.Generation
	if !equality.Semantic.DeepEqual(rs.Spec, was.Spec) {
		rs.Generation++
	}
}

func validateReplicaSet(rs *appsv1.ReplicaSet) field.ErrorList {
	return append(check.NamespacedMeta(&rs.ObjectMeta), validateReplicaSetSpec(&rs.Spec)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec
func validateReplicaSetSpec(spec *appsv1.ReplicaSetSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := check.Counts(path,
		check.Count("replicas", int64(kind.ReplicasOf(spec.Replicas))),
		check.Count("minReadySeconds", int64(spec.MinReadySeconds)),
	)
	return append(errs, podspec.ValidateSelectorAndTemplate(spec.Selector, &spec.Template, path)...)
}

func validateReplicaSetUpdate(rs, was *appsv1.ReplicaSet) field.ErrorList {
	errs := check.MetaUpdate(&rs.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateReplicaSetSpec(&rs.Spec)...)
	selector := field.NewPath("spec", "selector")
	return append(errs, validation.ValidateImmutableField(rs.Spec.Selector, was.Spec.Selector, selector)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetStatusUpdate
func validateReplicaSetStatus(rs, was *appsv1.ReplicaSet) field.ErrorList {
	errs := check.MetaUpdate(&rs.ObjectMeta, &was.ObjectMeta)
	path, s := field.NewPath("status"), rs.Status
	errs = append(errs, check.Counts(path, append([]check.Number{
		check.Count("replicas", int64(s.Replicas)),
		check.Count("fullyLabeledReplicas", int64(s.FullyLabeledReplicas)),
		check.Count("readyReplicas", int64(s.ReadyReplicas)),
		check.Count("availableReplicas", int64(s.AvailableReplicas)),
		check.Count("observedGeneration", s.ObservedGeneration),
	}, check.Optional("terminatingReplicas", s.TerminatingReplicas)...)...)...)
	return append(errs, check.Portions(path, s.Replicas,
		check.Portion("fullyLabeledReplicas", s.FullyLabeledReplicas),
		check.Portion("readyReplicas", s.ReadyReplicas),
		check.Portion("availableReplicas", s.AvailableReplicas),
	)...)
}

func replicaSetRow(rs *appsv1.ReplicaSet, now time.Time) []any {
	names, images := kind.ContainerCells(rs.Spec.Template.Spec.Containers)
	return []any{
		rs.Name, int64(kind.ReplicasOf(rs.Spec.Replicas)), int64(rs.Status.Replicas), int64(rs.Status.ReadyReplicas),
		kind.Age(rs.CreationTimestamp, now), names, images, metav1.FormatLabelSelector(rs.Spec.Selector),
	}
}
