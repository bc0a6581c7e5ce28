package daemonset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	DaemonSet *appsv1.DaemonSet

	// Nodes are all nodes, ordered by name.
	Nodes []*corev1.Node

	// Pods are, in any order, the Pods of the DaemonSet's namespace that it controls, and those
	// without a controller whose labels match its selector. Others are ignored.
	Pods []*corev1.Pod

	// Revisions are the ControllerRevisions selected by the same rule, and any that is named
	// NextRevision.
	Revisions []*appsv1.ControllerRevision

	// Memory is what the last plan with a Memory stored; nil if nothing.
	Memory []byte

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// NextRevision is the name of the ControllerRevision that Reconcile will create; empty if the one
// of the current template exists.
func (s Snapshot) NextRevision() string {
	ds := s.DaemonSet
	data := revision.Data(&ds.Spec.Template)
	for _, r := range s.Revisions {
		if metav1.IsControlledBy(r, ds) && revision.Holds(r, data) {
			return ""
		}
	}
	return revision.Name(ds.Name, podtemplate.Hash(&ds.Spec.Template, ds.Status.CollisionCount))
}
