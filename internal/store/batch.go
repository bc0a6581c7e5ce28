package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Batch collects the changes of one transaction in the form that the SQL function apply takes. It
// holds at most one change per object and per name. Not safe for concurrent use.
type Batch struct {
	kinds  *kind.Catalogue
	routes *wakeup.Router
	quotas Quotas

	// The changes, and what is known about them.
	changes []Change
	uids    map[types.UID]struct{}
	// dependent holds the objects whose change is dropped if the change it needs is.
	dependent map[types.UID]struct{}
	names     map[object.Key]struct{}

	// The same as rows, and what follows from them.
	rows         changeRows
	owners       ownerRows
	selectors    selectorRows
	reservations reservationRows
	labels       labelRows
	selected     selectedRows
	wakes        wakeRows
	charges      charges

	// What the batch's controller has done and asks for; empty for clients.
	controller string
	acks       []int64 // wakeups
	again      againRows
	retries    int // of again
	requests   requestRows
	later      laterRows
	memories   memoryRows
	// memoriesKept are the memories of objects whose own change needs another; see dependent.
	memoriesKept memoryRows
	files        fileRows
	calls        callRows
	traffic      tallyRows
	recounts     []recount
	awaiting     awaitRows
	audible      []audible

	woken []wakeup.Wake // by the current change; the slice is reused for the next
}

// NewBatch makes an empty batch for namespaces without quotas. routes determines whom its changes
// wake, and must not be nil. controller names the reconciler whose transaction this is; empty for
// clients.
func NewBatch(kinds *kind.Catalogue, routes *wakeup.Router, controller string) *Batch {
	mustRoute(routes)
	return &Batch{kinds: kinds, routes: routes, quotas: noQuotas{}, controller: controller, uids: map[types.UID]struct{}{}, names: map[object.Key]struct{}{}}
}

// NewBatch makes an empty batch that charges its changes to the quotas that the store knows.
func (s *Store) NewBatch(controller string) *Batch {
	b := NewBatch(s.kinds, s.routes, controller)
	b.quotas = s.config.Quotas
	return b
}

// Len returns the number of changes.
func (b *Batch) Len() int { return len(b.changes) }

// send sends the message that holds the batch and waits for the results.
func (b *Batch) send(ctx context.Context, conn *pgx.Conn, m *pgx.Batch) error {
	return pg.SendBatch(ctx, conn, m, b.size())
}

// size estimates the size of the batch as a message, in bytes.
func (b *Batch) size() int {
	const small, perChange = 4 << 10, 512 // the statement's other columns, and the rows that follow from a change
	size := small + perChange*len(b.changes)
	for _, body := range b.rows.body {
		size += len(body)
	}
	for _, rows := range []memoryRows{b.memories, b.memoriesKept} {
		for _, state := range rows.state {
			size += len(state)
		}
	}
	return size
}

// Has reports whether the batch already changes the object, by uid or by name.
func (b *Batch) Has(c Change) bool {
	_, uid := b.uids[c.uid()]
	_, name := b.names[c.Key()]
	return uid || name
}

// uid returns the uid of the changed object.
func (c Change) uid() types.UID {
	if c.Old != nil {
		return c.Old.UID
	}
	return c.New.GetUID()
}

// Add adds a change and returns its ordinal, counted from 1. The batch must not change that object
// or name yet (see Has). Add fails, and adds nothing, if the uid is not a UUID or the object cannot
// be encoded. needs is the ordinal of the change that this one depends on, 0 for none. plan is the
// uid of the object whose plan contains the change, empty for none; that object is synced again if
// the change is left out. now is cluster time.
func (b *Batch) Add(c Change, needs int, plan types.UID, now time.Time) (int, error) {
	uid := ParseUID(c.uid())
	if !uid.Valid {
		return 0, fmt.Errorf("%s: the uid %q is no UUID", c.Key(), c.uid())
	}
	body, err := encodeBody(c)
	if err != nil {
		return 0, err
	}
	key := c.Key()
	b.changes = append(b.changes, c)
	b.uids[c.uid()], b.names[key] = struct{}{}, struct{}{}
	if needs > 0 {
		if b.dependent == nil {
			b.dependent = map[types.UID]struct{}{}
		}
		b.dependent[c.uid()] = struct{}{}
	}

	b.rows.add(c, key, uid, ParseUID(plan), ordinal(needs), body)
	i := ordinal(len(b.changes))
	return int(i), b.addConsequences(i, c, key, now)
}

// encodeBody returns the change's body; nil for a tombstone whose state is the version before it.
func encodeBody(c Change) ([]byte, error) {
	if c.New == nil || c.Body != nil {
		return c.Body, nil
	}
	return object.Encode(c.Type, c.New)
}

// addConsequences adds the rows that follow from the change: owners, selectors, reservations,
// charges and wakeups.
func (b *Batch) addConsequences(i ordinal, c Change, key object.Key, now time.Time) error {
	d := wakeup.Diff{Controller: c.Controller, Unread: c.Unread}
	if c.Type.Custom != nil {
		d.Custom = key.Resource
	}
	if c.Old != nil {
		d.Old = c.Old.Object()
	}
	route := b.routes.Of(key.Resource)
	if c.Verb != object.Deleted {
		d.New = c.New
		if err := b.addSelector(i, key, route.Selector(), d); err != nil {
			return err
		}
		if d.OwnersChanged() {
			b.addOwners(i, d)
		}
		b.addReservations(i, key, d)
	}
	for _, l := range route.Adopters(d) {
		raw, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("%s: labels: %w", key, err)
		}
		if l == nil {
			raw = []byte("{}")
		}
		b.labels.add(i, string(raw))
	}
	if err := b.addSelected(i, key, route.Selected(d)); err != nil {
		return err
	}
	b.addCharges(i, c)
	if c.Type.Custom != nil && c.Verb == object.Created {
		b.charges.Defined = append(b.charges.Defined, i)
	}
	b.woken = route.Wakes(b.woken[:0], d)
	for _, wake := range b.woken {
		b.addWake(i, wake, now)
	}
	return nil
}

// addSelected adds the labels that changeable selectors match the changed object by.
func (b *Batch) addSelected(i ordinal, key object.Key, sets []wakeup.Selected) error {
	for _, set := range sets {
		raw := []byte("{}")
		if len(set.Labels) > 0 {
			var err error
			if raw, err = json.Marshal(set.Labels); err != nil {
				return fmt.Errorf("%s: labels: %w", key, err)
			}
		}
		b.selected.add(i, selected{set.Controller, key.Namespace, string(raw)})
	}
	return nil
}

func (b *Batch) addOwners(i ordinal, d wakeup.Diff) {
	if d.Old != nil {
		b.owners.forget(i)
	}
	for _, ref := range d.New.GetOwnerReferences() {
		if owner := ParseUID(ref.UID); owner.Valid {
			b.owners.add(i, owner)
		}
	}
}

// selectsNothing is the selector of an object that no longer selects anything: no label has an
// empty name.
const selectsNothing = `{"": ""}`

// addSelector stores what an object selects, when it is created and whenever a changeable selector
// changes.
func (b *Batch) addSelector(i ordinal, key object.Key, s wakeup.Selector, d wakeup.Diff) error {
	if d.Old != nil && !s.Mutable {
		return nil
	}
	k := b.kinds.ByResource(key.Resource)
	controller, match, err := Selects(k, s, d.New)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if d.Old != nil {
		was, before, err := Selects(k, s, d.Old)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", key, err)
		case was == controller && before == match:
			return nil
		case controller == "":
			controller, match = was, selectsNothing
		}
	}
	if controller != "" {
		b.selectors.add(i, controller, match)
	}
	return nil
}

// Selects returns the equality part of an object's selector, as JSON, and the controller that uses
// it; both are empty if the object has no selector.
func Selects(k *kind.Kind, s wakeup.Selector, o object.Object) (controller, match string, err error) {
	if k == nil || k.Selector == nil || s.Controller == "" {
		return "", "", nil
	}
	selector := k.Selector(o)
	if selector == nil {
		return "", "", nil
	}
	labels := selector.MatchLabels
	if labels == nil {
		labels = map[string]string{}
	}
	raw, err := json.Marshal(labels)
	if err != nil {
		return "", "", fmt.Errorf("selector: %w", err)
	}
	return s.Controller, string(raw), nil
}

// addReservations reserves what the object holds, when it is created and when that changes.
func (b *Batch) addReservations(i ordinal, key object.Key, d wakeup.Diff) {
	k := b.kinds.ByResource(key.Resource)
	if k == nil || k.Reservations == nil {
		return
	}
	holds := k.Reservations(d.New)
	if d.Old != nil {
		if slices.Equal(holds, k.Reservations(d.Old)) {
			return
		}
		b.reservations.forget(i)
	}
	for _, held := range holds {
		b.reservations.add(i, held)
	}
}

func (b *Batch) addWake(i ordinal, w wakeup.Wake, now time.Time) {
	uid := ParseUID(w.UID)
	if !uid.Valid && w.Name == "" {
		return // the uid is not a UUID, so no object of ours has it
	}
	var due *time.Time
	if w.After > 0 {
		t := now.Add(w.After)
		due = &t
	}
	var named *object.Key
	if w.Name != "" {
		named = &object.Key{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name} // not &w, which would put every w on the heap
	}
	b.wakes.add(i, w.Controller, uid, named, due, w.OnlyTerminating)
}

// Acknowledge marks wakeups as handled.
func (b *Batch) Acknowledge(ids ...int64) { b.acks = append(b.acks, ids...) }

// Again asks the batch's controller to sync an object again at a cluster time. cause is the
// revision that asked for the current sync.
func (b *Batch) Again(uid types.UID, due time.Time, cause object.Revision) {
	b.addAgain(uid, &due, 0, cause)
}

// Retry asks the batch's controller to sync an object again after a back-off in real time. The
// back-off is short if the sync did not fail but met other transactions, and grows with the number
// of failures (the SQL function back_off). cause is the revision that asked for the current sync.
func (b *Batch) Retry(uid types.UID, failures int, cause object.Revision) {
	b.addAgain(uid, nil, failures, cause)
	b.retries++
}

// Retries returns how many syncs the batch puts off.
func (b *Batch) Retries() int { return b.retries }

func (b *Batch) addAgain(uid types.UID, due *time.Time, attempt int, cause object.Revision) {
	if u := ParseUID(uid); u.Valid {
		b.again.add(u, due, attempt, cause)
	}
}

// Wake asks a controller to sync an object, if the object exists when the transaction commits.
// cause is the revision that asks for it.
func (b *Batch) Wake(controller string, uid types.UID, cause object.Revision) {
	if u := ParseUID(uid); u.Valid {
		b.requests.add(controller, u, cause)
	}
}

// WakeAt is Wake at a cluster time; a time in the past means now.
func (b *Batch) WakeAt(controller string, uid types.UID, due time.Time, cause object.Revision) {
	if u := ParseUID(uid); u.Valid {
		b.later.add(controller, u, cause)
		b.later.due = append(b.later.due, due)
	}
}

// Remember stores a memory beside an object that the transaction has locked; an empty memory
// deletes it. base is the revision that the memory was computed from: if the object has moved on,
// Remember does nothing.
func (b *Batch) Remember(uid types.UID, base object.Revision, memory []byte) {
	u := ParseUID(uid)
	if !u.Valid {
		return
	}
	if len(memory) == 0 {
		memory = nil
	}
	rows := &b.memories
	if _, depends := b.dependent[uid]; depends {
		rows = &b.memoriesKept
	}
	rows.add(u, base, memory)
}

// audible names sessions in a Pod that have output to collect.
type audible struct {
	pod      types.UID
	sessions []int
}

// Audible notifies the process, after the commit, of sessions in a Pod that have output to collect.
func (b *Batch) Audible(pod types.UID, sessions []int) {
	if len(sessions) > 0 {
		b.audible = append(b.audible, audible{pod, sessions})
	}
}

// ParseUID returns an invalid UUID (NULL) for text that is not a UUID. Only Rowlock assigns uids,
// and all of them are UUIDs.
func ParseUID(uid types.UID) pgtype.UUID {
	var u pgtype.UUID
	if len(uid) != 36 || u.Scan(string(uid)) != nil {
		return pgtype.UUID{}
	}
	return u
}
