package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/imagepull"
)

// pull fetches the container's image, or shows why that fails.
func (k *sync) pull(c *container) bool {
	r := imagepull.Decide(&imagepull.Request{
		Name: c.spec.Image, Policy: c.spec.ImagePullPolicy, Image: c.image, Invalid: c.invalid, Refused: k.refused(c),
		Waiting: c.status.State.Waiting, First: k.firstPull(c), Now: k.Now,
	})
	if r.OK || k.wait(c, r.Reason, r.Message) {
		for _, e := range r.Events() {
			k.event(c, e.Type, e.Reason, e.Message)
		}
	}
	k.wakeAt(r.Wake)
	return r.OK
}

// refused is the failure by a fault that keeps the container's image from being pulled; nil if it
// can, or need not, be pulled. An image that the container has run before is on its node, and is
// pulled again only if its policy is Always.
func (k *sync) refused(c *container) *imagepull.Failure {
	if len(k.Faults.Image) == 0 || c.image == nil || c.image.PullError != "" {
		return nil
	}
	ran := c.status.LastTerminationState.Terminated != nil || c.status.State.Terminated != nil
	switch policy := c.spec.ImagePullPolicy; {
	case policy == corev1.PullNever, policy != corev1.PullAlways && ran:
		return nil
	}
	rule := k.Faults.Refuses(c.spec.Image, c.image.Reference, k.Now)
	if rule == nil {
		return nil
	}
	return &imagepull.Failure{Reason: rule.Reason(), Message: rule.Message(c.image.Reference)}
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
