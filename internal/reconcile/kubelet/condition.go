package kubelet

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reasons of conditions. Source: kubernetes v1.36 pkg/kubelet/status/generate.go.
const (
	podCompleted             = "PodCompleted"
	podFailed                = "PodFailed"
	containersNotReady       = "ContainersNotReady"
	containersNotInitialized = "ContainersNotInitialized"
	readinessGatesNotReady   = "ReadinessGatesNotReady"
)

// setConditions derives the conditions that belong to the kubelet and appends them to the others.
// torn is true if the containers' common network is gone; without an address it does not exist yet.
// Source: kubernetes v1.36 pkg/kubelet/status/generate.go.
func (k *sync) setConditions(torn bool) {
	old := k.Pod.Status.Conditions
	next := make([]corev1.PodCondition, 0, max(len(old), 5))
	for i := range old {
		if !ours(old[i].Type) {
			next = append(next, old[i])
		}
	}
	ready, containersReady := k.readyConditions()
	if r := k.resizing; !ended(k.status.Phase) {
		for _, c := range []*corev1.PodCondition{r.pending, r.progress} {
			if c != nil {
				next = append(next, *c)
			}
		}
	}
	if couldRestartAll(&k.Pod.Spec) {
		next = append(next, k.condition(corev1.AllContainersRestarting, k.restartingCondition()))
	}
	next = append(next,
		k.condition(corev1.PodReadyToStartContainers, verdict{ok: !torn && k.status.PodIP != ""}),
		k.condition(corev1.PodInitialized, k.initialized()),
		k.condition(corev1.PodReady, ready),
		k.condition(corev1.ContainersReady, containersReady),
		k.condition(corev1.PodScheduled, verdict{ok: true}))
	if k.fresh {
		for i := range next {
			if next[i].Type == corev1.PodReadyToStartContainers {
				next[i].LastTransitionTime = k.now // it shows the age of the sandbox
			}
		}
	}
	k.status.Conditions = next
	if len(next) != len(old) {
		k.changed = true
		return
	}
	for i := range next {
		if next[i] != old[i] {
			k.changed = true
			return
		}
	}
}

// ours reports whether the kubelet owns the condition.
func ours(t corev1.PodConditionType) bool {
	switch t {
	case corev1.PodResizePending, corev1.PodResizeInProgress, corev1.PodReadyToStartContainers, corev1.PodInitialized,
		corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled,
		corev1.AllContainersRestarting:
		return true
	}
	return false
}

// verdict is the content of a condition.
type verdict struct {
	ok              bool
	reason, message string
}

// condition makes a condition from a verdict. It has the time at which its status last changed.
func (k *sync) condition(t corev1.PodConditionType, v verdict) corev1.PodCondition {
	c := corev1.PodCondition{Type: t, Status: corev1.ConditionFalse, ObservedGeneration: k.Pod.Generation,
		LastTransitionTime: k.now, Reason: v.reason, Message: v.message}
	if v.ok {
		c.Status = corev1.ConditionTrue
	}
	for i := range k.Pod.Status.Conditions {
		if old := &k.Pod.Status.Conditions[i]; old.Type == t && old.Status == c.Status {
			c.LastTransitionTime, c.LastProbeTime = old.LastTransitionTime, metav1.Time{}
		}
	}
	return c
}

func (k *sync) initialized() verdict {
	if k.status.Phase == corev1.PodSucceeded {
		return verdict{ok: true, reason: podCompleted}
	}
	var incomplete []string
	for i := range k.containers {
		c := &k.containers[i]
		if c.role == initial && !c.status.Ready || c.role == sidecar && (c.status.Started == nil || !*c.status.Started) {
			incomplete = append(incomplete, c.spec.Name)
		}
	}
	if len(incomplete) == 0 || k.anyRegularStarted() {
		return verdict{ok: true}
	}
	return verdict{reason: containersNotInitialized, message: fmt.Sprintf("containers with incomplete status: %s", incomplete)}
}

// readyConditions judges the Pod, which must also pass its readiness gates, and its containers.
func (k *sync) readyConditions() (pod, containers verdict) {
	switch k.status.Phase {
	case corev1.PodSucceeded:
		return verdict{reason: podCompleted}, verdict{reason: podCompleted}
	case corev1.PodFailed:
		return verdict{reason: podFailed}, verdict{reason: podFailed}
	}
	var unready []string
	for i := range k.containers {
		if c := &k.containers[i]; (c.role == regular || c.role == sidecar) && !c.status.Ready {
			unready = append(unready, c.spec.Name)
		}
	}
	if len(unready) > 0 {
		v := verdict{reason: containersNotReady, message: fmt.Sprintf("containers with unready status: %s", unready)}
		return v, v
	}
	return k.gates(), verdict{ok: true}
}

func (k *sync) gates() verdict {
	var closed []string
gates:
	for _, gate := range k.Pod.Spec.ReadinessGates {
		for _, c := range k.Pod.Status.Conditions {
			if c.Type != gate.ConditionType {
				continue
			}
			if c.Status != corev1.ConditionTrue {
				closed = append(closed, fmt.Sprintf("the status of pod readiness gate %q is not \"True\", but %v", c.Type, c.Status))
			}
			continue gates
		}
		closed = append(closed, fmt.Sprintf("corresponding condition of pod readiness gate %q does not exist.", gate.ConditionType))
	}
	if len(closed) > 0 {
		return verdict{reason: readinessGatesNotReady, message: strings.Join(closed, ", ")}
	}
	return verdict{ok: true}
}
