package podspec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/profile"
)

// appArmorPrefix is the prefix of annotations for a container's AppArmor profile. Like those for
// seccomp, they are older than the fields that replace them, and must agree with them.
const appArmorPrefix = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix

// Values of annotations for profiles.
const (
	profileDockerDefault   = corev1.DeprecatedSeccompProfileDockerDefault
	profileLocalhostPrefix = corev1.SeccompLocalhostProfileNamePrefix
	profileRuntimeDefault  = corev1.SeccompProfileRuntimeDefault
	profileUnconfined      = corev1.SeccompProfileNameUnconfined
)

// IsMirrorPod reports whether the annotations are those of a mirror Pod, the API object of a static
// Pod.
func IsMirrorPod(annotations map[string]string) bool {
	_, mirror := annotations[corev1.MirrorPodAnnotationKey]
	return mirror
}

// ValidateAnnotations validates the annotations that Kubernetes or Rowlock interprets, in order of
// their keys.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotations
func ValidateAnnotations(annotations map[string]string, s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if value, mirror := annotations[corev1.MirrorPodAnnotationKey]; mirror && s.NodeName == "" {
		errs = append(errs, field.Invalid(path.Key(corev1.MirrorPodAnnotationKey), value, "must set spec.nodeName if mirror pod annotation is set"))
	}
	if value := annotations[corev1.TolerationsAnnotationKey]; value != "" {
		var tolerations []corev1.Toleration
		if err := json.Unmarshal([]byte(value), &tolerations); err != nil {
			errs = append(errs, field.Invalid(path, corev1.TolerationsAnnotationKey, err.Error()))
		}
		errs = append(errs, ValidateTolerations(tolerations, path.Child(corev1.TolerationsAnnotationKey))...)
	}
	if value, has := annotations[corev1.PodDeletionCost]; has && !isDeletionCost(value) {
		errs = append(errs, field.Invalid(path.Key(corev1.PodDeletionCost), value, "must be a 32bit integer"))
	}

	keys := slices.Sorted(maps.Keys(annotations))
	if profile, has := annotations[corev1.SeccompPodAnnotationKey]; has {
		errs = append(errs, validateSeccompAnnotation(profile, path.Child(corev1.SeccompPodAnnotationKey))...)
	}
	for _, key := range keys {
		if strings.HasPrefix(key, corev1.SeccompContainerAnnotationKeyPrefix) {
			errs = append(errs, validateSeccompAnnotation(annotations[key], path.Child(key))...)
		}
	}
	errs = append(errs, validateAppArmorAnnotations(annotations, keys, s, path)...)
	return append(errs, validateProfileAnnotations(annotations, s, path)...)
}

// validateProfileAnnotations validates the annotations that define the behaviour of emulated
// containers.
func validateProfileAnnotations(annotations map[string]string, s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if !profile.Has(annotations) {
		return nil
	}
	var errs field.ErrorList
	for _, p := range profile.Validate(annotations, containerNames(s).Has) {
		errs = append(errs, field.Invalid(path.Key(p.Key), p.Value, p.Detail))
	}
	return errs
}

// validateAppArmorAnnotations validates the AppArmor annotations among keys.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateAppArmorPodAnnotations
func validateAppArmorAnnotations(annotations map[string]string, keys []string, s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	var containers sets.Set[string]
	for _, key := range keys {
		name, ok := strings.CutPrefix(key, appArmorPrefix)
		if !ok {
			continue
		}
		if containers == nil {
			containers = containerNames(s)
		}
		if !containers.Has(name) {
			errs = append(errs, field.Invalid(path.Key(key), name, "container not found"))
		}
		switch p := annotations[key]; {
		case p == "", p == profileRuntimeDefault, p == profileUnconfined, strings.HasPrefix(p, profileLocalhostPrefix):
		default:
			errs = append(errs, field.Invalid(path.Key(key), p, fmt.Sprintf("invalid AppArmor profile name: %q", p)))
		}
	}
	return errs
}

// isDeletionCost reports whether an annotation's value is a deletion cost: an int32 without a plus
// sign or leading zeros, except zeros after a minus sign.
//
// Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go, GetDeletionCostFromPodAnnotations
func isDeletionCost(value string) bool {
	if value == "" || value[0] == '+' || value[0] == '0' && value != "0" {
		return false
	}
	_, err := strconv.ParseInt(value, 10, 32)
	return err == nil
}

func containerNames(s *corev1.PodSpec) sets.Set[string] {
	names := sets.New[string]()
	visitContainers(s, nil, func(c *corev1.Container, _ *field.Path) { names.Insert(c.Name) })
	return names
}

func validateSeccompAnnotation(profile string, path *field.Path) field.ErrorList {
	switch profile {
	case profileRuntimeDefault, profileDockerDefault, profileUnconfined:
		return nil
	}
	if name, ok := strings.CutPrefix(profile, profileLocalhostPrefix); ok {
		return check.DescendingPath(name, path)
	}
	return field.ErrorList{field.Invalid(path, profile, "must be a valid seccomp profile")}
}

// appArmorProfile parses a container's AppArmor annotation; nil if it is not a profile.
//
// Source: kubernetes v1.36 pkg/api/pod/util.go, ApparmorFieldForAnnotation
func appArmorProfile(annotation string) *corev1.AppArmorProfile {
	name, local := strings.CutPrefix(annotation, profileLocalhostPrefix)
	switch {
	case annotation == profileUnconfined:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined}
	case annotation == profileRuntimeDefault:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeRuntimeDefault}
	case local && name != "":
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeLocalhost, LocalhostProfile: &name}
	}
	return nil
}

// ApplyAppArmorAnnotations sets the AppArmor field of containers that have only an annotation,
// unless the Pod's profile is the same.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew
func ApplyAppArmorAnnotations(p *corev1.Pod) {
	if len(p.Annotations) == 0 || isWindows(&p.Spec) {
		return
	}
	var whole *corev1.AppArmorProfile
	if p.Spec.SecurityContext != nil {
		whole = p.Spec.SecurityContext.AppArmorProfile
	}
	visitContainers(&p.Spec, nil, func(c *corev1.Container, _ *field.Path) {
		value, has := p.Annotations[appArmorPrefix+c.Name]
		if !has || c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
			return
		}
		profile := appArmorProfile(value)
		if profile == nil || len(validateAppArmorProfile(profile, nil)) > 0 || equality.Semantic.DeepEqual(profile, whole) {
			return
		}
		if c.SecurityContext == nil {
			c.SecurityContext = &corev1.SecurityContext{}
		}
		c.SecurityContext.AppArmorProfile = profile
	})
}

// ValidateAnnotationUpdate validates added, changed and removed annotations. Those for AppArmor and
// mirror Pods are immutable.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotationUpdates
func ValidateAnnotationUpdate(next, old *corev1.Pod, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	judge := func(key, appArmor, mirror string) {
		switch {
		case strings.HasPrefix(key, appArmorPrefix):
			errs = append(errs, field.Forbidden(path.Key(key), appArmor))
		case key == corev1.MirrorPodAnnotationKey:
			errs = append(errs, field.Forbidden(path.Key(key), mirror))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(old.Annotations)) {
		if value, has := next.Annotations[key]; !has || value != old.Annotations[key] {
			judge(key, "may not remove or update AppArmor annotations", "may not remove or update mirror pod annotation")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(next.Annotations)) {
		if _, had := old.Annotations[key]; !had {
			judge(key, "may not add AppArmor annotations", "may not add mirror pod annotation")
		}
	}
	return append(errs, ValidateAnnotations(next.Annotations, &next.Spec, path)...)
}

// ValidateProfilesMatch checks that annotations for seccomp and AppArmor agree with the fields.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateSeccompAnnotationsAndFields and
// validateAppArmorAnnotationsAndFieldsMatchOnCreate
func ValidateProfilesMatch(annotations map[string]string, s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if len(annotations) == 0 {
		return nil
	}
	var errs field.ErrorList
	pod := s.SecurityContext
	if pod == nil {
		pod = &corev1.PodSecurityContext{}
	}
	if annotation, has := annotations[corev1.SeccompPodAnnotationKey]; has {
		errs = append(errs, validateSeccompMatch(annotation, pod.SeccompProfile, path.Child("securityContext", "seccompProfile"))...)
	}
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		annotation, has := annotations[corev1.SeccompContainerAnnotationKeyPrefix+c.Name]
		if has && c.SecurityContext != nil {
			errs = append(errs, validateSeccompMatch(annotation, c.SecurityContext.SeccompProfile, path.Child("securityContext", "seccompProfile"))...)
		}
	})
	if isWindows(s) {
		return errs
	}
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		profile := pod.AppArmorProfile
		if c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
			profile = c.SecurityContext.AppArmorProfile
		}
		annotation, has := annotations[appArmorPrefix+c.Name]
		if has && profile != nil {
			p := profileField{string(profile.Type), profile.LocalhostProfile, "apparmor"}
			errs = append(errs, p.validateMatch(annotation, path.Child("securityContext", "appArmorProfile"))...)
		}
	})
	return errs
}

func validateSeccompMatch(annotation string, p *corev1.SeccompProfile, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	if annotation == profileDockerDefault {
		annotation = profileRuntimeDefault
	}
	return profileField{string(p.Type), p.LocalhostProfile, "seccomp"}.validateMatch(annotation, path)
}

// profileField is a seccomp or AppArmor profile; both have the same types.
type profileField struct {
	profile   string // "RuntimeDefault", "Unconfined" or "Localhost"
	localhost *string
	what      string // "seccomp" or "apparmor"
}

func (p profileField) validateMatch(annotation string, path *field.Path) field.ErrorList {
	matches := true
	switch p.profile {
	case string(corev1.SeccompProfileTypeUnconfined):
		matches = annotation == profileUnconfined
	case string(corev1.SeccompProfileTypeRuntimeDefault):
		matches = annotation == profileRuntimeDefault
	case string(corev1.SeccompProfileTypeLocalhost):
		var name string
		if name, matches = strings.CutPrefix(annotation, profileLocalhostPrefix); matches && (p.localhost == nil || name != *p.localhost) {
			return field.ErrorList{field.Forbidden(path.Child("localhostProfile"), p.what+" profile in annotation and field must match")}
		}
	}
	if matches {
		return nil
	}
	return field.ErrorList{field.Forbidden(path.Child("type"), p.what+" type in annotation and field must match")}
}
