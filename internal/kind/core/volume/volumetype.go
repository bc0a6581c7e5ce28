package volume

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// volumeInPod is a volume with what its validation needs to know of the Pod.
type volumeInPod struct {
	*corev1.Volume
	pod   string // the Pod's name, "" if unknown
	isPod bool   // false within a template
	path  *field.Path
}

// volumeType is one type of volume. Upstream reports some types with other paths than those of
// their fields: fields is the path of their own errors, forbidden that of the error for a second
// type. "" means name.
type volumeType struct {
	name              string
	set               func(s *corev1.VolumeSource) bool
	validate          func(v volumeInPod, path *field.Path) field.ErrorList
	always            func(v volumeInPod) field.ErrorList // validates the type even if it is not the first; may be nil
	fields, forbidden string
}

// validateFreePath is DescendingPath for files in a directory where the kubelet has files of its
// own, whose names start with "..".
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLocalNonReservedPath
func validateFreePath(name string, at *field.Path) field.ErrorList {
	errs := check.DescendingPath(name, at)
	if strings.HasPrefix(name, "..") && !strings.HasPrefix(name, "../") {
		errs = append(errs, field.Invalid(at, name, "must not start with '..'"))
	}
	return errs
}
