package apimachinery

import (
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	flowcontrolkind "github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/flowcontrol"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewFlowControl makes the controller that maintains the FlowSchemas and
// PriorityLevelConfigurations that every cluster has. It syncs the namespace "default", because all
// of them may be gone.
//
// Cost: all objects of both kinds, which are few; it reads at most 1,000 of each.
func NewFlowControl(world.World) engine.Controller {
	return engine.Controller{
		Name: names.FlowControl, UserAgent: "api-priority-and-fairness-config-producer-v1",
		Others: []string{"namespaces"}, Batch: 16, Reconcile: gather.Each(syncFlowControl),
		Sources: []wakeup.Source{
			wakeup.Watches(&flowcontrolkind.FlowSchema.Type, flowControlChanged),
			wakeup.Watches(&flowcontrolkind.PriorityLevelConfiguration.Type, flowControlChanged),
		},
	}
}

// flowControlChanged asks for the namespace after a change outside of an object's status, or a
// change of the status by another writer.
func flowControlChanged(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Old != nil && d.New != nil && d.Controller == names.FlowControl {
		was, ok := d.Old.(*flowcontrolv1.FlowSchema)
		if is, same := d.New.(*flowcontrolv1.FlowSchema); ok && same && equality.Semantic.DeepEqual(was.Spec, is.Spec) {
			return wakes
		}
	}
	return append(wakes, wakeup.Wake{Resource: "namespaces", Name: metav1.NamespaceDefault})
}

func syncFlowControl(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	if o.Name != metav1.NamespaceDefault {
		return plan.Plan{}
	}
	return flowcontrol.Reconcile(flowcontrol.Snapshot{
		Schemas: some[*flowcontrolv1.FlowSchema](v, flowcontrolkind.FlowSchema), OwnSchemas: flowcontrolkind.FlowSchemas(),
		Levels: some[*flowcontrolv1.PriorityLevelConfiguration](v, flowcontrolkind.PriorityLevelConfiguration), OwnLevels: flowcontrolkind.PriorityLevels(),
		Now: now,
	})
}

// some returns the first objects of a cluster-scoped kind.
func some[T object.Object](v mirror.View, k *kind.Kind) (all []T) {
	v.Each(k.Resource(), "", func(o *object.Version) bool {
		all = append(all, o.Object().(T))
		return len(all) < flowcontrol.MaxObjects
	})
	return all
}
