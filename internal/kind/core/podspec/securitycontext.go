package podspec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/node/util/sysctl"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Enum values of a security context, sorted where messages list them so.
var (
	fsGroupChangePolicies      = []corev1.PodFSGroupChangePolicy{corev1.FSGroupChangeAlways, corev1.FSGroupChangeOnRootMismatch}
	supplementalGroupsPolicies = []corev1.SupplementalGroupsPolicy{
		corev1.SupplementalGroupsPolicyMerge, corev1.SupplementalGroupsPolicyStrict,
	}
	seLinuxChangePolicies = []corev1.PodSELinuxChangePolicy{corev1.SELinuxChangePolicyRecursive} // SELinuxMount is off
	procMountTypes        = []corev1.ProcMountType{corev1.DefaultProcMount, corev1.UnmaskedProcMount}
)

// validatePodSecurityContext validates spec.securityContext, at the given path, with the host
// namespaces that the spec uses.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodSpecSecurityContext
func validatePodSecurityContext(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	sc := s.SecurityContext
	if sc == nil {
		return nil
	}
	var errs field.ErrorList
	if sc.FSGroup != nil {
		errs = append(errs, check.Invalid(path.Child("fsGroup"), *sc.FSGroup, utilvalidation.IsValidGroupID(*sc.FSGroup))...)
	}
	errs = append(errs, validateUserAndGroup(sc.RunAsUser, sc.RunAsGroup, path)...)
	for i, group := range sc.SupplementalGroups {
		errs = append(errs, check.Invalid(path.Child("supplementalGroups").Index(i), group, utilvalidation.IsValidGroupID(group))...)
	}
	if share := s.ShareProcessNamespace; share != nil && *share && s.HostPID {
		errs = append(errs, field.Invalid(path.Child("shareProcessNamespace"), *share, "ShareProcessNamespace and HostPID cannot both be enabled"))
	}
	errs = append(errs, validateSysctls(s, path.Child("sysctls"))...)
	if sc.FSGroupChangePolicy != nil {
		errs = append(errs, check.Enum(*sc.FSGroupChangePolicy, fsGroupChangePolicies, path.Child("fsGroupChangePolicy"))...)
	}
	errs = append(errs, validateSeccompProfile(sc.SeccompProfile, path.Child("seccompProfile"))...)
	errs = append(errs, validateWindowsOptions(sc.WindowsOptions, path.Child("windowsOptions"))...)
	errs = append(errs, validateAppArmorProfile(sc.AppArmorProfile, path.Child("appArmorProfile"))...)
	if sc.SupplementalGroupsPolicy != nil {
		errs = append(errs, check.Enum(*sc.SupplementalGroupsPolicy, supplementalGroupsPolicies, path.Child("supplementalGroupsPolicy"))...)
	}
	if sc.SELinuxChangePolicy != nil {
		errs = append(errs, check.Enum(*sc.SELinuxChangePolicy, seLinuxChangePolicies, path.Child("seLinuxChangePolicy"))...)
	}
	return errs
}

func validateUserAndGroup(user, group *int64, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if user != nil {
		errs = append(errs, check.Invalid(path.Child("runAsUser"), *user, utilvalidation.IsValidUserID(*user))...)
	}
	if group != nil {
		errs = append(errs, check.Invalid(path.Child("runAsGroup"), *group, utilvalidation.IsValidGroupID(*group))...)
	}
	return errs
}

const maxSysctlLength = 253

var sysctlPattern = regexp.MustCompile(`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`)

// validateSysctls validates the names of kernel parameters. None may affect the host.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateSysctls and ValidateHostSysctl
func validateSysctls(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, parameter := range s.SecurityContext.Sysctls {
		name, at := parameter.Name, path.Index(i).Child("name")
		switch {
		case name == "":
			errs = append(errs, field.Required(at, ""))
		case len(name) > maxSysctlLength || !sysctlPattern.MatchString(name):
			msg := fmt.Sprintf("must have at most %d characters and match regex %s", maxSysctlLength, sysctlPattern)
			errs = append(errs, field.Invalid(at, name, msg))
		case seen.Has(name):
			errs = append(errs, field.Duplicate(at, name))
		}
		seen.Insert(name)
		switch namespace, _, _ := sysctl.GetNamespace(name); {
		case s.HostNetwork && namespace == sysctl.NetNamespace:
			errs = append(errs, field.Invalid(at, name, "may not be specified when 'hostNetwork' is true"))
		case s.HostIPC && namespace == sysctl.IPCNamespace:
			errs = append(errs, field.Invalid(at, name, "may not be specified when 'hostIPC' is true"))
		}
	}
	return errs
}

// validateSecurityContext validates a container's own context.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecurityContext
func validateSecurityContext(sc *corev1.SecurityContext, hostUsers bool, path *field.Path) field.ErrorList {
	if sc == nil {
		return nil
	}
	errs := validateUserAndGroup(sc.RunAsUser, sc.RunAsGroup, path)
	if sc.ProcMount != nil {
		errs = append(errs, check.Enum(*sc.ProcMount, procMountTypes, path.Child("procMount"))...)
		if hostUsers && *sc.ProcMount == corev1.UnmaskedProcMount {
			errs = append(errs, field.Invalid(path.Child("procMount"), sc.ProcMount, "`hostUsers` must be false to use `Unmasked`"))
		}
	}
	errs = append(errs, validateSeccompProfile(sc.SeccompProfile, path.Child("seccompProfile"))...)
	errs = append(errs, validateEscalation(sc, path)...)
	errs = append(errs, validateWindowsOptions(sc.WindowsOptions, path.Child("windowsOptions"))...)
	return append(errs, validateAppArmorProfile(sc.AppArmorProfile, path.Child("appArmorProfile"))...)
}

// validateEscalation checks that a container that must not gain privileges does not start with all
// of them.
//
// Differs: a repeated capability is reported once, because each error repeats the whole context.
func validateEscalation(sc *corev1.SecurityContext, path *field.Path) field.ErrorList {
	if sc.AllowPrivilegeEscalation == nil || *sc.AllowPrivilegeEscalation {
		return nil
	}
	var errs field.ErrorList
	if sc.Privileged != nil && *sc.Privileged {
		errs = append(errs, field.Invalid(path, check.Untagged(sc), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
	}
	if sc.Capabilities != nil && slices.Contains(sc.Capabilities.Add, "CAP_SYS_ADMIN") {
		errs = append(errs, field.Invalid(path, check.Untagged(sc), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"))
	}
	return errs
}

var seccompProfileTypes = []corev1.SeccompProfileType{
	corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeUnconfined,
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateSeccompProfileField
func validateSeccompProfile(p *corev1.SeccompProfile, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	var errs field.ErrorList
	if p.Type == "" {
		errs = append(errs, field.Required(path.Child("type"), "type is required when seccompProfile is set"))
	} else {
		errs = append(errs, check.Enum(p.Type, seccompProfileTypes, path.Child("type"))...)
	}
	local, at := p.Type == corev1.SeccompProfileTypeLocalhost, path.Child("localhostProfile")
	switch {
	case local && p.LocalhostProfile == nil:
		errs = append(errs, field.Required(at, "must be set when seccomp type is Localhost"))
	case local:
		errs = append(errs, check.DescendingPath(*p.LocalhostProfile, at)...)
	case p.LocalhostProfile != nil:
		errs = append(errs, field.Invalid(at, check.Untagged(p), "can only be set when seccomp type is Localhost"))
	}
	return errs
}

var appArmorProfileTypes = []corev1.AppArmorProfileType{
	corev1.AppArmorProfileTypeLocalhost, corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeUnconfined,
}

const maxAppArmorProfileLength = 4095 // the length of a path in Linux

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateAppArmorProfileField
func validateAppArmorProfile(p *corev1.AppArmorProfile, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	if p.Type == "" {
		return field.ErrorList{field.Required(path.Child("type"), "type is required when appArmorProfile is set")}
	}
	if errs := check.Enum(p.Type, appArmorProfileTypes, path.Child("type")); len(errs) > 0 {
		return errs
	}
	const wanted = "must be set when AppArmor type is Localhost"
	local, at := p.Type == corev1.AppArmorProfileTypeLocalhost, path.Child("localhostProfile")
	switch {
	case !local && p.LocalhostProfile == nil:
		return nil
	case !local:
		return field.ErrorList{field.Invalid(at, p.LocalhostProfile, "can only be set when AppArmor type is Localhost")}
	case p.LocalhostProfile == nil:
		return field.ErrorList{field.Required(at, wanted)}
	}
	var errs field.ErrorList
	switch name := *p.LocalhostProfile; {
	case strings.TrimSpace(name) != name:
		errs = append(errs, field.Invalid(at, name, "must not be padded with whitespace"))
	case name == "":
		errs = append(errs, field.Required(at, wanted))
	}
	if len(*p.LocalhostProfile) > maxAppArmorProfileLength {
		errs = append(errs, field.TooLong(at, "", maxAppArmorProfileLength))
	}
	return errs
}
