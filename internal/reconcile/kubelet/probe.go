package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
)

// In closed form probes are not run one by one: a container answers a probe always in the same way, so that the first
// answer, the delays and the thresholds say when it counts. In a machine they are.

// started says whether a running container has started, which means that its startup probe, if any, has succeeded;
// it asks to be woken when that will be.
func (k *sync) started(c *container) bool {
	if k.machine != nil {
		r := k.run(c)
		return r != nil && r.Live != nil && r.Live.Started
	}
	at, ok := k.startedAt(c)
	if !ok {
		return false
	}
	k.wakeAt(at)
	return !k.Now.Before(at)
}

func (k *sync) startedAt(c *container) (at time.Time, ok bool) {
	at = c.status.State.Running.StartedAt.Time
	p := c.spec.StartupProbe
	if p == nil {
		return at, true
	}
	return at.Add(seconds(p.InitialDelaySeconds)), k.ask(c, p) == ""
}

// ready says whether a running container that has started is ready, and asks to be woken when it will be. The first
// readiness probe comes after its delay and no earlier than the start; successThreshold of them must succeed.
// Source: kubernetes v1.36 pkg/kubelet/prober/worker.go, doProbe, and prober_manager.go, UpdatePodStatus.
func (k *sync) ready(c *container) bool {
	if r := k.Faults.Find(fault.Unready, k.Now); r != nil && r.Covers(c.spec.Name, c.role == regular) {
		return false
	}
	if delay := c.profile.ReadinessDelay; delay > 0 {
		if at := c.status.State.Running.StartedAt.Add(delay); k.Now.Before(at) {
			k.wakeAt(k.whole(at))
			return false
		}
	}
	if k.machine != nil {
		r := k.run(c)
		return r != nil && r.Live != nil && r.Live.Ready
	}
	p := c.spec.ReadinessProbe
	if p == nil {
		return true
	}
	if k.ask(c, p) != "" {
		return false
	}
	at := c.status.State.Running.StartedAt.Add(seconds(p.InitialDelaySeconds))
	if started, _ := k.startedAt(c); at.Before(started) {
		at = started
	}
	at = at.Add(seconds(max(p.SuccessThreshold, 1)-1) * time.Duration(period(p)))
	k.wakeAt(at)
	return !k.Now.Before(at)
}

// tellUnready writes, as a container starts, the event that its readiness probe fails, if it does.
// Differs: a real node writes it at each failing probe.
func (k *sync) tellUnready(c *container) {
	if p := c.spec.ReadinessProbe; p != nil {
		if failure := k.ask(c, p); failure != "" {
			k.event(c, corev1.EventTypeWarning, "Unhealthy", "Readiness probe failed: "+failure)
		}
	}
}

// probedToDeath is how a running container will be killed by its startup or liveness probe; nil for not at all.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions.
func (k *sync) probedToDeath(c *container) *end {
	began := c.status.State.Running.StartedAt.Time
	kind, p := "Startup", c.spec.StartupProbe
	failure := ""
	if p != nil {
		failure = k.ask(c, p)
	}
	if failure == "" && c.spec.LivenessProbe != nil {
		kind, p = "Liveness", c.spec.LivenessProbe
		failure = k.ask(c, p)
	}
	if failure == "" {
		return nil
	}
	first := began.Add(seconds(p.InitialDelaySeconds))
	if started, ok := k.startedAt(c); ok && first.Before(started) {
		first = started
	}
	grace := k.grace()
	if p.TerminationGracePeriodSeconds != nil {
		grace = seconds(*p.TerminationGracePeriodSeconds)
	}
	at := first.Add(seconds(max(p.FailureThreshold, 1)-1) * time.Duration(period(p)))
	e := c.termination(at, grace)
	e.unhealthy = kind + " probe failed: " + failure
	e.kill = c.noun() + " " + c.spec.Name + " failed " + strings.ToLower(kind) + " probe"
	if k.restarts(c, e.code) && c.role == regular {
		e.kill += ", will be restarted"
	}
	return e
}

// ask is the container's answer to a probe: "" for success.
func (k *sync) ask(c *container, p *corev1.Probe) (failure string) {
	if c.image == nil {
		return ""
	}
	return c.image.Probe(c.spec, &p.ProbeHandler, k.status.PodIP)
}

// period is how many seconds lie between two probes; a Pod from the API always has it.
func period(p *corev1.Probe) int32 { return max(p.PeriodSeconds, 1) }
