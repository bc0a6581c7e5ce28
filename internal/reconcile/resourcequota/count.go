package resourcequota

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Count is a sync's view of a quota's namespace at a revision, as selected by Place. Since is the
// revision at which the quota got its current spec.
//
// Each sync counts one batch of a namespace: kind by kind, in the order of names. The sum is the
// usage of the objects up to some place at some revision. The next sync adds what has changed in
// those since then, and then the next batch in its current state. So the sum is exact at that
// sync's revision, whatever is written in the meantime.
type Count struct {
	Since, Revision object.Revision
	Kinds           *kind.Catalogue
	// Changes are the changes since Place.Revision in the namespace, up to UpTo, of the kinds that
	// the quota concerns; those of one kind are in the order in which they were made. UpTo is below
	// Revision if there are too many for one sync.
	Changes []Change
	UpTo    object.Revision
	// Lost is true if the changes are no longer available. The count then starts over.
	Lost bool
	// Contents are the next objects, if UpTo is Revision. More is true if there may be others after
	// them.
	Contents []Content
	More     bool
}

// Content is objects of one kind.
type Content struct {
	Kind    *kind.Kind
	Objects []*object.Version
}

// Change is a change of an object of a kind.
type Change struct {
	Kind  *kind.Kind
	Event object.Event
}

// Place is the progress of a count.
type Place struct {
	Revision object.Revision // at which the sum is exact; zero before the first batch
	// Resource and Name are those of the last counted object.
	Resource, Name string
	// Restarts is how often the count has started over. Larger batches make it finish sooner.
	Restarts int
}

// PlaceOf is the progress of the count for a quota that has had its spec since a revision, given
// what is stored with it.
func PlaceOf(memory []byte, since object.Revision) Place {
	c := decode(memory, since)
	return Place{Revision: c.Revision, Resource: c.Resource, Name: c.Name, Restarts: c.Restarts}
}

// counted is the stored state of a count.
type counted struct {
	Since    object.Revision     `json:"since"`
	Revision object.Revision     `json:"revision"`
	Resource string              `json:"resource,omitempty"`
	Name     string              `json:"name,omitempty"`
	Restarts int                 `json:"restarts,omitempty"`
	Used     corev1.ResourceList `json:"used,omitempty"`
}

// decode reads the stored state. A state that cannot be parsed, or is about another spec, counts as
// nothing.
func decode(memory []byte, since object.Revision) (c counted) {
	if len(memory) == 0 || json.Unmarshal(memory, &c) != nil || c.Since != since {
		return counted{Since: since}
	}
	return c
}

// plan continues the count, and delivers the sum when it is complete.
func (c *Count) plan(q *kind.Quota, memory []byte) (p plan.Plan) {
	sum := decode(memory, c.Since)
	switch {
	case c.Lost:
		sum = counted{Since: c.Since, Restarts: sum.Restarts + 1}
	default:
		c.add(q, &sum)
	}
	if c.Lost || c.More || c.UpTo < c.Revision {
		b, err := json.Marshal(sum)
		if err != nil {
			panic(fmt.Sprintf("resourcequota: a count: %v", err)) // strings, numbers and quantities
		}
		p.Memory = b
		return p
	}
	limits := q.Limits(c.Kinds)
	p.Recount = &plan.Recount{Since: c.Since, Revision: c.Revision}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		p.Recount.Usage = append(p.Recount.Usage, plan.QuotaUsage{Resource: name, Hard: limits[name], Used: sum.Used[name]})
	}
	if len(memory) > 0 {
		p.Memory = []byte{}
	}
	return p
}

// add updates the sum with the changes of counted objects, and adds the next objects.
func (c *Count) add(q *kind.Quota, sum *counted) {
	if sum.Used == nil {
		sum.Used = corev1.ResourceList{}
	}
	for _, change := range c.Changes {
		if e := change.Event; c.reached(sum, e.New) {
			if e.New.Verb != object.Deleted {
				add(sum.Used, q.Usage(change.Kind, e.New.Object()), 1)
			}
			if e.Old != nil {
				add(sum.Used, q.Usage(change.Kind, e.Old.Object()), -1)
			}
		}
	}
	for _, content := range c.Contents {
		for _, o := range content.Objects {
			add(sum.Used, q.Usage(content.Kind, o.Object()), 1)
			sum.Resource, sum.Name = content.Kind.Resource(), o.Name
		}
	}
	sum.Revision = c.UpTo
}

// reached reports whether the sum already includes an object. Kinds are counted in the catalogue's
// order.
func (c *Count) reached(sum *counted, o *object.Version) bool {
	if o.Type.Resource() == sum.Resource {
		return o.Name <= sum.Name
	}
	for _, k := range c.Kinds.Stored() {
		switch k.Resource() {
		case sum.Resource:
			return false
		case o.Type.Resource():
			return sum.Resource != ""
		}
	}
	return false
}

// add adds quantities to a list, or subtracts them.
func add(sums, quantities corev1.ResourceList, sign int) {
	for name, quantity := range quantities {
		sum := sums[name].DeepCopy()
		if sign < 0 {
			sum.Sub(quantity)
		} else {
			sum.Add(quantity)
		}
		sums[name] = sum
	}
}
