package kubelet

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Why a container waits for its image. Source: kubernetes v1.36 pkg/kubelet/images/types.go.
const (
	errImagePull      = "ErrImagePull"
	imagePullBackOff  = "ImagePullBackOff"
	errImageNeverPull = "ErrImageNeverPull"
	invalidImageName  = "InvalidImageName"
)

// pull fetches the container's image, which takes no time, or shows why that fails. An image that
// exists counts as present on the node, unless the container's pull policy is Always.
// Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go, EnsureImageExists and pullImage.
func (k *sync) pull(c *container) bool {
	name := strconv.Quote(c.spec.Image)
	refused := k.refused(c)
	switch {
	case c.invalid != nil:
		message := "Failed to apply default image tag " + name + ": " + c.invalid.Error()
		if k.wait(c, invalidImageName, message) {
			k.event(c, corev1.EventTypeWarning, "InspectFailed", message)
			k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+invalidImageName)
		}
		return false
	case refused != nil:
		k.failToPull(c, name, pullFailure{refused.Reason(), refused.Message(c.image.Reference)})
		return false
	case c.image.PullError == "" && c.spec.ImagePullPolicy == corev1.PullAlways:
		k.event(c, corev1.EventTypeNormal, "Pulling", "Pulling image "+name)
		k.event(c, corev1.EventTypeNormal, "Pulled", "Successfully pulled image "+name+
			" in 0s (0s including waiting). Image size: "+strconv.FormatInt(c.image.SizeBytes, 10)+" bytes.")
		return true
	case c.image.PullError == "":
		k.event(c, corev1.EventTypeNormal, "Pulled",
			"Container image "+name+" already present on machine and can be accessed by the pod")
		return true
	case c.spec.ImagePullPolicy == corev1.PullNever:
		message := "Container image " + name + " is not present with pull policy of Never"
		if k.wait(c, errImageNeverPull, message) {
			k.event(c, corev1.EventTypeWarning, errImageNeverPull, message)
			k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+errImageNeverPull)
		}
		return false
	}
	k.failToPull(c, name, pullFailure{errImagePull, c.image.PullError})
	return false
}

// pullVolumes fetches the images that the container mounts as volumes, as pull fetches its own.
//
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go, getImageVolumes and toKubeContainerImageVolumes
// Differs: images of volumes that no container mounts are not fetched, and the events refer to the
// container.
func (k *sync) pullVolumes(c *container) bool {
	for i := range c.spec.VolumeMounts {
		source := k.imageOf(c.spec.VolumeMounts[i].Name)
		if source == nil {
			continue
		}
		spec, wanted := *c.spec, *c
		spec.Image, spec.ImagePullPolicy = source.Reference, source.PullPolicy
		wanted.spec = &spec
		wanted.image, wanted.invalid = k.Images.Find(source.Reference)
		if !k.pull(&wanted) {
			return false
		}
	}
	return true
}

// imageOf is the image that a volume of the Pod shows; nil if it shows none.
func (k *sync) imageOf(volume string) *corev1.ImageVolumeSource {
	for i := range k.Pod.Spec.Volumes {
		if v := &k.Pod.Spec.Volumes[i]; v.Name == volume {
			return v.Image
		}
	}
	return nil
}

// pullFailure is why an image is missing.
type pullFailure struct{ reason, message string }

// failToPull shows the state of the attempts to pull an image that cannot be pulled. Each attempt
// fails at once, shows the reason, usually ErrImagePull, for settleTime, and then waits for the
// next. The waiting state of the container tells whether this is new.
func (k *sync) failToPull(c *container, name string, why pullFailure) {
	first := k.firstPull(c)
	attempt, next := pullAttempt(k.Now.Sub(first))
	settled := first.Add(attempt + settleTime)
	waiting := c.status.State.Waiting
	fresh := waiting == nil || waiting.Reason != why.reason && waiting.Reason != imagePullBackOff

	if fresh || k.Now.Before(settled) {
		if k.wait(c, why.reason, why.message) {
			k.event(c, corev1.EventTypeNormal, "Pulling", "Pulling image "+name)
			k.event(c, corev1.EventTypeWarning, "Failed", "Failed to pull image "+name+": "+why.message)
			k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+why.reason)
		}
		if k.wakeAt(settled); !k.Now.Before(settled) {
			k.wakeAt(k.Now.Add(settleTime))
		}
		return
	}
	message := "Back-off pulling image " + name
	if k.wait(c, imagePullBackOff, message+": "+why.reason+": "+why.message) {
		k.event(c, corev1.EventTypeNormal, "BackOff", message)
		k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+imagePullBackOff)
	}
	k.wakeAt(first.Add(next))
}

// firstPull is when the container's image was first needed: when the Pod started, the last init
// container before it completed, or the container itself could have restarted.
func (k *sync) firstPull(c *container) time.Time {
	first := k.status.StartTime.Time
	for i := range k.containers {
		other := &k.containers[i]
		if other.spec == c.spec {
			break
		}
		if t := other.status.State.Terminated; t != nil && other.role == initial && t.FinishedAt.After(first) {
			first = t.FinishedAt.Time
		}
	}
	for _, t := range []*corev1.ContainerStateTerminated{c.status.State.Terminated, c.status.LastTerminationState.Terminated} {
		if t != nil && t.FinishedAt.After(first) {
			first = t.FinishedAt.Add(settleTime) // its end is shown for that long
		}
	}
	return first
}

// pullAttempt finds the latest attempt at or before elapsed, and the one after it, both counted
// from the first: 0 s, 10 s, 30 s, 70 s, 150 s, 310 s, and then every five minutes.
func pullAttempt(elapsed time.Duration) (latest, next time.Duration) {
	wait := firstBackOff
	for next = wait; next <= elapsed; {
		latest = next
		wait = min(2*wait, longestBackOff)
		if wait == longestBackOff { // do not step through days in intervals of five minutes
			latest += (elapsed - latest) / wait * wait
		}
		next = latest + wait
	}
	return latest, next
}
