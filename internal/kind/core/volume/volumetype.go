package volume

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// volumeInPod is a volume with what its judgement needs to know of the Pod.
type volumeInPod struct {
	*corev1.Volume
	pod   string // the Pod's name, empty where it is not known
	isPod bool   // false within a template
	path  *field.Path
}

// volumeType is one type of volume. Upstream names some types by other paths than those of their
// fields: fields is where their own errors are, forbidden where that of a second type is. Empty
// means name.
type volumeType struct {
	name              string
	set               func(s *corev1.VolumeSource) bool
	validate          func(v volumeInPod, path *field.Path) field.ErrorList
	always            func(v volumeInPod) field.ErrorList // judges the type even where it is not the first; may be nil
	fields, forbidden string
}

// validateFreePath is DescendingPath for files beside which the kubelet keeps some whose names
// begin with "..".
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLocalNonReservedPath
func validateFreePath(name string, at *field.Path) field.ErrorList {
	errs := check.DescendingPath(name, at)
	if strings.HasPrefix(name, "..") && !strings.HasPrefix(name, "../") {
		errs = append(errs, field.Invalid(at, name, "must not start with '..'"))
	}
	return errs
}
