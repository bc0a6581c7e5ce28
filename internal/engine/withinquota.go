package engine

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// withinQuotas asks for other plans in place of those that create more than the quotas of a
// namespace leave, as of the transaction that applies them. What others use meanwhile is detected
// by the commit itself. If no plan creates anything in a namespace with quotas, there is no query.
func (w *Worker) withinQuotas(ctx context.Context, conn *pgx.Conn, planned []Planned) error {
	quotas := w.quotasOf(planned)
	if len(quotas) == 0 {
		return nil
	}
	namespaces := make([]string, 0, len(quotas))
	for namespace := range quotas {
		namespaces = append(namespaces, namespace)
	}
	states, err := w.Store.QuotaStates(ctx, conn, nil, namespaces)
	if err != nil {
		return err
	}
	rooms := make(map[string]*store.Room, len(quotas))
	for namespace, in := range quotas {
		rooms[namespace] = store.NewRoom(in, states)
	}
	for i, p := range planned {
		refused, namespace := w.applier.overQuota(rooms, p.Plan)
		if refused == nil {
			continue
		}
		again, err := p.again(refused)
		if err != nil {
			return err
		}
		planned[i].Plan, planned[i].awaits = admitOnly(againAfter(refused, again), refused.Admitted), namespace
	}
	return nil
}

// quotasOf returns the quotas, by namespace, of what plans create.
func (w *Worker) quotasOf(planned []Planned) map[string][]*kind.Quota {
	var quotas map[string][]*kind.Quota
	for _, p := range planned {
		for _, c := range p.Plan.Creates {
			namespace := c.Object.GetNamespace()
			if in := w.Store.Quotas().In(namespace); len(in) > 0 {
				if quotas == nil {
					quotas = map[string][]*kind.Quota{}
				}
				quotas[namespace] = in
			}
		}
	}
	return quotas
}

// overQuota returns from where on a plan's creations exceed the quotas, and in which namespace; nil
// if they do not. Those before have been charged to the rooms. A creation that replaces a deleted
// object is charged with the difference.
//
// Consecutive creations of one kind with generated names come from one template, so only the first
// is measured.
func (a *applier) overQuota(rooms map[string]*store.Room, p plan.Plan) (refused *plan.Refusal, namespace string) {
	var measured *kind.Kind
	var made object.Object
	for i, c := range p.Creates {
		k := a.kinds[typeOf(c.Object)]
		if k == nil {
			return nil, "" // adding the plan fails, and reports why
		}
		namespace := c.Object.GetNamespace()
		room := rooms[namespace]
		if room == nil {
			continue
		}
		if k != measured || c.Object.GetName() != "" || made.GetNamespace() != namespace {
			measured, made = k, a.complete(k, c.Object)
		}
		var old object.Object
		if c.NeedsDelete > 0 {
			old = p.Deletes[c.NeedsDelete-1].Object
		}
		if e := room.Charge(k, made, old); e != nil {
			name := c.Object.GetName()
			if name == "" {
				name = object.GeneratedName(c.Object.GetGenerateName(), a.draw.Suffix())
			}
			return refusalOf(i, &registry.Forbidden{Resource: k.GroupResource(), Name: name, Err: e}), namespace
		}
	}
	return nil, ""
}

// complete returns a copy of an object as it will be stored, except for its name.
func (a *applier) complete(k *kind.Kind, o object.Object) object.Object {
	made, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return o // adding the plan fails, and reports why
	}
	// Whether it is admitted has already been judged.
	_, _ = registry.Complete(k, made, registry.Input{State: mirrored{a.mirror}, NameSuffix: anySuffix})
	return made
}

// admitOnly removes from a plan all creations from the n-th on, and what needs them: for
// reconcilers that plan the same after a refusal as before.
func admitOnly(p plan.Plan, n int) plan.Plan {
	if len(p.Creates) <= n {
		return p
	}
	p.Creates = p.Creates[:n:n]
	var updates []plan.Update
	for _, u := range p.Updates {
		if u.NeedsCreate <= n {
			updates = append(updates, u)
		}
	}
	var events []plan.Event
	for _, e := range p.Events {
		if e.MessageOfCreate <= n {
			events = append(events, e)
		}
	}
	p.Updates, p.Events = updates, events
	return p
}
