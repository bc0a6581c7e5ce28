package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/plan"
)

// maxTurns is how many transactions a story may need between two commands: more mean that
// reconcilers do not converge.
const maxTurns = 5000

func (w *world) settleCommand(c command) string {
	w.takeUp()
	shown, limited := w.settle(c)
	if limited {
		return shown
	}
	return shown + w.settled()
}

func (w *world) advanceCommand(c command) string {
	d, err := time.ParseDuration(c.words[0])
	if err != nil {
		w.t.Fatal(err)
	}
	w.takeUp()
	var b strings.Builder
	for target := w.now.Add(d); ; {
		shown, _ := w.settle(c)
		b.WriteString(shown)
		if w.now.Equal(target) {
			break
		}
		if w.now = w.nextDue(); w.now.IsZero() || w.now.After(target) {
			w.now = target
		}
		if err := w.cluster.Clock().Set(w.t.Context(), w.now); err != nil {
			w.t.Fatal(err)
		}
	}
	return b.String() + w.settled()
}

// settled reports that nothing is due any more, and the story's time.
func (w *world) settled() string { return fmt.Sprintf("settled at %s\n", w.now.Sub(start)) }

// settle runs the workers in turn until none has anything to do, or up to the command's limit of
// transactions. It returns the plans to show.
func (w *world) settle(c command) (shown string, limited bool) {
	w.t.Helper()
	limit, turns := maxTurns, 0
	if text := c.option("limit"); text != "" {
		limit, _ = strconv.Atoi(text)
	}
	var b strings.Builder
	for idle := false; !idle; {
		idle = true
		for _, each := range w.cluster.Workers() {
			for {
				turn, err := each.Turn(w.t.Context())
				for again := 0; err != nil && again < 5; again++ { // on a machine so slow that the database ends the session
					w.t.Logf("%s: %v", each.Name(), err)
					turn, err = each.Turn(w.t.Context())
				}
				if err != nil {
					w.t.Fatalf("%s: %v", each.Name(), err)
				}
				if len(turn.Claims) == 0 {
					break
				}
				idle = false
				w.show(&b, each.Name(), c, turn)
				if turns++; turns < limit {
					continue
				}
				if c.option("limit") == "" {
					w.t.Fatalf("nothing has settled after %d transactions:\n%s", turns, b.String())
				}
				return b.String(), true
			}
		}
		if executed, err := w.cluster.PodRequests().Turn(w.t.Context()); err != nil {
			w.t.Fatal(err)
		} else if executed > 0 {
			idle = false
		}
		if idle && w.putOff() {
			time.Sleep(time.Millisecond)
			idle = false
		}
	}
	return b.String(), false
}

// patience is how often a sync may fail in a story before the story continues without it.
const patience = 3

// putOff reports whether a sync waits, in real time, for a retry. One that has failed too often is
// put off until the next command, so that stories do not depend on how long they take.
func (w *world) putOff() (is bool) {
	w.t.Helper()
	w.exec("UPDATE wakeups SET retry = '5000-01-01' WHERE retry < '5000-01-01' AND attempt > $1", patience)
	if err := w.pool.QueryRow(w.t.Context(), "SELECT EXISTS (SELECT FROM wakeups WHERE retry < '5000-01-01')").Scan(&is); err != nil {
		w.t.Fatal(err)
	}
	return is
}

// takeUp retries what was put off.
func (w *world) takeUp() {
	w.t.Helper()
	w.exec("UPDATE wakeups SET retry = clock_timestamp(), attempt = $1 WHERE retry = '5000-01-01'", patience)
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

// show writes what a turn's plans change.
func (w *world) show(b *strings.Builder, controller string, c command, turn engine.Turn) {
	if c.option("show") == "" || !c.has("of", controller) {
		return
	}
	for _, p := range turn.Planned {
		if c.option("show") == "counts" {
			if creates, deletes := len(p.Plan.Creates), len(p.Plan.Deletes); creates+deletes > 0 {
				fmt.Fprintf(b, "%s: %d created, %d deleted\n", controller, creates, deletes)
			}
			continue
		}
		for line := range strings.Lines(p.Plan.String()) {
			if !strings.HasPrefix(line, "wake at ") {
				fmt.Fprintf(b, "%s: %s", controller, line)
			}
		}
	}
}

// nextDue returns when the next work is due after now, zero for never.
func (w *world) nextDue() time.Time {
	w.t.Helper()
	var due *time.Time
	if err := w.pool.QueryRow(w.t.Context(), `SELECT least((SELECT min(due) FROM wakeups WHERE due > $1),
		(SELECT min(due) FROM calls WHERE due > $1 AND callee = $2 AND answer IS NULL))`, w.now, plan.APIServer).Scan(&due); err != nil {
		w.t.Fatal(err)
	}
	if due == nil {
		return time.Time{}
	}
	return due.UTC()
}
