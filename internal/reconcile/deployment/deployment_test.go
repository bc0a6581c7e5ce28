package deployment_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

const status = "update Deployment default/web status\n"

func updated(name string) string { return "update ReplicaSet default/" + name + "\n" }

// scaled is the event of a scaling, as "up", "web-a from 0 to 3".
func scaled(direction, what string) string {
	return `event Deployment default/web Normal ScalingReplicaSet "Scaled ` + direction + " replica set " + what + "\"\n"
}

// row is one case of a table: a snapshot and the plan it must lead to.
type row struct {
	name string
	s    deployment.Snapshot
	want string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	t.Parallel()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, deployment.Reconcile(row.s).String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

func deleted(d *appsv1.Deployment) { t := ago(time.Second); d.DeletionTimestamp = &t }

func TestReconcile(t *testing.T) {
	check(t, []row{
		{"all is as it should be", snapshot(settled(), replicaSet("a", 3, "1")), ""},
		{"DEP-001 a new Deployment gets a ReplicaSet", snapshot(newDeployment(3)),
			status + "create ReplicaSet default/web-6ffd458d6d\n" + scaled("up", "web-6ffd458d6d from 0 to 3") +
				"wake at 2026-01-02T03:14:05Z\n"},
		{"DEP-008 replicas not given is 1", snapshot(newDeployment(0, func(d *appsv1.Deployment) { d.Spec.Replicas = nil })),
			status + "create ReplicaSet default/web-6ffd458d6d\n" + scaled("up", "web-6ffd458d6d from 0 to 1") +
				"wake at 2026-01-02T03:14:05Z\n"},
		{"a Deployment of 0 has an empty ReplicaSet", snapshot(newDeployment(0)),
			status + "create ReplicaSet default/web-6ffd458d6d\n" + "wake at 2026-01-02T03:14:05Z\n"},
		{"a ReplicaSet of another Deployment is ignored", snapshot(settled(), replicaSet("a", 3, "1"),
			replicaSet("b", 3, "9", func(rs *appsv1.ReplicaSet) { rs.OwnerReferences[0].UID = "other-uid" })), ""},
		{"DEP-033 a matching orphan with the template is adopted as the new one",
			snapshot(settled(), replicaSet("a", 3, "1", orphaned)), updated("web-a")},
		{"DEP-034 a matching orphan with another template is adopted and scaled down",
			snapshot(settled(), replicaSet("a", 3, "1"), replicaSet("b", 2, "", orphaned, sized(2, 3))),
			// a second revision follows: the one that was there keeps its number, as the orphan has
			// none
			updated("web-b") + status + scaled("down", "web-b from 2 to 0")},
		{"an owned ReplicaSet that is relabelled is released",
			snapshot(settled(), replicaSet("a", 3, "1"), replicaSet("b", 0, "", func(rs *appsv1.ReplicaSet) { rs.Labels = nil })),
			updated("web-b")},
		{"DEP-091 the Deployment reasserts a ReplicaSet's size",
			snapshot(settled(), replicaSet("a", 5, "1")), updated("web-a") + status + scaled("down", "web-a from 5 to 3")},
		{"a Deployment being deleted does nothing",
			snapshot(settled(deleted, image("b")), replicaSet("a", 3, "1"), replicaSet("c", 0, "", orphaned)), status},
		{"nor does it start with anything", snapshot(newDeployment(3, deleted)), status},
		{"an unusable selector", snapshot(settled(func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Sometimes"}}
		})), ""},
		{"a selector of everything is warned of", snapshot(newDeployment(3, func(d *appsv1.Deployment) {
			d.Spec.Selector = &metav1.LabelSelector{}
		})), status + `event Deployment default/web Warning SelectingAll ` +
			`"This deployment is selecting all pods. A non-empty selector is required."` + "\n"},
		{"but once only", snapshot(newDeployment(3, counted(0, 0), func(d *appsv1.Deployment) {
			d.Spec.Selector = &metav1.LabelSelector{}
		})), ""},
	})
}

func TestPause(t *testing.T) {
	pause := func(d *appsv1.Deployment) { d.Spec.Paused = true }
	noted := func(d *appsv1.Deployment) {
		d.Status.Conditions = nil
		isAvailable(d)
		with("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", time.Minute)(d)
	}
	check(t, []row{
		{"DEP-066 the pause is noted", snapshot(settled(pause), replicaSet("a", 3, "1")), status},
		{"DEP-064 a change of the template leads to nothing", snapshot(settled(pause, noted, image("b")), replicaSet("a", 3, "1")),
			status}, // no Pod has the template any more
		{"DEP-065 scaling goes on", snapshot(settled(pause, noted, scaleTo(5)), replicaSet("a", 3, "1")),
			updated("web-a") + status + scaled("up", "web-a from 3 to 5")},
		{"a paused Deployment that has nothing yet", snapshot(newDeployment(3, pause)), status},
		{"old revisions are cleaned up while paused", snapshot(settled(pause, noted, limited(0)), replicaSet("a", 3, "2"),
			replicaSet("b", 0, "1")), status + "delete ReplicaSet default/web-b\n"},
		{"the resume is noted, and the time counts from then on",
			snapshot(settled(noted, image("b")), replicaSet("a", 3, "1")), status +
				"create ReplicaSet default/web-665fbc66f5\n" + scaled("up", "web-665fbc66f5 from 0 to 1") +
				"wake at 2026-01-02T03:14:05Z\n"},
	})
}

func TestNeedsPods(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		s    deployment.Snapshot
		want bool
	}{
		{"at rest", snapshot(settled(), replicaSet("a", 3, "2"), replicaSet("b", 0, "1")), false},
		{"Recreate", snapshot(settled(recreate), replicaSet("a", 3, "1")), true},
		{"a generation that was not looked at", snapshot(settled(func(d *appsv1.Deployment) { d.Generation = 2 }),
			replicaSet("a", 3, "1")), true},
		{"not all available", snapshot(settled(counted(2, 2)), replicaSet("a", 3, "1")), true},
		{"a ReplicaSet of another size", snapshot(settled(), replicaSet("a", 2, "1")), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := row.s.NeedsPods(); got != row.want {
				t.Errorf("NeedsPods = %v, want %v", got, row.want)
			}
		})
	}
}

// deploymentOf is the Deployment that a plan writes; nil if it writes none.
func deploymentOf(p plan.Plan) *appsv1.Deployment {
	for _, u := range p.Updates {
		if d, ok := u.Object.(*appsv1.Deployment); ok {
			return d
		}
	}
	return nil
}

// setOf is the ReplicaSet of the name that a plan creates or writes; nil if none exists.
func setOf(p plan.Plan, name string) *appsv1.ReplicaSet {
	for _, c := range p.Creates {
		if c.Object.GetName() == name {
			return c.Object.(*appsv1.ReplicaSet)
		}
	}
	for _, u := range p.Updates {
		if rs, ok := u.Object.(*appsv1.ReplicaSet); ok && rs.Name == name {
			return rs
		}
	}
	return nil
}

// BenchmarkReconcile is a Deployment in mid-rollout with eleven ReplicaSets and a hundred Pods.
func BenchmarkReconcile(b *testing.B) {
	d := newDeployment(100, annotated(revision, "11"))
	s := snapshot(d, replicaSet("a", 25, "11", sized(100, 125), available(0)))
	for i := range 10 {
		old := replicaSet(string(rune('b'+i)), 10, "1", sized(100, 125))
		s.ReplicaSets = append(s.ReplicaSets, old)
		s.Pods = append(s.Pods, pods(old, 10, 10)...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if p := deployment.Reconcile(s); len(p.Updates) == 0 {
			b.Fatal(p)
		}
	}
}
