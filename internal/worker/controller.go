package worker

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// Controller is a reconciler as the worker loop sees it.
type Controller struct {
	// Name is under which its work is queued, one of package wakeup's names.
	Name string
	// UserAgent is how the log and events name the writer, as in replicaset-controller.
	UserAgent string
	// Lock is the row to lock for a controller that decides across objects; empty where each object is its own lock.
	Lock types.UID
	// Primary is the resource whose objects it looks at; "*" for all that have an owner or are being deleted, empty for a
	// controller that looks at its Lock alone. The resync goes by it.
	Primary string
	// Batch is how many objects are claimed at most in one transaction.
	Batch int
	// Reconcile builds the snapshots of the claimed objects from the view and reconciles them. It is called with
	// the mirror held, so it must be quick. An object that is gone gets no plan.
	Reconcile func(v mirror.View, looks []Look, now time.Time) []Planned
	// Gather stands in for Reconcile where planning may take long, as programs run: it takes from the view what the plans need,
	// and they are made when the mirror is released.
	Gather func(v mirror.View, looks []Look, now time.Time) []Gathered
	// Remembers says that plans may have a Memory, and that looks come with it. Such a controller has no Lock.
	Remembers bool
	// Places are where on nodes an object sees files, nil for nowhere; a nil function is for controllers to which nodes' files are
	// nothing.
	Places func(v mirror.View, o *object.Version) []store.Place
	// Quotas says that looks come with how the ResourceQuota that is looked at is enforced.
	Quotas bool
}

// Look is one object to be looked at.
type Look struct {
	UID types.UID
	// Refused says, when not nil, that the plan of this same look could not be applied whole.
	Refused *plan.Refusal
	// Memory is what the controller remembers of the object, nil for nothing.
	Memory []byte
	// Files are those at and below the object's Places, by node and path.
	Files  []plan.File
	Places []store.Place
	// Quota is how a ResourceQuota is enforced, nil for not at all.
	Quota *store.QuotaState
}

// Gathered is the snapshot of one look. An object that is gone has none.
type Gathered struct {
	UID types.UID
	// Plan reconciles the snapshot. It is called without any lock in this process, once, and once more where the first plan
	// was refused.
	Plan func(refused *plan.Refusal) plan.Plan
}

// Planned is a plan, and the object that was looked at.
type Planned struct {
	UID  types.UID
	Plan plan.Plan

	again  func(*plan.Refusal) (plan.Plan, error) // plans again after a refusal
	seen   object.Revision                        // what newestSeen found
	awaits string                                 // the namespace in which the plan waits for room, empty for none
}

// each makes a Reconcile out of a function for one object.
func each(f func(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan) func(mirror.View, []Look, time.Time) []Planned {
	return func(v mirror.View, looks []Look, now time.Time) []Planned {
		planned := make([]Planned, 0, len(looks))
		for _, look := range looks {
			if o := v.UID(look.UID); o != nil {
				planned = append(planned, Planned{UID: look.UID, Plan: f(v, o, look.Refused, now)})
			}
		}
		return planned
	}
}

// apart makes a Gather out of a function that takes one object's snapshot.
func apart(f func(v mirror.View, o *object.Version, look Look, now time.Time) func(*plan.Refusal) plan.Plan) func(mirror.View, []Look, time.Time) []Gathered {
	return func(v mirror.View, looks []Look, now time.Time) []Gathered {
		gathered := make([]Gathered, 0, len(looks))
		for _, look := range looks {
			if o := v.UID(look.UID); o != nil {
				gathered = append(gathered, Gathered{look.UID, f(v, o, look, now)})
			}
		}
		return gathered
	}
}
