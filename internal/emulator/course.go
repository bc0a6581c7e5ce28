package emulator

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// course computes how a run goes.
type course struct {
	outline  *Outline
	started  time.Time
	end      ending // the earlier one of the program's own ending and stopping
	stopping ending // by Terminate or by a probe that fails for too long; zero for neither
	hasEnded bool
	prepared time.Time // when Prepare started the preStop hook; zero if Terminate starts it
	unready  string    // why the readiness probe fails; empty if it succeeds
}

// ending is how a run will end. The zero ending never comes.
type ending struct {
	at   time.Time
	code int32

	// For a run that stops: the stop begins at begin and must be over at limit; TERM comes at term,
	// and KILL at kill if it still runs. All four count from the run's start. told says that
	// Terminate was called.
	begin, limit, term, kill time.Duration
	told                     bool

	// For a run that a probe ends: the probe's message, and when it has failed for too long.
	failure string
	probe   ProbeKind
	failed  time.Time
}

// comesBefore reports whether the ending is earlier than the other.
func (e *ending) comesBefore(other *ending) bool {
	return !e.at.IsZero() && (other.at.IsZero() || e.at.Before(other.at))
}

// killed is the exit code of a process that KILL ended.
const killed = 128 + 9

// ask is the container's answer to a probe: "" for success or for no probe. In closed form the
// answer is always the same.
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

// foresee computes how the run ends if no one stops it.
func (r *course) foresee() {
	r.stopping = r.probedToDeath()
	r.settle()
}

// settle chooses the ending that comes first. If both come together, the program's own ending wins.
func (r *course) settle() {
	r.end = ending{}
	if t := r.outline.Timeline; !t.Forever {
		r.end = ending{at: r.started.Add(t.ExitAfter), code: t.ExitCode}
	}
	if r.stopping.comesBefore(&r.end) {
		r.end = r.stopping
	}
}

// probedToDeath is how the run ends when its startup or liveness probe fails.
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
	e := r.stopped(ending{}, failed, grace)
	e.failure, e.probe, e.failed = failure, kind, failed
	return e
}

// stop tells the run at a time to stop within the grace. From then on its probes do not count.
func (r *course) stop(at time.Time, grace time.Duration) {
	if r.stopping.failure != "" && r.stopping.failed.After(at) {
		r.stopping = ending{}
	}
	r.stopping = r.stopped(r.stopping, at, grace)
	r.stopping.told = true
	r.settle()
}

// stopped is how the run ends when Terminate or a probe stops it at begin within the grace. Its
// preStop hook runs first and shares the grace; a hook that outlasts it leaves shortestGrace for
// the process. If the run was told to stop before, its end can only come sooner.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer.
func (r *course) stopped(e ending, begin time.Time, grace time.Duration) ending {
	at := max(begin.Sub(r.started), 0)
	limit := at + grace
	switch {
	case e.at.IsZero():
		e = ending{begin: at, limit: limit, term: at + min(max(r.hookedSince(at)+r.outline.preStop()-at, 0), grace)}
		e.kill = max(limit, e.term+shortestGrace)
	case limit >= e.limit:
		return e
	case at < e.term:
		e.limit, e.term = limit, min(e.term, limit)
		e.kill = max(limit, e.term+shortestGrace)
	default:
		e.limit, e.kill = limit, min(e.kill, max(limit, at+shortestGrace))
	}
	if t := r.outline.Timeline; t.IgnoresTerm || r.outline.StopTime > e.kill-e.term {
		e.at, e.code = r.started.Add(e.kill), killed
	} else {
		e.at, e.code = r.started.Add(e.term+r.outline.StopTime), t.TermCode
	}
	return e
}

// hookedSince is when the preStop hook begins if the stop comes at begin.
func (r *course) hookedSince(begin time.Duration) time.Duration {
	if r.prepared.IsZero() {
		return begin
	}
	return min(begin, max(r.prepared.Sub(r.started), 0))
}

// startedAt is when the startup probe succeeds, or when the run began if it has no such probe. ok
// is false if the probe never succeeds. A run that stops is not probed any more.
func (r *course) startedAt() (at time.Time, ok bool) {
	c := r.outline.Container
	if c == nil || c.StartupProbe == nil {
		return r.started, true
	}
	delay := time.Duration(c.StartupProbe.InitialDelaySeconds) * time.Second
	return r.started.Add(delay), r.outline.ask(c.StartupProbe) == "" && !(r.stopping.told && r.stopping.begin < delay)
}

// readyAt is when the run becomes ready. The first readiness probe comes after its delay, and not
// before the run has started; successThreshold probes must succeed.
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

// period is the time between two probes; a Pod from the API always sets one.
func period(p *corev1.Probe) time.Duration {
	return time.Duration(max(p.PeriodSeconds, 1)) * time.Second
}
