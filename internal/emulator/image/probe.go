package image

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Probe returns the result of a probe from the node of a running container of this image: "" for
// success, otherwise the kubelet's failure message. host is the Pod's IP, for probes that name no
// host.
//
// An image's own server answers on its ports, and HTTP on its paths. Ports of programs that are not
// known always answer; ports of programs that are known not to listen never do. A command succeeds
// if its exit code is 0, as far as the command can be interpreted. `cat` of a file fails unless
// every container has the file, or the main process names the file or is itself not understood, and
// so may have written it.
func (i *Image) Probe(c *corev1.Container, h *corev1.ProbeHandler, host string) (failure string) {
	switch {
	case h.Exec != nil:
		return i.exec(c, h.Exec.Command)
	case h.HTTPGet != nil:
		return i.httpGet(c, h.HTTPGet, host)
	case h.TCPSocket != nil:
		if h.TCPSocket.Host != "" {
			host = h.TCPSocket.Host
		}
		port, ok := portOf(c, h.TCPSocket.Port)
		if !ok {
			return "couldn't find port: " + h.TCPSocket.Port.String()
		}
		if !i.listens(c, port) {
			return refused(host, port)
		}
	case h.GRPC != nil:
		if !i.listens(c, h.GRPC.Port) {
			return fmt.Sprintf("timeout: failed to connect service %q within 1s: context deadline exceeded",
				kernel.HostPort(host, int(h.GRPC.Port)))
		}
	}
	return ""
}

func (i *Image) httpGet(c *corev1.Container, get *corev1.HTTPGetAction, host string) string {
	if get.Host != "" {
		host = get.Host
	}
	port, ok := portOf(c, get.Port)
	if !ok {
		return "couldn't find port: " + get.Port.String()
	}
	asked := get.Path
	if !strings.HasPrefix(asked, "/") {
		asked = "/" + asked
	}
	if !i.listens(c, port) {
		return fmt.Sprintf("Get %q: %s", strings.ToLower(string(get.Scheme))+"://"+address(host, port)+asked, refused(host, port))
	}
	p := i.model.plainly(i.model.argv(c))
	if p == nil {
		return ""
	}
	for _, listening := range p.ports {
		if listening.Number != int(port) {
			continue
		}
		if listening.HTTP == nil {
			return fmt.Sprintf("Get %q: context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
				strings.ToLower(string(get.Scheme))+"://"+address(host, port)+asked)
		}
		return statusFailure(listening.HTTP, asked)
	}
	return ""
}

// statusFailure returns a probe's message for the answer to a path; "" if the answer is a success.
func statusFailure(replies []application.Reply, asked string) string {
	status := 404
	file, _, _ := strings.Cut(asked, "?")
	for _, r := range replies {
		if fits(r, file) {
			status = cmp.Or(r.Status, 200)
			break
		}
	}
	if status >= 200 && status < 400 {
		return ""
	}
	return "HTTP probe failed with statuscode: " + strconv.Itoa(status)
}

// listens reports whether anything in the container accepts connections on the port.
func (i *Image) listens(c *corev1.Container, port int32) bool {
	if p := i.model.plainly(i.model.argv(c)); p != nil {
		return slices.ContainsFunc(p.ports, func(listening application.Port) bool { return listening.Number == int(port) })
	}
	return !i.Timeline(c).Understood
}

// wellKnownFiles exist in every container.
var wellKnownFiles = []string{"/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/etc/passwd"}

func (i *Image) exec(c *corev1.Container, argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	if path.Base(argv[0]) == "cat" && len(argv) == 2 {
		t := i.Timeline(c)
		written := strings.Contains(strings.Join(append(c.Command[:len(c.Command):len(c.Command)], c.Args...), " "), argv[1])
		if (t.Understood || t.Served) && !written && !slices.Contains(wellKnownFiles, argv[1]) {
			return "cat: " + argv[1] + ": No such file or directory\n"
		}
		return ""
	}
	if t := run(argv); t.Understood && t.ExitCode != 0 {
		return fmt.Sprintf("command terminated with exit code %d", t.ExitCode)
	}
	return ""
}

// portOf resolves a probe's port: a number, or the name of a container port.
func portOf(c *corev1.Container, port intstr.IntOrString) (int32, bool) {
	if port.Type == intstr.Int {
		return port.IntVal, true
	}
	for i := range c.Ports {
		if c.Ports[i].Name == port.StrVal {
			return c.Ports[i].ContainerPort, true
		}
	}
	n, err := strconv.ParseUint(port.StrVal, 10, 16)
	return int32(n), err == nil
}

func address(host string, port int32) string { return kernel.HostPort(host, int(port)) }

func refused(host string, port int32) string {
	return "dial tcp " + address(host, port) + ": connect: connection refused"
}
