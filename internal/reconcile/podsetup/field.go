package podsetup

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Field is the value of a Pod field in the downward API.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, podFieldSelectorRuntimeValue; pkg/fieldpath.
func Field(pod *corev1.Pod, path string) (string, error) {
	if name, key, ok := subscript(path); ok {
		switch name {
		case "metadata.annotations":
			return pod.Annotations[key], nil
		case "metadata.labels":
			return pod.Labels[key], nil
		}
		return "", fmt.Errorf("fieldPath %q does not support subscript", path)
	}
	switch path {
	case "metadata.annotations":
		return formatMap(pod.Annotations), nil
	case "metadata.labels":
		return formatMap(pod.Labels), nil
	case "metadata.name":
		return pod.Name, nil
	case "metadata.namespace":
		return pod.Namespace, nil
	case "metadata.uid":
		return string(pod.UID), nil
	case "spec.nodeName":
		return pod.Spec.NodeName, nil
	case "spec.serviceAccountName":
		return pod.Spec.ServiceAccountName, nil
	case "status.hostIP":
		return pod.Status.HostIP, nil
	case "status.hostIPs":
		ips := make([]string, len(pod.Status.HostIPs))
		for i, ip := range pod.Status.HostIPs {
			ips[i] = ip.IP
		}
		return strings.Join(ips, ","), nil
	case "status.podIP":
		return pod.Status.PodIP, nil
	case "status.podIPs":
		ips := make([]string, len(pod.Status.PodIPs))
		for i, ip := range pod.Status.PodIPs {
			ips[i] = ip.IP
		}
		return strings.Join(ips, ","), nil
	}
	return "", fmt.Errorf("unsupported fieldPath: %v", path)
}

// subscript splits metadata.labels['key'].
func subscript(path string) (name, key string, ok bool) {
	inner, closed := strings.CutSuffix(path, "']")
	name, key, opened := strings.Cut(inner, "['")
	return name, key, closed && opened && name != ""
}

// formatMap is one line key="value" for each key, sorted.
func formatMap(m map[string]string) string {
	lines := make([]string, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		lines = append(lines, key+"="+strconv.Quote(m[key]))
	}
	return strings.Join(lines, "\n")
}

// Resource is the value of a container's request or limit in the downward API, in units of the
// divisor, rounded up. A limit that is not set is what the node has. c is the container with the
// reference; it is used if the reference names none.
// Source: kubernetes v1.36 pkg/api/v1/resource/helpers.go; pkg/kubelet/kubelet_resources.go.
func Resource(pod *corev1.Pod, c *corev1.Container, ref *corev1.ResourceFieldSelector, node *corev1.Node) (string, error) {
	if ref.ContainerName != "" {
		if c = named(&pod.Spec, ref.ContainerName); c == nil {
			return "", fmt.Errorf("container %s not found", ref.ContainerName)
		}
	}
	if c == nil {
		return "", fmt.Errorf("container %s not found", ref.ContainerName)
	}
	kind, name, _ := strings.Cut(ref.Resource, ".")
	list := c.Resources.Requests
	if kind == "limits" {
		list = c.Resources.Limits
	}
	r := corev1.ResourceName(name)
	known := r == corev1.ResourceCPU || r == corev1.ResourceMemory || r == corev1.ResourceEphemeralStorage
	if kind != "requests" && kind != "limits" || !known && !strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) {
		return "", fmt.Errorf("unsupported container resource : %v", ref.Resource)
	}
	q := list[r]
	if kind == "limits" && q.IsZero() && known && node != nil {
		q = node.Status.Allocatable[r]
	}
	return divide(r, q, ref.Divisor), nil
}

// divide divides by the divisor, or by one if it is zero, and rounds up.
func divide(name corev1.ResourceName, q, divisor resource.Quantity) string {
	if divisor.IsZero() {
		divisor = resource.MustParse("1")
	}
	amount, unit := q.Value(), divisor.Value()
	if name == corev1.ResourceCPU {
		amount, unit = q.MilliValue(), divisor.MilliValue()
	}
	if unit <= 0 {
		unit = 1
	}
	n := amount / unit
	if amount%unit > 0 {
		n++
	}
	return strconv.FormatInt(n, 10)
}

func named(spec *corev1.PodSpec, name string) *corev1.Container {
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}
