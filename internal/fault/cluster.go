package fault

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// PodRule is a fault of Pods, ready to be applied.
type PodRule struct {
	Fault *Fault
	// Code is the containers' exit code, After how long each run lasts.
	Code  int32
	After time.Duration

	selector labels.Selector // nil for a name
}

// NewPodRule makes the rule of a validated fault of Pods.
func NewPodRule(f *Fault) *PodRule {
	p := f.Spec.Pod
	r := &PodRule{Fault: f, Code: 1, After: duration(p.After)}
	switch {
	case p.Action == OOM:
		r.Code = 128 + 9
	case p.Signal != "":
		r.Code = 128 + signalNumber(p.Signal)
	case p.ExitCode != nil:
		r.Code = *p.ExitCode
	}
	if p.Selector != "" {
		r.selector, _ = labels.Parse(p.Selector)
	}
	return r
}

// Action returns the fault's action.
func (r *PodRule) Action() string { return r.Fault.Spec.Pod.Action }

// Since returns when the fault was created, to the second.
func (r *PodRule) Since() time.Time { return r.Fault.CreationTimestamp.Time }

// Once reports whether the fault is over once it has been applied.
func (r *PodRule) Once() bool {
	switch r.Action() {
	case Exit, OOM, Evict:
		return true
	}
	return false
}

// Concerns reports whether the fault applies to a Pod. A fault that happens once applies to Pods
// that existed when it was created.
func (r *PodRule) Concerns(pod *corev1.Pod) bool {
	p := r.Fault.Spec.Pod
	if pod.Namespace != p.Namespace || r.Once() && pod.CreationTimestamp.After(r.Since()) {
		return false
	}
	if r.selector != nil {
		return r.selector.Matches(labels.Set(pod.Labels))
	}
	return pod.Name == p.Name
}

// Covers reports whether the fault applies to a container of a Pod that it concerns: without a
// name, it applies to the regular ones.
func (r *PodRule) Covers(container string, regular bool) bool {
	if named := r.Fault.Spec.Pod.Container; named != "" {
		return named == container
	}
	return regular
}

// Strikes reports whether a run with this start is one that a fault which happens once ends: those
// are the runs that began before it was created. A container that has ended rests for a second, so
// its next run is not one of them.
func (r *PodRule) Strikes(started time.Time) bool { return !started.After(r.Since()) }

// Done reports whether a fault that happens once has nothing left to do to a Pod.
func (r *PodRule) Done(pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || pod.Spec.NodeName == "" {
		return true
	}
	if r.Action() == Evict {
		return false
	}
	st := &pod.Status
	return r.spared(st.ContainerStatuses, true) && r.spared(st.InitContainerStatuses, false) && r.spared(st.EphemeralContainerStatuses, false)
}

// spared reports whether none of the containers that the fault ends is running.
func (r *PodRule) spared(statuses []corev1.ContainerStatus, regular bool) bool {
	for i := range statuses {
		if run := statuses[i].State.Running; run != nil && r.Covers(statuses[i].Name, regular) && r.Strikes(run.StartedAt.Time) {
			return false
		}
	}
	return true
}

// ImageRule is a fault of an image.
type ImageRule struct{ Fault *Fault }

// Concerns reports whether the fault applies to an image, by the name that a container gives and by
// its full reference, as in docker.io/library/nginx:1.29.
func (r *ImageRule) Concerns(name, reference string) bool {
	pattern := r.Fault.Spec.Image.Image
	short := strings.TrimPrefix(strings.TrimPrefix(reference, "docker.io/"), "library/")
	for _, n := range []string{name, reference, short} {
		if like(pattern, n) || like(pattern, untagged(n)) {
			return true
		}
	}
	return false
}

// untagged returns an image's name without its tag and digest.
func untagged(name string) string {
	name, _, _ = strings.Cut(name, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	return name
}

// Reason returns why a container that wants the image waits.
func (r *ImageRule) Reason() string {
	if reason := r.Fault.Spec.Image.Reason; reason != "" {
		return reason
	}
	return ImageReasons[0]
}

// Message returns the error text for an image.
func (r *ImageRule) Message(reference string) string {
	if message := r.Fault.Spec.Image.Message; message != "" {
		return message
	}
	return "failed to pull and unpack image \"" + reference + "\": refused by fault " + r.Fault.Name
}

// OfPod is the faults that the kubelet needs for the sync of one Pod. The zero OfPod has none.
type OfPod struct {
	Pod   []*PodRule // that apply to the Pod
	Image []*ImageRule
}

// Find returns the first fault with an action that applies to the Pod and has not ended; nil for
// none.
func (o OfPod) Find(action string, now time.Time) *PodRule {
	for _, r := range o.Pod {
		if r.Action() == action && !r.Fault.Ended(now) {
			return r
		}
	}
	return nil
}

// Refuses returns the first fault that applies to an image and has not ended; nil for none.
func (o OfPod) Refuses(name, reference string, now time.Time) *ImageRule {
	for _, r := range o.Image {
		if !r.Fault.Ended(now) && r.Concerns(name, reference) {
			return r
		}
	}
	return nil
}
