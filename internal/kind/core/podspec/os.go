package podspec

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var operatingSystems = []corev1.OSName{corev1.Linux, corev1.Windows}

func isWindows(s *corev1.PodSpec) bool { return s.OS != nil && s.OS.Name == corev1.Windows }

// validatePodOS validates spec.os, and that no field is set that has no meaning on that system.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateOS, validateLinux and validateWindows
func validatePodOS(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if s.OS == nil {
		return nil
	}
	if s.OS.Name == "" {
		return field.ErrorList{field.Required(path.Child("os", "name"), "")}
	}
	if errs := check.Enum(s.OS.Name, operatingSystems, path.Child("os")); len(errs) > 0 {
		return errs
	}
	var errs field.ErrorList
	forbid := func(at *field.Path, fields []optionalField, msg string) {
		for _, f := range fields {
			if f.set {
				errs = append(errs, field.Forbidden(at.Child(f.name), msg))
			}
		}
	}
	windows := isWindows(s)
	const onLinux, onWindows = "windows options cannot be set for a linux pod", "cannot be set for a windows pod"
	if sc := s.SecurityContext; sc != nil && windows {
		podFields(s, path, func(at *field.Path, fields ...optionalField) { forbid(at, fields, onWindows) })
	} else if sc != nil {
		forbid(path.Child("securityContext"), []optionalField{{"windowsOptions", sc.WindowsOptions != nil}}, onLinux)
	}
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		at := path.Child("securityContext")
		switch sc := c.SecurityContext; {
		case sc == nil:
		case windows:
			forbid(at, containerFields(sc), onWindows)
		default:
			forbid(at, []optionalField{{"windowsOptions", sc.WindowsOptions != nil}}, onLinux)
		}
	})
	return errs
}

// optionalField is a field's name and whether it is set.
type optionalField struct {
	name string
	set  bool
}

// podFields passes the fields of a Pod that have no meaning on Windows to visit, in upstream's
// order: some are in the security context, some in the spec.
func podFields(s *corev1.PodSpec, spec *field.Path, visit func(at *field.Path, fields ...optionalField)) {
	sc, context := s.SecurityContext, spec.Child("securityContext")
	visit(context,
		optionalField{"appArmorProfile", sc.AppArmorProfile != nil},
		optionalField{"seLinuxOptions", sc.SELinuxOptions != nil})
	visit(spec,
		optionalField{"hostUsers", s.HostUsers != nil},
		optionalField{"hostPID", s.HostPID},
		optionalField{"hostIPC", s.HostIPC})
	visit(context,
		optionalField{"seccompProfile", sc.SeccompProfile != nil},
		optionalField{"fsGroup", sc.FSGroup != nil},
		optionalField{"fsGroupChangePolicy", sc.FSGroupChangePolicy != nil},
		optionalField{"sysctls", len(sc.Sysctls) > 0})
	visit(spec, optionalField{"shareProcessNamespace", s.ShareProcessNamespace != nil})
	visit(context,
		optionalField{"runAsUser", sc.RunAsUser != nil},
		optionalField{"runAsGroup", sc.RunAsGroup != nil},
		optionalField{"supplementalGroups", sc.SupplementalGroups != nil},
		optionalField{"supplementalGroupsPolicy", sc.SupplementalGroupsPolicy != nil},
		optionalField{"seLinuxChangePolicy", sc.SELinuxChangePolicy != nil})
}

// containerFields returns the fields of a container's security context that have no meaning on
// Windows.
func containerFields(sc *corev1.SecurityContext) []optionalField {
	return []optionalField{
		{"appArmorProfile", sc.AppArmorProfile != nil},
		{"seLinuxOptions", sc.SELinuxOptions != nil},
		{"seccompProfile", sc.SeccompProfile != nil},
		{"capabilities", sc.Capabilities != nil},
		{"readOnlyRootFilesystem", sc.ReadOnlyRootFilesystem != nil},
		{"privileged", sc.Privileged != nil},
		{"allowPrivilegeEscalation", sc.AllowPrivilegeEscalation != nil},
		{"procMount", sc.ProcMount != nil},
		{"runAsUser", sc.RunAsUser != nil},
		{"runAsGroup", sc.RunAsGroup != nil},
	}
}

// validateHostProcess checks that either all containers of a Windows Pod, on the host's network,
// are host processes, or none is.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateWindowsHostProcessPod
func validateHostProcess(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	var pod *bool
	if s.SecurityContext != nil && s.SecurityContext.WindowsOptions != nil {
		pod = s.SecurityContext.WindowsOptions.HostProcess
	}
	containers, onHost := 0, 0
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		containers++
		own := pod
		if c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil && c.SecurityContext.WindowsOptions.HostProcess != nil {
			own = c.SecurityContext.WindowsOptions.HostProcess
		}
		if pod != nil && *pod != *own {
			at := path.Child("securityContext", "windowsOptions", "hostProcess")
			msg := fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v", *pod)
			errs = append(errs, field.Invalid(at, *own, msg))
		}
		if own != nil && *own {
			onHost++
		}
	})
	if onHost > 0 && onHost != containers {
		errs = append(errs, field.Invalid(path, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"))
	}
	if onHost > 0 && !s.HostNetwork {
		errs = append(errs, field.Invalid(path.Child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"))
	}
	return errs
}
