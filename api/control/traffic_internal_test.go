package control

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
)

// TestTraffic_NamesWhatMayBeSeen: Pods and Services of namespaces that somebody may not look into have no names and are one, and their
// requests count.
func TestTraffic_NamesWhatMayBeSeen(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 1, 1, 12, 0, 30, 0, time.UTC)
	counts := func(n int64) plan.Counts { return plan.Counts{Answered: n, Lost: 1} }
	found := store.Traffic{
		Pairs: []store.TrafficPair{
			{Caller: "hidden/a", Service: "shop/web", Callee: "shop/web-1", Counts: counts(4)},
			{Caller: "shop/b", Service: "shop/web", Counts: counts(3)},
			{Caller: "hidden/c", Service: "shop/web", Callee: "shop/web-1", Counts: counts(2)},
			{Caller: "shop/b", Service: "hidden/db", Callee: "hidden/db-1", Counts: counts(1)},
		},
		Minutes: []store.TrafficMinute{{At: at.Truncate(time.Minute), Counts: counts(10)}},
	}
	asked := 0
	got := shownTraffic(found, at.Add(-time.Minute), at, func(namespace string) bool {
		asked++
		return namespace == "shop"
	})
	web, pod, b := &TrafficEnd{"shop", "web"}, &TrafficEnd{"shop", "web-1"}, &TrafficEnd{"shop", "b"}
	want := Traffic{
		From: at.Add(-time.Minute), To: at,
		Items: []TrafficItem{
			{Service: web, Callee: pod, TrafficCounts: TrafficCounts{Answered: 6, Lost: 2}},
			{Caller: b, Service: web, TrafficCounts: TrafficCounts{Answered: 3, Lost: 1}},
			{Caller: b, TrafficCounts: TrafficCounts{Answered: 1, Lost: 1}},
		},
		Minutes: []TrafficMinute{{At: at.Truncate(time.Minute), TrafficCounts: TrafficCounts{Answered: 10, Lost: 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if asked != 2 {
		t.Errorf("rights were asked for %d times", asked)
	}
}
