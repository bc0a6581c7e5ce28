package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// The exit of a container can restart all containers of its Pod, in place: they are killed, and the
// Pod starts like a new one, with its init containers first and without back-off. It keeps its UID,
// address and volumes. Ephemeral containers are left alone.
//
// Source: kubernetes v1.36 pkg/kubelet/container/helpers.go, ShouldAllContainersRestart;
// pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions and SyncPod; KEP-5532.
// Differs: containers are killed at once, and not two seconds after SIGTERM.

// couldRestartAll reports whether the exit of some container restarts all.
func couldRestartAll(s *corev1.PodSpec) bool {
	restarts := func(c corev1.Container) bool {
		return slices.ContainsFunc(c.RestartPolicyRules, func(r corev1.ContainerRestartRule) bool {
			return r.Action == corev1.ContainerRestartRuleActionRestartAllContainers
		})
	}
	return slices.ContainsFunc(s.InitContainers, restarts) || slices.ContainsFunc(s.Containers, restarts)
}

// ruleFor returns the first of the container's rules for an exit code, nil if it has none.
func (c *container) ruleFor(code int32) *corev1.ContainerRestartRule {
	if c.spec.RestartPolicy == nil {
		return nil
	}
	for i := range c.spec.RestartPolicyRules {
		rule := &c.spec.RestartPolicyRules[i]
		if codes := rule.ExitCodes; codes != nil && slices.Contains(codes.Values, code) == (codes.Operator == corev1.ContainerRestartRuleOnExitCodesOpIn) {
			return rule
		}
	}
	return nil
}

// restartAll restarts all containers if the exit of one of them demands it, and reports whether
// they must stay down for now: what has ended is shown for settleTime.
func (k *sync) restartAll() (down bool) {
	switch {
	case k.behind || !k.restarting && (k.completed() || !slices.ContainsFunc(k.containers, demandsRestart)):
		return k.restarting
	case !k.restarting:
		k.killAll()
		k.restarting = true
		k.wakeAt(k.now.Add(settleTime))
		return true
	}
	if at := k.restartBegan().Add(settleTime); k.Now.Before(at) {
		k.wakeAt(at)
		return true
	}
	k.awaitStart()
	k.restarting, k.changed = false, true
	return false
}

func demandsRestart(c container) bool {
	t := c.status.State.Terminated
	if t == nil || c.role == ephemeral {
		return false
	}
	rule := c.ruleFor(t.ExitCode)
	return rule != nil && rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers
}

// startsOver reports whether the container has run before and waits to start with the others.
func (k *sync) startsOver(c *container) bool {
	w := c.status.State.Waiting
	return w != nil && (w.Reason == podInitializing || w.Reason == containerCreating) && c.status.LastTerminationState.Terminated != nil &&
		!k.starting(c) && couldRestartAll(&k.Pod.Spec)
}

// killAll kills the containers that run. Their preStop hooks do not run.
func (k *sync) killAll() {
	for i := range k.containers {
		c := &k.containers[i]
		if c.role == ephemeral || !k.run(c).Live {
			continue
		}
		k.setRunning(c)
		k.event(c, corev1.EventTypeNormal, "Killing", "killing")
		k.runtime.Cut(k.runtime.Now(), c.spec.Name, killed)
		k.terminate(c, &end{at: k.runtime.Now(), code: killed})
		k.touched = true
	}
}

// restartBegan is when the condition became true.
func (k *sync) restartBegan() time.Time {
	for i := range k.Pod.Status.Conditions {
		if c := &k.Pod.Status.Conditions[i]; c.Type == corev1.AllContainersRestarting {
			return c.LastTransitionTime.Time
		}
	}
	return k.now.Time
}

// isRestarting reports whether an earlier sync has killed the containers of a Pod that must start
// again.
func isRestarting(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.AllContainersRestarting && c.Status == corev1.ConditionTrue
	})
}

// restartingCondition judges the condition AllContainersRestarting.
//
// Source: kubernetes v1.36 pkg/kubelet/status/generate.go, GenerateAllContainersRestartingCondition
func (k *sync) restartingCondition() verdict {
	switch {
	case k.status.Phase == corev1.PodSucceeded:
		return verdict{reason: podCompleted}
	case k.status.Phase == corev1.PodFailed:
		return verdict{reason: podFailed}
	case k.restarting:
		return verdict{ok: true, reason: "RestartAllContainersStarted", message: "container exited with restart policy rule"}
	}
	return verdict{}
}
