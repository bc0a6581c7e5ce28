package podspec

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateLifecycleAndProbes validates the hooks and probes of a container that may have them.
// grace is the Pod's grace period.
func validateLifecycleAndProbes(c *corev1.Container, grace *int64, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if l := c.Lifecycle; l != nil {
		errs = append(errs, validateLifecycleHandler(l.PostStart, grace, path.Child("lifecycle", "postStart"))...)
		errs = append(errs, validateLifecycleHandler(l.PreStop, grace, path.Child("lifecycle", "preStop"))...)
	}
	errs = append(errs, validateProbe(c.LivenessProbe, path.Child("livenessProbe"))...)
	errs = append(errs, validateOneSuccess(c.LivenessProbe, path.Child("livenessProbe"))...)
	readiness := path.Child("readinessProbe")
	errs = append(errs, validateProbe(c.ReadinessProbe, readiness)...)
	if p := c.ReadinessProbe; p != nil && p.TerminationGracePeriodSeconds != nil {
		at := readiness.Child("terminationGracePeriodSeconds")
		errs = append(errs, field.Invalid(at, p.TerminationGracePeriodSeconds, "must not be set for readinessProbes"))
	}
	errs = append(errs, validateProbe(c.StartupProbe, path.Child("startupProbe"))...)
	return append(errs, validateOneSuccess(c.StartupProbe, path.Child("startupProbe"))...)
}

// validateOneSuccess checks that successThreshold is 1 for a probe whose failure restarts the
// container.
func validateOneSuccess(p *corev1.Probe, path *field.Path) field.ErrorList {
	if p == nil || p.SuccessThreshold == 1 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("successThreshold"), p.SuccessThreshold, "must be 1")}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateProbe
func validateProbe(p *corev1.Probe, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	errs := validateHandler(handler{exec: p.Exec, httpGet: p.HTTPGet, tcpSocket: p.TCPSocket, grpc: p.GRPC}, nil, path)
	errs = append(errs, check.Counts(path,
		check.Count("initialDelaySeconds", int64(p.InitialDelaySeconds)),
		check.Count("timeoutSeconds", int64(p.TimeoutSeconds)),
		check.Count("periodSeconds", int64(p.PeriodSeconds)),
		check.Count("successThreshold", int64(p.SuccessThreshold)),
		check.Count("failureThreshold", int64(p.FailureThreshold)),
	)...)
	if grace := p.TerminationGracePeriodSeconds; grace != nil && *grace <= 0 {
		errs = append(errs, field.Invalid(path.Child("terminationGracePeriodSeconds"), *grace, "must be greater than 0"))
	}
	return errs
}

func validateLifecycleHandler(h *corev1.LifecycleHandler, grace *int64, path *field.Path) field.ErrorList {
	if h == nil {
		return nil
	}
	return validateHandler(handler{exec: h.Exec, httpGet: h.HTTPGet, tcpSocket: h.TCPSocket, sleep: h.Sleep}, grace, path)
}

// handler is the common part of probes and hooks: one of several actions.
type handler struct {
	exec      *corev1.ExecAction
	httpGet   *corev1.HTTPGetAction
	tcpSocket *corev1.TCPSocketAction
	grpc      *corev1.GRPCAction
	sleep     *corev1.SleepAction
}

// validateHandler checks that there is exactly one action, and validates the first. If grace is
// nil, which is reported elsewhere, it does not limit a sleep.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateHandler
func validateHandler(h handler, grace *int64, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	found := false
	action := func(name string, set bool, validate func(path *field.Path) field.ErrorList) {
		switch at := path.Child(name); {
		case !set:
		case found:
			errs = append(errs, field.Forbidden(at, "may not specify more than 1 handler type"))
		default:
			found = true
			errs = append(errs, validate(at)...)
		}
	}
	action("exec", h.exec != nil, func(at *field.Path) field.ErrorList {
		if len(h.exec.Command) == 0 {
			return field.ErrorList{field.Required(at.Child("command"), "")}
		}
		return nil
	})
	action("httpGet", h.httpGet != nil, func(at *field.Path) field.ErrorList { return validateHTTPGet(h.httpGet, at) })
	action("tcpSocket", h.tcpSocket != nil, func(at *field.Path) field.ErrorList {
		return check.PortNumOrName(h.tcpSocket.Port, at.Child("port"))
	})
	action("grpc", h.grpc != nil, func(at *field.Path) field.ErrorList {
		return check.PortNumOrName(intstr.FromInt32(h.grpc.Port), at.Child("port"))
	})
	action("sleep", h.sleep != nil, func(at *field.Path) field.ErrorList {
		if grace == nil || h.sleep.Seconds >= 0 && h.sleep.Seconds <= *grace {
			return nil
		}
		msg := fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", *grace)
		return field.ErrorList{field.Invalid(at, h.sleep.Seconds, msg)}
	})
	if !found {
		errs = append(errs, field.Required(path, "must specify a handler type"))
	}
	return errs
}

var uriSchemes = []corev1.URIScheme{corev1.URISchemeHTTP, corev1.URISchemeHTTPS}

func validateHTTPGet(get *corev1.HTTPGetAction, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if get.Path == "" {
		errs = append(errs, field.Required(path.Child("path"), ""))
	}
	errs = append(errs, check.PortNumOrName(get.Port, path.Child("port"))...)
	errs = append(errs, check.Enum(get.Scheme, uriSchemes, path.Child("scheme"))...)
	for _, h := range get.HTTPHeaders {
		errs = append(errs, check.Invalid(path.Child("httpHeaders"), h.Name, utilvalidation.IsHTTPHeaderName(h.Name))...)
	}
	return errs
}
