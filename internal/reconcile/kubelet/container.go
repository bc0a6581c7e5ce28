package kubelet

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/profile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/allocation"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/backoff"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

const (
	// settleTime is how long a container that has ended is shown as terminated before it is
	// restarted or shown as waiting; a real node takes about that long to notice.
	settleTime = time.Second

	crashLoopBackOff           = "CrashLoopBackOff"
	runContainerError          = "RunContainerError"
	createContainerConfigError = "CreateContainerConfigError"
)

// initialize starts the init containers that are due, in order, and reports whether regular
// containers may run.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, computeInitContainerActions.
func (k *sync) initialize() bool {
	before := slices.ContainsFunc(k.containers, func(c container) bool { return k.regularStarted(&c) && !k.initializesAgain(&c) })
	for i := range k.containers {
		c := &k.containers[i]
		switch c.role {
		case sidecar:
			k.keepUp(c)
			if !before && !(c.running() && k.started(c)) {
				return false
			}
		case initial:
			if before || c.succeeded() {
				continue
			}
			k.keepUp(c)
			if !c.succeeded() {
				return false
			}
		case regular, ephemeral: // start handles them, once this returns true
		}
	}
	return true
}

func (k *sync) anyRegularStarted() bool {
	return slices.ContainsFunc(k.containers, func(c container) bool { return k.regularStarted(&c) })
}

func (k *sync) regularStarted(c *container) bool {
	return c.role == regular && (c.status.State.Waiting == nil || c.status.LastTerminationState.Terminated != nil)
}

// keepUp starts a container that should run and does not, now or when its back-off is over.
func (k *sync) keepUp(c *container) {
	switch st := c.status; {
	case k.behind || c.running() || k.starting(c):
		return
	case st.State.Terminated != nil && c.replaced: // stopped and started in one sync: it is never shown as terminated
	case st.State.Terminated != nil:
		if !k.restarts(c, st.State.Terminated.ExitCode) || k.settles(c, st.State.Terminated.FinishedAt.Time, k.delay(c)) {
			return
		}
	case st.State.Waiting.Reason == runContainerError && st.LastTerminationState.Terminated != nil:
		if k.settles(c, st.LastTerminationState.Terminated.FinishedAt.Time, backoff.AfterStartError(st.RestartCount)) {
			return
		}
	case st.State.Waiting.Reason == crashLoopBackOff && st.LastTerminationState.Terminated != nil:
		delay := backoff.InMessage(st.State.Waiting.Message)
		if at := st.LastTerminationState.Terminated.FinishedAt.Add(delay); k.Now.Before(at) && !k.renewed(c) {
			k.wakeAt(at)
			return
		}
	}
	c.replaced = false
	if k.start(c); c.status.State.Terminated != nil || c.failedToStart() {
		k.keepUp(c) // it ended at once: wait for its restart
	}
}

// delay is how long the ended container waits for its restart.
func (k *sync) delay(c *container) time.Duration {
	if k.renewed(c) {
		return 0
	}
	return backoff.BeforeRestart(c.status)
}

// settles reports whether a container that has ended, and has this delay, must not be started yet.
func (k *sync) settles(c *container, end time.Time, delay time.Duration) bool {
	at := end.Add(max(delay, settleTime))
	if !k.Now.Before(at) {
		return false
	}
	if settled := end.Add(settleTime); k.Now.Before(settled) {
		k.wakeAt(settled)
		return true
	}
	k.backOff(c, delay)
	k.wakeAt(at)
	return true
}

func (c *container) failedToStart() bool {
	return c.status.State.Waiting != nil && c.status.State.Waiting.Reason == runContainerError
}

// backOff shows that the container waits to be restarted.
func (k *sync) backOff(c *container, delay time.Duration) {
	pod := k.Pod.Name + "_" + k.Pod.Namespace + "(" + string(k.Pod.UID) + ")"
	if c.status.State.Terminated != nil {
		c.status.LastTerminationState = c.status.State
	}
	c.status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
		Reason:  crashLoopBackOff,
		Message: backoff.Message(delay, c.spec.Name, pod),
	}}
	k.changed = true
	k.event(c, corev1.EventTypeWarning, "BackOff", "Back-off restarting failed container "+c.spec.Name+" in pod "+pod)
}

// restarts reports whether a container that ended with the code is run again.
// Source: kubernetes v1.36 pkg/api/v1/pod/util.go, ContainerShouldRestart.
func (k *sync) restarts(c *container, code int32) bool {
	if c.role == ephemeral {
		return false
	}
	if c.replaced || k.restarting || k.awaitsRestart(c) || c.ruleFor(code) != nil {
		return true
	}
	policy := k.Pod.Spec.RestartPolicy
	if c.role == initial && policy == corev1.RestartPolicyAlways {
		policy = corev1.RestartPolicyOnFailure
	}
	if c.spec.RestartPolicy != nil {
		policy = corev1.RestartPolicy(*c.spec.RestartPolicy)
	}
	return policy == corev1.RestartPolicyAlways || policy == "" || policy == corev1.RestartPolicyOnFailure && code != 0
}

// start pulls the image, creates the container and starts it. If its program ends at once, the
// container has then ended.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, startContainer.
func (k *sync) start(c *container) {
	st := c.status
	restarts := st.RestartCount
	last := st.State.Terminated
	if last == nil {
		last = st.LastTerminationState.Terminated
	}
	if last != nil {
		restarts++
	}
	if profile.Has(k.Pod.Annotations) {
		if k.behave(c, restarts); k.delayed(c) {
			return
		}
	}
	told := len(k.events)
	if !k.pull(c) {
		return
	}
	if pulled := len(k.events); !k.pullVolumes(c) {
		if len(k.events) == pulled { // nothing new to report
			k.events = k.events[:told]
		}
		return
	}
	spec, err := k.configure(c, restarts)
	if err != nil {
		if k.wait(c, createContainerConfigError, err.Error()) {
			k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+err.Error())
		} else {
			k.events = k.events[:told]
		}
		return
	}
	req := k.given(c)
	*st = corev1.ContainerStatus{
		Name:                 st.Name,
		State:                corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: k.now}},
		LastTerminationState: corev1.ContainerState{Terminated: last},
		RestartCount:         restarts,
		Image:                c.image.Reference,
		ImageID:              c.image.ID,
		ContainerID:          spec.Outline.ID,
		AllocatedResources:   req.Requests,
		Resources:            allocation.OfContainer(req),
		VolumeMounts:         st.VolumeMounts,
	}
	k.changed = true
	k.event(c, corev1.EventTypeNormal, "Created", "Container created")
	k.launch(c, spec)
	if !k.behind {
		k.strike(c)
	}
}

// configure composes the container, as far as necessary: an error names a missing object that it
// refers to.
func (k *sync) configure(c *container, restarts int32) (s emulator.Spec, err error) {
	id := containerID(k.Pod, c.spec.Name, restarts)
	switch {
	case k.runtime.HasFiles():
		s, err = k.spec(c, id)
	case need.InEnvironment(c.spec):
		_, _, err = podsetup.Environment(k.podNow(), c.spec, nil, k.around(), k.readVolume)
	}
	s.Outline = k.outlineOf(c, id)
	return s, err
}

// outlineOf is what the closed form needs to know of a run of the container.
func (k *sync) outlineOf(c *container, id string) *emulator.Outline {
	c.outline = emulator.Outline{
		Name: c.spec.Name, ID: id, Image: c.image, Container: c.spec, Host: k.status.PodIP,
		Timeline: &c.timeline, StopTime: c.profile.StopTime, Grace: k.grace(),
	}
	return &c.outline
}

// launch starts the container, which is already created.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, startContainer.
func (k *sync) launch(c *container, spec emulator.Spec) {
	k.touched = true
	if err := k.runtime.Start(k.now.Time, spec); err != nil {
		k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+err.Error())
		st := c.status
		ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 128, Reason: "StartError", Message: err.Error(),
			StartedAt: metav1.Unix(0, 0), FinishedAt: k.now, ContainerID: st.ContainerID}}
		if st.State = ended; k.restarts(c, 128) {
			st.LastTerminationState = ended
			st.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: runContainerError, Message: err.Error()}}
		}
		return
	}
	k.event(c, corev1.EventTypeNormal, "Started", "Container started")
	if c.said != "" {
		k.notEmulated(c, c.said)
	}
	if spec.PostStart != nil {
		reason := containerCreating
		if len(k.Pod.Spec.InitContainers) > 0 {
			reason = podInitializing
		}
		c.status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	}
	k.carryOn()
}

// setRunning shows that the container runs, after its postStart hook has ended.
func (k *sync) setRunning(c *container) {
	if r := k.run(c); r.ID != "" && !c.running() {
		c.status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: r.Started.Truncate(time.Second)}}}
		k.changed = true
	}
}

// delayed reports whether the container's profile makes it wait before its first start.
func (k *sync) delayed(c *container) bool {
	at := k.firstPull(c).Add(c.profile.StartDelay)
	if c.profile.StartDelay == 0 || !k.Now.Before(at) {
		return false
	}
	k.wakeAt(k.whole(at))
	return true
}

// containerID is the same on every replica, and different for every run of a container.
func containerID(pod *corev1.Pod, name string, restarts int32) string {
	buf := make([]byte, 0, 128)
	buf = append(buf, pod.UID...)
	buf = append(buf, '/')
	buf = append(buf, name...)
	buf = append(buf, '/')
	buf = strconv.AppendInt(buf, int64(restarts), 10)
	sum := sha256.Sum256(buf)
	buf = append(buf[:0], "containerd://"...)
	return string(hex.AppendEncode(buf, sum[:]))
}
