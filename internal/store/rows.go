package store

import (
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/rowlock/rowlock/internal/object"
)

// A batch is sent as sets of rows, column by column, as the SQL functions take them. Each set names
// the argument that each of its columns is. The statements in sql/ name the arguments too, and
// PostgreSQL knows them by these names: a test compares the order, so that no column can be taken
// for its neighbour.

// argument is one argument of an SQL function.
type argument struct {
	name  string
	value any
}

// arguments are the arguments of a call, in the order of its statement's parameters.
type arguments []argument

func (a arguments) values() []any {
	values := make([]any, len(a))
	for i := range a {
		values[i] = a[i].value
	}
	return values
}

// queue adds a call to a pipelined message.
func (a arguments) queue(m *pgx.Batch, sql string) *pgx.QueuedQuery {
	return m.Queue(sql, a.values()...)
}

// ordinal is the place of a change in its batch, counted from 1. Rows that follow from a change
// refer to it by ordinal.
type ordinal = int32

// changeRows are the changes themselves: row i has the ordinal i+1.
type changeRows struct {
	verb, resource, namespace, name, writer []string
	uid, plan                               []pgtype.UUID // plan: invalid for none
	base, cause                             []int64
	terminating                             []bool
	needs                                   []ordinal // 0 for none
	body                                    [][]byte  // nil for a tombstone that adds nothing
}

func (r *changeRows) add(c Change, key object.Key, uid, plan pgtype.UUID, needs ordinal, body []byte) {
	base := int64(0)
	if c.Old != nil {
		base = int64(c.Old.Revision)
	}
	r.verb, r.writer = append(r.verb, c.Verb.Letter()), append(r.writer, c.Writer)
	r.resource, r.namespace, r.name = append(r.resource, key.Resource), append(r.namespace, key.Namespace), append(r.name, key.Name)
	r.uid, r.plan = append(r.uid, uid), append(r.plan, plan)
	r.base, r.cause = append(r.base, base), append(r.cause, int64(c.Cause))
	r.terminating = append(r.terminating, c.New != nil && c.New.GetDeletionTimestamp() != nil)
	r.needs, r.body = append(r.needs, needs), append(r.body, body)
}

func (r *changeRows) args() arguments {
	return arguments{
		{"_verb", r.verb}, {"_uid", r.uid}, {"_resource", r.resource}, {"_namespace", r.namespace}, {"_name", r.name}, {"_base", r.base},
		{"_terminating", r.terminating}, {"_needs", r.needs}, {"_plan", r.plan}, {"_cause", r.cause}, {"_writer", r.writer}, {"_body", r.body},
	}
}

// ownerRows are the owners of changed objects. The owners of those in forgotten are replaced; the
// others have none yet.
type ownerRows struct {
	forgotten, of []ordinal
	owner         []pgtype.UUID
}

func (r *ownerRows) forget(i ordinal) { r.forgotten = append(r.forgotten, i) }

func (r *ownerRows) add(i ordinal, owner pgtype.UUID) {
	r.of, r.owner = append(r.of, i), append(r.owner, owner)
}

func (r *ownerRows) args() arguments {
	return arguments{{"_owned", r.forgotten}, {"_owner_of", r.of}, {"_owner", r.owner}}
}

// selectorRows are what workloads and Services select: match is the equality part of the selector,
// as JSON.
type selectorRows struct {
	of                []ordinal
	controller, match []string
}

func (r *selectorRows) add(i ordinal, controller, match string) {
	r.of, r.controller, r.match = append(r.of, i), append(r.controller, controller), append(r.match, match)
}

func (r *selectorRows) args() arguments {
	return arguments{{"_selector_of", r.of}, {"_selector_controller", r.controller}, {"_selector", r.match}}
}

// reservationRows are what objects hold. The reservations of those in forgotten are replaced; the
// others have none yet.
type reservationRows struct {
	forgotten, of []ordinal
	key           []string
}

func (r *reservationRows) forget(i ordinal) { r.forgotten = append(r.forgotten, i) }

func (r *reservationRows) add(i ordinal, key string) {
	r.of, r.key = append(r.of, i), append(r.key, key)
}

func (r *reservationRows) args() arguments {
	return arguments{{"_reserving", r.forgotten}, {"_reserved_of", r.of}, {"_reserved", r.key}}
}

// labelRows are labels, as JSON, that workloads may select the changed objects by: those workloads
// are woken.
type labelRows struct {
	of     []ordinal
	labels []string
}

func (r *labelRows) add(i ordinal, labels string) {
	r.of, r.labels = append(r.of, i), append(r.labels, labels)
}

func (r *labelRows) args() arguments {
	return arguments{{"_label_of", r.of}, {"_labels", r.labels}}
}

// selected is what a controller's objects may select something by: its namespace, and its labels as
// JSON.
type selected struct{ controller, namespace, labels string }

// selectedRows are the labels that changeable selectors match changed objects by, with their
// controllers.
type selectedRows struct {
	at         map[selected]int // the index in the lists that follow
	of         []ordinal
	by, labels []string
}

// add adds labels once for all changes that have them: Pods of one workload share them. The last
// change is the cause.
func (r *selectedRows) add(i ordinal, s selected) {
	if row, ok := r.at[s]; ok {
		r.of[row] = i
		return
	}
	if r.at == nil {
		r.at = map[selected]int{}
	}
	r.at[s] = len(r.of)
	r.of, r.by, r.labels = append(r.of, i), append(r.by, s.controller), append(r.labels, s.labels)
}

func (r *selectedRows) args() arguments {
	return arguments{{"_selected_of", r.of}, {"_selected_by", r.by}, {"_selected", r.labels}}
}

// wakeRows are the objects that a change wakes: by uid or, if that is invalid, by name.
type wakeRows struct {
	of                        []ordinal
	controller                []string
	uid                       []pgtype.UUID
	resource, namespace, name []*string    // nil if there is a uid; the namespace is empty for cluster-scoped objects
	due                       []*time.Time // nil for now
	terminating               []bool       // only if it is being deleted
}

func (r *wakeRows) add(i ordinal, controller string, uid pgtype.UUID, named *object.Key, due *time.Time, terminating bool) {
	r.of, r.controller, r.uid = append(r.of, i), append(r.controller, controller), append(r.uid, uid)
	var resource, namespace, name *string
	if named != nil {
		resource, namespace, name = &named.Resource, &named.Namespace, &named.Name
	}
	r.resource, r.namespace, r.name = append(r.resource, resource), append(r.namespace, namespace), append(r.name, name)
	r.due, r.terminating = append(r.due, due), append(r.terminating, terminating)
}

func (r *wakeRows) args() arguments {
	return arguments{
		{"_wake_of", r.of}, {"_wake_controller", r.controller}, {"_wake_uid", r.uid}, {"_wake_resource", r.resource},
		{"_wake_namespace", r.namespace}, {"_wake_name", r.name}, {"_wake_due", r.due}, {"_wake_terminating", r.terminating},
	}
}

// againRows are the wakeups of the batch's own controller.
type againRows struct {
	uid     []pgtype.UUID
	due     []*time.Time // nil if put off in real time
	attempt []int32
	cause   []int64
}

func (r *againRows) add(uid pgtype.UUID, due *time.Time, attempt int, cause object.Revision) {
	r.uid, r.due = append(r.uid, uid), append(r.due, due)
	r.attempt, r.cause = append(r.attempt, int32(min(attempt, math.MaxInt32))), append(r.cause, int64(cause))
}

func (r *againRows) args() arguments {
	return arguments{{"_again", r.uid}, {"_again_due", r.due}, {"_again_attempt", r.attempt}, {"_again_cause", r.cause}}
}

// memoryRows are the memories to store beside objects; a nil state deletes one.
type memoryRows struct {
	uid   []pgtype.UUID
	base  []int64
	state [][]byte
}

func (r *memoryRows) add(uid pgtype.UUID, base object.Revision, state []byte) {
	r.uid, r.base, r.state = append(r.uid, uid), append(r.base, int64(base)), append(r.state, state)
}

func (r *memoryRows) args() arguments {
	return arguments{{"_uid", r.uid}, {"_base", r.base}, {"_state", r.state}}
}

// requestRows are the wakeups besides those that the changes cause.
type requestRows struct {
	controller []string
	uid        []pgtype.UUID
	cause      []int64
}

func (r *requestRows) add(controller string, uid pgtype.UUID, cause object.Revision) {
	r.controller, r.uid, r.cause = append(r.controller, controller), append(r.uid, uid), append(r.cause, int64(cause))
}

func (r *requestRows) args() arguments {
	return arguments{{"_controller", r.controller}, {"_uid", r.uid}, {"_cause", r.cause}}
}

// laterRows are the wakeups with times of their own.
type laterRows struct {
	requestRows
	due []time.Time
}

func (r *laterRows) args() arguments {
	return append(r.requestRows.args(), arguments{{"_due", r.due}}...)
}
