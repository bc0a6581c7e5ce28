package engine_test

import (
	"fmt"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/engine/enginetest"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TestResync_Found: what only the resync has found is a defect, unless the controller would soon
// have found it anyway: by another wakeup, by a sync of an owner, or because a controller that is
// about to ask for a sync has work. Nor is it one if nothing of it could be changed.
func TestResync_Found(t *testing.T) {
	t.Parallel()
	r := enginetest.New(t)
	for i, test := range []struct {
		name    string
		wokenBy []string
		also    string // a controller that has work, after a while
		after   time.Duration
		gone    bool // the object to change is deleted before the commit
		want    float64
	}{
		{"nobody else would have", nil, "other", 0, false, 1},
		{"who asks for syncs has work", []string{"idle", "other"}, "other", 0, false, 0},
		{"who asks for syncs has work, but in an hour", []string{"other"}, "other", time.Hour, false, 1},
		{"it is to be synced anyway", nil, "test", 30 * time.Second, false, 0},
		{"it is deleted meanwhile, and its wakeups with it", nil, "other", time.Hour, true, 0},
	} {
		o, other := r.ConfigMap(fmt.Sprint("found-", i)), r.ConfigMap(fmt.Sprint("other-", i))
		changed := r.ConfigMap(fmt.Sprint("changed-", i))
		c := enginetest.Controller(func(v mirror.View, _ *object.Version, _ time.Time) plan.Plan {
			if test.gone {
				r.Exec("DELETE FROM objects WHERE uid = $1", string(changed.UID))
			}
			return plan.Plan{Updates: []plan.Update{{Object: enginetest.Touched(v.UID(changed.UID), "found")}}}
		})
		c.WokenBy = test.wokenBy
		r.Exec("DELETE FROM wakeups")
		r.Exec("INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now(), -1, $1, 0, 'test')", string(o.UID))
		about := other
		if test.also == "test" {
			about = o
		}
		r.Exec("INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now() + $3, 1, $1, 0, $2)",
			string(about.UID), test.also, test.after)
		before := found(t, r)
		r.Turn(engine.New(r.Deps, c))
		if got := found(t, r) - before; got != test.want {
			t.Errorf("%s: counted %v defects, want %v", test.name, got, test.want)
		}
	}
}

// found returns how many defects the resync has counted.
func found(t *testing.T, r enginetest.Replica) float64 {
	t.Helper()
	var m dto.Metric
	if err := r.Metrics.ResyncFound.WithLabelValues("test").Write(&m); err != nil {
		t.Fatal(err)
	}
	return m.GetCounter().GetValue()
}
