package podspec

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

const (
	sidecarOnly  = "may not be set for init containers without restartPolicy=Always"
	policyWanted = "must specify restartPolicy when restart rules are used"
)

// IsSidecar reports whether an init container is a sidecar: it keeps running alongside the app
// containers.
func IsSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainers
func validateContainers(containers []corev1.Container, ctx *Context, path *field.Path) field.ErrorList {
	if len(containers) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	names := sets.New[string]()
	for i := range containers {
		c, at := &containers[i], path.Index(i)
		errs = append(errs, validateContainer(c, ctx, at)...)
		if names.Has(c.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		}
		names.Insert(c.Name)
		errs = append(errs, validateLifecycleAndProbes(c, ctx.grace, at)...)
		errs = append(errs, validateContainerRestartPolicy(c, at)...)
	}
	return append(errs, validateHostPortsUnique(containers, path)...)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateInitContainers
func validateInitContainers(s *corev1.PodSpec, ctx *Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := sets.New[string]()
	for _, c := range s.Containers {
		names.Insert(c.Name)
	}
	for i := range s.InitContainers {
		c, at := &s.InitContainers[i], path.Index(i)
		errs = append(errs, validateContainer(c, ctx, at)...)
		if c.RestartPolicy == nil && len(c.RestartPolicyRules) > 0 {
			errs = append(errs, field.Required(at.Child("restartPolicy"), policyWanted))
		} else {
			errs = append(errs, validateContainerRestartPolicy(c, at)...)
		}
		if names.Has(c.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		} else if c.Name != "" {
			names.Insert(c.Name)
		}
		// Init containers run one after another, so two of them may use the same port. Upstream,
		// too, reports the first container's path here.
		errs = append(errs, validateHostPortsUnique(s.InitContainers[i:i+1], path)...)
		if IsSidecar(c) {
			errs = append(errs, validateLifecycleAndProbes(c, ctx.grace, at)...)
			continue
		}
		errs = append(errs, validateNoLifecycleOrProbes(c, at)...)
		for j, p := range c.ResizePolicy {
			if p.RestartPolicy == corev1.RestartContainer {
				errs = append(errs, field.Invalid(at.Child("resizePolicy").Index(j).Child("restartPolicy"), p.RestartPolicy,
					"must not be set to 'RestartContainer' for non-sidecar initContainers"))
			}
		}
	}
	return errs
}

// validateNoLifecycleOrProbes checks that an init container other than a sidecar has no lifecycle
// hooks or probes.
func validateNoLifecycleOrProbes(c *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"lifecycle", c.Lifecycle != nil},
		{"livenessProbe", c.LivenessProbe != nil},
		{"readinessProbe", c.ReadinessProbe != nil},
		{"startupProbe", c.StartupProbe != nil},
	} {
		if f.set {
			errs = append(errs, field.Forbidden(path.Child(f.name), sidecarOnly))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateEphemeralContainers
func validateEphemeralContainers(s *corev1.PodSpec, ctx *Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	targets := sets.New[string]()
	for _, containers := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for _, c := range containers {
			targets.Insert(c.Name)
		}
	}
	names := targets.Clone()
	for i := range s.EphemeralContainers {
		e, at := &s.EphemeralContainers[i], path.Index(i)
		c := (*corev1.Container)(&e.EphemeralContainerCommon)
		errs = append(errs, validateContainer(c, ctx, at)...)
		errs = append(errs, ValidateImageSpace(c, at)...)
		if names.Has(e.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), e.Name))
		}
		names.Insert(e.Name)
		if e.TargetContainerName != "" && !targets.Has(e.TargetContainerName) {
			errs = append(errs, field.NotFound(at.Child("targetContainerName"), e.TargetContainerName))
		}
		errs = append(errs, validateEphemeralFields(c, at)...)
	}
	return errs
}

// validateEphemeralFields checks that an ephemeral container has none of the fields that it must
// not have.
func validateEphemeralFields(c *corev1.Container, path *field.Path) field.ErrorList {
	const msg = "cannot be set for an Ephemeral Container"
	var errs field.ErrorList
	forbid := func(at *field.Path, set bool) {
		if set {
			errs = append(errs, field.Forbidden(at, msg))
		}
	}
	r := c.Resources
	forbid(path.Child("ports"), c.Ports != nil)
	forbid(path.Child("resources"), r.Limits != nil || r.Requests != nil || r.Claims != nil)
	forbid(path.Child("resizePolicy"), c.ResizePolicy != nil)
	forbid(path.Child("restartPolicy"), c.RestartPolicy != nil)
	forbid(path.Child("restartPolicyRules"), c.RestartPolicyRules != nil)
	forbid(path.Child("livenessProbe"), c.LivenessProbe != nil)
	forbid(path.Child("readinessProbe"), c.ReadinessProbe != nil)
	forbid(path.Child("startupProbe"), c.StartupProbe != nil)
	forbid(path.Child("lifecycle"), c.Lifecycle != nil)
	for i, m := range c.VolumeMounts {
		at := path.Child("volumeMounts").Index(i)
		forbid(at.Child("subPath"), m.SubPath != "")
		forbid(at.Child("subPathExpr"), m.SubPathExpr != "")
	}
	return errs
}

var terminationMessagePolicies = []corev1.TerminationMessagePolicy{
	corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError,
}

// validateContainer validates what containers of all types have in common.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerCommon
func validateContainer(c *corev1.Container, ctx *Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if c.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	} else {
		errs = append(errs, check.DNSLabel(c.Name, path.Child("name"))...)
	}
	if c.Image == "" {
		errs = append(errs, field.Required(path.Child("image"), ""))
	}
	errs = append(errs, check.RequiredEnum(c.TerminationMessagePolicy, terminationMessagePolicies, path.Child("terminationMessagePolicy"))...)
	errs = append(errs, validatePorts(c.Ports, path.Child("ports"))...)
	errs = append(errs, validateEnv(c.Env, path.Child("env"))...)
	errs = append(errs, validateEnvFrom(c.EnvFrom, path.Child("envFrom"))...)
	errs = append(errs, validateMounts(c, ctx.volumes, path.Child("volumeMounts"))...)
	errs = append(errs, validateDevices(c, ctx.volumes, path.Child("volumeDevices"))...)
	errs = append(errs, check.RequiredEnum(c.ImagePullPolicy, volume.PullPolicies, path.Child("imagePullPolicy"))...)
	errs = append(errs, ValidateResources(&c.Resources, check.ContainerResourceName, ctx, path.Child("resources"))...)
	errs = append(errs, validateResizePolicy(c.ResizePolicy, ctx.restartPolicy, path.Child("resizePolicy"))...)
	return append(errs, validateSecurityContext(c.SecurityContext, ctx.hostUsers, path.Child("securityContext"))...)
}

var (
	containerRestartPolicies = []corev1.ContainerRestartPolicy{
		corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure,
	}
	restartRuleActions = []corev1.ContainerRestartRuleAction{
		corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers,
	}
	exitCodeOperators = []corev1.ContainerRestartRuleOnExitCodesOperator{
		corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn,
	}
)

// validateContainerRestartPolicy validates a container's own restart policy and its rules.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerRestartPolicy and
// validateInitContainerRestartPolicy, which does not validate rules without a policy
func validateContainerRestartPolicy(c *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("restartPolicy")
	switch {
	case c.RestartPolicy != nil:
		errs = append(errs, check.Enum(*c.RestartPolicy, containerRestartPolicies, at)...)
	case len(c.RestartPolicyRules) > 0:
		errs = append(errs, field.Required(at, policyWanted))
	}

	rules := path.Child("restartPolicyRules")
	if n := len(c.RestartPolicyRules); n > 20 {
		errs = append(errs, field.TooMany(rules, n, 20))
	}
	for i, rule := range c.RestartPolicyRules {
		errs = append(errs, check.Enum(rule.Action, restartRuleActions, rules.Index(i).Child("action"))...)
		codes := rules.Index(i).Child("exitCodes")
		if rule.ExitCodes == nil {
			errs = append(errs, field.Required(codes, "must be specified"))
			continue
		}
		errs = append(errs, check.Enum(rule.ExitCodes.Operator, exitCodeOperators, codes.Child("operator"))...)
		if n := len(rule.ExitCodes.Values); n > 255 {
			errs = append(errs, field.TooMany(codes.Child("values"), n, 255))
		}
	}
	return errs
}

// validateHostPortsUnique checks that no two containers use the same port of the node.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, AccumulateUniqueHostPorts
func validateHostPortsUnique(containers []corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	taken := sets.New[string]()
	for i, c := range containers {
		for j, p := range c.Ports {
			if p.HostPort == 0 {
				continue
			}
			port := fmt.Sprintf("%s/%s/%d", p.Protocol, p.HostIP, p.HostPort)
			if taken.Has(port) {
				errs = append(errs, field.Duplicate(path.Index(i).Child("ports").Index(j).Child("hostPort"), port))
			}
			taken.Insert(port)
		}
	}
	return errs
}

// ValidateImageSpace rejects white space around an image's name. For compatibility, templates may
// have it.
func ValidateImageSpace(c *corev1.Container, path *field.Path) field.ErrorList {
	if strings.TrimSpace(c.Image) == c.Image {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("image"), c.Image, "must not have leading or trailing whitespace")}
}
