// Package plan is the output of reconcilers: a Plan is the whole outcome of one sync of one object,
// as plain data. The applier (internal/engine) turns it into one transaction.
//
//   - Creates name their object, or give a generateName and let the applier generate the suffix.
//     They have no creationTimestamp and no resourceVersion, and a uid only if the plan itself
//     refers to it: the applier sets those, applies defaults and checks quota.
//   - Updates are made from a deep copy of an object of the snapshot and keep its uid and
//     resourceVersion, which is the precondition. An update whose object has moved on is left out
//     alone, and the wakeup is kept.
//   - Deletes follow the same rules as a DELETE request: grace periods and finalizers are honoured.
//   - Events are deduplicated by the applier: the same event again increments its count.
//   - Memory is what the controller wants to get with its next sync of the planned object. It is
//     written in the same transaction, unless an update of the planned object is left out, and is
//     deleted with the object.
//   - Files are changes of files of nodes. They are written in the same transaction, under the same
//     condition as Memory; if two write a file, the later one counts.
//   - Calls are requests of Pods to other Pods that the plan posts, answers or removes. They are
//     written in the same transaction, under the same condition as Memory. Traffic counts their
//     outcomes, in the same way.
//   - Wakes ask other controllers for a sync, at once, where no change of the plan does.
//   - Retry asks for another sync of the planned object after a back-off, in real time, as after a
//     failure. The worker sets it if a creation was refused.
//   - WakeAt asks for another sync of the planned object at that (cluster) time; zero asks for
//     none.
//
// The applier processes a plan in the order Updates, Creates, Deletes, Events, all in one
// transaction. A change that needs another comes after it.
package plan

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Plan is what must change. The zero Plan changes nothing and means that all is as it should be.
type Plan struct {
	Updates []Update
	Creates []Create
	Deletes []Delete
	Events  []Event
	// Memory replaces what is remembered beside the planned object: nil leaves it unchanged, and
	// empty but not nil deletes it. Only controllers that claim each object under its own lock and
	// declare that they remember may set it.
	Memory []byte
	// Audible are the sessions in the planned object, a Pod, that have output to collect by that
	// Memory: the processes that have their clients are notified.
	Audible []int
	Files   []File
	Calls   []Call
	// Traffic counts requests of the planned object, a Pod. Each pair of Service and Pod occurs
	// once.
	Traffic []Traffic
	Wakes   []Wake
	// Recount sets the usage of the planned object, a ResourceQuota, to what was counted; nil
	// leaves it as it is.
	Recount *Recount
	Retry   bool
	WakeAt  time.Time
}

// Wake asks a controller, by its name in package wakeup, to sync an object of the snapshot.
type Wake struct {
	Controller string
	Object     object.Object
}

// Recount is the usage of a quota at one revision, by the spec that it has had since another.
type Recount struct {
	Since, Revision object.Revision
	Usage           []QuotaUsage // by resource name
}

// QuotaUsage is how much of a resource a quota allows, and how much is used.
type QuotaUsage struct {
	Resource   corev1.ResourceName
	Hard, Used resource.Quantity
}

// Create is a new object. NeedsDelete, if not zero, is 1 + the index in Deletes of a deletion
// without which it must not be created; NeedsUpdate, if not empty, is the uid of an object in
// Updates without whose change it must not be created. At most one of them is set.
type Create struct {
	Object      object.Object
	NeedsDelete int
	NeedsUpdate types.UID
}

// Update replaces an object by a changed copy of it. Subresource is "" for the main resource,
// otherwise "status" or another subresource; it names what the change touches, for the log and for
// printing. The applier writes Object as it is: it trusts the reconciler to change only what it
// should, and increments no generation. NeedsCreate, if not zero, is 1 + the index in Creates of an
// object without which the update must not be made; NeedsUpdate, if not empty, is the uid of an
// object earlier in Updates without whose change it must not be made. StatusManager is the field
// manager that comes to own what an update of the main resource changes in the status; empty for
// the planning controller. Owned says that Object already has its final managedFields, as after a
// server-side apply.
type Update struct {
	Object        object.Object
	Subresource   string
	NeedsCreate   int
	NeedsUpdate   types.UID
	StatusManager string
	Owned         bool
}

// Delete asks for an object of the snapshot to be deleted. A nil GracePeriodSeconds is the object's
// own default; an empty Propagation is Background. Without names a finalizer that the object loses
// with the same change, empty for none. As, if not nil, is a changed copy of Object that is deleted
// in its place, so that the change and the deletion are one: to add a condition with the reason,
// for example. NeedsUpdate, if not empty, is the uid of an object in Updates without whose change
// the deletion must not be made.
type Delete struct {
	Object             object.Object
	GracePeriodSeconds *int64
	Propagation        metav1.DeletionPropagation
	Without            string
	As                 object.Object
	NeedsUpdate        types.UID
}

// Event is what `kubectl describe` will show about the decision.
type Event struct {
	Regarding object.Object // the object the event is about; it must have a uid
	FieldPath string        // involvedObject.fieldPath, as in spec.containers{nginx}; usually empty
	Type      string        // corev1.EventTypeNormal or corev1.EventTypeWarning
	Reason    string
	Message   string
	// MessageOfCreate, if not zero, is 1 + the index in Creates of an object whose generated name
	// replaces the verb %s in Message ("Created pod: %s"). If that create is left out, so is the
	// event.
	MessageOfCreate int
	// OfDelete, if not zero, is 1 + the index in Deletes of the deletion that the event reports. If
	// that is left out, so is the event.
	OfDelete int
	// OfUpdate is the uid of an object in Updates whose change the event reports; empty if that is
	// the object the event is about. If the change is left out, so is the event.
	OfUpdate  types.UID
	Component string // source.component, as in replicaset-controller
	Host      string // source.host: the node's name for kubelet events, otherwise empty
}

// ClaimFirst makes all other changes that the plan has depend on its first n updates, the adoptions
// and releases: if one of them cannot be made, nothing else is changed. A Pod that could not be
// released still belongs to its controller, so it must not be replaced; and what belongs to a Pod
// must not be handed to a controller that could not adopt it. A change that needs another one
// depends on them through that one.
//
// Source: kubernetes v1.36 pkg/controller/controller_ref_manager.go, ClaimPods, whose callers return
// its error before they do anything else
func (p *Plan) ClaimFirst(n int) {
	if n == 0 {
		return
	}
	for i := 1; i < n; i++ {
		p.Updates[i].NeedsUpdate = p.Updates[i-1].Object.GetUID()
	}
	last := p.Updates[n-1].Object.GetUID()
	for i := n; i < len(p.Updates); i++ {
		if u := &p.Updates[i]; u.NeedsCreate == 0 && u.NeedsUpdate == "" {
			u.NeedsUpdate = last
		}
	}
	for i := range p.Creates {
		if p.Creates[i].NeedsDelete == 0 {
			p.Creates[i].NeedsUpdate = last
		}
	}
	for i := range p.Deletes {
		p.Deletes[i].NeedsUpdate = last
	}
}

// Empty reports whether the plan makes no visible change; a WakeAt, a Retry, Wakes, Files, Calls,
// Traffic, a Recount or a Memory alone change nothing.
func (p Plan) Empty() bool {
	return len(p.Updates) == 0 && len(p.Creates) == 0 && len(p.Deletes) == 0 && len(p.Events) == 0
}
