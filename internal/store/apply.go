package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Outcome is the result of one change in a batch.
type Outcome byte

// The letters that the SQL function apply returns.
const (
	Kept                  Outcome = 'k'
	NameTaken             Outcome = 'x'
	NamespaceNotFound     Outcome = 'n'
	NamespaceTerminating  Outcome = 't'
	Busy                  Outcome = 'b' // another transaction holds the object's lock
	Moved                 Outcome = 'm' // the object is not at the change's base revision
	Gone                  Outcome = 'g'
	Reserved              Outcome = 'r' // another object holds the address or port
	Skipped               Outcome = 's' // the change it needs was not committed
	DefinitionNotFound    Outcome = 'a' // a custom resource without a definition
	DefinitionTerminating Outcome = 'e' // a custom resource whose definition is being deleted
	OverQuota             Outcome = 'q' // it would exceed a quota
	OtherQuotas           Outcome = 'v' // it was computed with other quotas than the namespace has
)

// Applied is the result of a batch.
type Applied struct {
	Outcomes []Outcome                // one per change
	Versions []*object.Version        // what was committed, in revision order
	Woken    []string                 // the controllers that have new work
	At       time.Time                // cluster time of the commit
	heads    []int64                  // of every Moved change, in order
	exceeded map[int32]*kind.Exceeded // by the ordinal of each change that exceeds a quota
}

// LeftOut returns how many changes were not committed.
func (a Applied) LeftOut() (n int) {
	for _, o := range a.Outcomes {
		if o != Kept {
			n++
		}
	}
	return n
}

// Kept returns how many changes of an object's plan were committed, and how many there were.
func (b *Batch) Kept(a Applied, plan types.UID) (kept, all int) {
	of := ParseUID(plan)
	for i, o := range a.Outcomes {
		if b.rows.plan[i] != of {
			continue
		}
		if all++; o == Kept {
			kept++
		}
	}
	return kept, all
}

// args returns the arguments of the SQL function apply.
func (b *Batch) args(quota any) arguments {
	return slices.Concat(
		b.rows.args(), b.owners.args(), b.selectors.args(), b.reservations.args(), b.labels.args(), b.selected.args(),
		b.wakes.args(),
		arguments{{"_controller", b.controller}, {"_acks", b.acks}}, b.again.args(), arguments{{"_quota", quota}},
	)
}

// queue adds the batch to a pipelined message; Scan of the result fills a. Memories come first:
// what can be done before the counter is locked must not be done while it is held. Memories that
// depend on what apply commits come after it. Wakeups come last, because they lock the counter.
func (b *Batch) queue(m *pgx.Batch, a *Applied) error {
	quota, err := b.charges.arg()
	if err != nil {
		return fmt.Errorf("charges: %w", err)
	}
	if len(b.memories.uid) > 0 {
		b.memories.args().queue(m, sqlRemember)
	}
	if len(b.files.node) > 0 {
		b.files.args().queue(m, sqlKeepFiles)
	}
	if len(b.calls.by) > 0 {
		b.calls.args().queue(m, sqlExchange)
	}
	if len(b.traffic.by) > 0 {
		b.traffic.args().queue(m, sqlTally)
	}
	b.args(quota).queue(m, sqlApply).QueryRow(func(row pgx.Row) (err error) {
		var outcomes string
		var last int64
		var over []refused
		if err := row.Scan(&outcomes, &last, &a.At, &a.heads, &a.Woken, &over); err != nil {
			return err
		}
		if len(over) > 0 {
			if a.exceeded, err = b.charges.exceeded(over); err != nil {
				return err
			}
		}
		a.Outcomes = []Outcome(outcomes)
		a.Versions = b.versions(a.Outcomes, last, a.At)
		return nil
	})
	if len(b.memoriesKept.uid) > 0 {
		b.memoriesKept.args().queue(m, sqlRememberKept)
	}
	woken := func(row pgx.Row) error {
		var woken []string
		err := row.Scan(&woken)
		a.Woken = append(a.Woken, woken...)
		return err
	}
	if len(b.requests.uid) > 0 {
		b.requests.args().queue(m, sqlWake).QueryRow(woken)
	}
	if len(b.later.uid) > 0 {
		b.later.args().queue(m, sqlWakeLater).QueryRow(woken)
	}
	b.queueQuotas(m, woken)
	return nil
}

// Commit applies the batch in conn's open transaction and commits it, in one message (S4). It
// reports what was committed to the store's process. After an error, the caller must assume that
// nothing was committed: its wakeups are still there, or are no longer needed.
func (s *Store) Commit(ctx context.Context, conn *pgx.Conn, b *Batch) (Applied, error) {
	var a Applied
	var m pgx.Batch
	if err := b.queue(&m, &a); err != nil {
		return Applied{}, fmt.Errorf("store: %w", err)
	}
	m.Queue("COMMIT")
	if err := b.send(ctx, conn, &m); err != nil {
		return Applied{}, fmt.Errorf("store: apply and commit %d changes: %w", b.Len(), err)
	}
	if b.calls.toAPI {
		a.Woken = append(a.Woken, APIServer)
	}
	s.report(a)
	for _, h := range b.audible {
		s.tellAudible(h.pod, h.sessions)
	}
	return a, nil
}

// report tells the process what was committed.
func (s *Store) report(a Applied) {
	s.dirty.Store(true)
	if len(a.Versions) > 0 || len(a.Woken) > 0 {
		s.committed(a.Versions, a.Woken)
	}
}

// versions returns the committed changes as the log holds them.
func (b *Batch) versions(outcomes []Outcome, last int64, at time.Time) []*object.Version {
	kept := int64(0)
	for _, o := range outcomes {
		if o == Kept {
			kept++
		}
	}
	versions := make([]*object.Version, 0, kept)
	revision := object.Revision(last - kept)
	for i, o := range outcomes {
		if o != Kept {
			continue
		}
		revision++
		versions = append(versions, b.changes[i].version(revision, at, b.rows.body[i]))
	}
	return versions
}

func (c Change) version(revision object.Revision, at time.Time, body []byte) *object.Version {
	key := c.Key()
	v := &object.Version{
		Type: c.Type, Namespace: key.Namespace, Name: key.Name, UID: c.uid(),
		Revision: revision, Verb: c.Verb, At: object.MomentOf(at),
	}
	if c.Type.Bulk {
		v.Name, v.UID = together(v.Name, v.UID)
	}
	if body == nil { // a tombstone whose last state is the version before it
		v.Succeed(c.Old)
		return v
	}
	v.SetBody(body)
	v.Mark(c.New)
	if c.Type.Custom != nil { // other processes decode the body themselves, type included: 1.0 becomes 1
		if t, err := object.TypeOf(key.Resource, c.Type.Namespaced, body); err == nil {
			v.Type = t
		}
		return v
	}
	if object.Faithful(body) {
		v.Remember(c.New)
	}
	return v
}
