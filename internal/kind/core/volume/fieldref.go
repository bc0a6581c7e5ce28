package volume

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// DefaultFieldRef sets the API version of a field reference.
func DefaultFieldRef(ref *corev1.ObjectFieldSelector) {
	if ref != nil {
		ref.APIVersion = cmp.Or(ref.APIVersion, "v1")
	}
}

// Fields of the downward API, sorted: for environment variables, for files, and all.
var (
	EnvFieldPaths = []string{
		"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
	}
	fileFieldPaths = []string{
		"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid",
	}
	downwardFieldPaths = slices.Concat(EnvFieldPaths, fileFieldPaths, []string{
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

// ValidateFieldRef validates a reference to a field of the Pod, which must be in supported.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateObjectFieldSelector, and
// pkg/apis/core/pods/helpers.go, ConvertDownwardAPIFieldLabel
func ValidateFieldRef(ref *corev1.ObjectFieldSelector, supported []string, path *field.Path) field.ErrorList {
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
	case name == "spec.host" && !subscripted: // the old name of spec.nodeName
		name = "spec.nodeName"
	case !slices.Contains(downwardFieldPaths, name):
		problem = "field label not supported: " + ref.FieldPath
	}
	switch {
	case problem != "":
		return field.ErrorList{field.Invalid(at, ref.FieldPath, "error converting fieldPath: "+problem)}
	case subscripted && name == "metadata.annotations":
		return check.QualifiedName(strings.ToLower(subscript), path)
	case subscripted:
		return check.QualifiedName(subscript, path)
	}
	return check.Enum(name, supported, at)
}

// splitSubscript splits "metadata.labels['app']" into "metadata.labels" and "app"; ok is false if
// there is no subscript.
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

// ValidateResourceFieldRef validates a reference to a request or limit; for a file, it must name
// the container.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerResourceFieldSelector and
// validateContainerResourceDivisor
func ValidateResourceFieldRef(ref *corev1.ResourceFieldSelector, path *field.Path, file bool) field.ErrorList {
	var errs field.ErrorList
	hugePages := strings.HasPrefix(ref.Resource, "requests.hugepages-") || strings.HasPrefix(ref.Resource, "limits.hugepages-")
	switch {
	case file && ref.ContainerName == "":
		errs = append(errs, field.Required(path.Child("containerName"), ""))
	case ref.Resource == "":
		errs = append(errs, field.Required(path.Child("resource"), ""))
	case !hugePages:
		errs = append(errs, check.Enum(ref.Resource, resourceFieldPaths, path.Child("resource"))...)
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
