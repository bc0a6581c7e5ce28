package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/form"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/namefile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/sysctl"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

const (
	// instant is how long after a sync's time things still count as having happened by then, so
	// that a program that ends within milliseconds has ended in the sync that starts it. Syncs have
	// whole seconds.
	instant = 10 * time.Millisecond

	// derivedSteps is how far each run that is derived from the status is carried on at most,
	// foreseeSteps how far a sync looks ahead.
	derivedSteps = 50_000
	foreseeSteps = 20_000

	// storedSteps is a number of steps that is worth storing, so that the next sync need not repeat
	// them.
	storedSteps = 5_000
)

// needsMachine is form.NeedsMachine for the Pod of this sync.
func (k *sync) needsMachine() bool {
	for i := range k.containers {
		c := &k.containers[i]
		if c.image != nil && c.image.PullError == "" && c.image.IsKnown() && !c.profile.Replaced &&
			(c.target != "" || form.SharesProcesses(k.Pod) || !form.ServesOnly(c.image, c.spec, c.timeline)) {
			return true
		}
	}
	return false
}

// open reads the Pod's memory and opens its runtime. A machine that cannot be read, because it is
// damaged or its format is no longer supported, is derived again from what the status says is
// running.
func (k *sync) open() {
	var err error
	if len(k.Memory) > 0 {
		k.memory, err = memory.Decode(k.Memory)
	}
	needs := k.needs()
	if err == nil {
		k.runtime, err = emulator.Open(k.memory.Machine, needs, k.Images)
	}
	if m, ok := k.runtime.(emulator.Machine); ok && err == nil {
		m.SetMaker(k.signer.Sign)
	}
	switch {
	case err != nil:
		k.memory, k.runtime = memory.Memory{}, k.newMachine(needs.Begin)
		k.derive(false)
	case len(k.memory.Machine) > 0:
		if m, ok := k.runtime.(emulator.Machine); ok {
			k.joined = m.Joined()
		}
	case needs.Running:
		k.memory = memory.Memory{}
		k.derive(false)
	default:
		k.resume()
	}
}

// Machine is the Pod's machine as last stored or, for a Pod in closed form, as derived from its
// spec and status. It is for readers, for example of logs, which may run it up to the last whole
// second.
func Machine(s Snapshot) emulator.Machine {
	if s.Pod.Spec.NodeName == "" {
		return emulator.New(string(s.Pod.UID), 0, 0, s.Now)
	}
	k := newSync(s)
	k.open()
	m, ok := k.runtime.(emulator.Machine)
	if !ok {
		m = k.newMachine(k.needs().Begin)
		k.runtime = m
		k.derive(true)
	}
	return m
}

// resume gives the runtime the current runs, and the times from which they must stop.
func (k *sync) resume() {
	var stops []action.Action
	if k.todo.Stops() {
		stops = append(k.situation().Earlier(k.todo), k.todo)
	}
	done := !k.todo.Stops() && k.completed()
	for i := range k.containers {
		c := &k.containers[i]
		if !c.running() {
			continue
		}
		o := k.outlineOf(c, c.status.ContainerID)
		if c.image == nil || k.todo.Kind == action.Run && k.redefined(c) {
			// Nothing is known of the image that it runs, except that it stops.
			o.Container, o.Timeline = nil, &emulator.Timeline{Forever: true, TermCode: c.timeline.TermCode}
		}
		_ = k.runtime.Start(c.status.State.Running.StartedAt.Time, emulator.Spec{Outline: o}) // it started before
		if k.todo.Kind == action.Run && k.awaitsRestart(c) {
			c.replaced = true
			k.runtime.Terminate(k.resizing.progress.LastTransitionTime.Time, c.spec.Name, k.grace())
		}
		switch {
		case c.role != sidecar && !(c.role == ephemeral && done):
			for _, s := range stops {
				k.runtime.Terminate(s.Begin, c.spec.Name, s.Grace)
			}
		case done:
			k.stopInTurn(i, k.othersEnd(), k.grace())
		case k.todo.Stops():
			k.stopInTurn(i, k.todo.Begin, k.todo.Grace)
		}
	}
	k.runtime.Take()
}

// derive turns a new machine into the one that the Pod would have if it had run in one from the
// beginning, as far as the status shows. The runs of running containers begin when the status says;
// if all is true, so do runs that have ended.
func (k *sync) derive(all bool) {
	begin := k.runtime.Now()
	if k.Pod.Status.StartTime == nil {
		return
	}
	now := k.now
	k.now.Time = begin // the Pod was set up before its containers started
	ok := k.identify()
	for i := range k.Pod.Spec.Volumes {
		if v := &k.Pod.Spec.Volumes[i]; k.mountVolume(v) != nil {
			k.runtime.Empty(begin, v.Name, 0) // the source of its content is gone
		}
	}
	if k.now = now; !ok {
		return
	}
	var ending []pastRun // in the order in which they end
	for _, r := range k.runs(all) {
		ending = k.endRuns(ending, func(e pastRun) bool { return !e.ended.After(r.started) })
		k.runtime.Run(r.started, derivedSteps)
		k.runtime.Take()
		spec, err := k.spec(r.container, r.id)
		if err != nil { // it ran when it was started: the source of a variable is gone
			without := *r.container
			without.spec = withoutSources(r.container.spec)
			spec, err = k.spec(&without, r.id)
		}
		if err != nil || k.runtime.Start(r.started, spec) != nil {
			continue
		}
		if !r.ended.IsZero() {
			ending = append(ending, r)
			slices.SortStableFunc(ending, func(a, b pastRun) int { return a.ended.Compare(b.ended) })
		}
	}
	k.endRuns(ending, func(pastRun) bool { return true })
}

// endRuns ends the first runs of the list, as long as ends is true, and returns the others.
func (k *sync) endRuns(ending []pastRun, ends func(pastRun) bool) []pastRun {
	for len(ending) > 0 && ends(ending[0]) {
		r := ending[0]
		ending = ending[1:]
		k.runtime.Run(r.ended, derivedSteps)
		k.runtime.Take()
		k.runtime.Cut(r.ended, r.container.spec.Name, r.code)
	}
	return ending
}

// withoutSources is the container without the variables that come from other objects and from
// files.
func withoutSources(c *corev1.Container) *corev1.Container {
	without := *c
	without.EnvFrom, without.Env = nil, slices.DeleteFunc(slices.Clone(c.Env), func(e corev1.EnvVar) bool {
		from := e.ValueFrom
		return from != nil && (from.ConfigMapKeyRef != nil || from.SecretKeyRef != nil || from.FileKeyRef != nil)
	})
	return &without
}

// needs is what the emulator must know of the Pod.
func (k *sync) needs() emulator.Needs {
	n := emulator.Needs{Seed: string(k.Pod.UID), Containers: len(k.containers), Begin: k.now.Time, Running: k.needsMachine()}
	for i := range k.Pod.Spec.Volumes {
		if !podsetup.Made(&k.Pod.Spec.Volumes[i]) {
			n.Volumes++
		}
	}
	if st := k.Pod.Status.StartTime; st != nil && st.Time.Before(n.Begin) {
		n.Begin = st.Time
	}
	return n
}

func (k *sync) newMachine(begin time.Time) emulator.Machine {
	n := k.needs()
	m := emulator.New(n.Seed, n.Containers, n.Volumes, begin)
	m.SetMaker(k.signer.Sign)
	return m
}

// pastRun is a run that the status shows.
type pastRun struct {
	container      *container
	id             string
	started, ended time.Time
	code           int32
}

// runs are the runs that the status shows, in the order in which they began: the current ones and,
// if all is true, those that have ended.
func (k *sync) runs(all bool) []pastRun {
	var list []pastRun
	add := func(r pastRun) {
		at := len(list)
		for at > 0 && r.started.Before(list[at-1].started) {
			at--
		}
		list = append(list, pastRun{})
		copy(list[at+1:], list[at:])
		list[at] = r
	}
	for i := range k.containers {
		c := &k.containers[i]
		if c.image == nil || c.image.PullError != "" {
			continue
		}
		for _, t := range []*corev1.ContainerStateTerminated{c.status.LastTerminationState.Terminated, c.status.State.Terminated} {
			if all && t != nil && !t.StartedAt.IsZero() {
				add(pastRun{c, t.ContainerID, t.StartedAt.Time, t.FinishedAt.Time, t.ExitCode})
			}
		}
		if r := c.status.State.Running; r != nil {
			add(pastRun{container: c, id: c.status.ContainerID, started: r.StartedAt.Time})
		}
	}
	return list
}

// identify gives the machine the Pod's names and address, once.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, managedHostsFileContent; network/dns/dns.go, generateClusterFirst.
func (k *sync) identify() bool {
	if k.runtime.IsNamed() {
		return true
	}
	pod := k.podNow()
	name := podsetup.Hostname(pod)
	i := emulator.Identity{
		Hostname: name, IP: k.status.PodIP, HostnameFile: name + "\n", Hosts: namefile.Hosts(pod, name),
		Resolv: namefile.Resolv(pod), Sysctls: sysctl.Values(pod), OnHost: pod.Spec.HostNetwork,
	}
	k.touched = true
	return k.runtime.Identify(i) == nil
}
