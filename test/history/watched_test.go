package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

func TestWatches(t *testing.T) {
	t.Parallel()
	a, changed := config("a"), with(config("a"), func(c *corev1.ConfigMap) { c.Data = map[string]string{"k": "v"} })
	h := log(created(a), created(pod("p", "", "")), updated(changed), created(config("b")), deleted(a))
	seen := func(i int, revision object.Revision) history.Seen {
		o := h[i].Object
		if o == nil {
			o = changed // of the tombstone
		}
		return history.Seen{Revision: revision, Verb: h[i].Verb, UID: h[i].UID, Digest: history.Digest(o)}
	}
	bookmark := func(revision object.Revision) history.Seen { return history.Seen{Revision: revision} }
	lie := seen(2, 3)
	lie.Digest++
	for _, tt := range []struct {
		name string
		from object.Revision
		seen []history.Seen
		want []string
	}{
		{"all", 0, []history.Seen{seen(0, 1), bookmark(2), seen(2, 3), seen(3, 4), seen(4, 5), bookmark(5)}, nil},
		{"from the middle, not yet to the end", 1, []history.Seen{seen(2, 3)}, nil},
		{"one left out", 0, []history.Seen{seen(0, 1), seen(3, 4)}, []string{"revision 3, configmaps/default/a: a watch left it out"}},
		{"one left out before a bookmark", 0, []history.Seen{seen(0, 1), bookmark(3)}, []string{"revision 3, configmaps/default/a: a watch left it out"}},
		{"twice", 0, []history.Seen{seen(0, 1), seen(0, 1)}, []string{"revision 1, configmaps/: a watch tells of it after revision 1"}},
		{"backwards", 2, []history.Seen{seen(2, 3), seen(3, 4), seen(2, 3)}, []string{"revision 3, configmaps/: a watch tells of it after revision 4"}},
		{"another's", 1, []history.Seen{seen(1, 2)}, []string{"revision 2, pods/default/p: a watch of configmaps/ tells of it"}},
		{"another verb", 2, []history.Seen{{Revision: 3, Verb: object.Deleted, UID: h[2].UID, Digest: seen(2, 3).Digest}}, []string{
			"revision 3, configmaps/default/a: a watch tells that uid-of-a was deleted, and it was updated",
		}},
		{"another content", 2, []history.Seen{lie}, []string{"revision 3, configmaps/default/a: a watch shows it as it was not"}},
		{"what never was", 4, []history.Seen{seen(4, 5), seen(4, 6)}, []string{"revision 6, configmaps/: a watch tells of it, and the log ends before"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range history.Watches(h, []history.Watched{{Resource: "configmaps", From: tt.from, Seen: tt.seen}}) {
				got = append(got, v.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// op makes an operation from one moment to another, on the one register.
func op(call, end int, action history.Action, base object.Revision, value string, outcome history.Outcome, revision object.Revision, got string) history.Operation {
	return history.Operation{
		Key: object.Key{Resource: "configmaps", Name: "hot"}, Action: action, Base: base, Value: value,
		Call: time.Duration(call), Return: time.Duration(end), Outcome: outcome, Revision: revision, Got: got,
	}
}

func TestLinearizable(t *testing.T) {
	t.Parallel()
	const create, get, update, remove = history.Create, history.Get, history.Update, history.Delete
	const done, unknown = history.Done, history.Unknown
	made := op(0, 1, create, 0, "a", done, 5, "")
	for name, tt := range map[string]struct {
		right bool
		ops   []history.Operation
	}{
		"a life": {
			true, []history.Operation{
				op(0, 0, get, 0, "", history.Missing, 0, ""), made, op(2, 3, get, 0, "", done, 5, "a"),
				op(4, 5, update, 5, "b", done, 7, ""), op(6, 7, remove, 7, "", done, 0, ""),
				op(8, 9, get, 0, "", history.Missing, 0, ""),
			},
		},
		"at once, in either order":             {true, []history.Operation{made, op(2, 9, update, 5, "b", done, 7, ""), op(3, 4, get, 0, "", done, 5, "a"), op(5, 6, get, 0, "", done, 7, "b")}},
		"a stale read":                         {false, []history.Operation{made, op(2, 3, update, 5, "b", done, 7, ""), op(4, 5, get, 0, "", done, 5, "a")}},
		"there and back":                       {false, []history.Operation{made, op(2, 9, update, 5, "b", done, 7, ""), op(3, 4, get, 0, "", done, 7, "b"), op(5, 6, get, 0, "", done, 5, "a")}},
		"two updates of one version":           {false, []history.Operation{made, op(2, 9, update, 5, "b", done, 7, ""), op(3, 8, update, 5, "c", done, 8, "")}},
		"created twice":                        {false, []history.Operation{made, op(2, 3, create, 0, "b", done, 7, "")}},
		"created again":                        {true, []history.Operation{made, op(2, 3, remove, 0, "", done, 0, ""), op(4, 5, create, 0, "b", done, 7, "")}},
		"exists, which it does not":            {false, []history.Operation{op(0, 1, create, 0, "a", history.Exists, 0, "")}},
		"a conflict without another":           {false, []history.Operation{made, op(2, 3, update, 5, "b", history.Conflict, 0, "")}},
		"a revision that goes back":            {false, []history.Operation{made, op(2, 3, update, 5, "b", done, 4, "")}},
		"unknown, and done":                    {true, []history.Operation{made, op(2, 3, update, 5, "b", unknown, 0, ""), op(4, 5, get, 0, "", done, 9, "b"), op(6, 7, update, 9, "c", done, 10, "")}},
		"unknown, and done later":              {true, []history.Operation{made, op(2, 3, update, 5, "b", unknown, 0, ""), op(4, 5, get, 0, "", done, 5, "a"), op(6, 7, get, 0, "", done, 9, "b")}},
		"unknown, and never done":              {true, []history.Operation{made, op(2, 3, update, 5, "b", unknown, 0, ""), op(4, 5, update, 5, "c", done, 7, ""), op(6, 7, get, 0, "", done, 7, "c")}},
		"unknown, done and undone":             {false, []history.Operation{made, op(2, 3, update, 5, "b", unknown, 0, ""), op(4, 5, get, 0, "", done, 9, "b"), op(6, 7, get, 0, "", done, 5, "a")}},
		"a create whose outcome is not known":  {true, []history.Operation{op(0, 1, create, 0, "a", unknown, 0, ""), op(2, 3, create, 0, "b", history.Exists, 0, ""), op(4, 5, get, 0, "", done, 3, "a")}},
		"a removal whose outcome is not known": {true, []history.Operation{made, op(2, 3, remove, 5, "", unknown, 0, ""), op(4, 5, get, 0, "", history.Missing, 0, "")}},
		"gone without anybody":                 {false, []history.Operation{made, op(4, 5, get, 0, "", history.Missing, 0, "")}},
		"a write that is lost":                 {false, []history.Operation{made, op(2, 3, update, 5, "b", unknown, 0, ""), op(4, 5, get, 0, "", done, 9, "c")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if found := history.Linearizable(tt.ops); tt.right != (len(found) == 0) {
				t.Errorf("violations: %v", found)
			}
		})
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	if _, err := pool.Exec(t.Context(), `DELETE FROM wakeups`); err != nil { // that of the first expiry of Events, which is due
		t.Fatal(err)
	}
	settled := func() (got []string) {
		t.Helper()
		found, err := history.Settled(t.Context(), pool)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found {
			got = append(got, v.Message)
		}
		return got
	}
	if got := settled(); got != nil {
		t.Errorf("an empty cluster: %q", got)
	}
	const uid = types.UID("00000000-0000-7000-8000-000000000001")
	for _, insert := range []string{
		`INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now(), 1, $1, 0, 'kubelet')`,
		`INSERT INTO owners (owner, uid) VALUES ($1, $1)`,
		`INSERT INTO selectors (uid, namespace, controller, match) VALUES ($1, 'default', 'job', '{}')`,
		`INSERT INTO reservations (key, uid) VALUES ('ip', $1)`,
		`INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer) VALUES (1, now(), 0, $1, 'c', 'pods', 'default', 'a', 'me')`,
	} {
		if _, err := pool.Exec(t.Context(), insert, uid); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"there are 1 wakeups of kubelet that are due",
		"there are 1 wakeups of kubelet for objects that are not there",
		"there are 1 owners of objects that are not there",
		"there are 1 selectors of objects that are not there",
		"there are 1 reservations of objects that are not there",
		"there are 1 objects that are not as the log has them last",
	}
	if diff := cmp.Diff(want, settled()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
