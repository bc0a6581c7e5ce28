package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Quotas are the ResourceQuotas that a process knows. They may lag: the database has the current
// ones, and refuses changes that were computed with others.
type Quotas interface {
	// In returns the quotas of a namespace, ordered by name. The caller must neither keep nor
	// change the list.
	In(namespace string) []*kind.Quota
	// Fresh waits until everything committed before the call is known.
	Fresh(ctx context.Context) error
}

// Quotas returns the ResourceQuotas that the store uses.
func (s *Store) Quotas() Quotas { return s.config.Quotas }

// noQuotas is for stores that never write to namespaces with quotas.
type noQuotas struct{}

func (noQuotas) In(string) []*kind.Quota         { return nil }
func (noQuotas) Fresh(ctx context.Context) error { return ctx.Err() }

// charges are what the changes of a batch charge to quotas, as the SQL function apply takes them.
// Known names, by namespace, the quotas that they were computed with. A slot is a resource of a
// quota; slots and changes are counted from 1, and charges are in the order of the changes. Changed
// are ResourceQuotas with a new spec.
type charges struct {
	Known    map[string]string `json:"known,omitempty"`
	Quota    []types.UID       `json:"quota,omitempty"`
	Resource []string          `json:"resource,omitempty"`
	Format   []string          `json:"format,omitempty"`
	Of       []int32           `json:"of,omitempty"`
	Slot     []int32           `json:"slot,omitempty"`
	Amount   []json.Number     `json:"amount,omitempty"`
	Judged   []bool            `json:"judged,omitempty"`
	Changed  []int32           `json:"changed,omitempty"`
	Spec     []string          `json:"spec,omitempty"`
	// Defined are the creations of custom resources. They are unrelated to quotas but travel with
	// them, so that an old replica, which does not know them, calls the same function.
	Defined []int32 `json:"defined,omitempty"`

	slots map[slot]int32
	names []string // the quota name of each slot
}

type slot struct {
	quota    types.UID
	resource string
}

// arg returns nil if no change concerns quotas or creates a custom resource.
func (c *charges) arg() (any, error) {
	if c.Known == nil && c.Changed == nil && c.Defined == nil {
		return nil, nil //nolint:nilnil // NULL
	}
	body, err := json.Marshal(c)
	return string(body), err
}

// signature identifies the quotas of a namespace and their specs, as apply does.
func signature(quotas []*kind.Quota) string {
	parts := make([]string, len(quotas))
	for i, q := range quotas {
		parts[i] = string(q.UID) + "=" + q.Digest
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

// addCharges adds what a change charges to the quotas of its namespace.
func (b *Batch) addCharges(i int32, c Change) {
	k := b.kinds.ByResource(c.Type.Resource())
	if k == nil || !k.Counted() {
		return
	}
	next := c.New
	if c.Verb == object.Deleted {
		next = nil
	}
	b.addQuota(i, c, next)
	namespace := c.Key().Namespace
	quotas := b.quotas.In(namespace)
	if len(quotas) == 0 {
		return
	}
	if b.charges.Known == nil {
		b.charges.Known, b.charges.slots = map[string]string{}, map[slot]int32{}
	}
	if b.charges.Known[namespace] == "" {
		b.charges.Known[namespace] = signature(quotas)
	}
	var old object.Object
	if c.Old != nil {
		old = c.Old.Object()
	}
	judged := c.Controller == "" && kind.AsksForMore(next, old) || old == nil
	for _, q := range quotas {
		for _, charge := range q.Charges(k, next, old) {
			b.charges.add(i, q, charge, judged)
		}
	}
}

func (c *charges) add(i int32, q *kind.Quota, charge kind.Charge, judged bool) {
	at := slot{q.UID, string(charge.Resource)}
	n, has := c.slots[at]
	if !has {
		c.Quota, c.Resource = append(c.Quota, q.UID), append(c.Resource, string(charge.Resource))
		c.Format, c.names = append(c.Format, string(charge.Amount.Format)), append(c.names, q.Name)
		n = int32(len(c.Quota))
		c.slots[at] = n
	}
	c.Of, c.Slot = append(c.Of, i), append(c.Slot, n)
	c.Amount, c.Judged = append(c.Amount, json.Number(Decimal(charge.Amount))), append(c.Judged, judged)
}

// Decimal renders a quantity as a plain number, which is how the database adds it up.
func Decimal(q resource.Quantity) string { return new(q.DeepCopy()).AsDec().String() }

// quantity parses a number, to be rendered in the given quantity format.
func quantity(number, format string) (resource.Quantity, error) {
	q, err := resource.ParseQuantity(number)
	if err != nil {
		return q, fmt.Errorf("the number %q: %w", number, err)
	}
	q.Add(resource.Quantity{}) // discards the cached original notation
	q.Format = cmp.Or(resource.Format(format), resource.DecimalSI)
	return q, nil
}

// addQuota notes a ResourceQuota that is new or has a new spec.
func (b *Batch) addQuota(i int32, c Change, next object.Object) {
	digest := kind.DigestOf(next)
	if digest == "" || c.Old != nil && kind.DigestOf(c.Old.Object()) == digest {
		return
	}
	b.charges.Changed, b.charges.Spec = append(b.charges.Changed, i), append(b.charges.Spec, digest)
}

// refused is one resource that a change requests too much of.
type refused struct {
	Charge  int    `json:"charge"`
	Used    string `json:"used"`
	Limited string `json:"limited"`
}

// exceeded returns, by the ordinal of the change, which quota would be exceeded, and by how much.
func (c *charges) exceeded(all []refused) (map[int32]*kind.Exceeded, error) {
	byChange := make(map[int32]*kind.Exceeded, len(all))
	for _, r := range all {
		of, at := c.Of[r.Charge-1], c.Slot[r.Charge-1]-1
		e := byChange[of]
		if e == nil {
			e = &kind.Exceeded{Quota: c.names[at]}
			byChange[of] = e
		}
		requested, err := quantity(c.Amount[r.Charge-1].String(), c.Format[at])
		if err != nil {
			return nil, err
		}
		used, err := quantity(r.Used, c.Format[at])
		if err != nil {
			return nil, err
		}
		limited, err := resource.ParseQuantity(r.Limited)
		if err != nil {
			return nil, fmt.Errorf("the limit %q: %w", r.Limited, err)
		}
		e.Add(c.Resource[at], requested, used, limited)
	}
	return byChange, nil
}

// recount is a counted usage of a quota.
type recount struct {
	quota                                  pgtype.UUID
	since, revision                        int64
	resource, hard, limited, used, formats []string
}

func (c *recount) args() arguments {
	return arguments{
		{"_quota", c.quota}, {"_since", c.since}, {"_revision", c.revision},
		{"_resource", c.resource}, {"_hard", c.hard}, {"_limited", c.limited}, {"_used", c.used}, {"_format", c.formats},
	}
}

// awaitRows are objects whose plans wait for room in a namespace, because of usage that was read at
// a revision or later.
type awaitRows struct {
	uid       []pgtype.UUID
	namespace []string
	read      int64
}

func (r *awaitRows) add(uid pgtype.UUID, namespace string, read object.Revision) {
	r.uid, r.namespace, r.read = append(r.uid, uid), append(r.namespace, namespace), int64(read)
}

func (r *awaitRows) argsOf(controller string) arguments {
	return arguments{{"_controller", controller}, {"_uid", r.uid}, {"_namespace", r.namespace}, {"_revision", r.read}}
}

// Recount sets the usage of the quota whose plan this belongs to, unless its spec has changed by
// the time the transaction commits.
func (b *Batch) Recount(quota types.UID, r plan.Recount) {
	c := recount{quota: ParseUID(quota), since: int64(r.Since), revision: int64(r.Revision)}
	for _, u := range r.Usage {
		c.resource = append(c.resource, string(u.Resource))
		c.hard, c.limited = append(c.hard, Decimal(u.Hard)), append(c.limited, u.Hard.String())
		c.used, c.formats = append(c.used, Decimal(u.Used)), append(c.formats, string(u.Used.Format))
	}
	b.recounts = append(b.recounts, c)
}

// AwaitRoom asks the batch's controller to sync an object again when something is freed in a
// namespace whose quota has refused it something, judged by usage read at the revision or later.
func (b *Batch) AwaitRoom(uid types.UID, namespace string, read object.Revision) {
	if u := ParseUID(uid); u.Valid {
		b.awaiting.add(u, namespace, read)
	}
}

// queueQuotas adds the quota statements to a message, after apply.
func (b *Batch) queueQuotas(m *pgx.Batch, woken func(pgx.Row) error) {
	for _, c := range b.recounts {
		c.args().queue(m, sqlRecount).QueryRow(woken)
	}
	if len(b.awaiting.uid) > 0 {
		b.awaiting.argsOf(b.controller).queue(m, sqlAwaitRoom).QueryRow(woken)
	}
}

// QuotaState is a ResourceQuota as it is enforced.
type QuotaState struct {
	UID       types.UID
	Namespace string
	Name      string
	Since     object.Revision // the revision that its current spec dates from
	Counting  bool            // its usage has yet to be counted
	Usage     []plan.QuotaUsage
}

// QuotaStates reads quotas, by uid and by namespace, in conn's open transaction, ordered by name.
func (s *Store) QuotaStates(ctx context.Context, conn *pgx.Conn, uids []types.UID, namespaces []string) ([]QuotaState, error) {
	of := make([]pgtype.UUID, 0, len(uids))
	for _, uid := range uids {
		of = append(of, ParseUID(uid))
	}
	rows, err := conn.Query(ctx, sqlQuotaStates, of, namespaces)
	if err != nil {
		return nil, fmt.Errorf("store: read quotas: %w", err)
	}
	var states []QuotaState
	var q QuotaState
	var used, format, limited *string
	var u plan.QuotaUsage
	name := &u.Resource // nil for a quota that limits nothing
	_, err = pgx.ForEachRow(rows, []any{&q.UID, &q.Namespace, &q.Name, &q.Since, &q.Counting, &name, &used, &format, &limited}, func() error {
		if n := len(states); n == 0 || states[n-1].UID != q.UID {
			states = append(states, q)
		}
		if name == nil {
			return nil
		}
		u := plan.QuotaUsage{Resource: *name}
		var err error
		if u.Used, err = quantity(*used, *format); err != nil {
			return err
		}
		if u.Hard, err = resource.ParseQuantity(*limited); err != nil {
			return err
		}
		last := &states[len(states)-1]
		last.Usage = append(last.Usage, u)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store: read quotas: %w", err)
	}
	return states, nil
}

// Room says by how much quotas would be exceeded if changes were made one after another.
type Room struct {
	quotas []*kind.Quota
	usage  map[slot]*plan.QuotaUsage
}

// NewRoom returns what quotas leave, given their states. Quotas without a state are not enforced
// yet.
func NewRoom(quotas []*kind.Quota, states []QuotaState) *Room {
	r := &Room{quotas: quotas, usage: map[slot]*plan.QuotaUsage{}}
	for i := range states {
		for j := range states[i].Usage {
			u := states[i].Usage[j]
			r.usage[slot{states[i].UID, string(u.Resource)}] = &u
		}
	}
	return r
}

// Charge makes a change, or says why it cannot be made, as apply judges. old is nil for a creation.
func (r *Room) Charge(k *kind.Kind, next, old object.Object) *kind.Exceeded {
	charged := make([][]kind.Charge, len(r.quotas))
	for i, q := range r.quotas {
		charged[i] = q.Charges(k, next, old)
		var e *kind.Exceeded
		for _, c := range charged[i] {
			u := r.usage[slot{q.UID, string(c.Resource)}]
			if u == nil || c.Amount.Sign() <= 0 {
				continue
			}
			if total := u.Used.DeepCopy(); func() bool { total.Add(c.Amount); return total.Cmp(u.Hard) > 0 }() {
				if e == nil {
					e = &kind.Exceeded{Quota: q.Name}
				}
				e.Add(string(c.Resource), c.Amount, u.Used.DeepCopy(), u.Hard)
			}
		}
		if e != nil {
			return e
		}
	}
	for i, q := range r.quotas {
		for _, c := range charged[i] {
			if u := r.usage[slot{q.UID, string(c.Resource)}]; u != nil {
				u.Used.Add(c.Amount)
			}
		}
	}
	return nil
}

// Judge says whether a quota would refuse a change, without making it: the error is a
// *kind.Exceeded, or the database's.
func (s *Store) Judge(ctx context.Context, c Change) error {
	k := s.kinds.ByResource(c.Type.Resource())
	namespace := c.Key().Namespace
	quotas := s.config.Quotas.In(namespace)
	if k == nil || !k.Counted() || len(quotas) == 0 {
		return nil
	}
	var old object.Object
	if c.Old != nil {
		old = c.Old.Object()
	}
	if old != nil && !kind.AsksForMore(c.New, old) {
		return nil
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("store: judge by quotas: %w", err)
	}
	defer conn.Release()
	states, err := s.QuotaStates(ctx, conn.Conn(), nil, []string{namespace})
	if err != nil {
		return err
	}
	if e := NewRoom(quotas, states).Charge(k, c.New, old); e != nil {
		return e
	}
	return nil
}
