package kind

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEnv
func validateEnv(env []corev1.EnvVar, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range env {
		at := path.Index(i)
		if name := env[i].Name; name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else {
			errs = append(errs, invalid(at.Child("name"), name, utilvalidation.IsRelaxedEnvVarName(name))...)
		}
		errs = append(errs, validateEnvSource(&env[i], at.Child("valueFrom"))...)
	}
	return errs
}

// validateEnvSource judges valueFrom: exactly one source, and no value beside it.
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
		errs = append(errs, validateFieldRef(from.FieldRef, envFieldPaths, path.Child("fieldRef"))...)
	}
	if from.ResourceFieldRef != nil {
		sources++
		errs = append(errs, validateResourceFieldRef(from.ResourceFieldRef, path.Child("resourceFieldRef"), false)...)
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
			errs = append(errs, invalid(at.Child("prefix"), f.Prefix, utilvalidation.IsRelaxedEnvVarName(f.Prefix))...)
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
	return invalid(path, name, validation.NameIsDNSSubdomain(name, true))
}

// validateKeyRef judges a reference to a key of a ConfigMap or a Secret.
func validateKeyRef(name, key string, path *field.Path) field.ErrorList {
	errs := invalid(path.Child("name"), name, validation.NameIsDNSSubdomain(name, false))
	if key == "" {
		return append(errs, field.Required(path.Child("key"), ""))
	}
	return append(errs, invalid(path.Child("key"), key, utilvalidation.IsConfigMapKey(key))...)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateFileKeySelector
func validateFileKeyRef(ref *corev1.FileKeySelector, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if ref.Key == "" {
		errs = append(errs, field.Required(path.Child("key"), ""))
	} else {
		errs = append(errs, invalid(path.Child("key"), ref.Key, utilvalidation.IsRelaxedEnvVarName(ref.Key))...)
	}
	if ref.VolumeName == "" {
		errs = append(errs, field.Required(path.Child("volumeName"), ""))
	} else {
		errs = append(errs, validateDNSLabel(ref.VolumeName, path.Child("volumeName"))...)
	}
	if ref.Path == "" {
		return append(errs, field.Required(path.Child("path"), ""))
	}
	return append(errs, validateNoBacksteps(ref.Path, path.Child("path"))...)
}

// validateFileKeyVolumes judges that environment files lie in emptyDirs of the Pod.
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

// The fields that the downward API offers, sorted: to environment variables, to files, and those of either that may
// be named at all.
var (
	envFieldPaths = []string{
		"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
	}
	fileFieldPaths = []string{
		"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid",
	}
	downwardFieldPaths = slices.Concat(envFieldPaths, fileFieldPaths, []string{
		"spec.restartPolicy", "spec.schedulerName", "status.phase",
	})
	resourceFieldPaths = []string{
		"limits.cpu", "limits.ephemeral-storage", "limits.memory",
		"requests.cpu", "requests.ephemeral-storage", "requests.memory",
	}
	byteDivisors = []string{
		"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei",
	}
)

// validateFieldRef judges a reference to a field of the Pod, which must be one of those supported.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateObjectFieldSelector, and
// pkg/apis/core/pods/helpers.go, ConvertDownwardAPIFieldLabel
func validateFieldRef(ref *corev1.ObjectFieldSelector, supported []string, path *field.Path) field.ErrorList {
	if ref.APIVersion == "" {
		return field.ErrorList{field.Required(path.Child("apiVersion"), "")}
	}
	at := path.Child("fieldPath")
	if ref.FieldPath == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	name, subscript, subscripted := splitSubscript(ref.FieldPath)
	hasSubscript := name == "metadata.annotations" || name == "metadata.labels"
	var problem string
	switch {
	case ref.APIVersion != "v1":
		problem = "unsupported pod version: " + ref.APIVersion
	case subscripted && !hasSubscript:
		problem = "field label does not support subscript: " + ref.FieldPath
	case name == "spec.host" && !subscripted: // what old clients call the node's name
		name = "spec.nodeName"
	case !slices.Contains(downwardFieldPaths, name):
		problem = "field label not supported: " + ref.FieldPath
	}
	switch {
	case problem != "":
		return field.ErrorList{field.Invalid(at, ref.FieldPath, "error converting fieldPath: "+problem)}
	case subscripted && name == "metadata.annotations":
		return validateQualifiedName(strings.ToLower(subscript), path)
	case subscripted:
		return validateQualifiedName(subscript, path)
	}
	return validateEnum(name, supported, at)
}

// splitSubscript reads "metadata.labels['app']" as "metadata.labels" and "app"; ok is false where there is no
// subscript.
func splitSubscript(s string) (name, subscript string, ok bool) {
	inner, ok := strings.CutSuffix(s, "']")
	if !ok {
		return s, "", false
	}
	name, subscript, ok = strings.Cut(inner, "['")
	if !ok || name == "" {
		return s, "", false
	}
	return name, subscript, true
}

// validateResourceFieldRef judges a reference to a request or limit; a file must also name the container.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerResourceFieldSelector and
// validateContainerResourceDivisor
func validateResourceFieldRef(ref *corev1.ResourceFieldSelector, path *field.Path, file bool) field.ErrorList {
	var errs field.ErrorList
	hugePages := strings.HasPrefix(ref.Resource, "requests.hugepages-") || strings.HasPrefix(ref.Resource, "limits.hugepages-")
	switch {
	case file && ref.ContainerName == "":
		errs = append(errs, field.Required(path.Child("containerName"), ""))
	case ref.Resource == "":
		errs = append(errs, field.Required(path.Child("resource"), ""))
	case !hugePages:
		errs = append(errs, validateEnum(ref.Resource, resourceFieldPaths, path.Child("resource"))...)
	}

	if ref.Divisor.Cmp(resource.Quantity{}) == 0 {
		return errs
	}
	divisors, what := byteDivisors, ""
	switch _, name, _ := strings.Cut(ref.Resource, "."); {
	case hugePages:
		what = "hugepages"
	case !slices.Contains(resourceFieldPaths, ref.Resource):
		return errs
	case name == "cpu":
		divisors, what = []string{"1m", "1"}, "cpu"
	case name == "memory":
		what = "memory"
	case name == "ephemeral-storage":
		what = "local ephemeral storage"
	}
	if slices.Contains(divisors, ref.Divisor.String()) {
		return errs
	}
	list := strings.Join(divisors, ", ")
	if what == "cpu" {
		list = strings.Join(divisors, " and ")
	}
	msg := fmt.Sprintf("only divisor's values %s are supported with the %s resource", list, what)
	return append(errs, field.Invalid(path.Child("divisor"), ref.Resource, msg))
}
