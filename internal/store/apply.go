package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Outcome is what became of one change of a batch.
type Outcome byte

// The letters in which the SQL function apply answers.
const (
	Kept                  Outcome = 'k'
	NameTaken             Outcome = 'x'
	NamespaceNotFound     Outcome = 'n'
	NamespaceTerminating  Outcome = 't'
	Busy                  Outcome = 'b' // another transaction has the object's lock
	Moved                 Outcome = 'm' // the object is not at the change's base revision
	Gone                  Outcome = 'g'
	Reserved              Outcome = 'r' // another object holds an address or a port
	Skipped               Outcome = 's' // the change it needs was not kept
	DefinitionNotFound    Outcome = 'a' // a custom resource without a definition
	DefinitionTerminating Outcome = 'e' // a custom resource whose definition is being deleted
	OverQuota             Outcome = 'q' // it would use more than a quota leaves
	OtherQuotas           Outcome = 'v' // the namespace has other quotas than those that it was computed by
)

// Applied is what became of a batch.
type Applied struct {
	Outcomes []Outcome                // one a change
	Versions []*object.Version        // what was committed, in order of revision
	Woken    []string                 // the controllers that have new work
	At       time.Time                // cluster time of the commit
	heads    []int64                  // of every change that has moved on, in order
	exceeded map[int32]*kind.Exceeded // of every change that is over quota, by its ordinal
}

// LeftOut is how many changes were not kept.
func (a Applied) LeftOut() (n int) {
	for _, o := range a.Outcomes {
		if o != Kept {
			n++
		}
	}
	return n
}

// args are the arguments of the SQL function apply.
func (b *Batch) args(quota any) arguments {
	return slices.Concat(
		b.rows.args(), b.owners.args(), b.selectors.args(), b.reservations.args(), b.labels.args(), b.selected.args(),
		b.wakes.args(),
		arguments{{"_controller", b.controller}, {"_acks", b.acks}}, b.again.args(), arguments{{"_quota", quota}},
	)
}

// queue puts the batch into a pipelined message; Scan of its result fills a. What is remembered comes first, as nothing that
// can be done before the counter is taken may be done while it is held, unless it depends on what apply keeps; what is woken comes last,
// as it takes the counter.
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

// Commit applies the batch in conn's open transaction and commits it, in one message (S4). The store's process is told of what
// was committed. After an error nothing is known to be committed: the caller's wakeups are still there, or are not
// needed any more.
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

// report tells the process of what was committed.
func (s *Store) report(a Applied) {
	s.dirty.Store(true)
	if len(a.Versions) > 0 || len(a.Woken) > 0 {
		s.committed(a.Versions, a.Woken)
	}
}

// versions are the kept changes as the log holds them.
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
		Revision: revision, Verb: c.Verb, At: at,
	}
	if body == nil { // a tombstone of what was there before
		v.Succeed(c.Old)
		return v
	}
	v.SetBody(body)
	v.Mark(c.New)
	if c.Type.Custom != nil { // others read the type from the body too, and decode it by themselves: 1.0 becomes 1
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
