package emulator

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// output keeps what a process writes: for the main process in the log, for others as their task's
// output.
func (m *machine) output(w kernel.Written) {
	c := m.running(w.Sandbox)
	if c == nil {
		return
	}
	stream := Stdout
	if w.Stderr {
		stream = Stderr
	}
	if w.PID == m.Kernel.Main(w.Sandbox) {
		c.Run.Log.write(w.At, stream, w.Data)
		m.seen(c.Name, stream, w.Data)
		return
	}
	if t := c.Run.Live.task(w.PID); t != nil {
		t.write(w.Data)
	}
}

// seen gives the output of a main process to the sessions that are attached to it.
func (m *machine) seen(container string, stream Stream, b []byte) {
	for _, s := range m.Sessions {
		if s.PID != 0 || s.Container != container || s.Ended {
			continue
		}
		kept := append(s.Seen[stream-1], b...)
		s.Seen[stream-1] = kept[max(len(kept)-seenLimit, 0):]
		m.hear(s)
	}
}
