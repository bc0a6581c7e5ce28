package namespace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// passing is what each condition says, with the status False, as long as nothing is wrong; in the order in which they
// are added to a namespace.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/status_condition_utils.go.
var passing = []corev1.NamespaceCondition{
	{
		Type:    corev1.NamespaceDeletionDiscoveryFailure,
		Reason:  "ResourcesDiscovered",
		Message: "All resources successfully discovered",
	},
	{
		Type:    corev1.NamespaceDeletionGVParsingFailure,
		Reason:  "ParsedGroupVersions",
		Message: "All legacy kube types successfully parsed",
	},
	{
		Type:    corev1.NamespaceDeletionContentFailure,
		Reason:  "ContentDeleted",
		Message: "All content successfully deleted, may be waiting on finalization",
	},
	{
		Type:    corev1.NamespaceContentRemaining,
		Reason:  "ContentRemoved",
		Message: "All content successfully removed",
	},
	{
		Type:    corev1.NamespaceFinalizersRemaining,
		Reason:  "ContentHasNoFinalizers",
		Message: "All content-preserving finalizers finished",
	},
}

// setConditions writes all of the conditions: those in failing are True, the others pass. A condition's
// lastTransitionTime moves only with its status; conditions of others stay.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/status_condition_utils.go, updateConditions.
func setConditions(status *corev1.NamespaceStatus, failing []corev1.NamespaceCondition, now time.Time) {
	for _, c := range passing {
		ofType := func(other corev1.NamespaceCondition) bool { return other.Type == c.Type }
		c.Status = corev1.ConditionFalse
		if i := slices.IndexFunc(failing, ofType); i >= 0 {
			c = failing[i]
			c.Status = corev1.ConditionTrue
		}
		c.LastTransitionTime = metav1.NewTime(now)
		i := slices.IndexFunc(status.Conditions, ofType)
		if i < 0 {
			status.Conditions = append(status.Conditions, c)
			continue
		}
		if old := status.Conditions[i]; old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
		status.Conditions[i] = c
	}
}

// remaining describes the contents that a deletion alone does not remove: those with finalizers.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/status_condition_utils.go, ProcessContentTotals.
func remaining(contents []Content) []corev1.NamespaceCondition {
	byResource, byFinalizer := map[string]int{}, map[string]int{}
	for _, c := range contents {
		if len(c.Object.GetFinalizers()) > 0 {
			byResource[c.Resource.Resource+"."+c.Resource.Group]++
		}
		for _, f := range c.Object.GetFinalizers() {
			byFinalizer[f]++
		}
	}
	if len(byResource) == 0 {
		return nil
	}
	return []corev1.NamespaceCondition{
		{
			Type:    corev1.NamespaceContentRemaining,
			Reason:  "SomeResourcesRemain",
			Message: "Some resources are remaining: " + counts(byResource, "%s has %d resource instances"),
		},
		{
			Type:    corev1.NamespaceFinalizersRemaining,
			Reason:  "SomeFinalizersRemain",
			Message: "Some content in the namespace has finalizers remaining: " + counts(byFinalizer, "%s in %d resource instances"),
		},
	}
}

// counts lists what was counted in the order of the sentences.
func counts(of map[string]int, format string) string {
	sentences := make([]string, 0, len(of))
	for what, n := range of {
		sentences = append(sentences, fmt.Sprintf(format, what, n))
	}
	slices.Sort(sentences)
	return strings.Join(sentences, ", ")
}

// slack is how much longer than its grace a Pod may take: the kubelet grants as much to a preStop hook.
const slack = 2 * time.Second

// overdue finds Pods that should have stopped by now: the longest grace among them has passed since the namespace was
// deleted, no finalizer explains why they stay, and all were told to go. Before that it says when they will be.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go,
// estimateGracefulTermination and deleteAllContentForGroupVersionResource.
// Differs: the slack is added, because a look here may fall on the very instant at which the grace ends.
func overdue(ns *corev1.Namespace, pods []Content, now time.Time) ([]corev1.NamespaceCondition, time.Time) {
	var grace time.Duration
	for _, c := range pods {
		pod := c.Object.(*corev1.Pod)
		if pod.DeletionTimestamp == nil || len(pod.Finalizers) > 0 {
			return nil, time.Time{}
		}
		terminal := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if seconds := pod.Spec.TerminationGracePeriodSeconds; seconds != nil && !terminal {
			grace = max(grace, time.Duration(*seconds)*time.Second)
		}
	}
	if due := ns.DeletionTimestamp.Add(grace + slack); due.After(now) {
		return nil, due
	}
	return []corev1.NamespaceCondition{{
		Type:   corev1.NamespaceDeletionContentFailure,
		Reason: "ContentDeletionFailed",
		Message: fmt.Sprintf("Failed to delete all resource types, 1 remaining: "+
			"unexpected items still remain in namespace: %s for gvr: /v1, Resource=pods", ns.Name),
	}}, time.Time{}
}
