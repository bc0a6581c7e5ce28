package traffic_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/store/traffic"
)

// TestTraffic_IsAddedUp: requests are counted by pair and by minute if the plan was made for the
// Pod's current revision; old counts go.
func TestTraffic_IsAddedUp(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	a, b := f.MustWrite(storetest.CreatePod("a", "x")), f.MustWrite(storetest.CreatePod("b", "x"))
	noon := a.At.Time().Truncate(time.Hour)
	tally := func(v *object.Version, after time.Duration, all ...plan.Traffic) {
		t.Helper()
		conn := f.Conn()
		f.Claim(conn, names.Kubelet, "")
		batch := store.NewBatch(builtin.Catalogue(), storetest.Routes, names.Kubelet)
		batch.Tally(v.UID, v.Revision, "default/"+v.Name, noon.Add(after), all)
		if _, err := f.Commit(t.Context(), conn, batch); err != nil {
			t.Fatal(err)
		}
	}
	to := func(service, pod string, answered, lost int64) plan.Traffic {
		return plan.Traffic{Service: service, Callee: pod, Counts: plan.Counts{Answered: answered, Lost: lost}}
	}
	tally(a, 10*time.Second, to("default/web", "default/web-1", 1, 0), to("default/web", "", 0, 1))
	tally(a, 50*time.Second, to("default/web", "default/web-1", 2, 0))
	tally(a, time.Minute, to("default/web", "default/web-1", 4, 0), to("", "default/web-1", 8, 0))
	tally(b, time.Minute, to("default/web", "default/web-2", 16, 0), to("default/other", "default/web-1", 32, 0))
	moved := f.MustWrite(storetest.Touch(b, "1"))
	tally(b, time.Minute, to("default/web", "default/web-2", 1000, 0))

	pair := func(caller, service, callee string, answered, lost int64) traffic.Pair {
		return traffic.Pair{Caller: caller, Service: service, Callee: callee, Counts: plan.Counts{Answered: answered, Lost: lost}}
	}
	minute := func(after time.Duration, answered, lost int64) traffic.Minute {
		return traffic.Minute{At: noon.Add(after).UTC(), Counts: plan.Counts{Answered: answered, Lost: lost}}
	}
	expect := func(what string, of traffic.Query, want traffic.Traffic) {
		t.Helper()
		got, err := traffic.New(f.Pool).Read(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	expect("to a Service", traffic.Query{Since: noon, Service: "default/web", Pods: []string{"default/web-1", "default/web-2"}}, traffic.Traffic{
		Pairs: []traffic.Pair{
			pair("default/b", "default/web", "default/web-2", 16, 0), pair("default/a", "", "default/web-1", 8, 0),
			pair("default/a", "default/web", "default/web-1", 7, 0), pair("default/a", "default/web", "", 0, 1),
		},
		Minutes: []traffic.Minute{minute(0, 3, 1), minute(time.Minute, 28, 0)},
	})
	expect("since", traffic.Query{Since: noon.Add(time.Minute), Service: "default/web"}, traffic.Traffic{
		Pairs:   []traffic.Pair{pair("default/b", "default/web", "default/web-2", 16, 0), pair("default/a", "default/web", "default/web-1", 4, 0)},
		Minutes: []traffic.Minute{minute(time.Minute, 20, 0)},
	})
	expect("to and from a Pod", traffic.Query{Since: noon, Pods: []string{"default/web-1"}, By: b.UID}, traffic.Traffic{
		Pairs: []traffic.Pair{
			pair("default/b", "default/other", "default/web-1", 32, 0), pair("default/b", "default/web", "default/web-2", 16, 0),
			pair("default/a", "", "default/web-1", 8, 0), pair("default/a", "default/web", "default/web-1", 7, 0),
		},
		Minutes: []traffic.Minute{minute(0, 3, 0), minute(time.Minute, 60, 0)},
	})
	expect("of nobody", traffic.Query{Since: noon, Service: "default/none"}, traffic.Traffic{})

	tally(moved, store.TrafficKept+2*time.Minute, to("default/web", "", 1, 0))
	if n := f.Number("SELECT count(*) FROM traffic WHERE caller_name = 'default/b'"); n != 1 {
		t.Errorf("%d rows stay of a Pod that has counted again", n)
	}
	f.MustExec("UPDATE traffic SET minute = cluster_now() - interval '16 min' - minute_of * interval '1 min' " +
		"FROM (SELECT caller AS c, minute AS m, row_number() OVER () AS minute_of FROM traffic) AS n " +
		"WHERE caller = c AND minute = m AND caller_name = 'default/a'")
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.Number("SELECT count(*) FROM traffic WHERE caller_name = 'default/a'"); n != 0 {
		t.Errorf("%d old rows stay", n)
	}
}
