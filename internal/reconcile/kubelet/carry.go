package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
)

// carryOn runs the runtime up to now and shows in the status what has happened. behind is true if
// there was too much to do for one sync, or if a question has no answer yet: then another sync at
// the same time continues.
func (k *sync) carryOn() {
	next := k.carryTo(k.now.Add(instant))
	m, ok := k.runtime.(emulator.Machine)
	for limit := k.now.Add(serveAhead); ok && !k.behind && m.Serves() && m.Computes() && m.Now().Before(limit) && next.Before(limit); {
		next = k.carryTo(later(next, m.Now().Add(instant))) // processes that wait for what it serves wait in this second
	}
}

// carryTo runs it up to a time, unless the sync uses up its share first. next is when the next
// thing is due in it; zero means never. That can be long after its Now, because a step on a busy
// CPU takes long.
func (k *sync) carryTo(until time.Time) (next time.Time) {
	steps, answers := int64(0), 0
	for !k.behind {
		stop := k.runtime.Run(until, k.share()-k.spent)
		steps += stop.Steps
		k.spent += stop.Steps
		switch stop.Kind {
		case emulator.StopNews:
			k.touched = true
			for _, n := range k.runtime.Take() {
				k.hear(n)
			}
		case emulator.StopAsked:
			if answers++; k.Outside == nil || answers > need.MostAnswers {
				k.behind = true
				continue
			}
			k.touched = true
			k.answerQueries()
		case emulator.StopSpent:
			k.behind = true
		case emulator.StopReplied:
			k.touched = true // respond handles it
		case emulator.StopHeard: // the kubelet ignores it
		case emulator.StopUntil:
			if steps > storedSteps {
				k.touched = true
			}
			return stop.At
		}
	}
	k.touched = true
	return time.Time{}
}

// share is how many steps this sync may run.
func (k *sync) share() int64 {
	if k.Steps > 0 {
		return k.Steps
	}
	return memory.BacklogSteps
}

// answerQueries answers the machine's questions as far as the answers are known. The machine pauses
// at a question without an answer.
func (k *sync) answerQueries() {
	open, calls := 0, 0
	for _, q := range k.runtime.Queries() {
		a, known := k.answer(q)
		if known {
			k.traffic.Count(q, a)
			_ = k.runtime.Answer(k.runtime.Now(), q.ID, a) // the question is one of those that wait
			continue
		}
		if c := k.pending(q.ID); c != nil {
			if !k.Now.Before(c.Posted.Add(k.patience(c))) {
				k.runtime.Hold(q.ID)
				continue
			}
			calls++
		}
		open++
	}
	k.behind, k.awaiting = open > 0, open > 0 && calls == open
}

// hear handles one event of the runtime.
func (k *sync) hear(n emulator.News) {
	c := k.named(n.Container)
	if c == nil {
		return
	}
	switch n.Kind {
	case emulator.NewsExited:
		k.observe(c)
	case emulator.NewsUnhealthy, emulator.NewsUnready:
		k.event(c, corev1.EventTypeWarning, "Unhealthy", n.Message)
	case emulator.NewsSick:
		k.event(c, corev1.EventTypeWarning, "Unhealthy", n.Message)
		k.killSick(c, n)
	case emulator.NewsPosted:
		k.setRunning(c)
	case emulator.NewsPostError:
		k.setRunning(c)
		k.event(c, corev1.EventTypeWarning, "FailedPostStartHook", "PostStartHook failed")
		k.event(c, corev1.EventTypeNormal, "Killing", "FailedPostStartHook")
		k.terminateIn(c, n.At, k.grace())
	case emulator.NewsStopError:
		k.event(c, corev1.EventTypeWarning, "FailedPreStopHook", "PreStopHook failed")
	case emulator.NewsPlain:
		k.podEvent(corev1.EventTypeWarning, "LifecycleHTTPFallback", n.Message)
	case emulator.NewsReplaced:
		k.notEmulated(c, n.Message+" is not emulated")
	case emulator.NewsStarted, emulator.NewsReady:
		// deriveStatus shows the result.
	}
}

// killSick stops a container whose startup or liveness probe has failed too often.
func (k *sync) killSick(c *container, n emulator.News) {
	p := c.spec.LivenessProbe
	if n.Probe == emulator.Startup {
		p = c.spec.StartupProbe
	}
	grace := k.grace()
	if p != nil && p.TerminationGracePeriodSeconds != nil {
		grace = seconds(*p.TerminationGracePeriodSeconds)
	}
	message := c.noun() + " " + c.spec.Name + " failed " + strings.ToLower(n.Probe.String()) + " probe"
	if c.role == regular && k.restarts(c, killed) {
		message += ", will be restarted"
	}
	k.event(c, corev1.EventTypeNormal, "Killing", message)
	k.terminateIn(c, n.At, grace)
}

// terminateIn tells the container to stop, and reports whether that changed anything.
func (k *sync) terminateIn(c *container, at time.Time, grace time.Duration) (changed bool) {
	if k.behind {
		return false // inputs wait until the runtime has caught up
	}
	changed = k.runtime.Terminate(at, c.spec.Name, grace)
	k.touched = k.touched || changed
	return changed
}

// prepareIn makes the container run its preStop hook before its turn to stop, and reports whether
// that changed anything.
func (k *sync) prepareIn(c *container, at time.Time, grace time.Duration) (changed bool) {
	if k.behind {
		return false // inputs wait until the runtime has caught up
	}
	changed = k.runtime.Prepare(at, c.spec.Name, grace)
	k.touched = k.touched || changed
	return changed
}

// foresee finds out when something that changes the status happens next, or when the next sync must
// continue.
func (k *sync) foresee() {
	if k.behind {
		if k.note(); k.awaiting {
			k.wakeAt(k.Now.Add(callCheck)) // unless the answer wakes it earlier
		} else {
			k.wake = k.Now
		}
		return
	}
	if len(k.memory.Calls) > 0 {
		k.wakeAt(k.Now.Add(callCheck))
	}
	if !k.runtime.Live() {
		return
	}
	stop := k.runtime.Ahead(foreseeSteps)
	switch stop.Kind {
	case emulator.StopNews, emulator.StopAsked:
		k.wakeAt(k.whole(stop.At))
		k.note()
	case emulator.StopSpent, emulator.StopHeard, emulator.StopReplied:
		k.wakeAt(k.whole(stop.At))
	case emulator.StopUntil:
		if !stop.At.IsZero() {
			k.wakeAt(k.whole(stop.At))
		}
	}
}

// note stores the machine's open questions, so that the next sync has the answers.
func (k *sync) note() {
	queries := k.runtime.Queries()
	if len(queries) != len(k.memory.Queries) || len(queries) > 0 && queries[0].ID != k.memory.Queries[0].ID {
		k.memory.Queries, k.touched = queries, true
	}
}

// remember updates the memory that the plan stores; the memory is unchanged if nothing was touched.
// It is called before foresee, for the runtime in its present state.
func (k *sync) remember() {
	if !k.touched {
		return
	}
	k.memory.Queries = nil
	if ended(k.status.Phase) && !k.runtime.Live() {
		k.runtime.Retire()
	}
	if m, ok := k.runtime.(emulator.Machine); ok {
		k.audible = append(m.Audible(), without(k.joined, m.Joined())...)
	}
	b, err := k.runtime.Encode()
	if err != nil {
		k.audible = k.joined
		k.overflow()
		return
	}
	if k.memory.Machine = b; len(b) > 0 {
		k.memory.PaySync(k.now.Time, k.spent, emulator.Size(b))
	}
}

// overflow discards the machine of a Pod that holds too much data, like a node that runs out of
// memory: its containers are killed.
func (k *sync) overflow() {
	for i := range k.containers {
		if c := &k.containers[i]; c.running() {
			k.terminate(c, &end{at: k.now.Time, code: killed, oom: true, message: "the files and logs of the Pod are more than its emulation holds"})
		}
	}
	k.runtime = k.newMachine(k.now.Time)
	k.memory = memory.Memory{Told: k.memory.Told, Paid: k.memory.Paid}
	k.deriveStatus(false)
}
