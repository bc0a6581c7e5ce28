package kind

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

	"github.com/rowlock/rowlock/internal/object"
)

// ReplicaSet is apps/v1 ReplicaSet.
//
// Source: kubernetes v1.36 pkg/registry/apps/replicaset/strategy.go and storage/storage.go
var ReplicaSet = &Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "ReplicaSet", Plural: "replicasets", Namespaced: true,
		New: func() object.Object { return &appsv1.ReplicaSet{} },
	},
	Singular:   "replicaset",
	ShortNames: []string{"rs"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &appsv1.ReplicaSetList{} },

	Default:        defaultReplicaSet,
	PrepareCreate:  prepareReplicaSetCreate,
	PrepareUpdate:  prepareReplicaSetUpdate,
	Admission:      templateSecurity(func(o *appsv1.ReplicaSet) *corev1.PodTemplateSpec { return &o.Spec.Template }),
	Validate:       validateReplicaSet,
	ValidateUpdate: validateReplicaSetUpdate,
	Warnings: func(next, old object.Object) []string {
		return warnOfWorkload(next, old, &next.(*appsv1.ReplicaSet).Spec.Template)
	},

	Status: &Subresource{
		Prepare: func(next, old object.Object) {
			next.(*appsv1.ReplicaSet).Spec = *old.(*appsv1.ReplicaSet).Spec.DeepCopy()
		},
		Validate: validateReplicaSetStatus,
	},
	Scale: &Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			rs := o.(*appsv1.ReplicaSet)
			return scaleOf(rs, rs.Spec.Selector, replicasOf(rs.Spec.Replicas), rs.Status.Replicas)
		},
		Set: func(o object.Object, replicas int32) { o.(*appsv1.ReplicaSet).Spec.Replicas = &replicas },
	},

	Columns: []metav1.TableColumnDefinition{
		nameColumn,
		{Name: "Desired", Type: "integer", Description: appsv1.ReplicaSetSpec{}.SwaggerDoc()["replicas"]},
		{Name: "Current", Type: "integer", Description: appsv1.ReplicaSetStatus{}.SwaggerDoc()["replicas"]},
		{Name: "Ready", Type: "integer", Description: appsv1.ReplicaSetStatus{}.SwaggerDoc()["readyReplicas"]},
		ageColumn,
		containersColumn,
		imagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: appsv1.ReplicaSetSpec{}.SwaggerDoc()["selector"]},
	},
	Row:                 replicaSetRow,
	UnconditionalUpdate: true,
	Selector:            func(o object.Object) *metav1.LabelSelector { return o.(*appsv1.ReplicaSet).Spec.Selector },
}

// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_ReplicaSet
func defaultReplicaSet(o object.Object) {
	rs := o.(*appsv1.ReplicaSet)
	DefaultPodTemplateSpec(&rs.Spec.Template)
	setDefault(&rs.Spec.Replicas, 1)
}

func prepareReplicaSetCreate(o object.Object) {
	rs := o.(*appsv1.ReplicaSet)
	rs.Status = appsv1.ReplicaSetStatus{}
	rs.Generation = 1
}

func prepareReplicaSetUpdate(next, old object.Object) {
	rs, was := next.(*appsv1.ReplicaSet), old.(*appsv1.ReplicaSet)
	rs.Status = *was.Status.DeepCopy()
	rs.Generation = was.Generation
	if !equality.Semantic.DeepEqual(rs.Spec, was.Spec) {
		rs.Generation++
	}
}

func validateReplicaSet(o object.Object) field.ErrorList {
	rs := o.(*appsv1.ReplicaSet)
	return append(validateNamespacedMeta(&rs.ObjectMeta), validateReplicaSetSpec(&rs.Spec)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec
func validateReplicaSetSpec(spec *appsv1.ReplicaSetSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := validateCounts(path,
		count{"replicas", int64(replicasOf(spec.Replicas))},
		count{"minReadySeconds", int64(spec.MinReadySeconds)},
	)
	return append(errs, validateSelectorAndTemplate(spec.Selector, &spec.Template, path)...)
}

func validateReplicaSetUpdate(next, old object.Object) field.ErrorList {
	rs, was := next.(*appsv1.ReplicaSet), old.(*appsv1.ReplicaSet)
	errs := validateObjectMetaUpdate(&rs.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateReplicaSetSpec(&rs.Spec)...)
	selector := field.NewPath("spec", "selector")
	return append(errs, validation.ValidateImmutableField(rs.Spec.Selector, was.Spec.Selector, selector)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetStatusUpdate
func validateReplicaSetStatus(next, old object.Object) field.ErrorList {
	rs, was := next.(*appsv1.ReplicaSet), old.(*appsv1.ReplicaSet)
	errs := validateObjectMetaUpdate(&rs.ObjectMeta, &was.ObjectMeta)
	path, s := field.NewPath("status"), rs.Status
	errs = append(errs, validateCounts(path, append([]count{
		{"replicas", int64(s.Replicas)},
		{"fullyLabeledReplicas", int64(s.FullyLabeledReplicas)},
		{"readyReplicas", int64(s.ReadyReplicas)},
		{"availableReplicas", int64(s.AvailableReplicas)},
		{"observedGeneration", s.ObservedGeneration},
	}, optional("terminatingReplicas", s.TerminatingReplicas)...)...)...)
	return append(errs, validatePortions(path, s.Replicas,
		portion{"fullyLabeledReplicas", s.FullyLabeledReplicas},
		portion{"readyReplicas", s.ReadyReplicas},
		portion{"availableReplicas", s.AvailableReplicas},
	)...)
}

func replicaSetRow(o object.Object, now time.Time) []any {
	rs := o.(*appsv1.ReplicaSet)
	names, images := containerCells(rs.Spec.Template.Spec.Containers)
	return []any{
		rs.Name, int64(replicasOf(rs.Spec.Replicas)), int64(rs.Status.Replicas), int64(rs.Status.ReadyReplicas),
		age(rs.CreationTimestamp, now), names, images, metav1.FormatLabelSelector(rs.Spec.Selector),
	}
}
