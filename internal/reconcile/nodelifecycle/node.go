package nodelifecycle

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// What an emulated node reports about itself. The version is that of the Kubernetes libraries that
// Rowlock is built with.
const (
	kubeletVersion = "v1.36.6"
	runtimeVersion = "containerd://2.2.0"
	kernelVersion  = "6.12.0"
	osImage        = "Rowlock emulated node"
	kubeletPort    = 10250
)

// DefaultCapacity is the default capacity of a node: 64 CPUs, 256 GiB and 20,000 Pods.
func DefaultCapacity() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("64"),
		corev1.ResourceMemory:           resource.MustParse("256Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"),
		corev1.ResourcePods:             resource.MustParse("20000"),
	}
}

// DefaultNode is the i-th emulated node, counted from 1: "node-1", ready at now. If capacity is
// nil, it is DefaultCapacity.
func DefaultNode(i int, capacity corev1.ResourceList, now time.Time) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + strconv.Itoa(i)}}
	n.Spec.ProviderID = "rowlock://" + n.Name
	n.Status.Capacity = maps.Clone(capacity)
	fill(n, metav1.Time{Time: now.Truncate(time.Second)})
	return n
}

// fill adds what the node lacks. It replaces slices and maps rather than modifying them.
func fill(n *corev1.Node, now metav1.Time) (changed bool) {
	labels := map[string]string{
		corev1.LabelHostname: n.Name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
		"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64",
	}
	before := len(n.Labels)
	maps.Copy(labels, n.Labels)
	if len(labels) != before {
		n.Labels, changed = labels, true
	}
	return fillStatus(&n.Status, n.Name, now) || changed
}

func fillStatus(st *corev1.NodeStatus, name string, now metav1.Time) (changed bool) {
	if st.Capacity == nil {
		st.Capacity, changed = DefaultCapacity(), true
	}
	allocatable := maps.Clone(st.Capacity)
	before := len(st.Allocatable)
	maps.Copy(allocatable, st.Allocatable)
	if len(allocatable) != before {
		st.Allocatable, changed = allocatable, true
	}
	if len(st.Addresses) == 0 {
		st.Addresses, changed = []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: address(name)}, {Type: corev1.NodeHostName, Address: name},
		}, true
	}
	if st.DaemonEndpoints.KubeletEndpoint.Port == 0 {
		st.DaemonEndpoints.KubeletEndpoint.Port, changed = kubeletPort, true
	}
	if st.NodeInfo.KubeletVersion == "" {
		st.NodeInfo, changed = nodeInfo(name), true
	}
	for _, c := range healthy {
		if !slices.ContainsFunc(st.Conditions, func(old corev1.NodeCondition) bool { return old.Type == c.Type }) {
			c.LastHeartbeatTime, c.LastTransitionTime = now, now
			st.Conditions, changed = append(slices.Clip(st.Conditions), c), true
		}
	}
	return changed
}

// healthy is the conditions of a healthy node.
var healthy = []corev1.NodeCondition{
	{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse,
		Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
	{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse,
		Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
	{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse,
		Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
	{Type: corev1.NodeReady, Status: corev1.ConditionTrue,
		Reason: "KubeletReady", Message: "kubelet is posting ready status"},
}

func nodeInfo(name string) corev1.NodeSystemInfo {
	id := sha256.Sum256([]byte(name))
	uuid := fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
	return corev1.NodeSystemInfo{
		MachineID: fmt.Sprintf("%x", id[:16]), SystemUUID: uuid, BootID: uuid,
		KernelVersion: kernelVersion, OSImage: osImage, ContainerRuntimeVersion: runtimeVersion,
		KubeletVersion: kubeletVersion, OperatingSystem: "linux", Architecture: "amd64",
	}
}

// address is the node's IP, made from its name, in 172.16.0.0/12. Two nodes may share one; that
// does no harm.
func address(name string) string {
	id := sha256.Sum256([]byte(name))
	return netip.AddrFrom4([4]byte{172, 16 + id[0]&15, id[1], id[2]}).String()
}

func event(n *corev1.Node, component, reason, message string) plan.Event {
	e := plan.Event{Regarding: n, Type: corev1.EventTypeNormal, Reason: reason, Component: component,
		Message: "Node " + n.Name + " " + message}
	if component == "kubelet" {
		e.Host = n.Name
	}
	return e
}

// readiness is the status of the node's condition Ready; "" if it has none.
func readiness(n *corev1.Node) corev1.ConditionStatus {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			return n.Status.Conditions[i].Status
		}
	}
	return ""
}

func hasCondition(n *corev1.Node, t corev1.NodeConditionType) bool {
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == t })
}
