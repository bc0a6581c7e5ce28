package engine

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Controller is a reconciler as the worker loop sees it.
type Controller struct {
	// Name is the name under which its work is queued.
	Name string
	// As is the controller whose work this one does for some of the objects, in a queue of its own:
	// its writes wake controllers as if that one had written them. Empty if it works for itself.
	As string
	// UserAgent names the writer in the log and in events, as in replicaset-controller.
	UserAgent string
	// Lock is the row to lock for a controller that decides across objects; empty if each object is
	// its own lock.
	Lock types.UID
	// Primary is the resource whose objects it syncs; "*" for all that have an owner or are being
	// deleted, empty for a controller that only syncs its Lock. The resync uses it.
	Primary string
	// Others are the resources besides Primary whose objects it syncs. The resync ignores them.
	Others []string
	// Sources wake it, besides other controllers' plans; empty if only these do.
	Sources []wakeup.Source
	// WokenBy are controllers that ask for its syncs by a later plan than the one that gave it
	// work: while they have work, a finding of the resync is not a defect.
	WokenBy []string
	// Batch is how many objects one transaction claims at most; under a Lock, how many wakeups.
	Batch int
	// Reconcile builds the snapshots of the claimed objects from the view and reconciles them. It
	// is called with the mirror held, so it must be quick: with one object at a time, while the
	// turn has time, or with all claimed ones under a Lock. An object that is gone gets no plan.
	Reconcile func(v mirror.View, requests []Request, now time.Time) []Planned
	// Gather replaces Reconcile if planning may take long, because programs run: it takes from the
	// view what the plans need, and the plans are made after the mirror is released. It is called
	// with one object at a time.
	Gather func(v mirror.View, requests []Request, now time.Time) []Gathered
	// Remembers says that plans may have a Memory, and that requests come with it. Such a
	// controller has no Lock.
	Remembers bool
	// Places returns where on nodes an object sees files, nil for nowhere; the function is nil for
	// controllers that do not use nodes' files.
	Places func(v mirror.View, o *object.Version) []store.Place
	// Peers returns other objects whose memories and files the plan for an object needs, given the
	// object's memory; the function is nil for controllers whose plans need none. The Places then
	// include those of the peers.
	Peers func(v mirror.View, o *object.Version, memory []byte) []*object.Version
	// Core is the part of a core that a replica spends on the controller while others may need it:
	// at 0.25, it rests three times as long as it has worked. Zero means no bound.
	Core float64
	// Host returns the host in the Event of a failed sync, a node's name, for the object that it is
	// about. nil means none.
	Host func(object.Object) string
	// Quotas says that requests come with how their ResourceQuota is enforced.
	Quotas bool
	// Off says that the controller does not run. Changes do not wake it; its worker acknowledges
	// wakeups without planning anything, so that work does not pile up and the clock does not wait
	// for it.
	Off bool
}

// resting is what the worker of an Off controller runs.
func (c Controller) resting() Controller {
	return Controller{
		Name: c.Name, As: c.As, UserAgent: c.UserAgent, Lock: c.Lock, Primary: c.Primary, Others: c.Others, Batch: c.Batch, Off: true,
		Reconcile: func(mirror.View, []Request, time.Time) []Planned { return nil },
	}
}

// NewRouter makes the router that wakes the controllers, for their store.
func NewRouter(controllers []Controller) *wakeup.Router {
	declared := make([]wakeup.Controller, 0, len(controllers))
	for i := range controllers {
		c := &controllers[i]
		declared = append(declared, wakeup.Controller{Name: c.Name, Sources: c.Sources, Primary: c.Primary, Lock: c.Lock, Off: c.Off})
	}
	return wakeup.NewRouter(declared)
}

// Syncs reports whether the controller may have wakeups for objects of a resource.
func (c *Controller) Syncs(resource string) bool {
	return c.Primary == "*" || c.Primary == resource || slices.Contains(c.Others, resource)
}

// Request asks a controller to sync one object.
type Request struct {
	UID types.UID
	// Refused, if not nil, says that the plan for this same request could not be applied
	// completely.
	Refused *plan.Refusal
	// Memory is what the controller remembers about the object, nil for nothing.
	Memory []byte
	// Files are the files at and below the object's Places, by node and path.
	Files  []plan.File
	Places []store.Place
	// Peers is what was read of the controller's Peers, by uid. A missing one was left for another
	// turn.
	Peers map[types.UID]Peer
	// Calls are the calls that the object, if it is a Pod, must answer, ordered by time, and those
	// that it has made. MoreCalls says that there may be more to answer.
	Calls     []plan.Call
	MoreCalls bool
	// Moment is when the object was claimed, to the microsecond; Still says that the clock is
	// paused and nothing advances it.
	Moment time.Time
	Still  bool
	// Quota is how a ResourceQuota is enforced, nil if it is not.
	Quota *store.QuotaState
}

// Peer is what was read of an object other than the one to sync.
type Peer struct {
	Memory []byte      // nil for nothing
	Files  []plan.File // the files at and below Places, by node and path
	Places []store.Place
}

// Gathered is the snapshot for one request. An object that is gone has none.
type Gathered struct {
	UID types.UID
	// Plan reconciles the snapshot. It is called without any lock in this process, once, and again
	// if the first plan was refused.
	Plan func(refused *plan.Refusal) plan.Plan
}

// Planned is a plan and the object that it is for.
type Planned struct {
	UID  types.UID
	Plan plan.Plan

	again  func(*plan.Refusal) (plan.Plan, error) // plans again after a refusal
	seen   object.Revision                        // the result of newestSeen
	awaits string                                 // the namespace in which the plan waits for room, empty for none
}
