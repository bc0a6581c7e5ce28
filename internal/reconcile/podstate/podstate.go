// Package podstate answers the questions that workload controllers ask about a Pod: does it count,
// is it ready, is it available and, if not yet, when. Every answer is a function of the Pod and,
// where it depends on time, of the time passed in.
package podstate

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Terminal reports whether the Pod's phase is one it never leaves: Succeeded or Failed.
func Terminal(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// Bound reports whether a Pod, nil for none, has a node.
func Bound(p *corev1.Pod) bool { return p != nil && p.Spec.NodeName != "" }

// Active reports whether the Pod counts as a replica: neither finished nor being deleted.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, IsPodActive
func Active(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && !Terminal(p)
}

// Terminating reports whether the Pod is being deleted and still runs.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, IsPodTerminating
func Terminating(p *corev1.Pod) bool {
	return p.DeletionTimestamp != nil && !Terminal(p)
}

// Ready reports whether the Pod's Ready condition is True.
func Ready(p *corev1.Pod) bool {
	c := readyCondition(p)
	return c != nil && c.Status == corev1.ConditionTrue
}

// MayBeReady reports whether the Pod has a condition Ready that is not False.
func MayBeReady(p *corev1.Pod) bool {
	c := readyCondition(p)
	return c != nil && c.Status != corev1.ConditionFalse
}

// ReadySince is when a Ready Pod became Ready; zero if it is not Ready or does not record the time.
func ReadySince(p *corev1.Pod) time.Time {
	if c := readyCondition(p); c != nil && c.Status == corev1.ConditionTrue {
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}

// Available reports whether the Pod has been Ready for minReadySeconds at now. If minReadySeconds
// is zero, being Ready is enough. Otherwise a Ready Pod that does not record since when is never
// available.
//
// Source: kubernetes v1.36 pkg/api/v1/pod/util.go, IsPodAvailable
func Available(p *corev1.Pod, minReadySeconds int32, now time.Time) bool {
	if !Ready(p) {
		return false
	}
	if minReadySeconds <= 0 {
		return true
	}
	since := ReadySince(p)
	return !since.IsZero() && !since.Add(seconds(minReadySeconds)).After(now)
}

// NextAvailable is the earliest time after now at which one of the Pods becomes available merely
// because time passes; zero if none will.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, FindMinNextPodAvailabilityCheck
func NextAvailable(pods []*corev1.Pod, minReadySeconds int32, now time.Time) time.Time {
	var next time.Time
	if minReadySeconds <= 0 {
		return next
	}
	for _, p := range pods {
		since := ReadySince(p)
		if since.IsZero() {
			continue
		}
		at := since.Add(seconds(minReadySeconds))
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// Restarts is the highest restart count of a container, and the highest of a sidecar.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, maxContainerRestarts
func Restarts(p *corev1.Pod) (regular, sidecar int32) {
	for i := range p.Status.ContainerStatuses {
		regular = max(regular, p.Status.ContainerStatuses[i].RestartCount)
	}
	for i := range p.Status.InitContainerStatuses {
		if status := &p.Status.InitContainerStatuses[i]; Sidecar(p, status.Name) {
			sidecar = max(sidecar, status.RestartCount)
		}
	}
	return regular, sidecar
}

// Sidecar reports whether the Pod has a sidecar of that name: an init container with restartPolicy
// Always.
func Sidecar(p *corev1.Pod, name string) bool {
	for i := range p.Spec.InitContainers {
		c := &p.Spec.InitContainers[i]
		if c.Name == name {
			return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		}
	}
	return false
}

func readyCondition(p *corev1.Pod) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == corev1.PodReady {
			return &p.Status.Conditions[i]
		}
	}
	return nil
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }
