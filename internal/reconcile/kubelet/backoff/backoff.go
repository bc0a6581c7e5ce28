// Package backoff derives from a Pod's status how long containers wait: before they are restarted,
// and between the attempts to pull their images. So no back-off is stored.
package backoff

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

const (
	first   = 10 * time.Second
	longest = 5 * time.Minute
)

// AfterStartError is how long a container that could not be started waits, after this number of
// restarts: like BeforeRestart, for runs that take no time.
func AfterStartError(restarts int32) time.Duration {
	if restarts == 0 {
		return 0
	}
	return min(first<<min(restarts-1, 5), longest)
}

// BeforeRestart is how long an ended container waits: not at all after its first run or after a run
// of more than ten minutes, then 10 s, and each time twice as long as before that run, up to five
// minutes. Runs begin when a wait is over or a little later, never earlier, so the wait is the
// largest step that fits in between. A run that began when the one before ended replaced that one,
// and counts as the first.
//
// For example, a container that ran from 12:00:21 to 12:00:22 after a run that ended at 12:00:00
// had waited 20 s, so it waits 40 s.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go, doBackOff; client-go flowcontrol.Backoff.
func BeforeRestart(st *corev1.ContainerStatus) time.Duration {
	run, before := st.State.Terminated, st.LastTerminationState.Terminated
	if before == nil || run.StartedAt.Equal(&before.FinishedAt) || run.FinishedAt.Sub(run.StartedAt.Time) > 2*longest {
		return 0
	}
	waited, delay := run.StartedAt.Sub(before.FinishedAt.Time), first
	for delay <= waited && delay < longest {
		delay *= 2
	}
	return min(delay, longest)
}

// Message is what a container says that waits this long for its restart. pod is its Pod as messages
// name it.
func Message(delay time.Duration, container, pod string) string {
	return "back-off " + delay.String() + " restarting failed container=" + container + " pod=" + pod
}

// InMessage is the delay in a Message; zero if the text is not a Message.
func InMessage(message string) time.Duration {
	rest, ours := strings.CutPrefix(message, "back-off ")
	word, _, _ := strings.Cut(rest, " ")
	if d, err := time.ParseDuration(word); ours && err == nil {
		return d
	}
	return 0 // not our message: no wait is known, so it is over
}

// PullAttempt finds the latest attempt at or before elapsed, and the one after it, both counted
// from the first: 0 s, 10 s, 30 s, 70 s, 150 s, 310 s, and then every five minutes.
func PullAttempt(elapsed time.Duration) (latest, next time.Duration) {
	wait := first
	for next = wait; next <= elapsed; {
		latest = next
		wait = min(2*wait, longest)
		if wait == longest { // do not step through days in intervals of five minutes
			latest += (elapsed - latest) / wait * wait
		}
		next = latest + wait
	}
	return latest, next
}
