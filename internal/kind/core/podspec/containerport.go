package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerPorts
func validatePorts(ports []corev1.ContainerPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := sets.New[string]()
	for i, p := range ports {
		at := path.Index(i)
		if p.Name != "" {
			msgs := utilvalidation.IsValidPortName(p.Name)
			errs = append(errs, check.Invalid(at.Child("name"), p.Name, msgs)...)
			switch {
			case len(msgs) > 0:
			case names.Has(p.Name):
				errs = append(errs, field.Duplicate(at.Child("name"), p.Name))
			default:
				names.Insert(p.Name)
			}
		}
		if p.ContainerPort == 0 {
			errs = append(errs, field.Required(at.Child("containerPort"), ""))
		} else {
			errs = append(errs, check.Invalid(at.Child("containerPort"), p.ContainerPort, utilvalidation.IsValidPortNum(int(p.ContainerPort)))...)
		}
		if p.HostPort != 0 {
			errs = append(errs, check.Invalid(at.Child("hostPort"), p.HostPort, utilvalidation.IsValidPortNum(int(p.HostPort)))...)
		}
		errs = append(errs, check.RequiredEnum(p.Protocol, check.PortProtocols, at.Child("protocol"))...)
	}
	return errs
}

// validateHostPortsMatch checks that on the host's network a container's port equals its host port.
// A template may leave out the host port.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodHostNetworkDeps
func validateHostPortsMatch(s *corev1.PodSpec, ctx *Context, path *field.Path) field.ErrorList {
	if !s.HostNetwork {
		return nil
	}
	var errs field.ErrorList
	for i, c := range s.Containers {
		for j, p := range c.Ports {
			if (ctx.isPod || p.HostPort != 0) && p.HostPort != p.ContainerPort {
				at := path.Index(i).Child("ports").Index(j).Child("hostPort")
				errs = append(errs, field.Invalid(at, p.HostPort, "must match `containerPort` when `hostNetwork` is true"))
			}
		}
	}
	return errs
}
