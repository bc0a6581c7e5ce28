package customresourcedefinition

import (
	"slices"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Burst is the maximum number of objects that one plan deletes.
const Burst = 500

// Cleanup is the input of Clean.
type Cleanup struct {
	Definition *v1.CustomResourceDefinition
	// Live are objects of the definition that are not being deleted, at most Burst; Left is the
	// total number of its objects.
	Live []object.Object
	Left int
	Now  time.Time
}

// Clean deletes the objects of a definition that is being deleted, and removes its finalizer when
// they are gone.
func Clean(s Cleanup) (p plan.Plan) {
	d := s.Definition
	if d.DeletionTimestamp == nil || !slices.Contains(d.Finalizers, v1.CustomResourceCleanupFinalizer) {
		return p
	}
	next := d.DeepCopy()
	if s.Left > 0 {
		for _, o := range s.Live[:min(len(s.Live), Burst)] {
			p.Deletes = append(p.Deletes, plan.Delete{Object: o, Propagation: metav1.DeletePropagationBackground})
		}
		if len(s.Live) >= Burst {
			p.WakeAt = s.Now
		}
		if c := apihelpers.FindCRDCondition(d, v1.Terminating); c == nil || c.Reason != "InstanceDeletionInProgress" {
			set(next, s.Now, v1.Terminating, v1.ConditionTrue, "InstanceDeletionInProgress", "CustomResource deletion is in progress")
			p.Updates = append(p.Updates, plan.Update{Object: next, Subresource: "status"})
		}
		return p
	}
	if apihelpers.IsCRDConditionTrue(d, v1.Established) {
		set(next, s.Now, v1.Terminating, v1.ConditionFalse, "InstanceDeletionCompleted", "removed all instances")
	} else {
		set(next, s.Now, v1.Terminating, v1.ConditionFalse, "NeverEstablished", "resource was never established")
	}
	apihelpers.CRDRemoveFinalizer(next, v1.CustomResourceCleanupFinalizer)
	p.Updates = append(p.Updates, plan.Update{Object: next})
	return p
}
