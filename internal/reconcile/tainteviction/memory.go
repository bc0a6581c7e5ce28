package tainteviction

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// turn is the Pods that are due at the same time, as most Pods of a node are.
type turn struct {
	Due  int64       `json:"due"` // in seconds, as in Unix
	Pods []types.UID `json:"pods"`
}

// encode is what is scheduled, in one form only.
func encode(due map[types.UID]time.Time) []byte {
	at := map[int64][]types.UID{}
	for uid, t := range due {
		at[t.Unix()] = append(at[t.Unix()], uid)
	}
	turns := make([]turn, 0, len(at))
	for t, pods := range at {
		slices.Sort(pods)
		turns = append(turns, turn{Due: t, Pods: pods})
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.Due, b.Due) })
	b, err := json.Marshal(turns)
	if err != nil {
		panic(fmt.Sprintf("tainteviction: a memory: %v", err)) // strings and numbers
	}
	return b
}

// decode reads what is scheduled. What does not read any more is nothing: the Pods are scheduled anew.
func decode(memory []byte) map[types.UID]time.Time {
	var turns []turn
	if len(memory) == 0 || json.Unmarshal(memory, &turns) != nil {
		return nil
	}
	due := map[types.UID]time.Time{}
	for _, t := range turns {
		for _, uid := range t.Pods {
			due[uid] = time.Unix(t.Due, 0).UTC()
		}
	}
	return due
}
