package namespace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// passing is the content of each condition, with the status False, while nothing is wrong; in the
// order in which they are added to a namespace.
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

// setConditions sets all of the conditions: those in failing are True, the others pass. A
// condition's lastTransitionTime changes only with its status; other conditions stay.
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

// remaining describes what is left after the deletions of this sync: Pods as long as there are any,
// otherwise all contents. Objects without finalizers that this sync deletes are gone by then,
// except Pods with a grace period.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/status_condition_utils.go, ProcessContentTotals.
// Differs: only MaxFinalizers are named, so that a condition does not grow with the namespace.
func remaining(s Snapshot) []corev1.NamespaceCondition {
	pods, gone := s.pods().Objects > 0, s.gone()
	var resources, finalizers []string
	for _, r := range s.Resources {
		if left := r.Objects - gone[r.GroupResource]; left > 0 && (!pods || r.GroupResource == Pods) {
			resources = append(resources, fmt.Sprintf("%s.%s has %d resource instances", r.Resource, r.Group, left))
		}
	}
	slices.Sort(resources)
	for _, f := range s.Finalizers {
		finalizers = append(finalizers, fmt.Sprintf("%s in %d resource instances", f.Name, f.Objects))
	}
	slices.Sort(finalizers)
	if s.Unnamed > 0 {
		finalizers = append(finalizers, fmt.Sprintf("and %d more finalizers", s.Unnamed))
	}
	var conditions []corev1.NamespaceCondition
	if len(resources) > 0 {
		conditions = append(conditions, corev1.NamespaceCondition{
			Type:    corev1.NamespaceContentRemaining,
			Reason:  "SomeResourcesRemain",
			Message: "Some resources are remaining: " + strings.Join(resources, ", "),
		})
	}
	if len(finalizers) > 0 {
		conditions = append(conditions, corev1.NamespaceCondition{
			Type:    corev1.NamespaceFinalizersRemaining,
			Reason:  "SomeFinalizersRemain",
			Message: "Some content in the namespace has finalizers remaining: " + strings.Join(finalizers, ", "),
		})
	}
	return conditions
}

// slack is how much longer than its grace period a Pod may take: the kubelet grants that much to a
// preStop hook.
const slack = 2 * time.Second

// overdue detects Pods that should have stopped: all of them are being deleted, the longest grace
// period among them has passed since, and no finalizer explains why they stay. Before that it
// returns when they will be overdue.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go,
// estimateGracefulTermination and deleteAllContentForGroupVersionResource.
// Differs: the slack is added, because a sync here may happen exactly when the grace period ends. A
// Pod that has ended counts until it is gone, which is soon. The grace period of Pods that this
// sync deletes starts now.
func overdue(s Snapshot, pods Resource) ([]corev1.NamespaceCondition, time.Time) {
	asked := s.Namespace.DeletionTimestamp.Time
	grace := s.Grace
	for _, c := range s.Live {
		pods.Terminating++
		asked, grace = s.Now, max(grace, graceOf(c))
	}
	if pods.Terminating < pods.Objects || pods.Finalized > 0 {
		return nil, time.Time{}
	}
	if due := asked.Add(grace + slack); due.After(s.Now) {
		return nil, due
	}
	return []corev1.NamespaceCondition{{
		Type:   corev1.NamespaceDeletionContentFailure,
		Reason: "ContentDeletionFailed",
		Message: fmt.Sprintf("Failed to delete all resource types, 1 remaining: "+
			"unexpected items still remain in namespace: %s for gvr: /v1, Resource=pods", s.Namespace.Name),
	}}, time.Time{}
}
