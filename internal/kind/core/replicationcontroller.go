package core

import (
	"context"
	"maps"
	"strconv"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// ReplicationController is core/v1 ReplicationController. Unlike a ReplicaSet's, its selector is a
// plain map, defaults to the template's labels, and may change.
//
// Source: kubernetes v1.36 pkg/registry/core/replicationcontroller/strategy.go and storage/storage.go
var ReplicationController = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "ReplicationController", Plural: "replicationcontrollers", Namespaced: true,
		New: func() object.Object { return &corev1.ReplicationController{} },
	},
	Singular:   "replicationcontroller",
	ShortNames: []string{"rc"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &corev1.ReplicationControllerList{} },

	Admission: security.Templates(func(o *corev1.ReplicationController) *corev1.PodTemplateSpec { return o.Spec.Template }),

	Status: kind.Through(kind.Write[*corev1.ReplicationController]{
		Prepare: func(next, old *corev1.ReplicationController) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateReplicationControllerStatus,
	}),
	Scale: &kind.Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			rc := o.(*corev1.ReplicationController)
			selector := &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}
			return kind.ScaleOf(rc, selector, kind.ReplicasOf(rc.Spec.Replicas), rc.Status.Replicas)
		},
		Set: func(o object.Object, replicas int32) { o.(*corev1.ReplicationController).Spec.Replicas = &replicas },
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Desired", Type: "integer", Description: corev1.ReplicationControllerSpec{}.SwaggerDoc()["replicas"]},
		{Name: "Current", Type: "integer", Description: corev1.ReplicationControllerStatus{}.SwaggerDoc()["replicas"]},
		{Name: "Ready", Type: "integer", Description: corev1.ReplicationControllerStatus{}.SwaggerDoc()["readyReplicas"]},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: corev1.ReplicationControllerSpec{}.SwaggerDoc()["selector"]},
	},
	OrphanByDefault:     true,
	Quota:               kind.CountedAs(corev1.ResourceReplicationControllers),
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.ReplicationController]{
	Default:        defaultReplicationController,
	PrepareCreate:  prepareReplicationControllerCreate,
	PrepareUpdate:  prepareReplicationControllerUpdate,
	Validate:       validateReplicationController,
	ValidateUpdate: validateReplicationControllerUpdate,
	// Differs: an update causes warnings about the new template; upstream's WarningsOnUpdate
	// confuses the two and warns about the old one.
	Warnings: func(next, old *corev1.ReplicationController) []string {
		return podspec.WarnOfWorkload(next, old, next.Spec.Template)
	},
	Row: replicationControllerRow,
	SelectableFields: func(o *corev1.ReplicationController) fields.Set {
		return fields.Set{"status.replicas": strconv.Itoa(int(o.Status.Replicas))}
	},
	Selector: func(o *corev1.ReplicationController) *metav1.LabelSelector {
		selector := o.Spec.Selector
		if len(selector) == 0 {
			return nil
		}
		return &metav1.LabelSelector{MatchLabels: selector}
	},
})

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ReplicationController
func defaultReplicationController(rc *corev1.ReplicationController) {
	if t := rc.Spec.Template; t != nil {
		podspec.DefaultTemplate(t)
		if len(rc.Spec.Selector) == 0 && t.Labels != nil {
			rc.Spec.Selector = maps.Clone(t.Labels)
		}
		if len(rc.Labels) == 0 && t.Labels != nil {
			rc.Labels = maps.Clone(t.Labels)
		}
	}
	kind.SetDefault(&rc.Spec.Replicas, 1)
}

func prepareReplicationControllerCreate(rc *corev1.ReplicationController) {
	rc.Status = corev1.ReplicationControllerStatus{}
	rc.Generation = 1
}

func prepareReplicationControllerUpdate(rc, was *corev1.ReplicationController) {
	rc.Status = *was.Status.DeepCopy()
	rc.Generation = was.Generation
	if !equality.Semantic.DeepEqual(rc.Spec, was.Spec) {
		rc.Generation++
	}
}

func validateReplicationController(rc *corev1.ReplicationController) field.ErrorList {
	return append(check.Meta(&rc.ObjectMeta, true, longName), validateReplicationControllerSpec(&rc.Spec)...)
}

// longName validates a ReplicationController's name, but not a generateName.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateReplicationController, whose
// validation of names the declarations in staging/src/k8s.io/api/core/v1/types.go replace
func longName(name string, prefix bool) (texts []string) {
	if prefix {
		return nil
	}
	for _, err := range validate.LongName(context.Background(), operation.Operation{}, nil, &name, nil) {
		texts = append(texts, err.Detail)
	}
	return texts
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateReplicationControllerSpec
func validateReplicationControllerSpec(spec *corev1.ReplicationControllerSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := check.Counts(path, check.Count("minReadySeconds", int64(spec.MinReadySeconds)))
	if len(spec.Selector) == 0 {
		errs = append(errs, field.Required(path.Child("selector"), ""))
	}
	errs = append(errs, check.Counts(path, check.Count("replicas", int64(kind.ReplicasOf(spec.Replicas))))...)
	if spec.Template == nil {
		return append(errs, field.Required(path.Child("template"), ""))
	}
	selector := labels.Set(spec.Selector).AsSelectorPreValidated()
	return append(errs, podspec.ValidateReplicaTemplate(spec.Template, selector, "ReplicationController", path.Child("template"))...)
}

func validateReplicationControllerUpdate(rc, was *corev1.ReplicationController) field.ErrorList {
	errs := check.MetaUpdate(&rc.ObjectMeta, &was.ObjectMeta)
	return append(errs, validateReplicationControllerSpec(&rc.Spec)...)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateReplicationControllerStatusUpdate
func validateReplicationControllerStatus(rc, was *corev1.ReplicationController) field.ErrorList {
	errs := check.MetaUpdate(&rc.ObjectMeta, &was.ObjectMeta)
	path, s := field.NewPath("status"), rc.Status
	errs = append(errs, check.Counts(path,
		check.Count("replicas", int64(s.Replicas)),
		check.Count("fullyLabeledReplicas", int64(s.FullyLabeledReplicas)),
		check.Count("readyReplicas", int64(s.ReadyReplicas)),
		check.Count("availableReplicas", int64(s.AvailableReplicas)),
		check.Count("observedGeneration", s.ObservedGeneration),
	)...)
	return append(errs, check.Portions(path, s.Replicas,
		check.Portion("fullyLabeledReplicas", s.FullyLabeledReplicas),
		check.Portion("readyReplicas", s.ReadyReplicas),
		check.Portion("availableReplicas", s.AvailableReplicas),
	)...)
}

func replicationControllerRow(rc *corev1.ReplicationController, now time.Time) []any {
	var containers []corev1.Container
	if rc.Spec.Template != nil {
		containers = rc.Spec.Template.Spec.Containers
	}
	names, images := kind.ContainerCells(containers)
	desired := int64(0)
	if rc.Spec.Replicas != nil {
		desired = int64(*rc.Spec.Replicas)
	}
	return []any{
		rc.Name, desired, int64(rc.Status.Replicas), int64(rc.Status.ReadyReplicas),
		kind.Age(rc.CreationTimestamp, now), names, images, labels.FormatLabels(rc.Spec.Selector),
	}
}
