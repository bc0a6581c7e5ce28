package history_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// lossy is the correct story, with a failover after revision 3 to a standby that lacked what clients
// had been told since: two writes, an event, a list, and a lock, acquired by an answer that came later.
func lossy() *story {
	s := correctStory(true)
	s.lost = history.Losses{{Kept: 3, From: 10, To: 20}}
	for i := range s.operations[1:] { // they come afterwards
		s.operations[i+1].Call, s.operations[i+1].Return = s.operations[i+1].Call+30, s.operations[i+1].Return+30
	}
	s.acknowledged = append(s.acknowledged, history.Write{Key: s.log[2].Key, UID: s.log[2].UID, Revision: 4})
	s.operations = append(s.operations,
		op(11, 12, history.Update, 3, "lost", history.Done, 4, ""), op(13, 14, history.Get, 0, "", history.Done, 4, "lost"),
		op(13, 15, history.Update, 3, "late", history.Conflict, 0, ""), op(15, 16, history.Delete, 4, "", history.Done, 0, ""),
		op(16, 17, history.Get, 0, "", history.Missing, 0, ""))
	s.watched.Seen = append(s.watched.Seen[:1:1], append([]history.Seen{{Revision: 4, Verb: object.Updated, UID: s.log[2].UID, Digest: 7}}, s.watched.Seen[1:]...)...)
	s.holds = append(s.holds, history.Hold{Client: 3, Asked: 15, From: 24, To: 30}, history.Hold{Client: 4, Asked: 21, From: 25, To: 35})
	return s
}

// TestLosses_ForgiveOnlyWhatWasLost: what clients were told about lost revisions is not judged, and
// everything else is.
func TestLosses_ForgiveOnlyWhatWasLost(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]history.Violation(nil), lossy().judge()); diff != "" {
		t.Errorf("a loss is not forgiven (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name string
		bug  func(*story)
		says string
	}{
		{"a synchronous standby loses it", func(s *story) { s.lost = nil }, "was acknowledged and is not in the log"},
		{"the standby had it", func(s *story) { s.lost[0].Kept = 4 }, "was acknowledged and is not in the log"},
		{"it is shown after the failover", func(s *story) {
			s.operations = append(s.operations, op(21, 22, history.Get, 0, "", history.Done, 4, "lost"))
		}, "have no order"},
		{"what was kept is not shown", func(s *story) {
			s.operations = append(s.operations, op(21, 22, history.Get, 0, "", history.Missing, 0, ""))
		}, "have no order"},
		{"a later event is lost too", func(s *story) { s.watched.Seen = append(s.watched.Seen[:2:2], s.watched.Seen[3:]...) }, "a watch left it out"},
		{"a later write is lost too", func(s *story) { s.acknowledged[2].Revision = s.log[15].Revision + 1 }, "was acknowledged and is not in the log"},
		{"a lock is given to two afterwards", func(s *story) {
			s.holds = append(s.holds, history.Hold{Client: 5, Asked: 33, From: 34, To: 36})
		}, "and client 4 until"},
	} {
		s := lossy()
		tt.bug(s)
		var texts []string
		for _, v := range s.judge() {
			texts = append(texts, v.String())
		}
		if !strings.Contains(strings.Join(texts, "\n"), tt.says) {
			t.Errorf("%s: want %q, got %q", tt.name, tt.says, texts)
		}
	}
}

func TestLosses_Has(t *testing.T) {
	t.Parallel()
	lost := history.Losses{{Kept: 7, To: time.Second}}
	for r, want := range map[object.Revision]bool{0: false, 7: false, 8: true, 1_000_000_006: true, 1_000_000_007: false} {
		if got := lost.Has(r); got != want {
			t.Errorf("%d: %t", r, got)
		}
	}
}
