package fault

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// PodRule is a fault of Pods, ready to be carried out.
type PodRule struct {
	Fault *Fault
	// Code is what containers end with, After how long each run lasts.
	Code  int32
	After time.Duration

	selector labels.Selector // nil for a name
}

// NewPodRule makes the rule of a fault of Pods, which has been validated.
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

// Action is what the fault does.
func (r *PodRule) Action() string { return r.Fault.Spec.Pod.Action }

// Since is when the fault was made, to the second.
func (r *PodRule) Since() time.Time { return r.Fault.CreationTimestamp.Time }

// Once says whether the fault is over when it has been carried out.
func (r *PodRule) Once() bool {
	switch r.Action() {
	case Exit, OOM, Evict:
		return true
	}
	return false
}

// Concerns says whether the fault is about a Pod. What happens once happens to Pods that were there when the fault was made.
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

// Covers says whether the fault is about a container of a Pod that it concerns: without a name it is about the regular ones.
func (r *PodRule) Covers(container string, regular bool) bool {
	if named := r.Fault.Spec.Pod.Container; named != "" {
		return named == container
	}
	return regular
}

// Strikes says whether a run that began then is one that a fault which happens once ends: those are the runs that had begun when it
// was made. A container that has ended rests for a second, so its next run is not one of them.
func (r *PodRule) Strikes(started time.Time) bool { return !started.After(r.Since()) }

// Done says whether nothing is left to do about a Pod for a fault that happens once.
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

// spared says whether none of the containers runs that the fault ends.
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

// Concerns says whether the fault is about an image, by the name that a container gives and by its full reference, as in
// docker.io/library/nginx:1.29.
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

// untagged is an image's name without its tag and digest.
func untagged(name string) string {
	name, _, _ = strings.Cut(name, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	return name
}

// Reason is why a container that wants the image waits.
func (r *ImageRule) Reason() string {
	if reason := r.Fault.Spec.Image.Reason; reason != "" {
		return reason
	}
	return ImageReasons[0]
}

// Message is what the error says of an image.
func (r *ImageRule) Message(reference string) string {
	if message := r.Fault.Spec.Image.Message; message != "" {
		return message
	}
	return "failed to pull and unpack image \"" + reference + "\": refused by fault " + r.Fault.Name
}

// OfPod is what the kubelet needs to know of faults at a look at one Pod. The zero OfPod is none.
type OfPod struct {
	Pod   []*PodRule // that concern the Pod
	Image []*ImageRule
}

// Find is the first fault of an action that concerns the Pod and has not ended; nil for none.
func (o OfPod) Find(action string, now time.Time) *PodRule {
	for _, r := range o.Pod {
		if r.Action() == action && !r.Fault.Ended(now) {
			return r
		}
	}
	return nil
}

// Refuses is the first fault that concerns an image and has not ended; nil for none.
func (o OfPod) Refuses(name, reference string, now time.Time) *ImageRule {
	for _, r := range o.Image {
		if !r.Fault.Ended(now) && r.Concerns(name, reference) {
			return r
		}
	}
	return nil
}
