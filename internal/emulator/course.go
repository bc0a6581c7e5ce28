package emulator

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// killed is the exit code of a process that KILL ended.
const killed = 128 + 9

// Outline is what of a run all else follows from, where its program only serves, sleeps or is not known.
type Outline struct {
	Name string // of the container
	ID   string // of the run, as the container's status has it

	// Image answers the probes of the Container, to which Host is how messages name the Pod. Without an Image they all
	// succeed; a nil Container has neither probes nor hooks.
	Image     *Image
	Container *corev1.Container
	Host      string

	// Timeline is how the program runs, and StopTime how long it goes on after TERM.
	Timeline *Timeline
	StopTime time.Duration

	// Grace is what it has to stop in, after a probe has failed for too long that has no grace of its own.
	Grace time.Duration
}

// ask is how the container answers a probe: "" for success or where there is no probe. In closed form that is always the same.
func (o *Outline) ask(p *corev1.Probe) (failure string) {
	if o.Image == nil || p == nil {
		return ""
	}
	return o.Image.Probe(o.Container, &p.ProbeHandler, o.Host)
}

// preStop is how long the preStop hook takes, 0 without one. Only sleeping takes time.
func (o *Outline) preStop() time.Duration {
	if o.Container == nil || o.Container.Lifecycle == nil || o.Container.Lifecycle.PreStop == nil {
		return 0
	}
	switch hook := o.Container.Lifecycle.PreStop; {
	case hook.Sleep != nil:
		return time.Duration(hook.Sleep.Seconds) * time.Second
	case hook.Exec != nil && o.Image != nil:
		t := o.Image.Timeline(&corev1.Container{Command: hook.Exec.Command})
		switch {
		case t.Understood && t.Forever:
			return 1<<63 - 1
		case t.Understood:
			return t.ExitAfter
		}
	}
	return 0
}

// foresee says how the run will end if it is left alone.
func (r *course) foresee() {
	r.end = r.naturalEnd()
	if e := r.probedToDeath(); e.comesBefore(&r.end) {
		r.end = e
	}
}

func (r *course) naturalEnd() ending {
	if t := r.outline.Timeline; !t.Forever {
		return ending{at: r.started.Add(t.ExitAfter), code: t.ExitCode}
	}
	return ending{}
}

// probedToDeath is how the run ends of its startup or liveness probe.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions.
func (r *course) probedToDeath() ending {
	c := r.outline.Container
	if c == nil {
		return ending{}
	}
	kind, p := Startup, c.StartupProbe
	failure := r.outline.ask(p)
	if failure == "" {
		kind, p = Liveness, c.LivenessProbe
		failure = r.outline.ask(p)
	}
	if failure == "" {
		return ending{}
	}
	first := r.started.Add(time.Duration(p.InitialDelaySeconds) * time.Second)
	if started, ok := r.startedAt(); ok {
		first = later(first, started)
	}
	grace := r.outline.Grace
	if p.TerminationGracePeriodSeconds != nil {
		grace = time.Duration(*p.TerminationGracePeriodSeconds) * time.Second
	}
	failed := first.Add(time.Duration(max(p.FailureThreshold, 1)-1) * period(p))
	e := r.stopped(failed, grace)
	e.failure, e.probe, e.failed = failure, kind, failed
	return e
}

// stop tells the run at a time to stop within the grace, if it does not end sooner. Its probes do not count from then on.
func (r *course) stop(at time.Time, grace time.Duration) {
	if r.end.failure != "" && r.end.failed.After(at) {
		r.end = r.naturalEnd()
	}
	e := r.stopped(at, grace)
	e.stopped = true
	if r.end.failure != "" && !e.comesBefore(&r.end) || r.end.comesBefore(&e) {
		return
	}
	r.end = e
}

// stopped is how the run ends when it is told to stop at begin, with grace to do so. Its preStop hook runs first and shares the
// grace; a hook that outlasts it leaves shortestGrace for the process.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer.
func (r *course) stopped(begin time.Time, grace time.Duration) ending {
	begin = later(begin, r.started)
	hook := min(r.outline.preStop(), grace)
	left := max(grace-hook, shortestGrace)
	if r.outline.Timeline.IgnoresTerm || r.outline.StopTime > left {
		return ending{at: begin.Add(hook + left), code: killed}
	}
	return ending{at: begin.Add(hook + r.outline.StopTime), code: r.outline.Timeline.TermCode}
}

// startedAt is when the run has started: when its startup probe, if any, succeeds; ok is false if it never does.
func (r *course) startedAt() (at time.Time, ok bool) {
	c := r.outline.Container
	if c == nil || c.StartupProbe == nil {
		return r.started, true
	}
	at = r.started.Add(time.Duration(c.StartupProbe.InitialDelaySeconds) * time.Second)
	return at, r.outline.ask(c.StartupProbe) == ""
}

// readyAt is when the run is ready. The first readiness probe comes after its delay and no earlier than the start;
// successThreshold of them must succeed.
// Source: kubernetes v1.36 pkg/kubelet/prober/worker.go, doProbe, and prober_manager.go, UpdatePodStatus.
func (r *course) readyAt() (at time.Time, ok bool) {
	started, ok := r.startedAt()
	if !ok || r.unready != "" {
		return time.Time{}, false
	}
	c := r.outline.Container
	if c == nil || c.ReadinessProbe == nil {
		return started, true
	}
	p := c.ReadinessProbe
	at = later(started, r.started.Add(time.Duration(p.InitialDelaySeconds)*time.Second))
	return at.Add(time.Duration(max(p.SuccessThreshold, 1)-1) * period(p)), true
}

// period is the time between two probes; a Pod from the API always has one.
func period(p *corev1.Probe) time.Duration {
	return time.Duration(max(p.PeriodSeconds, 1)) * time.Second
}
