package control

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store/traffic"
)

// Pods and Services of namespaces that the user may not read
// have no names and are combined into one, but their requests count.
func TestTraffic_HidesNames(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 1, 1, 12, 0, 30, 0, time.UTC)
	counts := func(n int64) plan.Counts { return plan.Counts{Answered: n, Lost: 1} }
	found := traffic.Traffic{
		Pairs: []traffic.Pair{
			{Caller: "hidden/a", Service: "shop/web", Callee: "shop/web-1", Counts: counts(4)},
			{Caller: "shop/b", Service: "shop/web", Counts: counts(3)},
			{Caller: "hidden/c", Service: "shop/web", Callee: "shop/web-1", Counts: counts(2)},
			{Caller: "shop/b", Service: "hidden/db", Callee: "hidden/db-1", Counts: counts(1)},
		},
		Minutes: []traffic.Minute{{At: at.Truncate(time.Minute), Counts: counts(10)}},
	}
	asked := 0
	got := shownTraffic(found, at.Add(-time.Minute), at, func(namespace string) bool {
		asked++
		return namespace == "shop"
	})
	web, pod, b := &v1.TrafficEnd{Namespace: "shop", Name: "web"}, &v1.TrafficEnd{Namespace: "shop", Name: "web-1"}, &v1.TrafficEnd{Namespace: "shop", Name: "b"}
	want := v1.Traffic{
		From: at.Add(-time.Minute), To: at,
		Items: []v1.TrafficItem{
			{Service: web, Callee: pod, TrafficCounts: v1.TrafficCounts{Answered: 6, Lost: 2}},
			{Caller: b, Service: web, TrafficCounts: v1.TrafficCounts{Answered: 3, Lost: 1}},
			{Caller: b, TrafficCounts: v1.TrafficCounts{Answered: 1, Lost: 1}},
		},
		Minutes: []v1.TrafficMinute{{At: at.Truncate(time.Minute), TrafficCounts: v1.TrafficCounts{Answered: 10, Lost: 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if asked != 2 {
		t.Errorf("rights were asked for %d times", asked)
	}
}
