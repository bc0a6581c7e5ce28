package deployment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// story rolls a Deployment out, changes it once that is done, and lets that settle too, with the
// controllers and the kubelet taking turns. It returns all ScalingReplicaSet events in order.
func story(t *testing.T, d *appsv1.Deployment, changes ...func(*appsv1.Deployment)) (events []string) {
	t.Helper()
	turn := 0
	w := newWorld(t, func(n int) int {
		turn++
		return turn % n
	}, d)
	c := w.deployments()
	c.Judge = func(_ rapid.TB, _ deployment.Snapshot, p plan.Plan) { events = append(events, scalings(p)...) }
	settle := func() {
		laws.Settle(w.World, w.pick, 1000, func() {}, c.Actor(t), w.replicaSets().Actor(t), laws.Kubelet)
	}
	settle()
	for _, change := range changes {
		d := w.deployment().DeepCopy()
		change(d)
		d.Generation++
		w.Update(d)
		settle()
	}
	return events
}

func TestStories(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		d       *appsv1.Deployment
		changes []func(*appsv1.Deployment)
		want    []string
	}{
		{"DEP-022 the worked rolling update", newDeployment(3), []func(*appsv1.Deployment){image("b")}, []string{
			hashA + " 0 → 3",
			hashB + " 0 → 1",
			hashA + " 3 → 2", hashB + " 1 → 2",
			hashA + " 2 → 1", hashB + " 2 → 3",
			hashA + " 1 → 0",
		}},
		{"DEP-055 DEP-057 a bad image stops inside the bounds", newDeployment(3), []func(*appsv1.Deployment){image("bad")}, []string{
			hashA + " 0 → 3", hashBad + " 0 → 1",
		}},
		{"DEP-050 DEP-078 and is undone after its deadline", newDeployment(3), []func(*appsv1.Deployment){image("bad"), image("a")}, []string{
			hashA + " 0 → 3", hashBad + " 0 → 1", hashBad + " 1 → 0",
		}},
		{"DEP-062 scaled in the middle of a bad rollout", newDeployment(10, rolling(num(3), num(2))),
			[]func(*appsv1.Deployment){image("bad"), scaleTo(15)}, []string{
				hashA + " 0 → 10", hashBad + " 0 → 3", hashA + " 10 → 8", hashBad + " 3 → 5",
				hashA + " 8 → 11", hashBad + " 5 → 7",
			}},
		{"DEP-064 many changes while paused are one rollout", newDeployment(1), []func(*appsv1.Deployment){
			paused(true), image("bad"), image("b"), paused(false)}, []string{
			hashA + " 0 → 1", hashB + " 0 → 1", hashA + " 1 → 0",
		}},
		{"DEP-085 Recreate", newDeployment(3, recreate), []func(*appsv1.Deployment){image("b")}, []string{
			hashA + " 0 → 3", hashA + " 3 → 0", hashB + " 0 → 3",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, story(t, row.d, row.changes...)); d != "" {
				t.Errorf("events (-want +got):\n%s", d)
			}
		})
	}
}
