package emulator

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// end ends the container's current run; it does nothing if that has already ended.
func (m *machine) end(c *Container, e kernel.Exit) {
	live := c.Run.Live
	if live == nil {
		return
	}
	for _, a := range live.Asking {
		if a.Query != 0 {
			m.Kernel.Drop(a.Query)
		}
	}
	m.endSessions(c.Name)
	c.Run.Ended, c.Run.ExitCode, c.Run.OOM = m.Now(), int32(e.Code), e.OOM
	c.Run.Log.close(m.Now())
	c.Run.Message = m.lastWords(c.Run)
	c.Run.Live = nil
	m.Kernel.RemoveSandbox(live.Sandbox)
	m.release(live)
}

const (
	// messageLimit is the most bytes of a termination message from a file; one from the log has
	// fewer bytes and lines.
	// Source: kubernetes v1.36 pkg/kubelet/container/runtime.go, MaxContainerTerminationMessageLength and the two below it.
	messageLimit    = 4096
	logMessageLimit = 2048
	logMessageLines = 80
)

// lastWords is the termination message of a run that ends: the end of its file, or of its log.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, getTerminationMessage.
func (m *machine) lastWords(r *Run) string {
	where := r.Live.Message
	text := ""
	if where.Path != "" {
		if b, err := r.Live.View.ReadFile(where.Path); err == nil { // a missing file gives no message
			text = string(b[max(len(b)-messageLimit, 0):])
		}
	}
	if text == "" && where.FromLog && r.ExitCode != 0 {
		return r.Log.tail(logMessageLines, logMessageLimit)
	}
	return text
}
