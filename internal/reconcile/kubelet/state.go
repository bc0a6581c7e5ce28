package kubelet

import (
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
)

// named is the container of that name; nil if the Pod has none.
func (k *sync) named(name string) *container {
	for i := range k.containers {
		if k.containers[i].spec.Name == name {
			return &k.containers[i]
		}
	}
	return nil
}

// run is the container's current or last run.
func (k *sync) run(c *container) emulator.State { return k.runtime.State(c.spec.Name) }

// starting reports whether the container's postStart hook is running: until it ends, the container
// is not shown as running.
func (k *sync) starting(c *container) bool {
	return !c.running() && k.run(c).InPostStart
}

func (c *container) running() bool { return c.status.State.Running != nil }

func (c *container) succeeded() bool {
	return c.status.State.Terminated != nil && c.status.State.Terminated.ExitCode == 0
}

// shows reports whether the status already has the end of a run while the container waits, for
// example for an image.
func (c *container) shows(run string) bool {
	last := c.status.LastTerminationState.Terminated
	return last != nil && last.ContainerID == run
}

// noun is what messages call the container.
func (c *container) noun() string {
	if c.role == initial || c.role == sidecar {
		return "Init container"
	}
	return "Container"
}

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
