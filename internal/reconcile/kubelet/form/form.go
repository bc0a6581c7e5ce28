// Package form decides in which form a Pod runs. A Pod whose containers only serve, sleep or are
// unknown needs no machine: how they run and answer follows from the spec and their start time, in
// closed form. All other Pods run in a machine.
package form

import (
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/profile"
)

// NeedsMachine reports whether only running the Pod's containers can tell what they do.
func NeedsMachine(pod *corev1.Pod, images *emulator.Catalogue) bool {
	spec := &pod.Spec
	has := profile.Has(pod.Annotations)
	runs := func(c *corev1.Container, joins bool) bool {
		img, err := images.Find(c.Image)
		if err != nil || img.PullError != "" || !img.IsKnown() {
			return false
		}
		return !(has && profile.Of(pod, c.Name, 0).Replaced) && (joins || SharesProcesses(pod) || !ServesOnly(img, c, img.Timeline(c)))
	}
	for i := range spec.InitContainers {
		if runs(&spec.InitContainers[i], false) {
			return true
		}
	}
	for i := range spec.Containers {
		if runs(&spec.Containers[i], false) {
			return true
		}
	}
	for i := range spec.EphemeralContainers {
		c := corev1.Container(spec.EphemeralContainers[i].EphemeralContainerCommon)
		if runs(&c, spec.EphemeralContainers[i].TargetContainerName != "") {
			return true
		}
	}
	return false
}

// ServesOnly reports whether the container's program only sleeps, or is its image's server and
// nothing in the Pod can influence it.
func ServesOnly(img *emulator.Image, c *corev1.Container, t emulator.Timeline) bool {
	if l := c.Lifecycle; l != nil && (l.PostStart != nil || l.StopSignal != nil || l.PreStop != nil && l.PreStop.Sleep == nil) {
		return false
	}
	asksHTTP, asksOthers := false, false
	for _, p := range [...]*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if p != nil && (p.Exec != nil || p.HTTPGet != nil && p.HTTPGet.Scheme == corev1.URISchemeHTTPS) {
			return false
		}
		asksHTTP = asksHTTP || p != nil && p.HTTPGet != nil
		asksOthers = asksOthers || p != nil && (p.HTTPGet != nil && p.HTTPGet.Host != "" || p.TCPSocket != nil && p.TCPSocket.Host != "")
	}
	if asksOthers {
		return false
	}
	if t.Served {
		return !asksHTTP || !mountsFiles(c)
	}
	argv := img.Argv(c)
	if len(argv) == 0 || !t.Understood && !t.Forever || asksHTTP {
		return false
	}
	switch path.Base(argv[0]) {
	case "sleep":
		return t.Understood
	case "pause":
		return true
	}
	return false
}

// mountsFiles reports whether the container has volumes that may contain what its server serves.
func mountsFiles(c *corev1.Container) bool {
	for _, m := range c.VolumeMounts {
		if !strings.HasPrefix(m.MountPath, "/var/run/secrets/") {
			return true
		}
	}
	return false
}

// SharesProcesses reports whether the Pod's containers see each other's processes.
func SharesProcesses(pod *corev1.Pod) bool {
	return pod.Spec.ShareProcessNamespace != nil && *pod.Spec.ShareProcessNamespace
}
