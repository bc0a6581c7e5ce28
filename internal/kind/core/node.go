package core

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Node is core/v1 Node. A client may set every field at creation, the status too.
//
// Source: kubernetes v1.36 pkg/registry/core/node/strategy.go
var Node = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Node", Plural: "nodes",
		New: func() object.Object { return &corev1.Node{} },
	},
	Singular:   "node",
	ShortNames: []string{"no"},
	NewList:    func() runtime.Object { return &corev1.NodeList{} },

	Status: &kind.Subresource{
		Prepare:  prepareNodeStatus,
		Validate: validateNodeChange,
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Status", Type: "string", Description: "The status of the node"},
		{Name: "Roles", Type: "string", Description: "The roles of the node"},
		kind.AgeColumn,
		{Name: "Version", Type: "string", Description: corev1.NodeSystemInfo{}.SwaggerDoc()["kubeletVersion"]},
		{Name: "Internal-IP", Type: "string", Priority: 1, Description: corev1.NodeStatus{}.SwaggerDoc()["addresses"]},
		{Name: "External-IP", Type: "string", Priority: 1, Description: corev1.NodeStatus{}.SwaggerDoc()["addresses"]},
		{Name: "OS-Image", Type: "string", Priority: 1, Description: corev1.NodeSystemInfo{}.SwaggerDoc()["osImage"]},
		{Name: "Kernel-Version", Type: "string", Priority: 1, Description: corev1.NodeSystemInfo{}.SwaggerDoc()["kernelVersion"]},
		{Name: "Container-Runtime", Type: "string", Priority: 1, Description: corev1.NodeSystemInfo{}.SwaggerDoc()["containerRuntimeVersion"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.Node]{
	Default:        defaultNode,
	PrepareCreate:  prepareNodeCreate,
	PrepareUpdate:  prepareNodeUpdate,
	Validate:       validateNode,
	ValidateUpdate: validateNodeUpdate,
	Warnings:       warnOfNode,
	Row:            nodeRow,
	SelectableFields: func(o *corev1.Node) fields.Set {
		return fields.Set{"spec.unschedulable": strconv.FormatBool(o.Spec.Unschedulable)}
	},
})

// defaultNode copies the capacity to allocatable, rounds quantities up to thousandths, and makes
// podCIDR and podCIDRs agree. If they differ, podCIDR wins, because older clients set only that.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_NodeStatus, and
// pkg/apis/core/v1/conversion.go, Convert_v1_NodeSpec_To_core_NodeSpec
func defaultNode(n *corev1.Node) {
	if n.Status.Allocatable == nil {
		n.Status.Allocatable = n.Status.Capacity.DeepCopy()
	}
	kind.RoundUp(n.Status.Capacity, n.Status.Allocatable)
	if first := n.Spec.PodCIDR; first != "" && (len(n.Spec.PodCIDRs) == 0 || n.Spec.PodCIDRs[0] != first) {
		n.Spec.PodCIDRs = []string{first}
	}
	if len(n.Spec.PodCIDRs) > 0 {
		n.Spec.PodCIDR = n.Spec.PodCIDRs[0]
	}
}

// prepareNodeCreate drops the dynamic kubelet configuration, a removed feature.
func prepareNodeCreate(n *corev1.Node) {
	n.Spec.ConfigSource, n.Status.Config = nil, nil
}

func prepareNodeUpdate(n, was *corev1.Node) {
	n.Status = *was.Status.DeepCopy()
	if was.Spec.ConfigSource == nil {
		n.Spec.ConfigSource = nil
	}
}

func prepareNodeStatus(next, old object.Object) {
	n, was := next.(*corev1.Node), old.(*corev1.Node)
	n.Spec = *was.Spec.DeepCopy()
	if was.Status.Config == nil {
		n.Status.Config = nil
	}
}

func warnOfNode(n, _ *corev1.Node) []string {
	var warnings []string
	if n.Spec.DoNotUseExternalID != "" {
		warnings = append(warnings, "spec.externalID: this field is deprecated, and is unused by Kubernetes")
	}
	for i, cidr := range n.Spec.PodCIDRs {
		warnings = append(warnings, validation.GetWarningsForCIDR(field.NewPath("spec", "podCIDRs").Index(i), cidr)...)
	}
	return warnings
}

// nodeRow prints "Ready,SchedulingDisabled" for a cordoned node, and "Unknown" for one that never
// reported.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printNode
func nodeRow(n *corev1.Node, now time.Time) []any {
	status := "Unknown"
	for _, c := range n.Status.Conditions {
		switch {
		case c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue:
			status = "Ready"
		case c.Type == corev1.NodeReady:
			status = "NotReady"
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}

	info := n.Status.NodeInfo
	kernel := cmp.Or(info.KernelVersion, "<unknown>")
	if info.Architecture != "" {
		kernel += " (" + info.Architecture + ")"
	}
	return []any{
		n.Name, status, cmp.Or(strings.Join(nodeRoles(n), ","), "<none>"), kind.Age(n.CreationTimestamp, now), info.KubeletVersion,
		nodeAddress(n, corev1.NodeInternalIP), nodeAddress(n, corev1.NodeExternalIP),
		cmp.Or(info.OSImage, "<unknown>"), kernel, cmp.Or(info.ContainerRuntimeVersion, "<unknown>"),
	}
}

// nodeRoles returns the node's roles, sorted, from its labels node-role.kubernetes.io/ROLE and
// kubernetes.io/role.
func nodeRoles(n *corev1.Node) []string {
	roles := map[string]bool{}
	for key, value := range n.Labels {
		if role, ok := strings.CutPrefix(key, "node-role.kubernetes.io/"); ok && role != "" {
			roles[role] = true
		}
		if key == "kubernetes.io/role" && value != "" {
			roles[value] = true
		}
	}
	return slices.Sorted(maps.Keys(roles))
}

// nodeAddress returns the node's first address of a type, "<none>" if there is none.
func nodeAddress(n *corev1.Node, t corev1.NodeAddressType) string {
	for _, a := range n.Status.Addresses {
		if a.Type == t {
			return a.Address
		}
	}
	return "<none>"
}
