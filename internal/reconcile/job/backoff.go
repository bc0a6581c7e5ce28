package job

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	// backoffBase is the pause after the first failure.
	//
	// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, DefaultJobPodFailureBackOff
	backoffBase = 10 * time.Second
	// DefaultBackoffCap is the longest pause after failures.
	//
	// Source: https://kubernetes.io/docs/concepts/workloads/controllers/job/, Pod backoff failure policy
	//
	// Differs: kubernetes v1.36 uses ten minutes, contrary to its documentation.
	DefaultBackoffCap = 6 * time.Minute
)

// backoff determines the pause before new Pods: how many Pods have failed since the last success,
// and when the last of them failed. It is stored because the Pods may be deleted at any time.
type backoff struct {
	Failures int32     `json:"failures"`
	Last     time.Time `json:"last"`
	// Ignored are failed Pods that the podFailurePolicy ignores and whose finalizer may still be
	// there. They count here and nowhere else. The list prevents counting them twice.
	Ignored []types.UID `json:"ignored,omitempty"`
}

// decodeBackoff reads what encode wrote. Anything else is an empty backoff.
func decodeBackoff(memory []byte) (b backoff) {
	if json.Unmarshal(memory, &b) != nil {
		return backoff{}
	}
	return b
}

// encode is the stored form of a backoff; empty if there is nothing to store.
func (b backoff) encode() []byte {
	if b.Failures == 0 && len(b.Ignored) == 0 {
		return []byte{}
	}
	text, err := json.Marshal(b)
	if err != nil {
		return []byte{} // all our times are within JSON's range
	}
	return text
}

// with is the backoff after more Pods have ended. Only failures after the last success count.
//
// Source: kubernetes v1.36 pkg/controller/job/backoff_utils.go, newBackoffRecord
func (b backoff) with(succeeded, failed []*corev1.Pod) backoff {
	var success time.Time
	if len(succeeded) > 0 {
		b.Failures, b.Last, success = 0, time.Time{}, lastFinish(succeeded)
	}
	for _, p := range failed {
		at := finishedAt(p)
		if len(succeeded) > 0 && !at.After(success) {
			continue
		}
		b.Failures++
		if at.After(b.Last) || b.Failures == 1 {
			b.Last = at
		}
	}
	return b
}

func lastFinish(pods []*corev1.Pod) time.Time {
	return finishedAt(slices.MaxFunc(pods, func(a, b *corev1.Pod) int { return finishedAt(a).Compare(finishedAt(b)) }))
}

// until is when the pause after this many failures ends; zero without a failure. With the default
// cap the pauses are 10 s, 20 s, 40 s, 80 s, 160 s, 320 s, 360 s, 360 s …, each counted from the
// end of the last Pod that failed.
//
// Source: kubernetes v1.36 pkg/controller/job/backoff_utils.go, getRemainingTimeForFailuresCount
func (s Snapshot) until(failures int32, last time.Time) time.Time {
	if failures <= 0 {
		return time.Time{}
	}
	limit := cmp.Or(s.BackoffCap, DefaultBackoffCap)
	pause := backoffBase
	for i := int32(1); i < failures && pause < limit; i++ {
		pause *= 2
	}
	return last.Add(min(pause, limit))
}

// finishedAt is the best estimate of when the Pod ended.
//
// Source: kubernetes v1.36 pkg/controller/job/backoff_utils.go, getFinishedTime
func finishedAt(p *corev1.Pod) time.Time {
	if at := lastExit(p); !at.IsZero() {
		return at
	}
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionFalse && !c.LastTransitionTime.IsZero() {
			return c.LastTransitionTime.Time
		}
	}
	if p.DeletionTimestamp != nil {
		grace := time.Duration(0)
		if s := p.DeletionGracePeriodSeconds; s != nil {
			grace = time.Duration(*s) * time.Second
		}
		return p.DeletionTimestamp.Add(-grace)
	}
	return p.CreationTimestamp.Time
}

// lastExit is when the last container or sidecar of the Pod exited; zero if one of them still runs.
func lastExit(p *corev1.Pod) (at time.Time) {
	exits := func(list []corev1.ContainerStatus, counts func(name string) bool) bool {
		for i := range list {
			if !counts(list[i].Name) {
				continue
			}
			t := list[i].State.Terminated
			if t == nil || t.FinishedAt.IsZero() {
				return false
			}
			if t.FinishedAt.After(at) {
				at = t.FinishedAt.Time
			}
		}
		return true
	}
	all := exits(p.Status.ContainerStatuses, func(string) bool { return true }) &&
		exits(p.Status.InitContainerStatuses, func(name string) bool { return podstate.Sidecar(p, name) })
	if !all {
		return time.Time{}
	}
	return at
}
