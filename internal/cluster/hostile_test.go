package cluster_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_ForeignWakeups: a database that has wakeups of every controller for every object, as an
// older Rowlock may have loaded them, starts, drops the wakeups that no controller can handle, and
// works.
func TestOpen_ForeignWakeups(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first := clustertest.Open(t, url)
	first.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"a"}}`)
	first.Close()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var names []string
	for _, c := range controller.Controllers(world.World{Kinds: builtin.Catalogue()}) {
		names = append(names, c.Name)
	}
	if _, err := pool.Exec(t.Context(), `INSERT INTO wakeups (due, cause, uid, attempt, controller)
		SELECT cluster_now(), 1, o.uid, 0, c.name FROM objects o, unnest($1::text[]) AS c (name)`, names); err != nil {
		t.Fatal(err)
	}
	s := clustertest.Open(t, url)
	s.Do("POST", "/apis/apps/v1/namespaces/default/deployments", `{"metadata":{"name":"web"},"spec":{"replicas":2,
		"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}}}`)
	s.Until("the Deployment is ready", func() bool {
		var d struct{ Status struct{ ReadyReplicas int } }
		s.Get("/apis/apps/v1/namespaces/default/deployments/web", &d)
		return d.Status.ReadyReplicas == 2
	})
	s.Until("no wakeup is left that is due", func() bool {
		var n int
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM wakeups WHERE due <= cluster_now() OR attempt > 0").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n == 0
	})
	metrics := strings.Split(string(s.Do("GET", "/metrics", "")), "\n")
	counts := func(name string) bool { // whether one of the counters with the name has counted something
		return slices.ContainsFunc(metrics, func(line string) bool { return strings.Contains(line, name) && !strings.HasSuffix(line, "} 0") })
	}
	if counts("_panics_total{") || !counts(`rowlock_worker_foreign_wakeups_total{controller="kubelet"}`) {
		t.Errorf("the metrics are\n%s", strings.Join(metrics, "\n"))
	}
	report := string(s.Do("GET", "/readyz?verbose", ""))
	if !strings.Contains(report, "[+]controllers ok\n") || !strings.Contains(report, "readyz check passed") {
		t.Errorf("/readyz?verbose says %s", report)
	}
	var clock v1.Clock
	if s.Get(v1.ClockPath, &clock); len(clock.Stalled) != 0 {
		t.Errorf("stalled are %v", clock.Stalled)
	}
}
