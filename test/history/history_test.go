package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

func TestChain(t *testing.T) {
	t.Parallel()
	gap := log(created(config("a")), updated(config("a")))
	gap[1].Revision = 3
	back := log(created(config("a")), updated(config("a")))
	back[1].At = start.Add(-time.Second)
	effect := log(created(config("a")), updated(config("a")))
	effect[1].Cause = 2
	run(t, history.Chain, []row{
		{"right", log(created(config("a")), updated(config("a")), deleted(config("a")), created(withUID(config("a"), "another"))), nil},
		{"empty", nil, nil},
		{"a gap", gap, []string{"revision 3, configmaps/default/a: stands where revision 2 belongs"}},
		{"time goes back", back, []string{
			"revision 2, configmaps/default/a: was committed at 2026-01-02 03:04:04 +0000 UTC, before the revision that it follows",
		}},
		{"an effect before its cause", effect, []string{"revision 2, configmaps/default/a: was caused by revision 2, which came later"}},
		{"created twice", log(created(config("a")), created(config("a"))), []string{
			"revision 2, configmaps/default/a: created twice under the uid uid-of-a",
		}},
		{"a change from nowhere", log(updated(config("a"))), []string{"revision 1, configmaps/default/a: updated before it was created"}},
		{"a change after the tombstone", log(created(config("a")), deleted(config("a")), updated(config("a"))), []string{
			"revision 3, configmaps/default/a: updated after its tombstone",
		}},
		{"a name with two owners", log(created(config("a")), created(withUID(config("a"), "another"))), []string{
			"revision 2, configmaps/default/a: its name belongs to the uid uid-of-a",
		}},
		{"a uid with two names", log(created(config("a")), updated(withUID(config("b"), "uid-of-a"))), []string{
			"revision 2, configmaps/default/b: its uid belongs to configmaps/default/a",
		}},
	})
}

func TestHolds(t *testing.T) {
	t.Parallel()
	h := log(created(config("a")), updated(config("a")))
	a := entry(object.Created, config("a"))
	check := func(writes ...history.Write) func(history.History) []history.Violation {
		return func(h history.History) []history.Violation { return history.Holds(h, writes) }
	}
	run(t, check(history.Write{Key: a.Key, UID: a.UID, Revision: 1}, history.Write{Key: a.Key, UID: a.UID, Revision: 2}),
		[]row{{"all there", h, nil}})
	run(t, check(history.Write{Key: a.Key, UID: a.UID, Revision: 3}, history.Write{Key: a.Key, UID: "another", Revision: 1}), []row{
		{"lost, and another's", h, []string{
			"revision 3, configmaps/default/a: was acknowledged and is not in the log",
			"revision 1, configmaps/default/a: was acknowledged, and the log has configmaps/default/a there",
		}},
	})
}

func TestReplicaSets(t *testing.T) {
	t.Parallel()
	run(t, history.ReplicaSets, []row{
		{"as many as asked for", log(created(set("s", "", 2)), created(pod("a", "s", "")), created(pod("b", "s", ""))), nil},
		{"one too many", log(created(set("s", "", 1)), created(pod("a", "s", "")), created(pod("b", "s", ""))), []string{
			"revision 3, pods/default/b: is Pod 2 of ReplicaSet s, which asks for 1",
		}},
		{"in place of one that is being deleted", log(
			created(set("s", "", 1)), created(pod("a", "s", "")), updated(pod("a", "s", "terminating")), created(pod("b", "s", ""))), nil},
		{"in place of one that it does not select any more", log(created(selecting("s", 1)), created(labelled("a", "s", "web")),
			updated(labelled("a", "s", "stray")), created(labelled("b", "s", "web")), updated(labelled("a", "", "stray"))), nil},
		{"beside one that it selects", log(created(selecting("s", 1)), created(labelled("a", "s", "web")), created(labelled("b", "s", "web"))), []string{
			"revision 3, pods/default/b: is Pod 2 of ReplicaSet s, which asks for 1",
		}},
		{"in place of one that failed", log(
			created(set("s", "", 1)), created(pod("a", "s", "")), updated(pod("a", "s", "failed")), created(pod("b", "s", ""))), nil},
		{"in place of one that is gone, twice", log(
			created(set("s", "", 1)), created(pod("a", "s", "")), deleted(pod("a", "s", "")),
			created(pod("b", "s", "")), created(pod("c", "s", ""))), []string{
			"revision 5, pods/default/c: is Pod 2 of ReplicaSet s, which asks for 1",
		}},
		{"too many for a while after scaling down", log(
			created(set("s", "", 2)), created(pod("a", "s", "")), created(pod("b", "s", "")), updated(set("s", "", 1)),
			updated(pod("a", "s", "terminating"))), nil},
		{"for nobody", log(created(set("s", "", 1)), deleted(set("s", "", 1)), created(pod("a", "s", ""))), []string{
			"revision 3, pods/default/a: created for the ReplicaSet uid-of-s, which does not exist",
		}},
		{"not its Pods", log(created(set("s", "", 0)), created(pod("a", "", ""))), nil},
	})
}

func TestDeployments(t *testing.T) {
	t.Parallel()
	// One Pod of one is ready; at most one more may be added, and there must always be one.
	steady := func(more ...history.Entry) history.History {
		return log(append([]history.Entry{
			created(deployment("d", 1)), created(set("old", "d", 1)),
			created(pod("a", "old", "")), updated(pod("a", "old", "ready")), created(set("new", "d", 0)),
		}, more...)...)
	}
	run(t, history.Deployments, []row{
		{"a rolling update", steady(
			updated(set("new", "d", 1)), created(pod("b", "new", "")), updated(pod("b", "new", "ready")),
			updated(set("old", "d", 0)), updated(pod("a", "old", "terminating")), deleted(pod("a", "old", ""))), nil},
		{"a surge too many", steady(updated(set("new", "d", 2)), created(pod("b", "new", "")), created(pod("c", "new", ""))), []string{
			"revision 8, pods/default/c: Deployment d has 3 Pods and may have 2",
		}},
		{"one ReplicaSet creates a Pod before another deletes its own", steady(
			updated(set("old", "d", 2)), created(pod("b", "old", "")), updated(set("old", "d", 1)), updated(set("new", "d", 1)),
			created(pod("c", "new", "")), updated(pod("b", "old", "terminating"))), nil},
		{"taken away too early", steady(created(pod("b", "new", "bound")), updated(pod("a", "old", "terminating"))), []string{
			"revision 7, pods/default/a: Deployment d has 0 Pods that are ready and must have 1",
		}},
		{"not ready any more", steady(updated(pod("a", "old", "bound"))), []string{
			"revision 6, pods/default/a: Deployment d has 0 Pods that are ready and must have 1",
		}},
		{"ready only after its ReplicaSet was told to have fewer", steady(
			updated(set("old", "d", 2)), created(pod("b", "old", "bound")), updated(set("old", "d", 1)), updated(deployment("d", 2)),
			updated(pod("b", "old", "ready")), updated(pod("a", "old", "terminating"))), nil},
		{"scaled up, it may take its time", steady(
			updated(deployment("d", 3)), updated(set("old", "d", 3)), created(pod("b", "old", "")), created(pod("c", "old", ""))), nil},
		{"scaled down, Pods that were ordered before still come", steady(
			updated(deployment("d", 4)), updated(set("old", "d", 4)), updated(unseen(deployment("d", 1))),
			created(pod("b", "old", "")), created(pod("c", "old", "")), created(pod("e", "old", ""))), nil},
		{"being deleted", steady(updated(terminating()), deleted(pod("a", "old", ""))), nil},
		{"its ReplicaSet goes before its Pods", steady(
			updated(set("new", "d", 1)), created(pod("b", "new", "")), deleted(set("new", "d", 1)), updated(set("old", "d", 2)), created(pod("c", "old", ""))), []string{
			"revision 10, pods/default/c: Deployment d has 3 Pods and may have 2",
		}},
	})
}

func TestPods(t *testing.T) {
	t.Parallel()
	a := pod("a", "", "")
	run(t, history.Pods, []row{
		{"a whole life", log(
			created(a), updated(pod("a", "", "bound")), created(event(a, "Scheduled")), updated(pod("a", "", "ready")),
			created(event(a, "Pulled")), created(event(a, "Created")), created(event(a, "Started")), deleted(a)), nil},
		{"deleted before it was bound", log(created(a), deleted(a)), nil},
		{"without events", log(created(a), updated(pod("a", "", "bound")), updated(pod("a", "", "ready"))), []string{
			"revision 0, pods/default/a: has no event Scheduled, Pulled, Created, Started",
		}},
		{"events of another", log(created(a), updated(pod("a", "", "bound")), created(event(pod("b", "", ""), "Scheduled"))), []string{
			"revision 0, pods/default/a: has no event Scheduled",
		}},
		{"bound and running at once", log(
			created(a), created(event(a, "Scheduled")), updated(pod("a", "", "ready")),
			created(event(a, "Pulled")), created(event(a, "Created")), created(event(a, "Started"))), []string{
			"revision 3, pods/default/a: bound and running in one revision",
		}},
		{"created running", log(created(pod("a", "", "ready")),
			created(event(a, "Pulled")), created(event(a, "Created")), created(event(a, "Started"))), []string{
			"revision 1, pods/default/a: created in the phase Running",
		}},
		{"created for a node", log(created(pod("a", "", "bound"))), nil},
		{"ready too early", log(created(pod("a", "", "bound")), updated(pod("a", "", "ready but pending"))), []string{
			"revision 2, pods/default/a: ready and not running",
		}},
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const insert = `INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body) VALUES
		(1, '2026-01-02T03:04:05Z', 0, '00000000-0000-7000-8000-000000000001', 'c', 'configmaps', 'default', 'a', 'kubectl',
		 '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}'),
		(2, '2026-01-02T03:04:06Z', 1, '00000000-0000-7000-8000-000000000001', 'd', 'configmaps', 'default', 'a', 'me', NULL)`
	if _, err := pool.Exec(t.Context(), insert); err != nil {
		t.Fatal(err)
	}
	got, err := history.Read(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	cm := &corev1.ConfigMap{Data: map[string]string{"k": "v"}}
	cm.Kind, cm.APIVersion, cm.Name = "ConfigMap", "v1", "a"
	key := object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}
	const uid = "00000000-0000-7000-8000-000000000001"
	want := history.History{
		{Revision: 1, At: start, Key: key, UID: uid, Verb: object.Created, Writer: "kubectl", Object: cm},
		{Revision: 2, At: start.Add(time.Second), Cause: 1, Key: key, UID: uid, Verb: object.Deleted, Writer: "me", Object: cm},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
}
