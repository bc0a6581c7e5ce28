package kubelet

import (
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/profile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/nodefile"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/token"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/traffic"
)

// sync is one sync of one Pod: the new status, the events, and when the next sync is due.
type sync struct {
	Snapshot
	now metav1.Time // Now in whole seconds, as a status stores it

	status     corev1.PodStatus
	containers []container // init containers, then regular, then ephemeral ones, each in the order of the spec
	changed    bool        // status differs from the Pod's
	events     []plan.Event
	wake       time.Time

	todo     action.Action
	resizing resizeConditions
	shown    nodefile.View // the files in its volumes that outlive the Pod
	runtime  emulator.Runtime
	memory   memory.Memory
	touched  bool  // the memory must be written
	joined   []int // the sessions in the stored machine
	audible  []int // the sessions that need the new memory
	spent    int64 // steps that the runtime has used
	behind   bool  // the runtime has not reached Now
	awaiting bool  // it is behind only because calls to other Pods have no answers yet
	fresh    bool  // the Pod is being set up again

	restarting bool // all containers are down and must start again: the condition AllContainersRestarting

	signer      token.Signer
	accountless bool // a token's file must be written again, when the Pod's ServiceAccount exists

	calls   []plan.Call                    // posted, answered and removed
	reached map[types.UID]emulator.Machine // see machineOf
	traffic traffic.Tally
}

// role is the role of a container in its Pod.
type role int

const (
	regular role = iota
	initial      // an init container that must complete
	sidecar      // an init container that is always restarted
	ephemeral
)

// container is one container of the Pod during a sync.
type container struct {
	spec   *corev1.Container
	role   role
	target string                  // of an ephemeral one: the container whose processes it sees; empty if none
	status *corev1.ContainerStatus // in sync.status

	image    *emulator.Image // nil if the name is invalid
	invalid  error
	timeline emulator.Timeline
	outline  emulator.Outline // of its run
	profile  profile.Profile
	said     string // what its log and an Event say about its unknown program; empty if it is known
	path     string // the field path for events; filled in on first use
	replaced bool   // the kubelet stops this run to start the container with another image or other resources
}

func newSync(s Snapshot) *sync {
	s.Around.Node = s.Node
	k := &sync{Snapshot: s, now: metav1.Time{Time: s.Now.Truncate(time.Second)},
		shown:  nodefile.View{Pod: s.Pod, Node: s.Node, Claims: s.Claims, Files: s.Files},
		signer: token.Signer{Key: s.Sign, AwaitsAccount: token.AwaitsAccount(s.Pod, s.Now)}}
	spec, old := &s.Pod.Spec, &s.Pod.Status
	k.status = *old
	k.restarting = isRestarting(s.Pod)
	k.resizing = resizeConditionsOf(s.Pod)
	k.containers = make([]container, 0, len(spec.InitContainers)+len(spec.Containers)+len(spec.EphemeralContainers))

	k.status.InitContainerStatuses = k.statuses(spec.InitContainers, old.InitContainerStatuses)
	for i := range spec.InitContainers {
		r := initial
		if p := spec.InitContainers[i].RestartPolicy; p != nil && *p == corev1.ContainerRestartPolicyAlways {
			r = sidecar
		}
		k.add(&spec.InitContainers[i], r, k.status.InitContainerStatuses)
	}
	k.status.ContainerStatuses = k.statuses(spec.Containers, old.ContainerStatuses)
	if len(k.status.ContainerStatuses) > 1 {
		slices.SortFunc(k.status.ContainerStatuses, func(a, b corev1.ContainerStatus) int {
			return strings.Compare(a.Name, b.Name)
		})
	}
	for i := range spec.Containers {
		k.add(&spec.Containers[i], regular, k.status.ContainerStatuses)
	}
	if len(spec.EphemeralContainers) > 0 {
		common := make([]corev1.Container, len(spec.EphemeralContainers))
		for i := range spec.EphemeralContainers {
			common[i] = corev1.Container(spec.EphemeralContainers[i].EphemeralContainerCommon)
		}
		k.status.EphemeralContainerStatuses = k.statuses(common, old.EphemeralContainerStatuses)
		for i := range common {
			k.add(&common[i], ephemeral, k.status.EphemeralContainerStatuses)
			k.containers[len(k.containers)-1].target = spec.EphemeralContainers[i].TargetContainerName
		}
	}
	return k
}

// statuses copies the old statuses of the containers; a container without one waits to be created.
func (k *sync) statuses(specs []corev1.Container, old []corev1.ContainerStatus) []corev1.ContainerStatus {
	if len(specs) == 0 {
		return nil
	}
	next := make([]corev1.ContainerStatus, len(specs))
	for i := range specs {
		if at := slices.IndexFunc(old, func(s corev1.ContainerStatus) bool { return s.Name == specs[i].Name }); at >= 0 {
			next[i] = old[at]
			continue
		}
		reason := containerCreating
		if len(k.Pod.Spec.InitContainers) > 0 {
			reason = podInitializing
		}
		next[i] = corev1.ContainerStatus{
			Name:         specs[i].Name,
			Image:        specs[i].Image,
			State:        corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}},
			VolumeMounts: mounts(&specs[i]),
		}
		k.changed = true
	}
	return next
}

// mounts reports the container's volume mounts. No emulated runtime mounts read-only recursively.
func mounts(c *corev1.Container) []corev1.VolumeMountStatus {
	if len(c.VolumeMounts) == 0 {
		return nil
	}
	list := make([]corev1.VolumeMountStatus, len(c.VolumeMounts))
	for i, m := range c.VolumeMounts {
		list[i] = corev1.VolumeMountStatus{Name: m.Name, MountPath: m.MountPath, ReadOnly: m.ReadOnly}
		if m.ReadOnly {
			disabled := corev1.RecursiveReadOnlyDisabled
			list[i].RecursiveReadOnly = &disabled
		}
	}
	return list
}

func (k *sync) add(spec *corev1.Container, r role, statuses []corev1.ContainerStatus) {
	c := container{spec: spec, role: r}
	for i := range statuses {
		if statuses[i].Name == spec.Name {
			c.status = &statuses[i]
		}
	}
	c.image, c.invalid = k.Images.Find(spec.Image)
	k.expect(&c)
	if profile.Has(k.Pod.Annotations) && c.status != nil {
		k.behave(&c, c.status.RestartCount)
	}
	k.containers = append(k.containers, c)
}

// expect determines how the container's program runs, from its image and its place in the Pod.
func (k *sync) expect(c *container) {
	if c.image == nil {
		return
	}
	c.said, c.timeline = "", c.image.Timeline(c.spec)
	if c.image.IsKnown() || c.timeline.Understood {
		return
	}
	c.said = "nothing is known about the program of " + c.spec.Image
	if k.mustEnd(c) != "" {
		c.timeline.Forever, c.timeline.ExitAfter, c.timeline.ExitCode = false, unknownRunTime, 0
	}
}

// standInRuns says how long the stand-in for the container's program runs.
func (k *sync) standInRuns(c *container) string {
	if place := k.mustEnd(c); place != "" {
		return "as " + place + ", it ends with 0 after " + unknownRunTime.String()
	}
	return "it counts as running and answers on every port"
}

// unknownRunTime is how long an unknown program runs if it must end.
const unknownRunTime = 3 * time.Second

// mustEnd says why the container must end for its Pod to make progress, if its program is unknown
// or not emulated; empty if it may run until it is stopped. The profile in the Pod's annotations
// takes precedence.
func (k *sync) mustEnd(c *container) (place string) {
	always := c.spec.RestartPolicy != nil && *c.spec.RestartPolicy == corev1.ContainerRestartPolicyAlways
	switch owner := metav1.GetControllerOfNoCopy(k.Pod); {
	case c.role == initial:
		return "an init container"
	case c.role == regular && !always && k.Pod.Spec.RestartPolicy != corev1.RestartPolicyAlways &&
		owner != nil && owner.Kind == "Job" && strings.HasPrefix(owner.APIVersion, batchv1.GroupName+"/"):
		return "a container of a Job"
	}
	return ""
}

// behave makes the container behave as the Pod's annotations say, in the run after this number of
// restarts.
func (k *sync) behave(c *container, restarts int32) {
	c.profile = profile.Of(k.Pod, c.spec.Name, restarts)
	k.expect(c)
	if p := c.profile; p.Replaced {
		c.said, c.timeline = "", emulator.Timeline{Forever: p.Forever, ExitAfter: p.RunTime, ExitCode: p.ExitCode, TermCode: profileTermCode}
	}
}

// profileTermCode is the exit code on SIGTERM of a container whose program is replaced by its
// profile.
const profileTermCode = 128 + 15

func seconds[N int32 | int64](n N) time.Duration { return time.Duration(n) * time.Second }

// wakeAt schedules another sync at that time, unless an earlier one is already scheduled.
func (k *sync) wakeAt(at time.Time) {
	if at.After(k.Now) && (k.wake.IsZero() || at.Before(k.wake)) {
		k.wake = at
	}
}

// event emits an event about a container.
func (k *sync) event(c *container, eventType, reason, message string) {
	if c.path == "" {
		switch c.role {
		case initial, sidecar:
			c.path = "spec.initContainers{" + c.spec.Name + "}"
		case ephemeral:
			c.path = "spec.ephemeralContainers{" + c.spec.Name + "}"
		default:
			c.path = "spec.containers{" + c.spec.Name + "}"
		}
	}
	if k.events == nil {
		k.events = make([]plan.Event, 0, 4) // a start has three
	}
	k.events = append(k.events, plan.Event{
		Regarding: k.Pod, FieldPath: c.path, Type: eventType, Reason: reason, Message: message,
		Component: "kubelet", Host: k.Pod.Spec.NodeName,
	})
}

// podEvent emits an event about the Pod as a whole.
func (k *sync) podEvent(eventType, reason, message string) {
	k.events = append(k.events, plan.Event{
		Regarding: k.Pod, Type: eventType, Reason: reason, Message: message,
		Component: "kubelet", Host: k.Pod.Spec.NodeName,
	})
}

// whole is the first time, later than now, at which a sync sees what happens at t.
func (k *sync) whole(t time.Time) time.Time {
	second := t.Truncate(time.Second)
	if t.Sub(second) > instant {
		second = second.Add(time.Second)
	}
	if !second.After(k.Now) {
		second = k.now.Add(time.Second)
	}
	return second
}

// podNow is the Pod with the new status, for code that reads its addresses.
func (k *sync) podNow() *corev1.Pod {
	pod := *k.Pod
	pod.Status = k.status
	return &pod
}

// situation is what the action depends on.
func (k *sync) situation() *action.Situation {
	return &action.Situation{Pod: k.Pod, Node: k.Node, Faults: k.Faults, Now: k.Now}
}

// grace is the Pod's grace period.
func (k *sync) grace() time.Duration { return action.Grace(k.Pod) }

// wait shows the container as waiting and reports whether that changed anything.
func (k *sync) wait(c *container, reason, message string) bool {
	st := c.status
	if w := st.State.Waiting; w != nil && w.Reason == reason && w.Message == message {
		return false
	}
	if st.State.Terminated != nil {
		st.LastTerminationState = st.State
	}
	st.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
	k.changed = true
	return true
}
