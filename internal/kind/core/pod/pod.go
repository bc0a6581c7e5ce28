package pod

import (
	"cmp"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// Kind is core/v1 Pod.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go
var Kind = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Pod", Plural: "pods", Namespaced: true,
		New:      func() object.Object { return &corev1.Pod{} },
		Graceful: true,
		Parts:    parts,
		Share:    share,
	},
	Singular:   "pod",
	ShortNames: []string{"po"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &corev1.PodList{} },

	Admission: podAdmission,

	Status: kind.Through(kind.Write[*corev1.Pod]{
		Prepare:  preparePodStatus,
		Validate: validatePodStatus,
	}),
	Subresources: map[string]*kind.Subresource{"ephemeralcontainers": ephemeralContainers, "resize": podResize},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Ready", Type: "string", Description: "The aggregate readiness state of this pod for accepting traffic."},
		{Name: "Status", Type: "string", Description: "The aggregate status of the containers in this pod."},
		{
			Name: "Restarts", Type: "string",
			Description: "The number of times the containers in this pod have been restarted and when the last container " +
				"in this pod has restarted.",
		},
		kind.AgeColumn,
		{Name: "IP", Type: "string", Priority: 1, Description: corev1.PodStatus{}.SwaggerDoc()["podIP"]},
		{Name: "Node", Type: "string", Priority: 1, Description: corev1.PodSpec{}.SwaggerDoc()["nodeName"]},
		{Name: "Nominated Node", Type: "string", Priority: 1, Description: corev1.PodStatus{}.SwaggerDoc()["nominatedNodeName"]},
		{Name: "Readiness Gates", Type: "string", Priority: 1, Description: corev1.PodSpec{}.SwaggerDoc()["readinessGates"]},
	},
	UnconditionalUpdate: true,
	Quota:               podMeasure,
}, kind.Functions[*corev1.Pod]{
	Default:          defaultPod,
	PrepareCreate:    preparePodCreate,
	PrepareUpdate:    preparePodUpdate,
	Validate:         validatePodCreate,
	ValidateUpdate:   validatePodUpdate,
	Warnings:         warnOfPod,
	Row:              podRow,
	SelectableFields: podFieldSet,
	Graceful:         podGrace,
})

// preparePodCreate sets the status of a new Pod; a client may set only the QoS class. Scheduling
// gates appear in the status at once, so that a gated Pod never looks like one that waits for a
// node.
func preparePodCreate(p *corev1.Pod) {
	p.Generation = 1
	p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: cmp.Or(p.Status.QOSClass, qosClass(&p.Spec))}
	if len(p.Spec.SchedulingGates) > 0 {
		p.Status.Conditions = []corev1.PodCondition{{
			Type:               corev1.PodScheduled,
			Status:             corev1.ConditionFalse,
			Reason:             corev1.PodReasonSchedulingGated,
			Message:            "Scheduling is blocked due to non-empty scheduling gates",
			LastTransitionTime: p.CreationTimestamp,
		}}
	}
	applyMatchLabelKeys(p)
	podspec.ApplyAppArmorAnnotations(p)
}

// preparePodUpdate keeps the status, and fields set by admission that the client does not send.
func preparePodUpdate(next, old *corev1.Pod) {
	p, was := next, old.DeepCopy()
	admitPodUpdate(p, was)
	p.Status = was.Status
	raiseGeneration(p, was)
}

// preparePodStatus keeps the spec, the owners and, unless the client sends it, the observed
// generation. A deletion cannot be started through the status either.
func preparePodStatus(next, old *corev1.Pod) {
	p, was := next, old.DeepCopy()
	p.Spec, p.Generation = was.Spec, was.Generation
	p.DeletionTimestamp = was.DeletionTimestamp
	p.OwnerReferences = was.OwnerReferences
	if len(was.Status.NodeAllocatableResourceClaimStatuses) == 0 {
		p.Status.NodeAllocatableResourceClaimStatuses = nil // its feature gate is off
	}
	if p.Status.QOSClass == "" {
		p.Status.QOSClass = was.Status.QOSClass
	}
	if p.Status.ObservedGeneration == 0 {
		p.Status.ObservedGeneration = was.Status.ObservedGeneration
	}

	observed := map[corev1.PodConditionType][]int64{} // a list, because a type may occur more than once
	for _, c := range was.Status.Conditions {
		observed[c.Type] = append(observed[c.Type], c.ObservedGeneration)
	}
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		generations := observed[c.Type]
		if len(generations) == 0 {
			continue
		}
		observed[c.Type] = generations[1:]
		if c.ObservedGeneration == 0 {
			c.ObservedGeneration = generations[0]
		}
	}
}

// podGrace returns the grace period of a deletion: the requested one, otherwise that of the spec. A
// Pod without a node, or that has ended, needs none.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, CheckGracefulDelete
func podGrace(p *corev1.Pod, asked *int64) int64 {
	var seconds int64
	switch {
	case p.Spec.NodeName == "", p.Status.Phase == corev1.PodFailed, p.Status.Phase == corev1.PodSucceeded:
		return 0
	case asked != nil:
		seconds = *asked
	case p.Spec.TerminationGracePeriodSeconds != nil:
		seconds = *p.Spec.TerminationGracePeriodSeconds
	}
	if seconds < 0 {
		return 1
	}
	return seconds
}

// podFieldSet returns the selectable fields of Pods: spec.host is the old name of spec.nodeName,
// and status.podIPs is accepted but always empty.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, ToSelectableFields, and pkg/apis/core/v1/conversion.go,
// addConversionFuncs
func podFieldSet(p *corev1.Pod) fields.Set {
	return fields.Set{
		"spec.nodeName":            p.Spec.NodeName,
		"spec.host":                p.Spec.NodeName,
		"spec.restartPolicy":       string(p.Spec.RestartPolicy),
		"spec.schedulerName":       p.Spec.SchedulerName,
		"spec.serviceAccountName":  p.Spec.ServiceAccountName,
		"spec.hostNetwork":         strconv.FormatBool(p.Spec.HostNetwork),
		"status.phase":             string(p.Status.Phase),
		"status.podIP":             firstPodIP(&p.Status),
		"status.podIPs":            "",
		"status.nominatedNodeName": p.Status.NominatedNodeName,
	}
}
