package core_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// node returns the Node "node-1", with a change applied.
func node(change func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: "node-1", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-48 * time.Hour)),
	}}
	if change != nil {
		change(n)
	}
	return n
}

func TestNode_Default(t *testing.T) {
	t.Parallel()
	list := func(cpu string) corev1.ResourceList { return corev1.ResourceList{"cpu": resource.MustParse(cpu)} }
	for name, tt := range map[string]struct{ given, want func(*corev1.Node) }{
		"all of the capacity is allocatable": {
			func(n *corev1.Node) { n.Status.Capacity = list("4") },
			func(n *corev1.Node) { n.Status.Capacity, n.Status.Allocatable = list("4"), list("4") },
		},
		"quantities are rounded up to thousandths": {
			func(n *corev1.Node) { n.Status.Capacity, n.Status.Allocatable = list("1000100u"), list("1500u") },
			func(n *corev1.Node) { n.Status.Capacity, n.Status.Allocatable = list("1001m"), list("2m") },
		},
		"podCIDR alone": {
			func(n *corev1.Node) { n.Spec.PodCIDR = "10.0.0.0/24" },
			func(n *corev1.Node) { n.Spec.PodCIDR, n.Spec.PodCIDRs = "10.0.0.0/24", []string{"10.0.0.0/24"} },
		},
		"podCIDRs alone": {
			func(n *corev1.Node) { n.Spec.PodCIDRs = []string{"10.0.0.0/24", "fd00::/64"} },
			func(n *corev1.Node) {
				n.Spec.PodCIDR, n.Spec.PodCIDRs = "10.0.0.0/24", []string{"10.0.0.0/24", "fd00::/64"}
			},
		},
		"podCIDR wins": {
			func(n *corev1.Node) {
				n.Spec.PodCIDR, n.Spec.PodCIDRs = "10.1.0.0/24", []string{"10.0.0.0/24", "fd00::/64"}
			},
			func(n *corev1.Node) { n.Spec.PodCIDR, n.Spec.PodCIDRs = "10.1.0.0/24", []string{"10.1.0.0/24"} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := node(tt.given)
			core.Node.Default(got)
			same := cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 })
			if d := cmp.Diff(node(tt.want), got, same); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestNode_WhatEachWriteMayChange(t *testing.T) {
	t.Parallel()
	both := func(n *corev1.Node) {
		n.Spec.Unschedulable, n.Status.Phase = true, corev1.NodeRunning
		n.Spec.ConfigSource, n.Status.Config = &corev1.NodeConfigSource{}, &corev1.NodeConfigStatus{}
	}
	created := node(both)
	core.Node.PrepareCreate(created)
	kindtest.Diff(t, node(func(n *corev1.Node) { n.Spec.Unschedulable, n.Status.Phase = true, corev1.NodeRunning }), created)

	updated := node(both)
	core.Node.PrepareUpdate(updated, node(nil))
	kindtest.Diff(t, node(func(n *corev1.Node) { n.Spec.Unschedulable = true }), updated)

	reported := node(both)
	core.Node.Status.Prepare(reported, node(nil))
	kindtest.Diff(t, node(func(n *corev1.Node) { n.Status.Phase = corev1.NodeRunning }), reported)

	old := node(both) // fields from older releases may stay
	kept := node(both)
	core.Node.PrepareUpdate(kept, old)
	core.Node.Status.Prepare(kept, old)
	kindtest.Diff(t, old, kept)
}

func TestNode_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*corev1.Node)
		want   []string
	}{
		{"valid", func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Effect: "NoExecute"}, {Key: "b", Value: "c", Effect: "PreferNoSchedule"}}
			n.Spec.PodCIDRs = []string{"10.0.0.0/24", "fd00::/64"}
			n.Status.Capacity = corev1.ResourceList{"cpu": resource.MustParse("500m"), "pods": resource.MustParse("110"), "a.io/gpu": resource.MustParse("2")}
			n.Status.DeclaredFeatures = []string{"Alpha", "Beta/sub"}
		}, nil},
		{"taints", func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "", Value: "-", Effect: ""}, {Key: "a", Effect: "Never"}, {Key: "b", Effect: "NoExecute"}, {Key: "b", Value: "c", Effect: "NoExecute"}}
		}, []string{
			"metadata.taints[0].key: Invalid value: \"\": name part must be non-empty",
			"metadata.taints[0].key: Invalid value: \"\": " + kindtest.NotQualifiedName,
			"metadata.taints[0].value: Invalid value: \"-\": " + kindtest.NotLabelValue,
			"metadata.taints[0].effect: Required value",
			`metadata.taints[1].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
			`metadata.taints[3]: Duplicate value: {"Key":"b","Value":"c","Effect":"NoExecute","TimeAdded":null}: taints must be unique by key and effect pair`,
		}},
		{"capacity", func(n *corev1.Node) {
			n.Status.Capacity = corev1.ResourceList{"cpu": resource.MustParse("-1"), "pods": resource.MustParse("1500m")}
			n.Status.Allocatable = corev1.ResourceList{"a.io/gpu": resource.MustParse("500m"), "kubernetes.io/x": resource.MustParse("500m")}
		}, []string{
			`status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0`,
			`status.capacity.pods: Invalid value: "1500m": must be an integer`,
			`status.allocatable.a.io/gpu: Invalid value: "500m": must be an integer`,
		}},
		{"invalid ranges", func(n *corev1.Node) { n.Spec.PodCIDRs = []string{"10.0.0.0"} }, []string{
			`spec.podCIDRs[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
		}},
		{"two ranges of one family", func(n *corev1.Node) { n.Spec.PodCIDRs = []string{"10.0.0.0/24", "10.0.1.0/24"} }, []string{
			`spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family`,
		}},
		{"declared features", func(n *corev1.Node) { n.Status.DeclaredFeatures = []string{"B", "A", "A", "x y"} }, []string{
			`status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically`,
			`status.declaredFeatures[2]: Duplicate value: "A"`,
			`status.declaredFeatures[3]: Invalid value: "x y": invalid feature name "x y": ` +
				`must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., ` +
				`MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
		}},
		{"a fault", func(n *corev1.Node) { n.Annotations = map[string]string{"emulation.rowlock.io/fault": "failed"} }, nil},
		{"no fault", func(n *corev1.Node) { n.Annotations = map[string]string{"emulation.rowlock.io/fault": "melted"} }, []string{
			`metadata.annotations[emulation.rowlock.io/fault]: Invalid value: "melted": must be one of failed, unreachable`,
		}},
		{"no outage", func(n *corev1.Node) { n.Annotations = map[string]string{"emulation.rowlock.io/outage": "failed"} }, []string{
			`metadata.annotations[emulation.rowlock.io/outage]: Invalid value: "failed": is written by the node controller`,
		}},
		{"swap", func(n *corev1.Node) { n.Status.NodeInfo.Swap = &corev1.NodeSwapStatus{Capacity: new(int64(0))} }, []string{
			"metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Node.Validate(node(tt.change))))
		})
	}
}

func TestNode_ValidateChange(t *testing.T) {
	t.Parallel()
	settled := func(n *corev1.Node) {
		n.Spec.PodCIDRs, n.Spec.ProviderID, n.Spec.DoNotUseExternalID = []string{"10.0.0.0/24"}, "cloud://1", "x"
	}
	tests := []struct {
		name      string
		old, next func(*corev1.Node)
		want      []string
	}{
		{"cordon", nil, func(n *corev1.Node) { n.Spec.Unschedulable = true }, nil},
		{"settling", nil, func(n *corev1.Node) { settled(n); n.Spec.DoNotUseExternalID = "" }, nil},
		{"settled", settled, func(n *corev1.Node) { n.Spec.PodCIDRs = []string{"10.0.1.0/24"} }, []string{
			`spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid`,
			`spec.providerID: Forbidden: node updates may not change providerID except from "" to valid`,
			"spec.externalID: Forbidden: may not be updated",
		}},
		{"ranges taken away", settled, func(n *corev1.Node) { settled(n); n.Spec.PodCIDRs = nil }, []string{
			`spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid`,
		}},
		{"addresses", nil, func(n *corev1.Node) {
			n.Status.Addresses = []corev1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "ExternalIP", Address: "10.0.0.1"}, {Type: "InternalIP", Address: "10.0.0.1"}}
		}, []string{
			`status.addresses[2]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Node.Status.Validate(node(tt.next), node(tt.old))))
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Node.ValidateUpdate(node(tt.next), node(tt.old))))
		})
	}
}

func TestNode_Warnings(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string(nil), core.Node.Warnings(node(nil), nil))
	kindtest.Diff(t, []string{
		"spec.externalID: this field is deprecated, and is unused by Kubernetes",
		`spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)`,
	}, core.Node.Warnings(node(func(n *corev1.Node) {
		n.Spec.DoNotUseExternalID, n.Spec.PodCIDRs = "x", []string{"10.0.0.1/24"}
	}), nil))
}

func TestNode_Row(t *testing.T) {
	t.Parallel()
	ready := func(status corev1.ConditionStatus) []corev1.NodeCondition {
		return []corev1.NodeCondition{{Type: "MemoryPressure", Status: "True"}, {Type: corev1.NodeReady, Status: status}}
	}
	tests := []struct {
		name   string
		change func(*corev1.Node)
		want   []any
	}{
		{"one that never reported", nil, []any{
			"node-1", "Unknown", "<none>", "2d", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>",
		}},
		{"ready, with everything", func(n *corev1.Node) {
			n.Labels = map[string]string{
				"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/edge": "true", "node-role.kubernetes.io/": "", "kubernetes.io/role": "control-plane",
			}
			n.Status.Conditions = ready(corev1.ConditionTrue)
			n.Status.NodeInfo = corev1.NodeSystemInfo{
				KubeletVersion: "v1.36.6", OSImage: "Rowlock", KernelVersion: "6.12", ContainerRuntimeVersion: "rowlock://1", Architecture: "amd64",
			}
			n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "h"}, {Type: corev1.NodeExternalIP, Address: "1.2.3.4"}, {Type: corev1.NodeInternalIP, Address: "10.0.0.1"}}
		}, []any{
			"node-1", "Ready", "control-plane,edge,worker", "2d", "v1.36.6", "10.0.0.1", "1.2.3.4", "Rowlock", "6.12 (amd64)", "rowlock://1",
		}},
		{"cordoned", func(n *corev1.Node) { n.Status.Conditions, n.Spec.Unschedulable = ready(corev1.ConditionTrue), true }, []any{
			"node-1", "Ready,SchedulingDisabled", "<none>", "2d", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>",
		}},
		{"lost", func(n *corev1.Node) { n.Status.Conditions = ready(corev1.ConditionUnknown) }, []any{
			"node-1", "NotReady", "<none>", "2d", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, core.Node.Row(node(tt.change), kindtest.Now))
		})
	}
	kindtest.Diff(t, fields.Set{"spec.unschedulable": "false"}, core.Node.SelectableFields(node(nil)))
}
