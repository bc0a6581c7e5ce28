package kubelet

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
)

// started reports whether a running container has started: its startup probe, if any, has
// succeeded.
func (k *sync) started(c *container) bool {
	r := k.run(c)
	return r.Live && r.HasStarted
}

// ready reports whether a running, started container is ready.
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
	r := k.run(c)
	return r.Live && r.IsReady
}

// period is the number of seconds between two probes; a Pod from the API always has it.
func period(p *corev1.Probe) int32 { return max(p.PeriodSeconds, 1) }
