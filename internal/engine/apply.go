package engine

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// add adds a plan to the batch: updates, creations, removals, events, the memory and other
// controllers' wakeups, in this order.
func (a *applier) add(batch *store.Batch, p Planned, about about) error {
	pl := planning{applier: a, about: about, batch: batch, uid: p.UID}
	done, err := pl.changes(p.Plan)
	if err != nil {
		return err
	}
	for _, e := range p.Plan.Events {
		needs := done.updated[cmp.Or(e.OfUpdate, e.Regarding.GetUID())]
		if n := e.MessageOfCreate; n > 0 {
			needs = done.created[n-1]
			e.Message = fmt.Sprintf(e.Message, done.names[n-1])
		}
		if n := e.OfDelete; n > 0 {
			needs = done.deleted[n-1]
		}
		if err := pl.event(e, needs); err != nil {
			return err
		}
	}
	pl.remember(p.Plan.Memory, p.Plan.Audible)
	pl.exchange(p.Plan.Calls)
	pl.tally(p.Plan.Traffic)
	for _, f := range p.Plan.Files {
		if !pl.left {
			batch.Keep(f)
		}
	}
	if p.Plan.Recount != nil {
		batch.Recount(p.UID, *p.Plan.Recount)
	}
	for _, w := range p.Plan.Wakes {
		batch.Wake(w.Controller, w.Object.GetUID(), about.cause)
	}
	if p.Plan.Retry {
		batch.Retry(p.UID, about.attempt+1, about.cause)
	}
	if !p.Plan.WakeAt.IsZero() {
		batch.Again(p.UID, p.Plan.WakeAt, about.cause)
	}
	return nil
}

// remember adds the plan's memory, unless a change of the object itself was left out, because both
// come from one sync. If the object is removed, so is its memory. The object is locked, so the
// mirror has its newest version. audible are sessions for which the memory has output.
func (pl *planning) remember(memory []byte, audible []int) {
	if pl.removed {
		memory = nil
		if pl.remembered {
			memory = []byte{}
		}
	}
	if memory == nil || pl.left {
		return
	}
	var v *object.Version
	pl.mirror.Read(func(view mirror.View) { v = view.UID(pl.uid) })
	if v != nil {
		pl.batch.Remember(pl.uid, v.Revision, memory)
		pl.batch.Audible(pl.uid, audible)
	}
}

// exchange adds the plan's calls, under the same condition as its memory, and wakes the Pod at the
// other end when a call arrives there.
func (pl *planning) exchange(calls []plan.Call) {
	if len(calls) == 0 || pl.left {
		return
	}
	var v *object.Version
	pl.mirror.Read(func(view mirror.View) { v = view.UID(pl.uid) })
	if v == nil {
		return
	}
	for _, c := range calls {
		pl.batch.Exchange(pl.uid, v.Revision, c)
		other := c.Callee
		if c.Answer != nil {
			other = c.Caller
		}
		if !c.Removed && other != plan.APIServer {
			pl.batch.WakeAt(cmp.Or(pl.controller.As, pl.controller.Name), other, c.Due, pl.cause)
		}
	}
}

// tally adds the plan's traffic counts, under the same condition as its memory.
func (pl *planning) tally(traffic []plan.Traffic) {
	if len(traffic) == 0 || pl.left {
		return
	}
	var v *object.Version
	pl.mirror.Read(func(view mirror.View) { v = view.UID(pl.uid) })
	if v == nil {
		return
	}
	pl.batch.Tally(pl.uid, v.Revision, v.Namespace+"/"+v.Name, pl.now, traffic)
}

// ordinals are the ordinals of a plan's changes in the batch, for what depends on them, and the
// names of the created objects.
type ordinals struct {
	updated          map[types.UID]int
	created, deleted []int
	names            []string
}

// changes adds the plan's changes to the batch: first those that need no other.
func (pl *planning) changes(p plan.Plan) (ordinals, error) {
	d := ordinals{
		updated: make(map[types.UID]int, len(p.Updates)), names: make([]string, len(p.Creates)),
		created: make([]int, len(p.Creates)), deleted: make([]int, len(p.Deletes)),
	}
	if err := pl.updates(p, &d, false); err != nil {
		return d, err
	}
	if err := pl.creates(p, &d, false); err != nil {
		return d, err
	}
	for i, del := range p.Deletes {
		var err error
		needs := 0
		if del.NeedsUpdate != "" {
			needs = d.updated[del.NeedsUpdate]
		}
		if d.deleted[i], err = pl.remove(del, needs); err != nil {
			return d, err
		}
	}
	if err := pl.creates(p, &d, true); err != nil {
		return d, err
	}
	return d, pl.updates(p, &d, true)
}

// updates adds the updates that need a creation, or those that do not.
func (pl *planning) updates(p plan.Plan, d *ordinals, dependent bool) error {
	for _, u := range p.Updates {
		if u.NeedsCreate > 0 != dependent {
			continue
		}
		needs := 0
		switch {
		case dependent:
			needs = d.created[u.NeedsCreate-1]
		case u.NeedsUpdate != "":
			needs = d.updated[u.NeedsUpdate]
		}
		i, err := pl.update(u, needs)
		if err != nil {
			return err
		}
		d.updated[u.Object.GetUID()] = i
	}
	return nil
}

// creates adds the creations that need a deletion, or those that do not.
func (pl *planning) creates(p plan.Plan, d *ordinals, dependent bool) error {
	for i, c := range p.Creates {
		if c.NeedsDelete > 0 != dependent {
			continue
		}
		needs := 0
		switch {
		case dependent:
			needs = d.deleted[c.NeedsDelete-1]
		case c.NeedsUpdate != "":
			needs = d.updated[c.NeedsUpdate]
		}
		var err error
		if d.created[i], d.names[i], err = pl.create(c, needs); err != nil {
			return err
		}
	}
	return nil
}

// leftOut is the ordinal of a change that was dropped because its object is no longer what the plan
// was made for.
const leftOut = -1

// change adds a change to the batch. One transaction changes an object once: a second change,
// perhaps by the plan of another object, is dropped, and its object synced again.
func (pl *planning) change(c store.Change, needs int) (int, error) {
	uid := types.UID("")
	if c.Old != nil {
		uid = c.Old.UID
	}
	pl.sign(&c, uid)
	own := c.Old != nil && c.Old.UID == pl.uid
	if needs == leftOut {
		pl.left = pl.left || own
		return leftOut, nil
	}
	if pl.batch.Has(c) {
		pl.left = pl.left || own
		return leftOut, pl.syncAgain()
	}
	pl.removed = pl.removed || own && c.Verb == object.Deleted
	return pl.batch.Add(c, needs, pl.uid, pl.now)
}

// sign writes into a change who makes it and what caused it. The change concerns the object with
// the uid, which is empty for an object that it creates.
func (pl *planning) sign(c *store.Change, uid types.UID) {
	c.Writer, c.Controller, c.Cause = pl.controller.UserAgent, cmp.Or(pl.controller.As, pl.controller.Name), cmp.Or(pl.causes[uid], pl.cause)
	if c.Cause <= 0 {
		c.Cause = object.NoRequest
	}
}

// current returns the stored version that a planned object was copied from; nil if there is a newer
// one, or none.
func (pl *planning) current(o object.Object) *object.Version {
	var v *object.Version
	pl.mirror.Read(func(view mirror.View) { v = view.UID(o.GetUID()) })
	if v == nil || v.Revision != object.RevisionOf(o) {
		return nil
	}
	return v
}

func (pl *planning) kindOf(o object.Object) (*kind.Kind, error) {
	k := pl.kindFor(o)
	if k == nil {
		return nil, fmt.Errorf("a plan has an object of type %T, which is not in the catalogue of kinds", o)
	}
	return k, nil
}

func (pl *planning) update(u plan.Update, needs int) (int, error) {
	k, err := pl.kindOf(u.Object)
	if err != nil {
		return 0, err
	}
	old := pl.current(u.Object)
	if old == nil {
		pl.left = pl.left || u.Object.GetUID() == pl.uid
		return leftOut, pl.syncAgain()
	}
	verb := object.Updated
	if registry.ReadyToRemove(u.Object) {
		verb = object.Deleted
	}
	pl.own(k, u, old.Object())
	return pl.change(store.Change{Verb: verb, Type: &k.Type, Old: old, New: u.Object}, needs)
}

func (pl *planning) create(c plan.Create, needs int) (ordinal int, name string, err error) {
	o := c.Object
	k, err := pl.kindOf(o)
	if err != nil {
		return 0, "", err
	}
	by := pl.by("")
	in := registry.Input{State: mirrored{pl.mirror}, Owner: &by, Now: pl.now}
	if o.GetName() == "" {
		in.NameSuffix = pl.draw.Suffix()
	}
	if o.GetUID() == "" {
		in.UID = pl.draw.UID()
	}
	made, err := registry.Complete(k, o, in)
	pl.report(made.OwnerError)
	if err != nil { // decided from an earlier view: the next sync has the newer one
		return leftOut, "", pl.syncAgain()
	}
	name = o.GetName()
	ordinal, err = pl.change(store.Change{Verb: object.Created, Type: &k.Type, New: o}, needs)
	return ordinal, name, err
}

func (pl *planning) remove(d plan.Delete, needs int) (int, error) {
	k, err := pl.kindOf(d.Object)
	if err != nil {
		return 0, err
	}
	old := pl.current(d.Object)
	if old == nil {
		pl.left = pl.left || d.Object.GetUID() == pl.uid
		return leftOut, pl.syncAgain()
	}
	c := store.Change{Type: &k.Type, Old: old}
	last := d.As
	if last == nil {
		last = old.Object()
	} else {
		pl.report(fieldmanager.Updated(&k.Type, last, old.Object(), pl.by("status")))
	}
	deletion := registry.Delete(k, last, registry.Requested(d), pl.now)
	if deletion.Outcome == registry.DeletionPending {
		return 0, nil
	}
	c.Verb = deletion.Verb()
	if deletion.Outcome == registry.DeletionStored || k.Graceful != nil && (d.As != nil || !deletion.Implied) {
		c.New = deletion.Object
	}
	return pl.change(c, needs)
}

// syncAgain has the planned object synced again after a pause in real time, in which other
// transactions can finish.
func (pl *planning) syncAgain() error {
	pl.batch.Retry(pl.uid, 0, pl.cause)
	return nil
}
