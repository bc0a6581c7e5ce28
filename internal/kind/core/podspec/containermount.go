package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateMounts validates a container's volume mounts against the Pod's volumes, against each
// other and against its devices.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumeMounts
func validateMounts(c *corev1.Container, volumes map[string]corev1.VolumeSource, path *field.Path) field.ErrorList {
	// As upstream, if several devices have the same name, the path of the last one counts.
	devices := make(map[string]string, len(c.VolumeDevices))
	for _, d := range c.VolumeDevices {
		devices[d.Name] = d.DevicePath
	}
	devicePaths := valueSet(devices)

	var errs field.ErrorList
	taken := sets.New[string]()
	for i := range c.VolumeMounts {
		m, at := &c.VolumeMounts[i], path.Index(i)
		if m.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		}
		if _, found := volumes[m.Name]; !found {
			errs = append(errs, field.NotFound(at.Child("name"), m.Name))
		}
		if m.MountPath == "" {
			errs = append(errs, field.Required(at.Child("mountPath"), ""))
		}
		if taken.Has(m.MountPath) {
			errs = append(errs, field.Invalid(at.Child("mountPath"), m.MountPath, "must be unique"))
		}
		taken.Insert(m.MountPath)
		if _, device := devices[m.Name]; device {
			errs = append(errs, field.Invalid(at.Child("name"), m.Name, "must not already exist in volumeDevices"))
		}
		if devicePaths.Has(m.MountPath) {
			errs = append(errs, field.Invalid(at.Child("mountPath"), m.MountPath, "must not already exist as a path in volumeDevices"))
		}
		errs = append(errs, validateMountOptions(m, c, path, at)...)
	}
	return errs
}

// validateMountOptions validates the options of a mount. Upstream reports most of these fields with
// the path of the list, and only one with that of the mount.
func validateMountOptions(m *corev1.VolumeMount, c *corev1.Container, list, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if m.SubPath != "" {
		errs = append(errs, check.DescendingPath(m.SubPath, list.Child("subPath"))...)
	}
	if m.SubPathExpr != "" {
		if m.SubPath != "" {
			errs = append(errs, field.Invalid(at.Child("subPathExpr"), m.SubPathExpr, "subPathExpr and subPath are mutually exclusive"))
		}
		errs = append(errs, check.DescendingPath(m.SubPathExpr, list.Child("subPathExpr"))...)
	}
	errs = append(errs, validatePropagation(m, c, list.Child("mountPropagation"))...)
	return append(errs, validateRecursiveReadOnly(m, list.Child("recursiveReadOnly"))...)
}

var (
	propagationModes = []corev1.MountPropagationMode{
		corev1.MountPropagationBidirectional, corev1.MountPropagationHostToContainer, corev1.MountPropagationNone,
	}
	recursiveReadOnlyModes = []corev1.RecursiveReadOnlyMode{
		corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible,
	}
)

func validatePropagation(m *corev1.VolumeMount, c *corev1.Container, path *field.Path) field.ErrorList {
	if m.MountPropagation == nil {
		return nil
	}
	errs := check.Enum(*m.MountPropagation, propagationModes, path)
	privileged := c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged
	if *m.MountPropagation == corev1.MountPropagationBidirectional && !privileged {
		errs = append(errs, field.Forbidden(path, "Bidirectional mount propagation is available only to privileged containers"))
	}
	return errs
}

func validateRecursiveReadOnly(m *corev1.VolumeMount, path *field.Path) field.ErrorList {
	if m.RecursiveReadOnly == nil || *m.RecursiveReadOnly == corev1.RecursiveReadOnlyDisabled {
		return nil
	}
	if errs := check.Enum(*m.RecursiveReadOnly, recursiveReadOnlyModes, path); len(errs) > 0 {
		return errs
	}
	var errs field.ErrorList
	if !m.ReadOnly {
		errs = append(errs, field.Forbidden(path, "may only be specified when readOnly is true"))
	}
	if m.MountPropagation != nil && *m.MountPropagation != corev1.MountPropagationNone {
		errs = append(errs, field.Forbidden(path, "may only be specified when mountPropagation is None or not specified"))
	}
	return errs
}

// validateDevices validates a container's block devices: volumes backed by a PersistentVolumeClaim
// that are not mounted as well.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumeDevices
func validateDevices(c *corev1.Container, volumes map[string]corev1.VolumeSource, path *field.Path) field.ErrorList {
	mounts := make(map[string]string, len(c.VolumeMounts))
	for _, m := range c.VolumeMounts {
		mounts[m.Name] = m.MountPath
	}
	mountPaths := valueSet(mounts)

	var errs field.ErrorList
	names, paths := sets.New[string](), sets.New[string]()
	for i, d := range c.VolumeDevices {
		at := path.Index(i)
		name, devicePath := at.Child("name"), at.Child("devicePath")
		if d.Name == "" {
			errs = append(errs, field.Required(name, ""))
		}
		if names.Has(d.Name) {
			errs = append(errs, field.Invalid(name, d.Name, "must be unique"))
		}
		switch source, found := volumes[d.Name]; {
		case !found:
			errs = append(errs, field.NotFound(name, d.Name))
		case source.PersistentVolumeClaim == nil && source.Ephemeral == nil:
			errs = append(errs, field.Invalid(name, d.Name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"))
		}
		if d.DevicePath == "" {
			errs = append(errs, field.Required(devicePath, ""))
		}
		if paths.Has(d.DevicePath) {
			errs = append(errs, field.Invalid(devicePath, d.DevicePath, "must be unique"))
		}
		if check.HasBackstep(d.DevicePath) {
			errs = append(errs, field.Invalid(devicePath, d.DevicePath, "can not contain backsteps ('..')"))
		} else {
			paths.Insert(d.DevicePath)
		}
		if _, mounted := mounts[d.Name]; mounted {
			errs = append(errs, field.Invalid(name, d.Name, "must not already exist in volumeMounts"))
		}
		if mountPaths.Has(d.DevicePath) {
			errs = append(errs, field.Invalid(devicePath, d.DevicePath, "must not already exist as a path in volumeMounts"))
		}
		if d.Name != "" {
			names.Insert(d.Name)
		}
	}
	return errs
}

func valueSet(m map[string]string) sets.Set[string] {
	values := sets.New[string]()
	for _, v := range m {
		values.Insert(v)
	}
	return values
}
