package pod

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// firstPodIP returns the first address of the Pod, "" if it has none.
func firstPodIP(s *corev1.PodStatus) string {
	if len(s.PodIPs) == 0 {
		return ""
	}
	return s.PodIPs[0].IP
}

// nodeLostReason is the reason of a Pod on a node that has been unreachable for long.
const nodeLostReason = "NodeLost"

// podRow prints a Pod as `kubectl get pods -o wide` shows it.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPod
func podRow(p *corev1.Pod, now time.Time) []any {
	s := summarize(p)
	restarts := strconv.Itoa(s.restarts.count)
	if s.restarts.count != 0 && !s.restarts.last.IsZero() {
		restarts += " (" + kind.Age(s.restarts.last, now) + " ago)"
	}
	return []any{
		p.Name, fmt.Sprintf("%d/%d", s.ready, s.total), s.status, restarts, kind.Age(p.CreationTimestamp, now),
		cmp.Or(firstPodIP(&p.Status), "<none>"), cmp.Or(p.Spec.NodeName, "<none>"),
		cmp.Or(p.Status.NominatedNodeName, "<none>"), readinessGates(p),
	}
}

// podSummary is what a table shows of a Pod's containers.
type podSummary struct {
	status   string // "Running", "Init:0/2", "CrashLoopBackOff"
	ready    int
	total    int // app containers and sidecars
	restarts restarts
	sidecars restarts // part of restarts: those of sidecars
}

// restarts is the number of restarts of containers, and when the latest one of them had ended
// before.
type restarts struct {
	count int
	last  metav1.Time
}

func (r *restarts) add(c *corev1.ContainerStatus) {
	r.count += int(c.RestartCount)
	if ended := c.LastTerminationState.Terminated; ended != nil && r.last.Before(&ended.FinishedAt) {
		r.last = ended.FinishedAt
	}
}

// summarize summarizes the Pod's containers. During initialization it shows the init containers,
// afterwards the app containers and sidecars.
func summarize(p *corev1.Pod) podSummary {
	s := podSummary{
		status: cmp.Or(p.Status.Reason, string(p.Status.Phase)),
		total:  len(p.Spec.Containers),
	}
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated {
			s.status = corev1.PodReasonSchedulingGated
		}
	}
	initializing := s.addInitContainers(p)
	if !initializing || hasPodCondition(p, corev1.PodInitialized) {
		s.addContainers(p)
	}
	if p.DeletionTimestamp != nil {
		ended := p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded
		switch {
		case p.Status.Reason == nodeLostReason:
			s.status = "Unknown"
		case !ended:
			s.status = "Terminating"
		}
	}
	return s
}

// addInitContainers counts the init containers up to the first one that has not completed, which
// determines the status. It reports whether there is one.
func (s *podSummary) addInitContainers(p *corev1.Pod) (initializing bool) {
	sidecars := map[string]bool{}
	for i := range p.Spec.InitContainers {
		if c := &p.Spec.InitContainers[i]; podspec.IsSidecar(c) {
			sidecars[c.Name] = true
			s.total++
		}
	}
	for i := range p.Status.InitContainerStatuses {
		c := &p.Status.InitContainerStatuses[i]
		s.restarts.add(c)
		if sidecars[c.Name] {
			s.sidecars.add(c)
		}
		started := sidecars[c.Name] && c.Started != nil && *c.Started
		switch ended, waiting := c.State.Terminated, c.State.Waiting; {
		case ended != nil && ended.ExitCode == 0:
			continue
		case started:
			if c.Ready {
				s.ready++
			}
			continue
		case ended != nil:
			s.status = "Init:" + endReason(ended)
		case waiting != nil && waiting.Reason != "" && waiting.Reason != "PodInitializing":
			s.status = "Init:" + waiting.Reason
		default:
			s.status = fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
		}
		return true
	}
	return false
}

// addContainers counts the app containers. The first one with a reason determines the status. It
// drops the restarts of completed init containers.
func (s *podSummary) addContainers(p *corev1.Pod) {
	s.restarts = s.sidecars
	running, failure := false, ""
	for i := len(p.Status.ContainerStatuses) - 1; i >= 0; i-- {
		c := &p.Status.ContainerStatuses[i]
		s.restarts.add(c)
		switch ended, waiting := c.State.Terminated, c.State.Waiting; {
		case waiting != nil && waiting.Reason != "":
			s.status = waiting.Reason
		case ended != nil:
			s.status = endReason(ended)
			if ended.ExitCode != 0 {
				failure = s.status
			}
		case c.Ready && c.State.Running != nil:
			running = true
			s.ready++
		}
	}
	if s.status != "Completed" {
		return
	}
	switch {
	case running && hasPodCondition(p, corev1.PodReady):
		s.status = "Running"
	case failure != "":
		s.status = failure
	case running:
		s.status = "NotReady"
	}
}

// endReason returns why a container ended: the reason, else the signal, else the exit code.
func endReason(ended *corev1.ContainerStateTerminated) string {
	switch {
	case ended.Reason != "":
		return ended.Reason
	case ended.Signal != 0:
		return fmt.Sprintf("Signal:%d", ended.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", ended.ExitCode)
}

// hasPodCondition reports whether the first condition of the type is true.
func hasPodCondition(p *corev1.Pod, t corev1.PodConditionType) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == t {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// readinessGates prints how many of the Pod's gates are open: "1/2".
func readinessGates(p *corev1.Pod) string {
	if len(p.Spec.ReadinessGates) == 0 {
		return "<none>"
	}
	conditions := map[corev1.PodConditionType]bool{}
	for i := len(p.Status.Conditions) - 1; i >= 0; i-- { // the first of a type counts
		c := p.Status.Conditions[i]
		conditions[c.Type] = c.Status == corev1.ConditionTrue
	}
	open := 0
	for _, gate := range p.Spec.ReadinessGates {
		if conditions[gate.ConditionType] {
			open++
		}
	}
	return fmt.Sprintf("%d/%d", open, len(p.Spec.ReadinessGates))
}
