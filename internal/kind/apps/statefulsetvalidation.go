package apps

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// statefulSetTolerance says what an update does not validate again, because it cannot have changed
// or has been accepted before.
type statefulSetTolerance struct{ serviceName, template, claims bool }

func validateStatefulSet(s *appsv1.StatefulSet) field.ErrorList {
	errs := check.Meta(&s.ObjectMeta, true, validation.NameIsDNSLabel)
	return append(errs, validateStatefulSetSpec(&s.Spec, statefulSetTolerance{})...)
}

// validateStatefulSetUpdate checks which fields of the spec change. It skips the template if the
// old one would now be invalid.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetUpdate
func validateStatefulSetUpdate(s, was *appsv1.StatefulSet) field.ErrorList {
	errs := check.MetaUpdate(&s.ObjectMeta, &was.ObjectMeta)
	tolerate := statefulSetTolerance{serviceName: true, claims: true}
	tolerate.template = len(validateStatefulSetSpec(&was.Spec, tolerate)) > 0
	errs = append(errs, validateStatefulSetSpec(&s.Spec, tolerate)...)

	rest := s.Spec
	rest.Replicas, rest.Template, rest.UpdateStrategy = was.Spec.Replicas, was.Spec.Template, was.Spec.UpdateStrategy
	rest.MinReadySeconds, rest.Ordinals = was.Spec.MinReadySeconds, was.Spec.Ordinals
	rest.RevisionHistoryLimit = was.Spec.RevisionHistoryLimit
	rest.PersistentVolumeClaimRetentionPolicy = was.Spec.PersistentVolumeClaimRetentionPolicy
	if !equality.Semantic.DeepEqual(rest, was.Spec) {
		errs = append(errs, field.Forbidden(field.NewPath("spec"), "updates to statefulset spec for fields other than "+
			"'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "+
			"'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetSpec
func validateStatefulSetSpec(spec *appsv1.StatefulSetSpec, tolerate statefulSetTolerance) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	switch policy := spec.PodManagementPolicy; policy {
	case appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
	default:
		errs = append(errs, field.Invalid(path.Child("podManagementPolicy"), policy,
			fmt.Sprintf("must be '%s' or '%s'", appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement)))
	}
	errs = append(errs, validateStatefulSetStrategy(&spec.UpdateStrategy, path.Child("updateStrategy"))...)
	errs = append(errs, validateClaimRetention(spec.PersistentVolumeClaimRetentionPolicy, path.Child("persistentVolumeClaimRetentionPolicy"))...)
	if !tolerate.claims {
		for i := range spec.VolumeClaimTemplates {
			at := path.Child("volumeClaimTemplates").Index(i).Child("spec")
			errs = append(errs, volume.ValidateClaim(&spec.VolumeClaimTemplates[i].Spec, volume.ClaimOptions{}, at)...)
		}
	}
	errs = append(errs, check.Counts(path,
		check.Count("replicas", int64(kind.ReplicasOf(spec.Replicas))),
		check.Count("minReadySeconds", int64(spec.MinReadySeconds)),
	)...)
	if spec.Ordinals != nil {
		errs = append(errs, check.Counts(path, check.Count("ordinals.start", int64(spec.Ordinals.Start)))...)
	}
	if !tolerate.serviceName && spec.ServiceName != "" {
		errs = append(errs, check.DNSLabel(spec.ServiceName, path.Child("serviceName"))...)
	}
	errs = append(errs, validateStatefulSetSelector(spec, tolerate, path)...)
	template := path.Child("template", "spec")
	if policy := spec.Template.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(template.Child("restartPolicy"), policy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if spec.Template.Spec.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(template.Child("activeDeadlineSeconds"), "activeDeadlineSeconds in StatefulSet is not Supported"))
	}
	return errs
}

// validateStatefulSetSelector validates the selector and the template, which must match it.
func validateStatefulSetSelector(spec *appsv1.StatefulSetSpec, tolerate statefulSetTolerance, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("selector")
	if spec.Selector == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = append(errs, metav1validation.ValidateLabelSelector(spec.Selector, metav1validation.LabelSelectorValidationOptions{}, at)...)
		if len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(at, spec.Selector, "empty selector is invalid for statefulset"))
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	if err != nil {
		return append(errs, field.Invalid(at, spec.Selector, ""))
	}
	return append(errs, validateStatefulTemplate(spec, selector, tolerate, path.Child("template"))...)
}

// validateStatefulTemplate validates the template as the controller completes it: with a volume for
// each claim template, and without the hostname and subdomain, which each Pod gets. It validates
// labels and annotations twice, as upstream does.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForStatefulSet
func validateStatefulTemplate(spec *appsv1.StatefulSetSpec, selector labels.Selector, tolerate statefulSetTolerance, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	t := spec.Template
	t.Spec.Hostname, t.Spec.Subdomain = "", ""
	t.Spec.Volumes = volumesWithClaims(spec)
	if !selector.Empty() && !selector.Matches(labels.Set(t.Labels)) {
		errs = append(errs, field.Invalid(path.Child("metadata", "labels"), t.Labels, "`selector` does not match template `labels`"))
	}
	if !tolerate.template {
		errs = append(errs, podspec.ValidateTemplate(&t, path)...)
	}
	errs = append(errs, check.Labels(t.Labels, path.Child("labels"))...)
	errs = append(errs, validation.ValidateAnnotations(t.Annotations, path.Child("annotations"))...)
	return append(errs, podspec.ValidateAnnotations(t.Annotations, &t.Spec, path.Child("annotations"))...)
}

// volumesWithClaims returns the volumes of a Pod: those of the claim templates, and those of the
// Pod template with other names.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, volumesToAddForTemplates
func volumesWithClaims(spec *appsv1.StatefulSetSpec) []corev1.Volume {
	if len(spec.VolumeClaimTemplates) == 0 {
		return spec.Template.Spec.Volumes
	}
	var volumes []corev1.Volume
	claimed := map[string]bool{}
	for i := range spec.VolumeClaimTemplates {
		name := spec.VolumeClaimTemplates[i].Name
		if claimed[name] {
			continue
		}
		claimed[name] = true
		volumes = append(volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name},
		}})
	}
	for _, v := range spec.Template.Spec.Volumes {
		if !claimed[v.Name] {
			volumes = append(volumes, v)
		}
	}
	return volumes
}

// statefulSetStrategyValue prints a strategy as upstream's messages do, with Go's field names.
type statefulSetStrategyValue struct {
	Type          appsv1.StatefulSetUpdateStrategyType
	RollingUpdate *rollingStatefulSetValue
}

type rollingStatefulSetValue struct {
	Partition      int32
	MaxUnavailable *intstr.IntOrString
}

// rollingStatefulSet converts r for messages; nil stays nil.
func rollingStatefulSet(r *appsv1.RollingUpdateStatefulSetStrategy) *rollingStatefulSetValue {
	if r == nil {
		return nil
	}
	value := &rollingStatefulSetValue{MaxUnavailable: r.MaxUnavailable}
	if r.Partition != nil {
		value.Partition = *r.Partition
	}
	return value
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetSpec and validateRollingUpdateStatefulSet
func validateStatefulSetStrategy(s *appsv1.StatefulSetUpdateStrategy, path *field.Path) field.ErrorList {
	value, at := rollingStatefulSet(s.RollingUpdate), path.Child("rollingUpdate")
	switch {
	case s.Type != appsv1.OnDeleteStatefulSetStrategyType && s.Type != appsv1.RollingUpdateStatefulSetStrategyType:
		return field.ErrorList{field.Invalid(path, statefulSetStrategyValue{s.Type, value}, fmt.Sprintf("must be '%s' or '%s'",
			appsv1.RollingUpdateStatefulSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType))}
	case value == nil:
		return nil
	case s.Type == appsv1.OnDeleteStatefulSetStrategyType:
		return field.ErrorList{field.Invalid(at, value,
			fmt.Sprintf("only allowed for updateStrategy '%s'", appsv1.RollingUpdateStatefulSetStrategyType))}
	}
	errs := check.Counts(at, check.Count("partition", int64(value.Partition)))
	if value.MaxUnavailable == nil {
		return errs
	}
	most := *value.MaxUnavailable
	at = at.Child("maxUnavailable")
	errs = append(errs, check.IntOrPercent(most, at)...)
	if check.NumberOf(most) == 0 {
		errs = append(errs, field.Invalid(at, most, "cannot be 0"))
	}
	if percent, ok := check.PercentOf(most); ok && percent > 100 {
		errs = append(errs, field.Invalid(at, most, "must not be greater than 100%"))
	}
	return errs
}

// validateClaimRetention validates a policy, which may be nil.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePersistentVolumeClaimRetentionPolicy
func validateClaimRetention(p *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	var errs field.ErrorList
	for _, when := range []struct {
		name   string
		policy appsv1.PersistentVolumeClaimRetentionPolicyType
	}{{"whenDeleted", p.WhenDeleted}, {"whenScaled", p.WhenScaled}} {
		switch when.policy {
		case appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType:
		default:
			errs = append(errs, field.NotSupported(path.Child(when.name), when.policy, []appsv1.PersistentVolumeClaimRetentionPolicyType{
				appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
			}))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetStatusUpdate
func validateStatefulSetStatus(set, was *appsv1.StatefulSet) field.ErrorList {
	path, s := field.NewPath("status"), set.Status
	errs := check.Counts(path, append([]check.Number{
		check.Count("replicas", int64(s.Replicas)),
		check.Count("readyReplicas", int64(s.ReadyReplicas)),
		check.Count("currentReplicas", int64(s.CurrentReplicas)),
		check.Count("updatedReplicas", int64(s.UpdatedReplicas)),
		check.Count("availableReplicas", int64(s.AvailableReplicas)),
		check.Count("observedGeneration", s.ObservedGeneration),
	}, check.Optional("collisionCount", s.CollisionCount)...)...)
	for _, p := range []check.Part{
		check.Portion("readyReplicas", s.ReadyReplicas), check.Portion("currentReplicas", s.CurrentReplicas),
		check.Portion("updatedReplicas", s.UpdatedReplicas), check.Portion("availableReplicas", s.AvailableReplicas),
	} {
		if p.Value > s.Replicas {
			errs = append(errs, field.Invalid(path.Child(p.Name), p.Value, "cannot be greater than status.replicas"))
		}
	}
	if s.AvailableReplicas > s.ReadyReplicas {
		errs = append(errs, field.Invalid(path.Child("availableReplicas"), s.AvailableReplicas, "cannot be greater than status.readyReplicas"))
	}
	errs = append(errs, check.MetaUpdate(&set.ObjectMeta, &was.ObjectMeta)...)
	return append(errs, validateCollisionCount(s.CollisionCount, was.Status.CollisionCount, path)...)
}
