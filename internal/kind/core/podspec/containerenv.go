package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEnv
func validateEnv(env []corev1.EnvVar, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range env {
		at := path.Index(i)
		if name := env[i].Name; name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else {
			errs = append(errs, check.Invalid(at.Child("name"), name, utilvalidation.IsRelaxedEnvVarName(name))...)
		}
		errs = append(errs, validateEnvSource(&env[i], at.Child("valueFrom"))...)
	}
	return errs
}

// validateEnvSource validates valueFrom: exactly one source, and no value.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateEnvVarValueFrom
func validateEnvSource(env *corev1.EnvVar, path *field.Path) field.ErrorList {
	from := env.ValueFrom
	if from == nil {
		return nil
	}
	var errs field.ErrorList
	sources := 0
	if from.FieldRef != nil {
		sources++
		errs = append(errs, volume.ValidateFieldRef(from.FieldRef, volume.EnvFieldPaths, path.Child("fieldRef"))...)
	}
	if from.ResourceFieldRef != nil {
		sources++
		errs = append(errs, volume.ValidateResourceFieldRef(from.ResourceFieldRef, path.Child("resourceFieldRef"), false)...)
	}
	if ref := from.ConfigMapKeyRef; ref != nil {
		sources++
		errs = append(errs, validateKeyRef(ref.Name, ref.Key, path.Child("configMapKeyRef"))...)
	}
	if ref := from.SecretKeyRef; ref != nil {
		sources++
		errs = append(errs, validateKeyRef(ref.Name, ref.Key, path.Child("secretKeyRef"))...)
	}
	if from.FileKeyRef != nil {
		sources++
		errs = append(errs, validateFileKeyRef(from.FileKeyRef, path.Child("fileKeyRef"))...)
	}

	switch {
	case sources == 0:
		const msg = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
		errs = append(errs, field.Invalid(path, "", msg))
	case env.Value != "":
		errs = append(errs, field.Invalid(path, "", "may not be specified when `value` is not empty"))
	case sources > 1:
		errs = append(errs, field.Invalid(path, "", "may not have more than one field specified at a time"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEnvFrom
func validateEnvFrom(from []corev1.EnvFromSource, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range from {
		at := path.Index(i)
		if f.Prefix != "" {
			errs = append(errs, check.Invalid(at.Child("prefix"), f.Prefix, utilvalidation.IsRelaxedEnvVarName(f.Prefix))...)
		}
		sources := 0
		if f.ConfigMapRef != nil {
			sources++
			errs = append(errs, validateEnvFromName(f.ConfigMapRef.Name, at.Child("configMapRef", "name"))...)
		}
		if f.SecretRef != nil {
			sources++
			errs = append(errs, validateEnvFromName(f.SecretRef.Name, at.Child("secretRef", "name"))...)
		}
		switch {
		case sources == 0:
			errs = append(errs, field.Invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"))
		case sources > 1:
			errs = append(errs, field.Invalid(path, "", "may not have more than one field specified at a time"))
		}
	}
	return errs
}

func validateEnvFromName(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return check.Invalid(path, name, validation.NameIsDNSSubdomain(name, true))
}

// validateKeyRef validates a reference to a key of a ConfigMap or a Secret.
func validateKeyRef(name, key string, path *field.Path) field.ErrorList {
	errs := check.Invalid(path.Child("name"), name, validation.NameIsDNSSubdomain(name, false))
	if key == "" {
		return append(errs, field.Required(path.Child("key"), ""))
	}
	return append(errs, check.Invalid(path.Child("key"), key, utilvalidation.IsConfigMapKey(key))...)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateFileKeySelector
func validateFileKeyRef(ref *corev1.FileKeySelector, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if ref.Key == "" {
		errs = append(errs, field.Required(path.Child("key"), ""))
	} else {
		errs = append(errs, check.Invalid(path.Child("key"), ref.Key, utilvalidation.IsRelaxedEnvVarName(ref.Key))...)
	}
	if ref.VolumeName == "" {
		errs = append(errs, field.Required(path.Child("volumeName"), ""))
	} else {
		errs = append(errs, check.DNSLabel(ref.VolumeName, path.Child("volumeName"))...)
	}
	if ref.Path == "" {
		return append(errs, field.Required(path.Child("path"), ""))
	}
	return append(errs, check.NoBacksteps(ref.Path, path.Child("path"))...)
}

// validateFileKeyVolumes checks that environment files are in emptyDir volumes of the Pod.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateFileKeyRefVolumes
func validateFileKeyVolumes(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	volumes := make(map[string]*corev1.VolumeSource, len(s.Volumes))
	for i := range s.Volumes {
		volumes[s.Volumes[i].Name] = &s.Volumes[i].VolumeSource
	}
	var errs field.ErrorList
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		for i, env := range c.Env {
			if env.ValueFrom == nil || env.ValueFrom.FileKeyRef == nil {
				continue
			}
			at := path.Child("env").Index(i).Child("valueFrom", "fileKeyRef", "volumeName")
			name := env.ValueFrom.FileKeyRef.VolumeName
			if source, found := volumes[name]; !found {
				errs = append(errs, field.NotFound(at, name))
			} else if source.EmptyDir == nil {
				errs = append(errs, field.Invalid(at, name, "referenced volume must be of type emptyDir"))
			}
		}
	})
	return errs
}
