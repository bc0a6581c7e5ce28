package podtest

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Option changes a Pod.
type Option func(*corev1.Pod)

// Bound is a Pod that the scheduler has just bound, with one container.
func Bound(c corev1.Container, options ...Option) *corev1.Pod {
	grace := int64(30)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "11111111-1111-1111-1111-111111111111",
			ResourceVersion: "7", Generation: 1, CreationTimestamp: Stamp},
		Spec: corev1.PodSpec{NodeName: "node-1", RestartPolicy: corev1.RestartPolicyAlways,
			TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{c}},
		Status: corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBestEffort,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: Stamp}}},
	}
	for _, o := range options {
		o(pod)
	}
	return pod
}

// Named gives a container another name.
func Named(name string, c corev1.Container) corev1.Container {
	c.Name = name
	return c
}

// With changes a container.
func With(c corev1.Container, change func(*corev1.Container)) corev1.Container {
	change(&c)
	return c
}

// And adds containers to the Pod.
func And(more ...corev1.Container) Option {
	return func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, more...) }
}

// WithVolume adds a volume to the Pod.
func WithVolume(name string, source corev1.VolumeSource) Option {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: source})
	}
}

// Mounting mounts a volume in a container.
func Mounting(c corev1.Container, volume, path string) corev1.Container {
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: path})
	return c
}

// EmptyDir is a volume of the type emptyDir.
var EmptyDir = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}

// Secret is a Secret in the namespace "default".
func Secret(name, key, value string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Data: map[string][]byte{key: []byte(value)}}
}

// Restart policies.
var (
	Never     = Restarting(corev1.RestartPolicyNever)
	OnFailure = Restarting(corev1.RestartPolicyOnFailure)
)

// ConfigMap is a ConfigMap in the namespace "default".
func ConfigMap(name, key, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Data: map[string]string{key: value}}
}

// Node is the node of all Pods.
func Node() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "node-1"},
		Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: "10.0.0.1"}, {Type: corev1.NodeHostName, Address: "node-1"},
		}, Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("64")}},
	}
}

// Restarting sets the Pod's restart policy.
func Restarting(p corev1.RestartPolicy) Option {
	return func(pod *corev1.Pod) { pod.Spec.RestartPolicy = p }
}

// WithInit sets the Pod's init containers.
func WithInit(list ...corev1.Container) Option {
	return func(pod *corev1.Pod) { pod.Spec.InitContainers = list }
}

// WithDeadline sets the Pod's activeDeadlineSeconds.
func WithDeadline(seconds int64) Option {
	return func(pod *corev1.Pod) { pod.Spec.ActiveDeadlineSeconds = &seconds }
}

// Of runs an image, by default present and with its own program.
func Of(name, image string, command ...string) corev1.Container {
	return corev1.Container{Name: name, Image: image, Command: command, ImagePullPolicy: corev1.PullIfNotPresent}
}

// Nginx is a web server.
func Nginx() corev1.Container { return Of("nginx", "nginx:1.14.2") }

// Sh is a container "c" that runs a script.
func Sh(script string) corev1.Container { return Of("c", "busybox", "sh", "-c", script) }

// AsSidecar makes an init container a sidecar.
func AsSidecar(c corev1.Container) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	c.RestartPolicy = &always
	return c
}
