package podspec

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// defaultContainer applies the defaults of containers of all types, in place.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Container, and
// pkg/apis/core/v1/zz_generated.defaults.go
func defaultContainer(c *corev1.Container) {
	c.ImagePullPolicy = cmp.Or(c.ImagePullPolicy, volume.PullPolicyOf(c.Image))
	c.TerminationMessagePath = cmp.Or(c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	c.TerminationMessagePolicy = cmp.Or(c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		c.Ports[i].Protocol = cmp.Or(c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		defaultEnvSource(c.Env[i].ValueFrom)
	}
	kind.RoundUp(c.Resources.Limits, c.Resources.Requests)
	defaultProbe(c.LivenessProbe)
	defaultProbe(c.ReadinessProbe)
	defaultProbe(c.StartupProbe)
	if c.Lifecycle != nil {
		defaultLifecycleHandler(c.Lifecycle.PostStart)
		defaultLifecycleHandler(c.Lifecycle.PreStop)
	}
}

func defaultEnvSource(s *corev1.EnvVarSource) {
	if s == nil {
		return
	}
	volume.DefaultFieldRef(s.FieldRef)
	if s.FileKeyRef != nil {
		kind.SetDefault(&s.FileKeyRef.Optional, false)
	}
}

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Probe
func defaultProbe(p *corev1.Probe) {
	if p == nil {
		return
	}
	p.TimeoutSeconds = cmp.Or(p.TimeoutSeconds, 1)
	p.PeriodSeconds = cmp.Or(p.PeriodSeconds, 10)
	p.SuccessThreshold = cmp.Or(p.SuccessThreshold, 1)
	p.FailureThreshold = cmp.Or(p.FailureThreshold, 3)
	defaultHTTPGet(p.HTTPGet)
	if p.GRPC != nil {
		kind.SetDefault(&p.GRPC.Service, "")
	}
}

func defaultLifecycleHandler(h *corev1.LifecycleHandler) {
	if h != nil {
		defaultHTTPGet(h.HTTPGet)
	}
}

func defaultHTTPGet(get *corev1.HTTPGetAction) {
	if get != nil {
		get.Path = cmp.Or(get.Path, "/")
		get.Scheme = cmp.Or(get.Scheme, corev1.URISchemeHTTP)
	}
}
