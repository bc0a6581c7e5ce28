// Package plan is what reconcilers say: a Plan is the whole outcome of one look at one object, as plain data.
// The applier (internal/engine) turns it into one transaction.
//
//   - Creates name their object, or give a generateName and let the applier draw the suffix. They carry no
//     creationTimestamp and no resourceVersion, and a uid only if the plan itself refers to it: the applier sets those,
//     applies defaults and checks quota.
//   - Updates are made from a deep copy of an object of the snapshot and keep its uid and resourceVersion, which
//     is the precondition. An update whose object has moved on is left out alone, and the wakeup is kept.
//   - Deletes follow the same rules as a DELETE request: grace periods and finalizers are honoured.
//   - Events are deduplicated by the applier: the same event again raises its count.
//   - Memory is what the controller wants to be shown with its next look at the planned object. It is written in the same
//     transaction, unless an update of the planned object is left out, and goes with the object.
//   - Files are changes of files of nodes. They are written in the same transaction, under the same condition as Memory; of
//     two that write a file, the later one counts.
//   - Calls are requests of Pods to other Pods that the plan posts, answers or removes. They are written in the same transaction, under
//     the same condition as Memory. Traffic counts how they went, in the same way.
//   - Wakes ask other controllers for a look, at once, where no change of the plan does.
//   - Retry asks for another look at the planned object after a back-off, in real time, as failed looks are taken again. The
//     worker sets it where a creation was turned down.
//   - WakeAt asks for another look at the planned object at that (cluster) time; zero asks for none.
//
// The applier works through a plan in the order Updates, Creates, Deletes, Events, all in one transaction. A change that
// needs another comes after it.
package plan

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Plan is what should change. The zero Plan changes nothing and means that all is as it should be.
type Plan struct {
	Updates []Update
	Creates []Create
	Deletes []Delete
	Events  []Event
	// Memory replaces what is remembered beside the planned object: nil leaves it as it is, and empty, but not nil, forgets it. Only
	// controllers that claim each object under its own lock and say that they remember may give one.
	Memory []byte
	// Audible are the sessions in the planned object, a Pod, that have something to collect by that
	// Memory: whoever has their clients is told.
	Audible []int
	Files   []File
	Calls   []Call
	// Traffic counts requests of the planned object, a Pod. Each pair of Service and Pod is there once.
	Traffic []Traffic
	Wakes   []Wake
	// Recount sets the usage of the planned object, a ResourceQuota, to what was counted; nil leaves it as it is.
	Recount *Recount
	Retry   bool
	WakeAt  time.Time
}

// Wake asks for a look of a controller, by its name in package wakeup, at an object of the snapshot.
type Wake struct {
	Controller string
	Object     object.Object
}

// Recount is what is used of a quota in the state of a revision, by the spec that it has had since another.
type Recount struct {
	Since, Revision object.Revision
	Usage           []QuotaUsage // by the names of the resources
}

// QuotaUsage is how much of a resource a quota allows, and how much is used.
type QuotaUsage struct {
	Resource   corev1.ResourceName
	Hard, Used resource.Quantity
}

// Create is a new object. NeedsDelete, when not zero, is 1 + the index in Deletes of a deletion without which it must not
// be made.
type Create struct {
	Object      object.Object
	NeedsDelete int
}

// Update replaces an object by a changed copy of it. Subresource is "" for the main resource, "status" or
// another subresource otherwise; it names what the change touches, for the log and for printing. The applier
// writes Object as it is: the reconciler is trusted to change only what it should, and raises no generation. NeedsCreate,
// when not zero, is 1 + the index in Creates of an object without which the update must not be made; NeedsUpdate, when not empty,
// is the uid of an object earlier in Updates without whose change it must not be. StatusManager is who comes to own
// what an update of the main resource changes in the status; empty for the planning controller. Owned says that Object comes with the
// managedFields that it is to have, as after a server-side apply.
type Update struct {
	Object        object.Object
	Subresource   string
	NeedsCreate   int
	NeedsUpdate   types.UID
	StatusManager string
	Owned         bool
}

// Delete asks for an object of the snapshot to be deleted. A nil GracePeriodSeconds is the object's own default;
// an empty Propagation is Background. Without names a finalizer that the object loses with the same change, empty for none.
// As, when not nil, is a changed copy of Object that is deleted in its place, so that the change and the deletion are one: a
// condition that says why, for example. NeedsUpdate, when not empty, is the uid of an object in Updates without whose change
// the deletion must not be made.
type Delete struct {
	Object             object.Object
	GracePeriodSeconds *int64
	Propagation        metav1.DeletionPropagation
	Without            string
	As                 object.Object
	NeedsUpdate        types.UID
}

// Event is what `kubectl describe` will show of the decision.
type Event struct {
	Regarding object.Object // the object the event is about; it must have a uid
	FieldPath string        // involvedObject.fieldPath, as in spec.containers{nginx}; usually empty
	Type      string        // corev1.EventTypeNormal or corev1.EventTypeWarning
	Reason    string
	Message   string
	// MessageOfCreate, when not zero, is 1 + the index in Creates of an object whose drawn name replaces the verb
	// %s in Message ("Created pod: %s"). If that create is left out, so is the event.
	MessageOfCreate int
	// OfDelete, when not zero, is 1 + the index in Deletes of the deletion that the event tells of. If that is left
	// out, so is the event.
	OfDelete int
	// OfUpdate is the uid of an object in Updates whose change the event tells of; empty where that is the object the event is
	// about. If the change is left out, so is the event.
	OfUpdate  types.UID
	Component string // source.component, as in replicaset-controller
	Host      string // source.host: the node's name for kubelet events, else empty
}

// Empty says whether the plan changes nothing that anybody could see; a WakeAt, a Retry, Wakes,
// Files, Calls, Traffic, a Recount or a Memory alone change nothing.
func (p Plan) Empty() bool {
	return len(p.Updates) == 0 && len(p.Creates) == 0 && len(p.Deletes) == 0 && len(p.Events) == 0
}
