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
	// Name is under which its work is queued.
	Name string
	// As is the controller whose work this one does for some of the objects, with a queue of its own: what it writes wakes as
	// if that had written it. Empty for its own.
	As string
	// UserAgent is how the log and events name the writer, as in replicaset-controller.
	UserAgent string
	// Lock is the row to lock for a controller that decides across objects; empty where each object is its own lock.
	Lock types.UID
	// Primary is the resource whose objects it syncs; "*" for all that have an owner or are being deleted, empty for a
	// controller that syncs its Lock alone. The resync goes by it.
	Primary string
	// Others are the resources besides Primary whose objects it syncs. The resync leaves them alone.
	Others []string
	// Sources are what wakes it besides other controllers' plans; empty for one that is woken by these alone.
	Sources []wakeup.Source
	// WokenBy are controllers that ask for its syncs by a later plan than the one that gave it something to do: while they have work,
	// that the resync found it first is no defect.
	WokenBy []string
	// Batch is how many objects are claimed at most in one transaction.
	Batch int
	// Reconcile builds the snapshots of the claimed objects from the view and reconciles them. It is called with
	// the mirror held, so it must be quick: with one object at a time, as long as the turn has time, or with all that are claimed
	// under a Lock. An object that is gone gets no plan.
	Reconcile func(v mirror.View, requests []Request, now time.Time) []Planned
	// Gather stands in for Reconcile where planning may take long, as programs run: it takes from the view what the plans need,
	// and they are made when the mirror is released. It is called with one object at a time.
	Gather func(v mirror.View, requests []Request, now time.Time) []Gathered
	// Remembers says that plans may have a Memory, and that requests come with it. Such a controller has no Lock.
	Remembers bool
	// Places are where on nodes an object sees files, nil for nowhere; a nil function is for controllers to which nodes' files are
	// nothing.
	Places func(v mirror.View, o *object.Version) []store.Place
	// Peers are other objects whose memories and files the plan for an object needs, by what is remembered of it; a nil function
	// is for controllers whose plans need none. The Places are then those of the peers too.
	Peers func(v mirror.View, o *object.Version, memory []byte) []*object.Version
	// Core is the part of a core that a replica spends on the controller, as far as others may need it: 0.25 has it rest three
	// times as long as it has worked. Zero is without bound.
	Core float64
	// Host is the host in the Event of a failed sync, by the object that it is about: a node's name. nil is for none.
	Host func(object.Object) string
	// Quotas says that requests come with how their ResourceQuota is enforced.
	Quotas bool
	// Off says that the controller does not run: changes do not wake it, and its worker acknowledges what others ask it to sync and
	// plans nothing, so that the work does not pile up and the clock does not wait for it.
	Off bool
}

// resting is what the worker of a controller that is Off runs.
func (c Controller) resting() Controller {
	return Controller{
		Name: c.Name, As: c.As, UserAgent: c.UserAgent, Lock: c.Lock, Primary: c.Primary, Others: c.Others, Batch: c.Batch, Off: true,
		Reconcile: func(mirror.View, []Request, time.Time) []Planned { return nil },
	}
}

// NewRouter is what wakes the controllers, for their store.
func NewRouter(controllers []Controller) *wakeup.Router {
	declared := make([]wakeup.Controller, 0, len(controllers))
	for i := range controllers {
		c := &controllers[i]
		declared = append(declared, wakeup.Controller{Name: c.Name, Sources: c.Sources, Primary: c.Primary, Lock: c.Lock, Off: c.Off})
	}
	return wakeup.NewRouter(declared)
}

// Syncs says whether there may be wakeups of the controller for objects of a resource.
func (c *Controller) Syncs(resource string) bool {
	return c.Primary == "*" || c.Primary == resource || slices.Contains(c.Others, resource)
}

// Request asks a controller to sync one object.
type Request struct {
	UID types.UID
	// Refused says, when not nil, that the plan for this same request could not be applied whole.
	Refused *plan.Refusal
	// Memory is what the controller remembers of the object, nil for nothing.
	Memory []byte
	// Files are those at and below the object's Places, by node and path.
	Files  []plan.File
	Places []store.Place
	// Peers is what was read of the controller's Peers, by their uids. One that is missing was left for another turn.
	Peers map[types.UID]Peer
	// Calls are those that the object has to answer, if it is a Pod, in the order of their times,
	// and those that it has made. MoreCalls says that there may be more to answer.
	Calls     []plan.Call
	MoreCalls bool
	// Moment is when the object was claimed, to the microsecond; Still says that the clock stands still, and nobody advances it.
	Moment time.Time
	Still  bool
	// Quota is how a ResourceQuota is enforced, nil for not at all.
	Quota *store.QuotaState
}

// Peer is what was read of another object than the one to be synced.
type Peer struct {
	Memory []byte      // nil for nothing
	Files  []plan.File // those at and below Places, by node and path
	Places []store.Place
}

// Gathered is the snapshot for one request. An object that is gone has none.
type Gathered struct {
	UID types.UID
	// Plan reconciles the snapshot. It is called without any lock in this process, once, and once more where the first plan
	// was refused.
	Plan func(refused *plan.Refusal) plan.Plan
}

// Planned is a plan, and the object that it is for.
type Planned struct {
	UID  types.UID
	Plan plan.Plan

	again  func(*plan.Refusal) (plan.Plan, error) // plans again after a refusal
	seen   object.Revision                        // what newestSeen found
	awaits string                                 // the namespace in which the plan waits for room, empty for none
}
