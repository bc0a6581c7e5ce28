package kubelet

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/allocation"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/form"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// spec composes what the machine needs to start the container. The error says why it cannot be
// configured.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, GenerateRunContainerOptions.
func (k *sync) spec(c *container, id string) (emulator.Spec, error) {
	pod := k.podNow()
	env, expand, err := podsetup.Environment(pod, c.spec, c.image.Env(), k.Around, k.readVolume)
	if err != nil {
		return emulator.Spec{}, err
	}
	s := emulator.Spec{
		Name: c.spec.Name, ID: id, Base: c.image.Base(), BusyBox: c.image.BusyBox(), Env: env,
		Argv: k.argv(c, expand), Dir: c.image.WorkingDir(), StopSignal: c.image.StopSignal(),
		TerminationPath: c.spec.TerminationMessagePath,
		LogsAsMessage:   c.spec.TerminationMessagePolicy == corev1.TerminationMessageFallbackToLogsOnError,
	}
	if c.spec.WorkingDir != "" {
		s.Dir = c.spec.WorkingDir
	}
	s.Stdin, s.StdinOnce, s.TTY, s.Target = c.spec.Stdin, c.spec.StdinOnce, c.spec.TTY, c.target
	s.SharesProcesses = form.SharesProcesses(pod)
	s.Resources, s.OOMScoreAdj = k.resourcesOf(k.given(c)), allocation.OOMScore(k.Pod, k.Node, k.given(c), c.role == sidecar)
	if err := k.secure(&s, c); err != nil {
		return emulator.Spec{}, err
	}
	if s.Mounts, err = k.mountsOf(c, expand); err != nil {
		return emulator.Spec{}, err
	}
	k.watchOver(&s, c)
	k.standIn(&s, c)
	return s, nil
}

// argv is the container's command line.
func (k *sync) argv(c *container, expand func(string) string) []string {
	given := podsetup.Argv(c.spec, nil, nil, expand)
	own := *c.spec
	if len(own.Command) > 0 {
		own.Command, own.Args = given, nil
	} else if len(own.Args) > 0 {
		own.Args = given
	}
	return c.image.Argv(&own)
}

// secure applies the security context.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/security_context.go, verifyRunAsNonRoot.
func (k *sync) secure(s *emulator.Spec, c *container) error {
	uid, gid, name := c.image.User()
	var user, group *int64
	nonRoot := false
	if ctx := k.Pod.Spec.SecurityContext; ctx != nil {
		user, group = ctx.RunAsUser, ctx.RunAsGroup
		nonRoot = ctx.RunAsNonRoot != nil && *ctx.RunAsNonRoot
	}
	if ctx := c.spec.SecurityContext; ctx != nil {
		if ctx.RunAsUser != nil {
			user = ctx.RunAsUser
		}
		if ctx.RunAsGroup != nil {
			group = ctx.RunAsGroup
		}
		if ctx.RunAsNonRoot != nil {
			nonRoot = *ctx.RunAsNonRoot
		}
		s.ReadOnlyRoot = ctx.ReadOnlyRootFilesystem != nil && *ctx.ReadOnlyRootFilesystem
		s.Privileged = ctx.Privileged != nil && *ctx.Privileged
	}
	pod := fmt.Sprintf("pod: %q, container: %s", k.Pod.Name+"_"+k.Pod.Namespace+"("+string(k.Pod.UID)+")", c.spec.Name)
	switch {
	case !nonRoot:
	case user != nil && *user == 0:
		return fmt.Errorf("container's runAsUser breaks non-root policy (%s)", pod)
	case user == nil && name != "":
		return fmt.Errorf("container has runAsNonRoot and image has non-numeric user (%s), cannot verify user is non-root (%s)", name, pod)
	case user == nil && uid == 0:
		return fmt.Errorf("container has runAsNonRoot and image will run as root (%s)", pod)
	}
	s.UID, s.GID = uid, gid
	if user != nil {
		s.UID = int(*user)
	}
	if group != nil {
		s.GID = int(*group)
	}
	s.Groups = supplementary(k.Pod.Spec.SecurityContext)
	return nil
}

// supplementary are the groups of a Pod's processes besides the primary one, including fsGroup.
func supplementary(ctx *corev1.PodSecurityContext) []int {
	if ctx == nil {
		return nil
	}
	var groups []int
	if ctx.FSGroup != nil {
		groups = append(groups, int(*ctx.FSGroup))
	}
	for _, g := range ctx.SupplementalGroups {
		groups = append(groups, int(g))
	}
	return groups
}

// watchOver adds probes and hooks.
func (k *sync) watchOver(s *emulator.Spec, c *container) {
	if c.role == regular || c.role == sidecar {
		s.Startup, s.Readiness, s.Liveness = k.probe(c, c.spec.StartupProbe), k.probe(c, c.spec.ReadinessProbe), k.probe(c, c.spec.LivenessProbe)
	}
	l := c.spec.Lifecycle
	if l == nil {
		return
	}
	hook := func(h *corev1.LifecycleHandler) *emulator.Action {
		if h == nil {
			return nil
		}
		a := k.action(c, h.Exec, h.HTTPGet, nil, "kube-lifecycle")
		if h.TCPSocket != nil {
			a.Refusal = "invalid handler: " + h.String() // kept for old manifests; no kubelet has ever supported it
		}
		if h.Sleep != nil {
			a.Sleep = seconds(h.Sleep.Seconds)
		}
		return &a
	}
	s.PostStart, s.PreStop = hook(l.PostStart), hook(l.PreStop)
	if l.StopSignal != nil {
		if sig, ok := emulator.ParseSignal(string(*l.StopSignal)); ok && sig != 0 {
			s.StopSignal = sig
		}
	}
}

func (k *sync) probe(c *container, p *corev1.Probe) *emulator.Probe {
	if p == nil {
		return nil
	}
	probe := &emulator.Probe{
		Action: k.action(c, p.Exec, p.HTTPGet, p.TCPSocket, "kube-probe"), Host: k.status.PodIP,
		Delay: seconds(p.InitialDelaySeconds), Period: seconds(period(p)), Timeout: seconds(max(p.TimeoutSeconds, 1)),
		Success: int(p.SuccessThreshold), Failure: int(p.FailureThreshold),
	}
	if probe.Exec != nil {
		probe.Exec = podsetup.Static(c.spec, probe.Exec)
	}
	if p.GRPC != nil {
		probe.GRPC = &emulator.Health{Port: int(p.GRPC.Port)}
		if p.GRPC.Service != nil {
			probe.GRPC.Service = *p.GRPC.Service
		}
	}
	if p.TCPSocket != nil && p.TCPSocket.Host != "" {
		probe.Host = p.TCPSocket.Host
	}
	return probe
}

// period is the number of seconds between two probes; a Pod from the API always has it.
func period(p *corev1.Probe) int32 { return max(p.PeriodSeconds, 1) }

// action is what a probe or a hook does; agent is the user agent of its requests.
func (k *sync) action(c *container, exec *corev1.ExecAction, get *corev1.HTTPGetAction, tcp *corev1.TCPSocketAction, agent string) (a emulator.Action) {
	switch {
	case exec != nil:
		a.Exec = exec.Command
	case get != nil:
		port, ok := portOf(c.spec, get.Port)
		if !ok {
			a.Refusal = "couldn't find port: " + get.Port.String()
			return a
		}
		a.HTTP = &emulator.Request{Scheme: strings.ToLower(string(get.Scheme)), Host: k.status.PodIP, Port: port, Path: get.Path}
		if a.HTTP.Scheme == "" {
			a.HTTP.Scheme = "http"
		}
		if get.Host != "" {
			a.HTTP.Host, a.Elsewhere = get.Host, network.ClientOf(k.podNow()).IsElsewhere(get.Host)
		}
		if !strings.HasPrefix(a.HTTP.Path, "/") {
			a.HTTP.Path = "/" + a.HTTP.Path
		}
		a.HTTP.Header = []string{"User-Agent: " + agent + "/1.36"}
		for _, h := range get.HTTPHeaders {
			if strings.EqualFold(h.Name, "User-Agent") {
				a.HTTP.Header = a.HTTP.Header[1:]
			}
		}
		for _, h := range get.HTTPHeaders {
			a.HTTP.Header = append(a.HTTP.Header, h.Name+": "+h.Value)
		}
	case tcp != nil:
		port, ok := portOf(c.spec, tcp.Port)
		if a.TCP = port; !ok {
			a.Refusal = "couldn't find port: " + tcp.Port.String()
		}
		a.Elsewhere = tcp.Host != "" && network.ClientOf(k.podNow()).IsElsewhere(tcp.Host)
	}
	return a
}

// portOf resolves a port, by number or by its name in the container.
func portOf(c *corev1.Container, port intstr.IntOrString) (int, bool) {
	if port.Type == intstr.Int {
		return int(port.IntVal), true
	}
	for i := range c.Ports {
		if c.Ports[i].Name == port.StrVal {
			return int(c.Ports[i].ContainerPort), true
		}
	}
	n, err := strconv.ParseUint(port.StrVal, 10, 16)
	return int(n), err == nil && n > 0
}

// standIn runs a stand-in if the program is unknown or not emulated, or if the Pod's profile
// replaces it.
func (k *sync) standIn(s *emulator.Spec, c *container) {
	p := c.profile
	if s.Said = p.Log; c.said != "" {
		s.Said = strings.TrimPrefix(s.Said+"\nrowlock: "+c.said+": "+k.standInRuns(c), "\n")
	}
	switch {
	case p.Replaced:
		s.Opaque = &emulator.Opaque{Forever: p.Forever, RunTime: p.RunTime, ExitCode: int(p.ExitCode), StopTime: p.StopTime, TermCode: 143}
		s.Argv = nil
	case !c.image.IsKnown():
		t := c.timeline
		s.Opaque = &emulator.Opaque{Forever: t.Forever, RunTime: t.ExitAfter, ExitCode: int(t.ExitCode),
			IgnoresTerm: t.IgnoresTerm, TermCode: int(t.TermCode), Silent: t.Understood && !t.Served}
		if len(s.Argv) == 0 || !strings.HasPrefix(s.Argv[0], "/") {
			s.Argv = nil
		}
	default:
		ends := k.mustEnd(c) != ""
		s.StandIn = &emulator.Opaque{Forever: !ends, RunTime: unknownRunTime, Says: "rowlock: " + k.standInRuns(c)}
	}
}

// notEmulated emits an Event, in the container's first run, that says that a stand-in runs in place
// of its program, and why.
func (k *sync) notEmulated(c *container, why string) {
	if c.status.RestartCount == 0 {
		k.event(c, corev1.EventTypeNormal, "NotEmulated", why+": "+k.standInRuns(c))
	}
}
