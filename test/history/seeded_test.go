package history_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// story is the whole input of a campaign's judges.
type story struct {
	log          history.History
	acknowledged []history.Write
	watched      history.Watched
	listed       history.Listed
	operations   []history.Operation
	holds        []history.Hold
	lost         history.Losses
}

// judge runs every check of a campaign.
func (s *story) judge() []history.Violation {
	s.acknowledged, s.operations, s.holds = s.lost.Writes(s.acknowledged), s.lost.Operations(s.operations), s.lost.Holds(s.holds)
	s.watched = append(s.lost.Watched([]history.Watched{s.watched}), history.Watched{})[0]
	s.listed = append(s.lost.Lists([]history.Listed{s.listed}), history.Listed{})[0]
	h, number := history.Renumber(s.log)
	for i := range s.acknowledged {
		s.acknowledged[i].Revision = number(s.acknowledged[i].Revision)
	}
	s.watched.Renumber(number)
	s.listed.Revision, s.listed.Floor = number(s.listed.Revision), number(s.listed.Floor)
	found := history.Chain(h)
	for _, more := range [][]history.Violation{
		history.Holds(h, s.acknowledged), history.Watches(h, []history.Watched{s.watched}), history.Lists(h, []history.Listed{s.listed}),
		history.Linearizable(s.operations), history.Locks(s.holds), history.ReplicaSets(h), history.StatefulSets(h), history.Budgets(h), history.Quotas(h),
	} {
		found = append(found, more...)
	}
	return found
}

// correctStory returns a correct story: two ConfigMaps under a quota of two, a StatefulSet's Pod, a
// ReplicaSet's two Pods, one of them evicted, and, if asked, a failover between the two versions of
// a ConfigMap.
func correctStory(failover bool) *story {
	first, second := config("a"), with(config("a"), func(c *corev1.ConfigMap) { c.Data = map[string]string{"n": "2"} })
	s := &story{log: log(
		created(few(2, -1)), updated(few(2, 0)), created(first), updated(second), created(config("b")),
		created(stateful(3, "")), created(dataOf(0)), byStatefulSets(created(member(0, "")), 6),
		created(set("rs", "", 2)), created(pod("x", "rs", "ready")), created(pod("y", "rs", "ready")),
		created(budget(0, 0)), synced(budget(3, 1)), updated(budget(3, 1, "x")), updated(evicted("x")), deleted(config("b")),
	)}
	if failover {
		for i := 3; i < len(s.log); i++ {
			s.log[i].Revision += 1_000_000_000
		}
	}
	at := func(i int) object.Revision { return s.log[i-1].Revision }
	write := func(i int) history.Write {
		return history.Write{Key: s.log[i-1].Key, UID: s.log[i-1].UID, Revision: at(i)}
	}
	seen := func(i int, o object.Object) history.Seen {
		return history.Seen{Revision: at(i), Verb: s.log[i-1].Verb, UID: s.log[i-1].UID, Digest: history.Digest(o)}
	}
	s.acknowledged = []history.Write{write(3), write(4), write(5)}
	s.watched = history.Watched{Resource: "configmaps", From: at(2), Seen: []history.Seen{seen(3, first), seen(4, second), seen(5, config("b")), {Revision: at(14)}, seen(16, config("b"))}}
	s.listed = history.Listed{Resource: "configmaps", Revision: at(9), Floor: at(5), Items: map[object.Key]uint64{s.log[2].Key: history.Digest(second), s.log[4].Key: history.Digest(config("b"))}}
	s.operations = []history.Operation{
		op(0, 1, history.Create, 0, "1", history.Done, at(3), ""), op(2, 3, history.Update, at(3), "2", history.Done, at(4), ""), op(4, 5, history.Get, 0, "", history.Done, at(4), "2"),
	}
	s.holds = []history.Hold{{Client: 1, From: 0, To: time.Second}, {Client: 2, From: 2 * time.Second, To: 3 * time.Second}}
	return s
}

// drop removes a revision, as if it had never been assigned.
func (s *story) drop(revision int) {
	s.log = append(append(history.History{}, s.log[:revision-1]...), s.log[revision:]...)
	for i := revision - 1; i < len(s.log); i++ {
		s.log[i].Revision--
	}
}

// add adds an entry at the end.
func (s *story) add(e history.Entry) {
	e.Revision, e.At = s.log[len(s.log)-1].Revision+1, s.log[len(s.log)-1].At
	s.log = append(s.log, e)
}

// seeded are possible bugs of a server, as histories show them, and what the judges report for
// each.
var seeded = []struct {
	name string
	bug  func(*story)
	says string
}{
	{"an event is sent twice", func(s *story) { s.watched.Seen = append(s.watched.Seen[:2:2], s.watched.Seen[1:]...) }, "a watch tells of it after"},
	{"an event is lost", func(s *story) { s.watched.Seen = append(s.watched.Seen[:1:1], s.watched.Seen[2:]...) }, "a watch left it out"},
	{"events change places", func(s *story) { s.watched.Seen[0], s.watched.Seen[1] = s.watched.Seen[1], s.watched.Seen[0] }, "a watch tells of it after"},
	{"an event shows another version", func(s *story) { s.watched.Seen[0].Digest = s.watched.Seen[1].Digest }, "shows it as it was not"},
	{"a deletion is told as a change", func(s *story) { s.watched.Seen[4].Verb = object.Updated }, "and it was deleted"},
	{"a bookmark is ahead of the events", func(s *story) { s.watched.Seen = []history.Seen{s.watched.Seen[3]} }, "a watch left it out"},
	{"a watch is resumed too late", func(s *story) { s.watched.From--; s.watched.Seen = s.watched.Seen[1:] }, "a watch left it out"},
	{"an acknowledged write is lost", func(s *story) { s.drop(5); s.watched, s.listed = history.Watched{}, history.Listed{} }, "was acknowledged"},
	{"the end of the log is lost", func(s *story) { s.log = s.log[:4]; s.watched, s.listed = history.Watched{}, history.Listed{} }, "was acknowledged and is not in the log"},
	{"a revision is skipped", func(s *story) { s.log[15].Revision++; s.watched.Seen = s.watched.Seen[:4] }, "stands where revision"},
	{"an object is created twice", func(s *story) { s.add(created(withUID(config("a"), "another"))) }, "its name belongs to the uid"},
	{"a deleted object is changed", func(s *story) { s.add(updated(config("b"))) }, "after its tombstone"},
	{"a read is older than a write that was answered before", func(s *story) { s.operations[2].Revision, s.operations[2].Got = s.operations[1].Base, "1" }, "have no order"},
	{"an update does not look at the version", func(s *story) {
		s.operations = append(s.operations, op(6, 7, history.Update, s.operations[1].Base, "3", history.Done, s.log[15].Revision+1, ""))
	}, "have no order"},
	{"a list is older than a write that was answered before", func(s *story) { s.listed.Floor = s.log[9].Revision }, "a list is older than revision"},
	{"a list leaves an object out", func(s *story) { delete(s.listed.Items, s.log[4].Key) }, "a list left it out"},
	{"a list shows what is gone", func(s *story) { s.listed.Revision = s.log[15].Revision }, "shows it, and it was not there"},
	{"a list shows another version", func(s *story) { s.listed.Items[s.log[2].Key]++ }, "a list shows it as it was not"},
	{"a lock is given to two", func(s *story) { s.holds[1].From = time.Second / 2 }, "and client 1 until"},
	{"a Pod is made twice for an ordinal", func(s *story) {
		second := member(0, "")
		second.UID = types.UID("another")
		s.add(byStatefulSets(created(second), int64(s.log[7].Revision)))
	}, "is the second Pod of its ordinal"},
	{"a ReplicaSet's Pod is made twice", func(s *story) { s.add(created(pod("z", "rs", ""))); s.add(created(pod("zz", "rs", ""))) }, "zz: "},
	{"a budget is overdrawn", func(s *story) { s.add(updated(evicted("y"))) }, "has not counted it"},
	{"a quota is exceeded", func(s *story) { s.add(created(config("c"))); s.add(created(config("d"))) }, "takes configmaps of quota few to 3"},
}

// TestJudges_CatchSeededBugs: each bug is caught, before and after a failover, and the correct
// story passes.
func TestJudges_CatchSeededBugs(t *testing.T) {
	t.Parallel()
	for _, failover := range []bool{false, true} {
		if diff := cmp.Diff([]history.Violation(nil), correctStory(failover).judge()); diff != "" {
			t.Errorf("the true story, failover %t (-want +got):\n%s", failover, diff)
		}
		for _, tt := range seeded {
			s := correctStory(failover)
			tt.bug(s)
			var texts []string
			for _, v := range s.judge() {
				texts = append(texts, v.String())
			}
			if !strings.Contains(strings.Join(texts, "\n"), tt.says) {
				t.Errorf("failover %t, %s: want %q, got %q", failover, tt.name, tt.says, texts)
			}
		}
	}
}

// TestRenumber: a write that a failover has lost is not taken for the one that got its place, and a
// revision between two histories counts as the end of the earlier one.
func TestRenumber(t *testing.T) {
	t.Parallel()
	h := log(created(config("a")), created(config("b")), created(config("c")), created(config("d")))
	for i := 2; i < len(h); i++ {
		h[i].Revision += 1_000_000_000
	}
	h[3].Revision += 1_000_000_000
	renumbered, number := history.Renumber(h)
	if found := history.Chain(renumbered); found != nil {
		t.Error(found)
	}
	for from, want := range map[object.Revision]object.Revision{
		0: 0, 1: 1, 2: 2, 3: -1, 999_999_999: -1, 1_000_000_002: 2, 1_000_000_003: 3, 1_000_000_004: -1, 2_000_000_003: 3, 2_000_000_004: 4, 2_000_000_005: 5,
	} {
		if got := number(from); got != want {
			t.Errorf("%d is %d, want %d", from, got, want)
		}
	}
	h[3].Revision++ // not a gap that a new history leaves
	renumbered, _ = history.Renumber(h)
	if found := history.Chain(renumbered); len(found) != 1 {
		t.Errorf("another gap is not found: %v", found)
	}
}
