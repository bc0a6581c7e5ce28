package mirror

import (
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// A revision expires some time after it was superseded, however long it was the newest.
func TestAges(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	after := func(minutes float64) time.Time { return start.Add(time.Duration(minutes * float64(time.Minute))) }
	a := ages{life: 5 * time.Minute}
	if a.expired(7, after(0)) {
		t.Error("an unknown revision has expired")
	}
	a.see(10, after(0))
	a.see(10, after(60))
	if a.expired(10, after(60)) {
		t.Error("the newest revision has expired")
	}
	a.see(11, after(61))
	for minutes, want := range map[float64]bool{62: false, 65.9: false, 66.1: true} {
		if got := a.expired(10, after(minutes)); got != want {
			t.Errorf("after %g minutes, a revision that was superseded after 61 has expired: %t", minutes, got)
		}
	}
	if a.expired(11, after(100)) {
		t.Error("the newest revision has expired")
	}

	const seconds = 7200 // with a new revision every second
	for i := range object.Revision(seconds) {
		a.see(12+i, after(100).Add(time.Duration(i)*time.Second))
	}
	now := after(100 + seconds/60)
	if !a.expired(12+seconds-320, now) || a.expired(12+seconds-290, now) {
		t.Error("revisions do not expire after five minutes, within ten seconds")
	}
	if len(a.marks) > 32 {
		t.Errorf("%d marks are kept", len(a.marks))
	}
}
