package apimachinery

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/resourcequota"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewResourceQuota makes the controller that shows the usage in the status of a ResourceQuota, and
// counts it if it has not been counted.
func NewResourceQuota(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.ResourceQuota, UserAgent: "resourcequota-controller", Primary: "resourcequotas", Batch: 16,
		Gather: gather.Apart(controllers(w).syncQuota), Quotas: true, Remembers: true,
		Sources: []wakeup.Source{
			// A status written by others is corrected. A charge to a quota wakes for it too: see
			// the SQL function charge_quotas.
			wakeup.For(&core.ResourceQuota.Type, wakeup.NotBy(names.ResourceQuota)),
		},
	}
}

const (
	// countPiece is how many objects one sync counts, countChanges how many changes per kind it
	// adds to what has been counted before.
	countPiece, countChanges = 1000, 1000
	// countDoublings bounds how often the piece size doubles when a count has to start over.
	countDoublings = 6
)

// syncQuota shows the usage of a quota in its status or, if it has not been counted yet, counts the
// next piece.
//
// Cost: 1,000 objects, and 1,000 changes of each kind that the quota concerns. Both are decoded
// after the mirror is released. If a count starts over because the mirror no longer holds the
// changes, pieces are larger.
func (w controllers) syncQuota(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	q := o.Object().(*corev1.ResourceQuota)
	if request.Quota == nil {
		return gather.Planned(plan.Plan{})
	}
	s := resourcequota.Snapshot{Quota: q, Usage: request.Quota.Usage, Memory: request.Memory}
	if request.Quota.Counting {
		s.Count = w.countIn(v, q, request)
	}
	return func(*plan.Refusal) plan.Plan {
		p := resourcequota.Reconcile(s)
		if s.Count != nil && p.Recount == nil {
			p.WakeAt = now
		}
		return p
	}
}

// countIn gathers what the next piece of a count needs.
func (w controllers) countIn(v mirror.View, q *corev1.ResourceQuota, request engine.Request) *resourcequota.Count {
	place := resourcequota.PlaceOf(request.Memory, request.Quota.Since)
	c := &resourcequota.Count{Since: request.Quota.Since, Revision: v.Revision(), UpTo: v.Revision(), Kinds: w.Kinds}
	limits := kind.NewQuota(q)
	var kinds []*kind.Kind
	for _, k := range w.Kinds.Stored() {
		if limits.Concerns(k) {
			kinds = append(kinds, k)
		}
	}
	if place.Revision > 0 && !changesIn(v, q.Namespace, kinds, place.Revision, c) {
		c.Lost = true
		return c
	}
	if c.UpTo < c.Revision {
		return c
	}
	room := countPiece << min(place.Restarts, countDoublings)
	for _, k := range kinds {
		if place.Resource != "" && place.Resource != k.Resource() {
			continue // already counted
		}
		after := gather.PlaceOf(object.Key{Namespace: q.Namespace, Name: place.Name})
		place.Resource, place.Name = "", ""
		objects := v.AfterIn(k.Resource(), q.Namespace, after, room)
		c.Contents = append(c.Contents, resourcequota.Content{Kind: k, Objects: objects})
		if room -= len(objects); room == 0 {
			c.More = true
			break
		}
	}
	return c
}

// changesIn adds to a count the changes in a namespace since a revision. It returns false if they
// are no longer known.
func changesIn(v mirror.View, namespace string, kinds []*kind.Kind, since object.Revision, c *resourcequota.Count) bool {
	for _, k := range kinds {
		events, upTo, known := v.Changes(k.Resource(), since, countChanges)
		if !known {
			return false
		}
		c.UpTo = min(c.UpTo, upTo)
		for _, e := range events {
			if e.New.Namespace == namespace {
				c.Changes = append(c.Changes, resourcequota.Change{Kind: k, Event: e})
			}
		}
	}
	c.Changes = slices.DeleteFunc(c.Changes, func(change resourcequota.Change) bool { return change.Event.New.Revision > c.UpTo })
	return true
}
