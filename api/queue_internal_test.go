package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// crowd drives a queue with named requests: "ann" is a flow of the level for objects, "ann/system"
// and "ann/bulk" are flows of the others.
type crowd struct {
	*queue
	waits map[string][]*ticket
	flows map[string]*flow // by name, of running requests
}

func newCrowd(size, most int) *crowd {
	return &crowd{newQueue(size, Limits{Waiting: most, Patience: time.Hour}), map[string][]*ticket{}, map[string]*flow{}}
}

func keyOf(name string) flowKey {
	user, of, _ := strings.Cut(name, "/")
	return flowKey{level: map[string]level{"": forObjects, "system": forSystem, "bulk": forBulk}[of], user: user}
}

// come adds a request and returns its state: "inside", "waits" or "refused".
func (c *crowd) come(name string) string {
	f, t := c.enter(keyOf(name))
	switch {
	case f == nil:
		return "refused"
	case t == nil:
		c.flows[name] = f
		return "inside"
	}
	c.flows[name] = f
	c.waits[name] = append(c.waits[name], t)
	return "waits"
}

// finished returns the names of requests whose tickets are done, as in "ann in" and "ann out".
func (c *crowd) finished() (all []string) {
	for name, tickets := range c.waits {
		c.waits[name] = slices.DeleteFunc(tickets, func(t *ticket) bool {
			select {
			case <-t.done:
				all = append(all, name+map[bool]string{true: " in", false: " out"}[t.granted])
				return true
			default:
				return false
			}
		})
	}
	slices.Sort(all)
	return all
}

// TestQueue runs scripts: each line is an event and its outcome.
func TestQueue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		size, most int
		lines      [][2]string // "NAME comes" or "NAME leaves", and the outcome
	}{
		{"flows take turns, however many of one wait", 1, 10, [][2]string{
			{"ann comes", "inside"}, {"ann comes", "waits"}, {"ann comes", "waits"}, {"ann comes", "waits"}, {"bob comes", "waits"},
			{"ann leaves", "ann in"}, {"ann leaves", "bob in"}, {"bob leaves", "ann in"}, {"ann leaves", "ann in"}, {"ann leaves", ""}, {"bob comes", "inside"},
		}},
		{"no flow has more than three quarters", 4, 10, [][2]string{
			{"ann comes", "inside"}, {"ann comes", "inside"}, {"ann comes", "inside"}, {"ann comes", "waits"}, {"bob comes", "inside"}, {"bob comes", "waits"},
			{"ann leaves", "ann in"}, {"bob leaves", "bob in"},
		}},
		{"a flow that has its share does not hold up the next", 4, 10, [][2]string{
			{"ann comes", "inside"}, {"ann comes", "inside"}, {"ann comes", "inside"}, {"ann comes", "waits"}, {"bob comes", "inside"}, {"carl comes", "waits"},
			{"bob leaves", "carl in"}, {"ann leaves", "ann in"},
		}},
		{"what is bulky has no more than three quarters, and the system all", 8, 10, [][2]string{
			{"a/bulk comes", "inside"}, {"b/bulk comes", "inside"}, {"c/bulk comes", "inside"}, {"d/bulk comes", "inside"}, {"e/bulk comes", "inside"}, {"f/bulk comes", "inside"},
			{"g/bulk comes", "waits"}, {"ann comes", "inside"}, {"k/system comes", "inside"}, {"l/system comes", "waits"}, {"a/bulk leaves", "l/system in"}, {"b/bulk leaves", "g/bulk in"},
		}},
		{"levels come in their order", 1, 10, [][2]string{
			{"ann comes", "inside"}, {"z/bulk comes", "waits"}, {"bob comes", "waits"}, {"k/system comes", "waits"},
			{"ann leaves", "k/system in"}, {"k/system leaves", "bob in"}, {"bob leaves", "z/bulk in"},
		}},
		{"the last level is the first for one place in eight", 1, 20, [][2]string{
			{"k/system comes", "inside"}, {"z/bulk comes", "waits"},
			{"k/system comes", "waits"}, {"k/system comes", "waits"}, {"k/system comes", "waits"}, {"k/system comes", "waits"},
			{"k/system comes", "waits"}, {"k/system comes", "waits"}, {"k/system comes", "waits"}, {"k/system comes", "waits"},
			{"k/system leaves", "k/system in"}, {"k/system leaves", "k/system in"}, {"k/system leaves", "k/system in"}, {"k/system leaves", "k/system in"},
			{"k/system leaves", "k/system in"}, {"k/system leaves", "k/system in"}, {"k/system leaves", "k/system in"}, {"k/system leaves", "z/bulk in"}, {"z/bulk leaves", "k/system in"},
		}},
		{"where too many wait, the longest flow gives way", 1, 3, [][2]string{
			{"ann comes", "inside"}, {"ann comes", "waits"}, {"ann comes", "waits"}, {"ann comes", "waits"}, {"ann comes", "refused"},
			{"bob comes", "waits and ann out"}, {"bob comes", "refused"}, {"carl comes", "waits and ann out"}, {"dora comes", "refused"},
		}},
		{"where too many wait, what is bulky gives way", 1, 2, [][2]string{
			{"ann comes", "inside"}, {"z/bulk comes", "waits"}, {"y/bulk comes", "waits"}, {"x/bulk comes", "refused"}, {"k/system comes", "waits and z/bulk out"},
			{"ann comes", "waits and y/bulk out"}, {"bob comes", "refused"}, {"l/system comes", "waits and ann out"}, {"bob comes", "refused"},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(test.size, test.most)
			for i, line := range test.lines {
				name, does, _ := strings.Cut(line[0], " ")
				var got string
				if does == "comes" {
					got = c.come(name)
				} else {
					c.leave(c.flows[name])
				}
				if done := strings.Join(c.finished(), ", "); done != "" {
					got = strings.TrimPrefix(got+" and "+done, " and ")
				}
				if got != line[1] {
					t.Fatalf("line %d, %s: %q, want %q", i+1, line[0], got, line[1])
				}
			}
		})
	}
}

// Invariants: the limits hold, no request waits that could run, every request is counted, and
// nothing is left in the end.
func TestQueue_Laws(t *testing.T) {
	t.Parallel()
	names := []string{"ann", "bob", "ann/system", "ann/bulk", "bob/bulk"}
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(rapid.IntRange(1, 9).Draw(t, "size"), rapid.IntRange(1, 6).Draw(t, "most"))
		inside := map[string]int{}
		count := func() {
			for _, done := range c.finished() {
				if name, ok := strings.CutSuffix(done, " in"); ok {
					inside[name]++
				}
			}
		}
		judge := func() {
			all, waiting, byLevel := 0, 0, [levels]int{}
			for _, name := range names {
				all, waiting = all+inside[name], waiting+len(c.waits[name])
				byLevel[keyOf(name).level] += inside[name]
				if inside[name] > c.mostOfFlow() {
					t.Fatalf("%d of %s are inside", inside[name], name)
				}
				if len(c.waits[name]) > 0 && c.admitsLocked(c.flows[name]) {
					t.Fatalf("%s waits beside a free place", name)
				}
			}
			for l := range levels {
				if byLevel[l] > c.mostOfLevel(l) || byLevel[l] != c.levels[l].inside {
					t.Fatalf("%d of level %d are inside, counted as %d", byLevel[l], l, c.levels[l].inside)
				}
			}
			if all > c.size || all != c.inside || waiting > c.most || waiting != c.waiting {
				t.Fatalf("%d are inside and %d wait, counted as %d and %d", all, waiting, c.inside, c.waiting)
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			if rapid.Bool().Draw(t, "comes") {
				if c.come(name) == "inside" {
					inside[name]++
				}
			} else if inside[name] > 0 {
				inside[name]--
				c.leave(c.flows[name])
			}
			count()
			judge()
		}
		for busy := true; busy; {
			busy = false
			for _, name := range names {
				for ; inside[name] > 0; busy = true {
					inside[name]--
					c.leave(c.flows[name])
					count()
				}
			}
		}
		judge()
		if len(c.queue.flows) > 0 || c.waiting > 0 {
			t.Fatalf("%d flows are left, and %d wait", len(c.queue.flows), c.waiting)
		}
	})
}

// A request that has waited long enough, or whose client disconnects, leaves nothing behind.
func TestQueue_Patience(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx      context.Context //nolint:containedctx // a row of a table
		patience time.Duration
	}{"impatient": {t.Context(), time.Nanosecond}, "gone": {gone, time.Hour}} {
		q := newQueue(1, Limits{Waiting: 5, Patience: test.patience})
		leave := q.take(t.Context(), keyOf("ann"))
		if got := q.take(test.ctx, keyOf("bob")); got != nil {
			t.Errorf("%s: bob has a place", name)
		}
		leave()
		if diff := cmp.Diff("0 inside, 0 wait, 0 flows", fmt.Sprintf("%d inside, %d wait, %d flows", q.inside, q.waiting, len(q.flows))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
