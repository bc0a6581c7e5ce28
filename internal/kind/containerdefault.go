package kind

import (
	"cmp"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
)

// defaultContainer fills in, in place, what a container of any sort leaves out.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Container, and
// pkg/apis/core/v1/zz_generated.defaults.go
func defaultContainer(c *corev1.Container) {
	c.ImagePullPolicy = cmp.Or(c.ImagePullPolicy, pullPolicyOf(c.Image))
	c.TerminationMessagePath = cmp.Or(c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	c.TerminationMessagePolicy = cmp.Or(c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		c.Ports[i].Protocol = cmp.Or(c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		defaultEnvSource(c.Env[i].ValueFrom)
	}
	roundUp(c.Resources.Limits, c.Resources.Requests)
	defaultProbe(c.LivenessProbe)
	defaultProbe(c.ReadinessProbe)
	defaultProbe(c.StartupProbe)
	if c.Lifecycle != nil {
		defaultLifecycleHandler(c.Lifecycle.PostStart)
		defaultLifecycleHandler(c.Lifecycle.PreStop)
	}
}

// pullPolicyOf is the policy for an image: Always for the tag "latest", which is also that of an image with neither
// tag nor digest; otherwise IfNotPresent, also for what is no image name at all.
//
// Source: kubernetes v1.36 pkg/util/parsers/parsers.go, ParseImageName
func pullPolicyOf(image string) corev1.PullPolicy {
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return corev1.PullIfNotPresent // validation, not defaulting, judges the name
	}
	tagged, ok := reference.TagNameOnly(named).(reference.Tagged)
	if ok && tagged.Tag() == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func defaultEnvSource(s *corev1.EnvVarSource) {
	if s == nil {
		return
	}
	defaultFieldRef(s.FieldRef)
	if s.FileKeyRef != nil {
		setDefault(&s.FileKeyRef.Optional, false)
	}
}

func defaultFieldRef(ref *corev1.ObjectFieldSelector) {
	if ref != nil {
		ref.APIVersion = cmp.Or(ref.APIVersion, "v1")
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
		setDefault(&p.GRPC.Service, "")
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
