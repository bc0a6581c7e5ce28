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

// Count is what a sync sees of a quota's namespace at a revision, as Place asks for it. Since is from which revision on the quota has had
// its spec.
//
// A namespace is counted a piece in each sync: kind by kind, in the order of names. The sum is what the objects up to some place use at
// some revision. The next sync adds what has changed of those since then, and then a piece as it is now: so the sum is
// exact at that sync's revision, whatever is written meanwhile.
type Count struct {
	Since, Revision object.Revision
	Kinds           *kind.Catalogue
	// Changes are those since Place.Revision in the namespace, up to UpTo, of the kinds that the quota concerns: in the order in which they
	// were made, as far as they are of one kind. UpTo is below Revision where there are too many for one sync.
	Changes []Change
	UpTo    object.Revision
	// Lost says that the changes are not known any more. The count begins anew.
	Lost bool
	// Contents are the objects that come next, if UpTo is Revision. More says that there may be others behind them.
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

// Place is how far a count has come.
type Place struct {
	Revision object.Revision // at which what has been counted is exact; zero before the first piece
	// Resource and Name are those of the last object that has been counted.
	Resource, Name string
	// Restarts is how often the count has begun anew. Larger pieces have it end sooner.
	Restarts int
}

// PlaceOf is how far the count has come for a quota that has had its spec since a revision, by what is remembered beside it.
func PlaceOf(memory []byte, since object.Revision) Place {
	c := decode(memory, since)
	return Place{Revision: c.Revision, Resource: c.Resource, Name: c.Name, Restarts: c.Restarts}
}

// counted is what is remembered of a count.
type counted struct {
	Since    object.Revision     `json:"since"`
	Revision object.Revision     `json:"revision"`
	Resource string              `json:"resource,omitempty"`
	Name     string              `json:"name,omitempty"`
	Restarts int                 `json:"restarts,omitempty"`
	Used     corev1.ResourceList `json:"used,omitempty"`
}

// decode reads what is remembered. What does not read, or is about another spec, is nothing.
func decode(memory []byte, since object.Revision) (c counted) {
	if len(memory) == 0 || json.Unmarshal(memory, &c) != nil || c.Since != since {
		return counted{Since: since}
	}
	return c
}

// plan goes on with the count, and hands over the sum at its end.
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

// add adds to a sum what has changed of what it is of, and what comes next.
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

// reached says whether a sum is of an object, too. Kinds are counted in the catalogue's order.
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

// add adds quantities to a list, or takes them off.
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
