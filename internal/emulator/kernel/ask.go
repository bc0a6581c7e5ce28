package kernel

import (
	"fmt"
	"slices"
)

// Ask sends a query and drops an earlier query of the process that is not answered yet. The program
// then returns a Wait for Answered, and gets the answer from Process.Answer.
func (p *Process) Ask(q Query) Wait {
	p.k.unask(p)
	p.k.Serial++
	q.ID, q.Process, q.Sandbox, q.At, q.Depth = p.k.Serial, p.ID, p.Sandbox, p.k.Clock, p.Depth
	p.k.Asked = append(p.k.Asked, &q)
	p.Reply = nil
	return Wait{For: Answered}
}

// Answer returns the answer to the process's last query; nil until there is one.
func (p *Process) Answer() *Answer { return p.Reply }

// Inquire asks the world outside a query of the Pod's node. No process gets the answer.
func (k *Kernel) Inquire(q Query) (query int) {
	k.Serial++
	q.ID, q.Node, q.At = k.Serial, true, k.Clock
	k.Asked = append(k.Asked, &q)
	return q.ID
}

// Query returns an unanswered query; ok is false if there is no such query.
func (k *Kernel) Query(query int) (q Query, ok bool) {
	i := slices.IndexFunc(k.Asked, func(q *Query) bool { return q.ID == query })
	if i < 0 {
		return Query{}, false
	}
	return *k.Asked[i], true
}

// Queries returns the queries that are not answered yet, the oldest first.
func (k *Kernel) Queries() []Query {
	var all []Query
	for _, q := range k.Asked {
		all = append(all, *q)
	}
	return all
}

// Hold marks a query whose answer may take long, so that only its process waits for it.
func (k *Kernel) Hold(query int) {
	if i := slices.IndexFunc(k.Asked, func(q *Query) bool { return q.ID == query }); i >= 0 {
		k.Asked[i].Held = true
	}
}

// Drop removes a query.
func (k *Kernel) Drop(query int) {
	k.Asked = slices.DeleteFunc(k.Asked, func(q *Query) bool { return q.ID == query })
}

// Answer answers a query. The process continues at Now, or when the answer arrives. If a server of
// the Pod answers later, the query is answered then. The error is ErrQuery.
func (k *Kernel) Answer(query int, a Answer) error {
	i := slices.IndexFunc(k.Asked, func(q *Query) bool { return q.ID == query })
	if i < 0 {
		return fmt.Errorf("query %d: %w", query, ErrQuery)
	}
	q := k.Asked[i]
	if a.Later != 0 {
		q.Held = true
		for _, r := range k.Requests {
			if r.ID == a.Later {
				r.For = query
			}
		}
		return nil
	}
	k.Asked = slices.Delete(k.Asked, i, i+1)
	for _, p := range k.Processes {
		if p.ID == q.Process && p.Wait.For == Answered {
			p.Reply = &a
			k.wakeAt(p, k.Clock+max(a.Took, 0))
		}
	}
	return nil
}

// unask drops the queries of a process that has ended.
func (k *Kernel) unask(p *Process) {
	k.Asked = slices.DeleteFunc(k.Asked, func(q *Query) bool { return q.Process == p.ID })
}
