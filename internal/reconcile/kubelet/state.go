package kubelet

import "github.com/rowlock/rowlock/internal/emulator"

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
