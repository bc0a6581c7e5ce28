package emulator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// begin starts the action of a hook.
func (m *machine) begin(c *Container, h *Hook, p purpose) {
	var refusal string
	switch {
	case h.Exec != nil:
		err := m.spawn(c, h.Exec, p)
		if err == nil {
			return // the hook continues when the command has ended
		}
		refusal = "rpc error: code = Unknown desc = failed to exec in container: failed to start exec: " + err.Error()
	case h.Sleep > 0:
		h.Until = m.Now().Add(h.Sleep)
		return
	case h.HTTP != nil:
		m.get(c, h, p)
		return
	case h.Refusal != "":
		refusal = h.Refusal
	}
	m.hooked(c, p, refusal)
}

// get sends the request of a hook.
func (m *machine) get(c *Container, h *Hook, p purpose) {
	q := h.HTTP.query()
	if h.Plain {
		q.TLS = false
		q.Header = slices.DeleteFunc(slices.Clone(q.Header), func(header string) bool {
			name, _, _ := strings.Cut(header, ":")
			return strings.EqualFold(name, "Authorization")
		})
	}
	if a, now := m.ask(c, p, q, h.Elsewhere, 0); now {
		m.got(c, p, h, a)
	}
}

// got takes the answer to the request of a hook. If the server speaks no TLS, the request is
// repeated once without it. If that fails as well, the first failure counts.
//
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go, runHTTPHandler
func (m *machine) got(c *Container, p purpose, h *Hook, a kernel.Answer) {
	refusal := h.HTTP.refusal(a)
	switch {
	case a.Outcome == kernel.OutcomePlain && !h.Plain:
		h.Plain = true
		m.get(c, h, p)
		return
	case h.Plain && refusal == "":
		m.tell(News{Container: c.Name, Kind: NewsPlain, Message: "request to HTTPS lifecycle hook " + kernel.HostPort(h.HTTP.Host, h.HTTP.Port) +
			" got HTTP response, retry with HTTP succeeded"})
	case h.Plain:
		refusal = h.HTTP.refusal(kernel.Answer{Outcome: kernel.OutcomePlain})
	}
	m.hooked(c, p, refusal)
}

// refusal is why the HTTP request of a hook failed; empty if it succeeded. Any response counts as
// success.
func (r *Request) refusal(a kernel.Answer) string {
	address := kernel.HostPort(r.Host, r.Port)
	failed := fmt.Sprintf("Get %q: ", r.Scheme+"://"+address+r.Path)
	switch a.Outcome {
	case kernel.OutcomeOK:
		return ""
	case kernel.OutcomeTimeout:
		return failed + "dial tcp " + address + ": connect: connection timed out"
	}
	return failed + broken(a.Outcome, r.Host, address)
}

// hooked ends a hook that is not a command.
func (m *machine) hooked(c *Container, p purpose, refusal string) {
	if p == forPostStart {
		m.posted(c, refusal == "", refusal, "")
		return
	}
	if refusal != "" {
		m.tell(News{Container: c.Name, Kind: NewsStopError, Message: refusal})
	}
	m.hookDone(c)
}

// posted ends the postStart hook.
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go, Run.
func (m *machine) posted(c *Container, ok bool, err, output string) {
	live := c.Run.Live
	h := live.Post
	live.Post = nil
	if ok {
		m.resumeProbes(c)
		m.tell(News{Container: c.Name, Kind: NewsPosted})
		return
	}
	message := err
	switch {
	case h == nil:
	case h.Exec != nil:
		message = fmt.Sprintf("Exec lifecycle hook (%v) for Container %q in Pod %%s failed - error: %s, message: %q", h.Exec, c.Name, err, output)
	case h.HTTP != nil:
		message = fmt.Sprintf("HTTP lifecycle hook (%s) for Container %q in Pod %%s failed - error: %s", h.HTTP.Path, c.Name, err)
	}
	m.tell(News{Container: c.Name, Kind: NewsPostError, Message: message})
}
