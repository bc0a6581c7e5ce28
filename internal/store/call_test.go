package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// exchange commits calls of a plan that was computed from a version of an object.
func (f fixture) exchange(v *object.Version, calls ...plan.Call) {
	f.T.Helper()
	conn := f.Conn()
	f.Claim(conn, names.Kubelet, "")
	b := newBatch(names.Kubelet)
	for _, c := range calls {
		b.Exchange(v.UID, v.Revision, c)
	}
	if _, err := f.Commit(f.T.Context(), conn, b); err != nil {
		f.T.Fatal(err)
	}
}

// calls describes the calls of some Pods in text.
func (f fixture) calls(pods ...types.UID) (got []string) {
	f.T.Helper()
	calls, err := f.Calls(f.T.Context(), f.Conn(), pods, time.Now())
	if err != nil {
		f.T.Fatal(err)
	}
	for _, c := range calls {
		text := fmt.Sprintf("%d %s", c.Number, c.Query)
		if c.Answer != nil {
			text += fmt.Sprintf(" -> %q", c.Answer)
		}
		got = append(got, text)
	}
	return got
}

// TestCalls_ArePostedAnsweredAndRemoved: only plans computed from the Pod's current revision post,
// answer and remove calls, and calls come in the order of their times.
func TestCalls_ArePostedAnsweredAndRemoved(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	caller, callee := f.MustWrite(storetest.CreatePod("caller", "x")), f.MustWrite(storetest.CreatePod("callee", "x"))
	other := f.MustWrite(storetest.CreatePod("other", "x"))
	at := caller.At.Time()
	post := func(number int, after time.Duration) plan.Call {
		return plan.Call{Caller: caller.UID, Callee: callee.UID, Number: number, At: at.Add(after), Query: fmt.Append(nil, "q", number)}
	}
	expect := func(what string, want []string, pods ...types.UID) {
		t.Helper()
		if diff := cmp.Diff(want, f.calls(pods...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	f.exchange(caller, post(1, 2*time.Second), post(2, time.Second))
	expect("to answer", []string{"2 q2", "1 q1"}, callee.UID)
	expect("of a third", nil, other.UID)

	answer := post(2, time.Second)
	answer.Answer = []byte("a2")
	late := post(1, time.Hour) // another call with that number
	late.Answer = []byte("a1")
	f.exchange(callee, answer, late)
	expect("still to answer", []string{"1 q1"}, callee.UID)
	expect("made", []string{`2 q2 -> "a2"`, "1 q1"}, caller.UID)
	answer.Answer = []byte("again")
	f.exchange(callee, answer)
	expect("answered once", []string{`2 q2 -> "a2"`, "1 q1"}, caller.UID, callee.UID)

	moved := f.MustWrite(storetest.Touch(caller, "1"))
	gone := post(2, time.Second)
	gone.Removed = true
	f.exchange(caller, gone)
	expect("removed by an older version", []string{`2 q2 -> "a2"`, "1 q1"}, caller.UID)
	f.exchange(moved, gone)
	expect("removed", []string{"1 q1"}, caller.UID)
	next := post(1, 3*time.Second)
	next.Query = []byte("next")
	f.exchange(moved, next)
	expect("in place of one of that number", []string{"1 next"}, caller.UID)

	f.MustWrite(storetest.Remove(moved))
	f.removeLeftovers()
	expect("of a Pod that is gone", nil, caller.UID, callee.UID)
}

// TestCalls_AreBounded: the calls that wait at a Pod, and the bytes of one read, are bounded.
func TestCalls_AreBounded(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	caller, callee := f.MustWrite(storetest.CreatePod("caller", "x")), f.MustWrite(storetest.CreatePod("callee", "x"))
	var calls []plan.Call
	for i := range 202 {
		calls = append(calls, plan.Call{Caller: caller.UID, Callee: callee.UID, Number: i, At: caller.At.Time(), Query: []byte("q")})
	}
	f.exchange(caller, calls...)
	if n := f.Number("SELECT count(*) FROM calls WHERE answer IS NULL"); n != 200 {
		t.Errorf("%d calls wait", n)
	}
	if n := f.Number("SELECT count(*) FROM calls WHERE answer = ''"); n != 2 {
		t.Errorf("%d calls were turned away", n)
	}
	f.MustExec("UPDATE calls SET query = convert_to(repeat('x', 1 << 20), 'UTF8') WHERE number < 20")
	whole := 0
	got, err := f.Calls(t.Context(), f.Conn(), []types.UID{callee.UID}, caller.At.Time())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got {
		if c.Query != nil {
			whole++
		}
	}
	if len(got) != 50 || whole != 16 {
		t.Errorf("%d calls are read, %d of them whole", len(got), whole)
	}
}

// TestCalls_ArriveWhenDue: the callee gets a call, and is woken, when the call is due; the caller
// sees it before.
func TestCalls_ArriveWhenDue(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	caller, callee := f.MustWrite(storetest.CreatePod("caller", "x")), f.MustWrite(storetest.CreatePod("callee", "x"))
	due := caller.At.Time().Add(time.Hour)
	conn := f.Conn()
	f.Claim(conn, names.Kubelet, "")
	b := newBatch(names.Kubelet)
	b.Exchange(caller.UID, caller.Revision, plan.Call{Caller: caller.UID, Callee: callee.UID, Number: 1, At: caller.At.Time(), Due: due, Query: []byte("q")})
	b.WakeAt(names.Kubelet, callee.UID, due, caller.Revision)
	b.WakeAt(names.Kubelet, callee.UID, caller.At.Time(), caller.Revision)
	if _, err := f.Commit(t.Context(), conn, b); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pod  types.UID
		at   time.Time
		want int
	}{{callee.UID, due.Add(-time.Microsecond), 0}, {callee.UID, due, 1}, {caller.UID, caller.At.Time(), 1}} {
		calls, err := f.Calls(t.Context(), f.Conn(), []types.UID{tt.pod}, tt.at)
		if err != nil || len(calls) != tt.want || tt.want > 0 && !calls[0].Due.Equal(due) {
			t.Errorf("%s sees at %s: %+v, %v", tt.pod, tt.at, calls, err)
		}
	}
	for what, want := range map[string]int64{"due = $1": 1, "due < $1": 1} {
		if n := f.Number("SELECT count(*) FROM wakeups WHERE uid = $2 AND controller = 'kubelet' AND cause = $3 AND "+what, due, callee.UID, caller.Revision); n != want {
			t.Errorf("%d wakeups with %s", n, what)
		}
	}
}
