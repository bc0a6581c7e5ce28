package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// carryOn brings the runtime up to now and shows in the status what has happened. Behind says that there was too much to do for
// one sync, or that a question has no answer yet: then another sync at the same time goes on.
func (k *sync) carryOn() {
	next := k.carryTo(k.now.Add(instant))
	m, ok := k.runtime.(emulator.Machine)
	for limit := k.now.Add(serveAhead); ok && !k.behind && m.Serves() && m.Computes() && m.Now().Before(limit) && next.Before(limit); {
		next = k.carryTo(later(next, m.Now().Add(instant))) // whoever waits for what it serves waits in this second
	}
}

// carryTo brings it up to a time, unless the sync has used its share before. next is when the next thing is due in it, zero for never.
// That can be long after its Now, as a step on a busy CPU takes long.
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
			if answers++; k.Outside == nil || answers > mostAnswers {
				k.behind = true
				continue
			}
			k.touched = true
			k.answerQueries()
		case emulator.StopSpent:
			k.behind = true
		case emulator.StopReplied:
			k.touched = true // respond takes it
		case emulator.StopHeard: // the kubelet does not listen
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

// answerQueries answers what the machine asks, as far as that is known. Without an answer to one of its questions it stands still.
func (k *sync) answerQueries() {
	open, calls := 0, 0
	for _, q := range k.runtime.Queries() {
		a, known := k.answer(q)
		if known {
			k.count(q, a)
			_ = k.runtime.Answer(k.runtime.Now(), q.ID, a) // it is one of those that wait
			continue
		}
		if c := k.pending(q.ID); c != nil {
			if !k.Now.Before(c.Posted.Add(callCheck)) {
				k.runtime.Hold(q.ID)
				continue
			}
			calls++
		}
		open++
	}
	k.behind, k.awaiting = open > 0, open > 0 && calls == open
}

// hear shows one piece of news.
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
		// deriveStatus shows what has become of it
	}
}

// killSick stops a container whose startup or liveness probe has failed for too long.
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

// terminateIn tells the container to stop, and says whether that has made a difference.
func (k *sync) terminateIn(c *container, at time.Time, grace time.Duration) (changed bool) {
	if k.behind {
		return false // an input comes when the runtime has come to its time
	}
	changed = k.runtime.Terminate(at, c.spec.Name, grace)
	k.touched = k.touched || changed
	return changed
}

// prepareIn has the container run its preStop hook before its turn to stop, and says whether that has made a difference.
func (k *sync) prepareIn(c *container, at time.Time, grace time.Duration) (changed bool) {
	if k.behind {
		return false // an input comes when the runtime has come to its time
	}
	changed = k.runtime.Prepare(at, c.spec.Name, grace)
	k.touched = k.touched || changed
	return changed
}

// foresee looks ahead for when something happens that changes the status, or when it is time to go on from here.
func (k *sync) foresee() {
	if k.behind {
		if k.note(); k.awaiting {
			k.wakeAt(k.Now.Add(callCheck)) // unless it is woken by the answer before
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

// note keeps what the machine asks for, so that the next look has the answers.
func (k *sync) note() {
	queries := k.runtime.Queries()
	if len(queries) != len(k.memory.Queries) || len(queries) > 0 && queries[0].ID != k.memory.Queries[0].ID {
		k.memory.Queries, k.touched = queries, true
	}
}

// remember is the memory that the plan leaves: nil if it stays as it is. It is called before foresee, for the runtime as it is now.
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
	if k.memory.machine = b; len(b) > 0 {
		k.charge(emulator.Size(b))
	}
}

// overflow forgets the machine of a Pod that holds too much, as a node does that runs out of memory: its containers are killed.
func (k *sync) overflow() {
	for i := range k.containers {
		if c := &k.containers[i]; c.running() {
			k.terminate(c, &end{at: k.now.Time, code: killed, oom: true, message: "the files and logs of the Pod are more than its emulation holds"})
		}
	}
	k.runtime = k.newMachine(k.now.Time)
	k.memory = memory{Told: k.memory.Told, Paid: k.memory.Paid}
	k.deriveStatus(false)
}
