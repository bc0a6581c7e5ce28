package apps

import (
	"cmp"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/object"
)

// StatefulSet is apps/v1 StatefulSet.
//
// Source: kubernetes v1.36 pkg/registry/apps/statefulset/strategy.go and storage/storage.go
var StatefulSet = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "StatefulSet", Plural: "statefulsets", Namespaced: true,
		New: func() object.Object { return &appsv1.StatefulSet{} },
	},
	Singular:   "statefulset",
	ShortNames: []string{"sts"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &appsv1.StatefulSetList{} },

	Gated:     &kind.Gated{Gate: kind.MaxUnavailableStatefulSet, Default: defaultMaxUnavailable, Drop: dropMaxUnavailable},
	Admission: security.Templates(func(o *appsv1.StatefulSet) *corev1.PodTemplateSpec { return &o.Spec.Template }),

	Status: kind.Through(kind.Write[*appsv1.StatefulSet]{
		Prepare: func(next, old *appsv1.StatefulSet) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateStatefulSetStatus,
	}),
	Scale: &kind.Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			s := o.(*appsv1.StatefulSet)
			return kind.ScaleOf(s, s.Spec.Selector, kind.ReplicasOf(s.Spec.Replicas), s.Status.Replicas)
		},
		Set: func(o object.Object, replicas int32) { o.(*appsv1.StatefulSet).Spec.Replicas = &replicas },
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Ready", Type: "string", Description: "Number of the pod with ready state"},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*appsv1.StatefulSet]{
	Default:        defaultStatefulSet,
	PrepareCreate:  prepareStatefulSetCreate,
	PrepareUpdate:  prepareStatefulSetUpdate,
	Validate:       validateStatefulSet,
	ValidateUpdate: validateStatefulSetUpdate,
	Warnings:       warnOfStatefulSet,
	Row: func(s *appsv1.StatefulSet, now time.Time) []any {
		names, images := kind.ContainerCells(s.Spec.Template.Spec.Containers)
		ready := fmt.Sprintf("%d/%d", s.Status.ReadyReplicas, kind.ReplicasOf(s.Spec.Replicas))
		return []any{s.Name, ready, kind.Age(s.CreationTimestamp, now), names, images}
	},
	Selector: func(o *appsv1.StatefulSet) *metav1.LabelSelector { return o.Spec.Selector },
})

// defaultStatefulSet sets one replica, ordered Pods, a rolling update of all of them, retained
// PersistentVolumeClaims, and a history of ten revisions. Claim templates have an apiVersion and
// kind, as in Kubernetes since v1.17.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_StatefulSet, and pkg/apis/apps/v1/conversion.go,
// Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec
func defaultStatefulSet(o *appsv1.StatefulSet) {
	spec := &o.Spec
	podspec.DefaultTemplate(&spec.Template)
	spec.PodManagementPolicy = cmp.Or(spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	strategy := &spec.UpdateStrategy
	if strategy.Type == "" {
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		kind.SetDefault(&strategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && strategy.RollingUpdate != nil {
		kind.SetDefault(&strategy.RollingUpdate.Partition, 0)
	}
	kind.SetDefault(&spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	policy := spec.PersistentVolumeClaimRetentionPolicy
	policy.WhenDeleted = cmp.Or(policy.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	policy.WhenScaled = cmp.Or(policy.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	kind.SetDefault(&spec.Replicas, 1)
	kind.SetDefault(&spec.RevisionHistoryLimit, 10)
	for i := range spec.VolumeClaimTemplates {
		claim := &spec.VolumeClaimTemplates[i]
		claim.APIVersion, claim.Kind = "v1", "PersistentVolumeClaim"
		volume.DefaultClaim(claim)
	}
}

func prepareStatefulSetCreate(s *appsv1.StatefulSet) {
	s.Status = appsv1.StatefulSetStatus{}
	s.Generation = 1
}

func prepareStatefulSetUpdate(s, was *appsv1.StatefulSet) {
	s.Status = *was.Status.DeepCopy()
	s.Generation = was.Generation
	if !equality.Semantic.DeepEqual(s.Spec, was.Spec) {
		s.Generation++
	}
}

// defaultMaxUnavailable sets maxUnavailable of a rolling update to 1. It applies only if the
// feature gate is on.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_StatefulSet
// Differs: a StatefulSet stored without the bound has none until its next write, and updates its
// Pods one by one.
func defaultMaxUnavailable(o object.Object) {
	if s := &o.(*appsv1.StatefulSet).Spec.UpdateStrategy; s.Type == appsv1.RollingUpdateStatefulSetStrategyType && s.RollingUpdate != nil {
		kind.SetDefault(&s.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
	}
}

// dropMaxUnavailable removes the bound, in place, if its feature gate is off, unless the stored
// object has one (STS-031).
//
// Source: kubernetes v1.36 pkg/registry/apps/statefulset/strategy.go, dropStatefulSetDisabledFields
// Differs: a stored bound stays in effect while the gate is off; upstream's controller ignores it.
func dropMaxUnavailable(next, old object.Object) {
	if old != nil {
		if r := old.(*appsv1.StatefulSet).Spec.UpdateStrategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
			return
		}
	}
	if r := next.(*appsv1.StatefulSet).Spec.UpdateStrategy.RollingUpdate; r != nil {
		r.MaxUnavailable = nil
	}
}

// warnOfStatefulSet warns about the template, about sizes in claim templates, and about an
// unlimited history.
//
// Source: kubernetes v1.36 pkg/registry/apps/statefulset/strategy.go, WarningsOnCreate and WarningsOnUpdate
func warnOfStatefulSet(s, old *appsv1.StatefulSet) (warnings []string) {
	if old == nil || s.GetGeneration() != old.GetGeneration() {
		warnings = podspec.WarnOfTemplate(podspec.TemplatePath, &s.Spec.Template)
	}
	for i := range s.Spec.VolumeClaimTemplates {
		at := field.NewPath("spec", "volumeClaimTemplates").Index(i)
		if old != nil {
			at = at.Child("Spec")
		}
		warnings = append(warnings, volume.WarnOfClaim(&s.Spec.VolumeClaimTemplates[i].Spec, at)...)
	}
	if limit := s.Spec.RevisionHistoryLimit; limit != nil && *limit < 0 {
		warnings = append(warnings, "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended")
	}
	return warnings
}
