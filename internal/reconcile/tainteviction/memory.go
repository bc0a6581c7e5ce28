package tainteviction

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// memory is what is stored with a Node: about 40 bytes for each Pod of the node whose eviction is
// scheduled, and nothing for others. A Pod that is gone stays in it until it would have been due,
// or until the next round is over, whichever is first.
type memory struct {
	round
	due map[types.UID]appointment
	// evicting are the Pods whose eviction has begun and that did not specify how long they
	// tolerate the taints; at most podsAtOnce.
	evicting []types.UID
}

// appointment is when a Pod is due.
type appointment struct {
	at     time.Time
	unseen bool // not yet seen in this round
}

// round is a pass through all Pods of the node, in their order, over several syncs.
type round struct {
	Walking bool `json:"walking,omitempty"`
	// Taints are the taints that the round uses, Since is the revision at which it began. When a
	// round is over, changes since then must still be judged.
	Taints string          `json:"taints,omitempty"`
	Since  object.Revision `json:"since,omitempty"`
	// Namespace and Name are those of the last judged Pod; empty before the first.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// after is the place that the round has reached.
func (r round) after() object.Key { return object.Key{Namespace: r.Namespace, Name: r.Name} }

// stored is a memory as JSON. Without a round it is only the list.
type stored struct {
	round
	Due      []turn      `json:"due,omitempty"`
	Evicting []types.UID `json:"evicting,omitempty"`
}

// turn is the Pods that are due at the same time, as most Pods of a node are.
type turn struct {
	Due    int64       `json:"due"` // in Unix seconds
	Unseen bool        `json:"unseen,omitempty"`
	Pods   []types.UID `json:"pods"`
}

// encode is the schedule in its only form.
func encode(due map[types.UID]time.Time) []byte {
	m := memory{due: make(map[types.UID]appointment, len(due))}
	for uid, at := range due {
		m.due[uid] = appointment{at: at}
	}
	return m.encode()
}

// encode is the memory in its only form; nil if it is empty.
func (m *memory) encode() []byte {
	type key struct {
		at     int64
		unseen bool
	}
	groups := map[key][]types.UID{}
	for uid, a := range m.due {
		k := key{a.at.Unix(), a.unseen}
		groups[k] = append(groups[k], uid)
	}
	s := stored{round: m.round, Due: make([]turn, 0, len(groups)), Evicting: m.evicting}
	for k, pods := range groups {
		slices.Sort(pods)
		s.Due = append(s.Due, turn{Due: k.at, Unseen: k.unseen, Pods: pods})
	}
	slices.SortFunc(s.Due, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.Pods[0], b.Pods[0]))
	})
	var what any = s
	switch {
	case s.round == (round{}) && len(s.Due)+len(s.Evicting) == 0:
		return nil
	case s.round == (round{}) && len(s.Evicting) == 0:
		what = s.Due
	}
	b, err := json.Marshal(what)
	if err != nil {
		panic(fmt.Sprintf("tainteviction: a memory: %v", err)) // strings and numbers
	}
	return b
}

// decode reads a memory. If it cannot be parsed, it counts as nothing: the Pods are scheduled
// again.
func decode(b []byte) memory {
	var s stored
	var err error
	if list := &s.Due; bytes.HasPrefix(b, []byte("[")) {
		err = json.Unmarshal(b, list)
	} else if len(b) > 0 {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return memory{due: map[types.UID]appointment{}}
	}
	m := memory{round: s.round, due: map[types.UID]appointment{}, evicting: s.Evicting}
	for _, t := range s.Due {
		for _, uid := range t.Pods {
			m.due[uid] = appointment{at: time.Unix(t.Due, 0).UTC(), unseen: t.Unseen}
		}
	}
	return m
}

// named are the Pods that are being evicted and the first of those that are due, at most n.
func (m *memory) named(now time.Time, n int) []types.UID {
	var due []types.UID
	for uid, a := range m.due {
		if !a.at.After(now) {
			due = append(due, uid)
		}
	}
	slices.SortFunc(due, func(a, b types.UID) int {
		return cmp.Or(m.due[a].at.Compare(m.due[b].at), cmp.Compare(a, b))
	})
	return slices.Concat(m.evicting, due[:min(n-len(m.evicting), len(due))])
}
